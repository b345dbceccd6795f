//! The events of a game as they are at a point in time, corrections in place, for a dataset: also those that this program cannot
//! read. And the imports that the log records.

use annals_events::log::Imported;
use annals_events::{Event, LOG_STREAM, LogEvent, Micros, RawEnvelope, StreamName};
use annals_store::{Log, ReadError};

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::projection::{Projection, Replayed};
use crate::recorded::Scope;
use crate::timeline::EffectiveEvent;

/// An event with its own texts.
#[derive(Debug, Clone)]
pub struct StoredEvent {
    pub seq: u64,
    pub effective_at: Micros,
    pub event_type: String,
    pub schema: u32,
    pub payload: String,
}

#[derive(Debug, Default)]
struct Gathered(Vec<StoredEvent>);

impl Projection for Gathered {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        self.0.push(StoredEvent {
            seq: event.seq,
            effective_at: event.effective_at,
            event_type: event.event_type.to_owned(),
            schema: event.schema,
            payload: event.payload.to_owned(),
        });
    }

    /// `annals log verify` reports findings about corrections.
    fn find(&mut self, _: Finding) {}
}

/// The events of a stream at a point in time; none for one that begins later.
///
/// # Errors
/// When the log cannot be read.
pub fn effective_events(log: &Log, stream: StreamName, cut: &Cut) -> Result<Vec<StoredEvent>, ReplayError> {
    Ok(Replayed::<Gathered>::rebuild(log, Scope::Stream(stream), cut)?.into_state().0)
}

/// The imports of files with these names, as the log records them: the file, and the event.
///
/// # Errors
/// When the log cannot be read.
pub fn imports_of(log: &Log, names: &[&str]) -> Result<Vec<(String, u64)>, ReadError> {
    let Ok(stream) = LOG_STREAM.parse::<StreamName>() else { return Ok(Vec::new()) };
    let import = |event: &RawEnvelope| match event.decode() {
        Ok(Event::Log(LogEvent::Imported(Imported { source, .. }))) if names.contains(&source.as_str()) => {
            Some((source, event.seq))
        }
        _ => None,
    };
    Ok(log.stream(&stream, u64::MAX)?.iter().filter_map(import).collect())
}
