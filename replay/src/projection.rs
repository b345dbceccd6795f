//! One generic fold. A [`Projection`] says what an event does to its state; [`Replayed`] runs it over a scope at a cut,
//! carries it on when the log has grown, and gives a [`Checkpoint`], by which another run can be held against it.
//!
//! There are no snapshots: the longest scope that is asked for at a terminal, a tournament of some 10,000 events, folds
//! in milliseconds (see `benches/replay.rs`). A checkpoint holds no state, so nothing can be trusted over the log.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use annals_events::{Hash, Micros};
use annals_store::{Log, ReadError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::recorded::{InLog, Recorded, Scope};
use crate::timeline::{CORRECTION, Corrections, PutRight, Standing};

/// A state that events make.
pub trait Projection: Default + fmt::Debug {
    /// Its name in checkpoints.
    const NAME: &'static str;
    /// Rises whenever the same events make another state.
    const VERSION: u32;

    /// Folds one event. What cannot be folded becomes a finding; nothing ends the fold.
    fn apply(&mut self, event: &Standing<'_>);

    /// Hears of a correction of an event, before that is folded as it stands. Most states hold what stands, and no more.
    fn put_right(&mut self, _correction: &PutRight<'_>) {}

    /// Keeps a finding that the fold itself made, about a correction.
    fn find(&mut self, finding: Finding);
}

/// Where a projection stood: enough to prove another run equal to it, and no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The projection.
    pub projection: String,
    /// Its version.
    pub version: u32,
    /// What it was run over.
    pub scope: String,
    /// Only what had happened by then was folded; none for everything.
    pub as_of: Option<Micros>,
    /// The prefix of the log that was looked at ends here.
    pub seq: u64,
    /// How many events of the scope were folded.
    pub folded: u64,
    /// Digest of the state.
    pub state: Hash,
}

/// How a replay came to a later point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    /// So many events were folded on top.
    On {
        /// Events folded.
        events: u64,
    },
    /// Everything was folded again: a correction reaches back, or the cut is no later one.
    Anew,
}

/// A projection run over a scope at a cut.
#[derive(Debug, Clone)]
pub struct Replayed<P> {
    scope: Scope,
    as_of: Option<Micros>,
    seq: u64,
    folded: u64,
    state: P,
}

impl<P: Projection> Replayed<P> {
    /// Folds from the first event.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn rebuild(log: &Log, scope: Scope, cut: &Cut) -> Result<Replayed<P>, ReplayError> {
        let seq = cut.last_seq(log)?;
        let (state, folded) = fold(&InLog::new(log, &scope, seq), cut.as_of)?;
        Ok(Replayed { scope, as_of: cut.as_of, seq, folded, state })
    }

    /// Carries the state on to a later prefix of the log, from where it stands. Where it cannot be carried on (there is
    /// a new correction, or the cut asks for another time or an earlier prefix) it is folded anew.
    ///
    /// # Errors
    /// When the log cannot be read; the state is then as it was.
    pub fn continue_to(&mut self, log: &Log, cut: &Cut) -> Result<Carried, ReplayError> {
        let seq = cut.last_seq(log)?;
        let source = InLog::new(log, &self.scope, seq);
        let mut corrected = seq < self.seq || cut.as_of != self.as_of;
        if !corrected {
            source.each(self.seq, &mut |event| corrected |= event.event_type == CORRECTION)?;
        }
        if corrected {
            *self = Replayed::rebuild(log, self.scope.clone(), cut)?;
            return Ok(Carried::Anew);
        }
        let mut events = 0;
        source.each(self.seq, &mut |event| {
            if cut.has_happened(event.effective_at) {
                self.state.apply(&Standing::as_recorded(&event));
                events += 1;
            }
        })?;
        self.seq = seq;
        self.folded += events;
        Ok(Carried::On { events })
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &P {
        &self.state
    }

    /// The state alone.
    #[must_use]
    pub fn into_state(self) -> P {
        self.state
    }

    /// The last event of the prefix that was looked at.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// How many events were folded.
    #[must_use]
    pub fn folded(&self) -> u64 {
        self.folded
    }

    /// Where it stands.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            projection: P::NAME.to_owned(),
            version: P::VERSION,
            scope: self.scope.to_string(),
            as_of: self.as_of,
            seq: self.seq,
            folded: self.folded,
            state: digest(&self.state),
        }
    }
}

/// Folds the events of a source that had happened by `as_of`, corrections in place. Gives the state, and how many events
/// were folded.
///
/// # Errors
/// When an event cannot be read.
pub fn fold<P: Projection>(
    events: &(impl Recorded + ?Sized),
    as_of: Option<Micros>,
) -> Result<(P, u64), ReadError> {
    let cut = Cut { as_of, ..Cut::NOW };
    // Corrections are rare and come after what they correct, so the first pass folds as if there were none.
    let (mut state, mut folded) = (P::default(), 0);
    let mut corrections = Corrections::default();
    let mut corrected = false;
    events.each(0, &mut |event| {
        if event.event_type == CORRECTION {
            corrected = true;
            corrections.note(&event);
        } else if !corrected && cut.has_happened(event.effective_at) {
            state.apply(&Standing::as_recorded(&event));
            folded += 1;
        }
    })?;
    if !corrected {
        return Ok((state, folded));
    }
    (state, folded) = (P::default(), 0);
    let mut reached = HashSet::new();
    events.each(0, &mut |event| {
        if event.event_type == CORRECTION {
            report_correction(&event, &reached, &mut state);
            return;
        }
        if let Some(correction) = corrections.put_right(&event) {
            reached.insert((event.seq, event.stream.to_owned()));
            if cut.has_happened(event.effective_at) {
                state.put_right(&correction);
            }
        }
        if let Some(standing) = corrections.put_in_place(&event)
            && cut.has_happened(standing.effective_at)
        {
            state.apply(&standing);
            folded += 1;
        }
    })?;
    Ok((state, folded))
}

fn report_correction<P: Projection>(
    event: &annals_store::EventRef<'_>,
    reached: &HashSet<(u64, String)>,
    state: &mut P,
) {
    use annals_events::{Event, LogEvent};
    match Event::from_payload(event.event_type, event.schema, event.payload) {
        Ok(Event::Log(LogEvent::Correction(correction))) => {
            if !reached.contains(&(correction.corrects, event.stream.to_owned())) {
                let message = format!(
                    "corrects event {}, which is no event before it in its stream",
                    correction.corrects
                );
                state.find(Finding::new(event.seq, "corrects_nothing", message));
            }
        }
        Ok(_) => {}
        Err(error) => state.find(Finding::new(event.seq, "unreadable", error.to_string())),
    }
}

/// Digest of a state: SHA-256 over its debug text, which shows every field. It is comparable between runs of one
/// version of this program, which is what a checkpoint is for.
fn digest(state: &impl fmt::Debug) -> Hash {
    struct Sink(Sha256);
    impl fmt::Write for Sink {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.update(text.as_bytes());
            Ok(())
        }
    }
    let mut sink = Sink(Sha256::new());
    // Writing into a digest cannot fail.
    let _ = write!(sink, "{state:?}");
    Hash(sink.0.finalize().into())
}
