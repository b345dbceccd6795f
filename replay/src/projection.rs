//! The generic fold. A [`Projection`] applies events to its state; [`Replayed`] folds a scope at a cut, [`Growing`]
//! event by event. There are no snapshots: the longest interactive scope, a tournament of some 10,000 events, folds in
//! milliseconds (see `benches/replay.rs`).

use std::collections::HashSet;
use std::fmt;

use annals_events::RawEnvelope;
use annals_store::{FoldEvent, Log, ReadError};

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::recorded::{InLog, Recorded, Scope, reference};
use crate::timeline::{AppliedCorrection, CORRECTION, Corrections, EffectiveEvent};

pub trait Projection: Default + fmt::Debug {
    /// Folds one event. What cannot be folded becomes a finding.
    fn apply(&mut self, event: &EffectiveEvent<'_>);

    /// Called with a correction before its event is folded as corrected. Most states ignore it.
    fn corrected(&mut self, _correction: &AppliedCorrection<'_>) {}

    /// Called with an event that happens after the cut. Most states ignore it.
    fn happens_later(&mut self, _event: &EffectiveEvent<'_>) {}

    /// Adds a finding of the fold on a correction. Some states have no findings.
    fn find(&mut self, _finding: Finding) {}
}

/// A projection of a scope at a cut.
#[derive(Debug, Clone)]
pub struct Replayed<P> {
    folded: u64,
    state: P,
}

impl<P: Projection> Replayed<P> {
    pub fn rebuild(log: &Log, scope: Scope, cut: &Cut) -> Result<Replayed<P>, ReplayError> {
        let (state, folded) = fold(&InLog::new(log, &scope, cut.last_seq(log)?), cut)?;
        Ok(Replayed { folded, state })
    }

    pub fn state(&self) -> &P {
        &self.state
    }

    pub fn into_state(self) -> P {
        self.state
    }

    pub fn folded(&self) -> u64 {
        self.folded
    }
}

/// Folds a source's events that count at a cut, corrected, within the source's prefix. Returns the state and the number
/// of events folded.
pub fn fold<P: Projection>(events: &(impl Recorded + ?Sized), cut: &Cut) -> Result<(P, u64), ReadError> {
    // Corrections are rare and follow what they correct, so the first pass assumes none that is not known.
    let mut folding = Folding::new(*cut);
    let mut corrections = Corrections::default();
    let mut corrected = events.has_correction();
    events.each(&mut |event| {
        corrected |= event.event_type == CORRECTION;
        if corrected {
            corrections.note(&event);
        } else {
            folding.step(&event);
        }
    })?;
    if corrected {
        folding = Folding { corrections, ..Folding::new(*cut) };
        events.each(&mut |event| folding.step(&event))?;
    }
    Ok((folding.state, folding.folded))
}

/// The state so far, and the corrections in place.
#[derive(Debug)]
struct Folding<P> {
    cut: Cut,
    corrections: Corrections,
    /// Events reached by a correction.
    reached: HashSet<(u64, String)>,
    state: P,
    folded: u64,
}

impl<P: Projection> Folding<P> {
    fn new(cut: Cut) -> Folding<P> {
        let (corrections, reached) = (Corrections::default(), HashSet::new());
        Folding { cut, corrections, reached, state: P::default(), folded: 0 }
    }

    fn step(&mut self, event: &FoldEvent<'_>) {
        if event.event_type == CORRECTION {
            return self.report_correction(event);
        }
        if let Some(correction) = self.corrections.corrected(event) {
            self.reached.insert((event.seq, event.stream.to_owned()));
            if self.cut.has_happened(event.seq, event.effective_at) {
                self.state.corrected(&correction);
            }
        }
        let Some(standing) = self.corrections.put_in_place(event) else { return };
        if self.cut.counts(&standing) {
            self.state.apply(&standing);
            self.folded += 1;
        } else {
            self.state.happens_later(&standing);
        }
    }

    fn report_correction(&mut self, event: &FoldEvent<'_>) {
        use annals_events::{Event, LogEvent};
        match Event::from_payload(event.event_type, event.schema, event.payload) {
            Ok(Event::Log(LogEvent::Correction(correction))) => {
                if !self.reached.contains(&(correction.corrects, event.stream.to_owned())) {
                    let message = format!(
                        "corrects event {}, which is no event before it in its stream",
                        correction.corrects
                    );
                    self.state.find(Finding::new(event.seq, "corrects_nothing", message));
                }
            }
            Ok(_) => {}
            Err(error) => self.state.find(Finding::new(event.seq, "unreadable", error.to_string())),
        }
    }
}

/// A state with its events, folded one by one. A correction, which changes an earlier event, folds them again. The
/// state is always that of the prefix.
#[derive(Debug)]
pub struct Growing<P> {
    events: Vec<RawEnvelope>,
    folding: Folding<P>,
    /// Corrections known in advance, and up to which event they were recorded.
    known: (Corrections, u64),
    folds: u64,
}

impl<P: Projection> Growing<P> {
    /// The initial state at a cut, with corrections recorded up to an event known in advance.
    pub fn knowing(cut: Cut, known: (Corrections, u64)) -> Growing<P> {
        let folding = Folding { corrections: known.0.clone(), ..Folding::new(cut) };
        Growing { events: Vec::new(), folding, known, folds: 1 }
    }

    /// The state of some events, corrected.
    pub fn of(events: Vec<RawEnvelope>) -> Growing<P> {
        let mut growing =
            Growing { events, folds: 0, ..Growing::knowing(Cut::NOW, (Corrections::default(), 0)) };
        growing.fold_again();
        growing
    }

    pub fn push(&mut self, event: RawEnvelope) {
        let is_new = event.event_type == CORRECTION && event.seq > self.known.1;
        self.events.push(event);
        if is_new {
            self.fold_again();
        } else if let Some(event) = self.events.last() {
            self.folding.step(&reference(event));
        }
    }

    /// The state before an event, with the corrections recorded by then; none if none was recorded since, so that the
    /// present state serves.
    pub fn before(&self, seq: u64) -> Option<P> {
        let is_new = |event: &&RawEnvelope| event.event_type == CORRECTION && event.seq > self.known.1;
        self.events.iter().filter(is_new).find(|event| event.seq > seq)?;
        let mut past = Growing::knowing(self.folding.cut, self.known.clone());
        self.events.iter().filter(|event| event.seq < seq).for_each(|event| past.push(event.clone()));
        Some(past.folding.state)
    }

    /// Removes the last event.
    pub fn pop(&mut self) {
        self.events.pop();
        self.fold_again();
    }

    fn fold_again(&mut self) {
        self.folds += 1;
        let mut corrections = self.known.0.clone();
        let is_new = |event: &&RawEnvelope| event.seq > self.known.1;
        self.events.iter().filter(is_new).for_each(|event| corrections.note(&reference(event)));
        self.folding = Folding { corrections, ..Folding::new(self.folding.cut) };
        for event in &self.events {
            self.folding.step(&reference(event));
        }
    }

    pub fn state(&self) -> &P {
        &self.folding.state
    }

    /// As recorded, corrections included.
    pub fn events(&self) -> &[RawEnvelope] {
        &self.events
    }

    /// Events folded into the state.
    pub fn folded(&self) -> u64 {
        self.folding.folded
    }

    /// Adds the folds of a replaced state.
    pub(crate) fn replaces(&mut self, other: &Growing<P>) {
        self.folds += other.folds;
    }

    /// How often the state was folded from the first event.
    pub fn folds(&self) -> u64 {
        self.folds
    }
}
