//! The events of a fold: one stream, all people, the log, or a list. Repeatable, in log order.

use std::ops::ControlFlow;

use annals_events::{Family, RawEnvelope, StreamName};
use annals_store::{FoldEvent, Log, ReadError};

use crate::timeline::CORRECTION;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// With all corrections of its events.
    Stream(StreamName),
    /// All streams of the family.
    People,
    Log,
}

pub trait Recorded {
    /// # Errors
    /// If an event cannot be read.
    fn each(&self, visit: &mut dyn FnMut(FoldEvent<'_>)) -> Result<(), ReadError>;

    /// Whether a correction is known to be among them before they are read.
    fn has_correction(&self) -> bool {
        false
    }
}

pub struct InLog<'l> {
    log: &'l Log,
    scope: &'l Scope,
    up_to: u64,
}

impl<'l> InLog<'l> {
    /// `up_to` is the last `seq`.
    pub fn new(log: &'l Log, scope: &'l Scope, up_to: u64) -> InLog<'l> {
        InLog { log, scope, up_to }
    }
}

impl Recorded for InLog<'_> {
    fn each(&self, visit: &mut dyn FnMut(FoldEvent<'_>)) -> Result<(), ReadError> {
        let mut on = |event: FoldEvent<'_>| {
            visit(event);
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        };
        match self.scope {
            Scope::Stream(stream) => self.log.scan_stream(stream, self.up_to, |event| on(event.for_fold())),
            Scope::Log => self.log.scan_for_fold(1..=self.up_to, on),
            // Few and small; they need sorting.
            Scope::People => people(self.log, self.up_to)?.as_slice().each(visit),
        }
    }
}

/// Owned events of a scope up to a `seq`.
pub fn recorded(log: &Log, scope: &Scope, up_to: u64) -> Result<Vec<RawEnvelope>, ReadError> {
    match scope {
        Scope::Stream(stream) => log.stream(stream, up_to),
        Scope::People => people(log, up_to),
        Scope::Log => log.events(1..=up_to).collect(),
    }
}

fn people(log: &Log, up_to: u64) -> Result<Vec<RawEnvelope>, ReadError> {
    let mut events = Vec::new();
    for stream in log.streams(Some(Family::People.word()))? {
        events.append(&mut log.stream(&stream.name, up_to)?);
    }
    events.sort_by_key(|event| event.seq);
    Ok(events)
}

/// In log order.
impl Recorded for [RawEnvelope] {
    fn each(&self, visit: &mut dyn FnMut(FoldEvent<'_>)) -> Result<(), ReadError> {
        self.iter().for_each(|event| visit(reference(event)));
        Ok(())
    }

    fn has_correction(&self) -> bool {
        self.iter().any(|event| event.event_type == CORRECTION)
    }
}

pub fn reference(event: &RawEnvelope) -> FoldEvent<'_> {
    FoldEvent {
        seq: event.seq,
        stream: event.stream.as_str(),
        event_type: &event.event_type,
        schema: event.schema,
        effective_at: event.effective_at,
        recorded_at: event.recorded_at,
        actor: &event.actor,
        payload: event.payload.as_str(),
    }
}
