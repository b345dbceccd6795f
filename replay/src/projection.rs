//! One generic fold. A [`Projection`] says what an event does to its state; [`Replayed`] runs it over a scope at a cut.
//!
//! There are no snapshots: the longest scope that is asked for at a terminal, a tournament of some 10,000 events, folds
//! in milliseconds (see `benches/replay.rs`).

use std::collections::HashSet;
use std::fmt;

use annals_events::Micros;
use annals_store::{Log, ReadError};

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::recorded::{InLog, Recorded, Scope};
use crate::timeline::{CORRECTION, Corrections, PutRight, Standing};

/// A state that events make.
pub trait Projection: Default + fmt::Debug {
    /// Folds one event. What cannot be folded becomes a finding; nothing ends the fold.
    fn apply(&mut self, event: &Standing<'_>);

    /// Hears of a correction of an event, before that is folded as it stands. Most states hold what stands, and no more.
    fn put_right(&mut self, _correction: &PutRight<'_>) {}

    /// Keeps a finding that the fold itself made, about a correction.
    fn find(&mut self, finding: Finding);
}

/// A projection run over a scope at a cut.
#[derive(Debug, Clone)]
pub struct Replayed<P> {
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
        Ok(Replayed { seq, folded, state })
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
