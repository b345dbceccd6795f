//! The events of a stream in memory, of which many states are folded without reading the log again.

use annals_events::{RawEnvelope, StreamName};
use annals_store::{Log, ReadError};

#[derive(Debug)]
pub struct HeldStream {
    name: StreamName,
    /// In log order.
    events: Vec<RawEnvelope>,
}

impl HeldStream {
    /// # Errors
    /// If an event is damaged, or the stream has a gap.
    pub fn read(log: &Log, name: &StreamName) -> Result<HeldStream, ReadError> {
        let mut events = log.stream(name, u64::MAX)?;
        events.shrink_to_fit();
        Ok(HeldStream { name: name.clone(), events })
    }

    pub fn name(&self) -> &StreamName {
        &self.name
    }

    pub fn events(&self) -> &[RawEnvelope] {
        &self.events
    }

    /// The events up to a `seq`.
    pub fn up_to(&self, seq: u64) -> &[RawEnvelope] {
        let end = self.events.partition_point(|event| event.seq <= seq);
        self.events.get(..end).unwrap_or_default()
    }

    /// Its bytes.
    pub fn memory(&self) -> usize {
        let texts = |event: &RawEnvelope| {
            event.stream.as_str().len()
                + event.event_type.len()
                + event.actor.len()
                + event.payload.as_str().len()
        };
        self.events.iter().map(|event| size_of::<RawEnvelope>() + texts(event)).sum()
    }
}
