//! Where the events of a fold come from: one stream, all people, the whole log, or a list in memory. Each gives its
//! events in the order of the log, and gives the same ones when asked again.

use std::ops::ControlFlow;

use annals_events::{Family, RawEnvelope, StreamName};
use annals_store::{FoldEvent, Log, ReadError};

/// What is folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// One stream, and with it every correction of its events.
    Stream(StreamName),
    /// All streams of the people family.
    People,
    /// Every event of the log.
    Log,
}

/// Events in the order of the log.
pub trait Recorded {
    /// Calls `visit` with each event.
    ///
    /// # Errors
    /// When an event cannot be read.
    fn each(&self, visit: &mut dyn FnMut(FoldEvent<'_>)) -> Result<(), ReadError>;
}

/// The events of a scope up to a `seq`.
pub struct InLog<'l> {
    log: &'l Log,
    scope: &'l Scope,
    up_to: u64,
}

impl<'l> InLog<'l> {
    /// The events of a scope whose `seq` is at most `up_to`.
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
            // Few and small; they have to be brought into one order.
            Scope::People => people(self.log, self.up_to)?.as_slice().each(visit),
        }
    }
}

/// The events of a scope up to a `seq`, each with its own text.
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

/// A list in memory, in the order of the log.
impl Recorded for [RawEnvelope] {
    fn each(&self, visit: &mut dyn FnMut(FoldEvent<'_>)) -> Result<(), ReadError> {
        self.iter().for_each(|event| visit(reference(event)));
        Ok(())
    }
}

/// An event with its own text, borrowed.
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
