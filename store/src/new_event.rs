//! A new event. It is checked when made: canonical, decodable payload, names and sizes within bounds. So everything in
//! the log can be read back.

use annals_events::log::{LOG_STREAM, Opened, command_that_writes};
use annals_events::{
    DecodeError, Entry, EventId, EventType, Family, LogEvent, Micros, RawPayload, StreamName, canonical,
};

/// In bytes.
pub const MAX_PAYLOAD: usize = 4 << 20;

/// In bytes.
pub const MAX_ACTOR: usize = 200;

/// ±(2^53 − 1) microseconds from the epoch, about 285 years, exact in every JSON reader.
const MAX_TIME: i64 = canonical::MAX_INTEGER;

#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// Unknown type, newer schema, or an invalid payload.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error("the payload is not canonical: {0}")]
    Canonical(#[from] canonical::CanonicalError),
    #[error(
        "the payload has {found} bytes; at most {MAX_PAYLOAD} are stored: split it, or keep its source elsewhere and name its digest"
    )]
    TooLong { found: usize },
    #[error("`{found}` cannot be an actor: 1 to {MAX_ACTOR} bytes without control characters")]
    Actor {
        /// The first 80 characters.
        found: String,
    },
    #[error("{found} microseconds lie beyond ±(2^53 − 1), about 285 years from 1970")]
    Time { found: Micros },
    #[error("`{event_type}` does not belong in the stream `{stream}`: it belongs in one of `{wanted}`")]
    Stream { event_type: EventType, stream: String, wanted: String },
    #[error("`{event_type}` is not appended by hand: {instead}")]
    Reserved { event_type: EventType, instead: &'static str },
}

/// The log adds `seq`, version, recording time and hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    pub(crate) stream: StreamName,
    pub(crate) id: EventId,
    pub(crate) event_type: EventType,
    pub(crate) schema: u32,
    pub(crate) effective_at: Micros,
    pub(crate) actor: String,
    pub(crate) payload: RawPayload,
}

impl NewEvent {
    /// In the present schema.
    ///
    /// # Errors
    /// If a name, number or size is out of bounds, or the event belongs to another stream.
    pub fn new(
        stream: StreamName,
        id: EventId,
        effective_at: Micros,
        actor: &str,
        entry: &Entry<'_>,
    ) -> Result<NewEvent, EventError> {
        let event_type = entry.event.event_type();
        let payload = entry.to_payload()?;
        let schema = event_type.schema();
        NewEvent { stream, id, event_type, schema, effective_at, actor: actor.to_owned(), payload }.checked()
    }

    /// As exported by another log, in its schema. The payload is stored unchanged.
    ///
    /// # Errors
    /// As [`NewEvent::new`]; if the type is unknown, the schema newer, or the payload invalid.
    pub fn from_parts(
        stream: StreamName,
        id: EventId,
        type_name: &str,
        schema: u32,
        effective_at: Micros,
        actor: &str,
        payload: RawPayload,
    ) -> Result<NewEvent, EventError> {
        let event_type = EventType::from_name(type_name)?;
        canonical::check(payload.as_str())?;
        Entry::from_payload(type_name, schema, payload.as_str())?;
        NewEvent { stream, id, event_type, schema, effective_at, actor: actor.to_owned(), payload }.checked()
    }

    fn checked(self) -> Result<NewEvent, EventError> {
        let event_type = self.event_type;
        match command_that_writes(event_type.name()) {
            Some(instead) => Err(EventError::Reserved { event_type, instead }),
            None => self.within_bounds(),
        }
    }

    fn within_bounds(self) -> Result<NewEvent, EventError> {
        if self.payload.as_str().len() > MAX_PAYLOAD {
            return Err(EventError::TooLong { found: self.payload.as_str().len() });
        }
        let fine = (1..=MAX_ACTOR).contains(&self.actor.len()) && !self.actor.chars().any(char::is_control);
        if !fine {
            return Err(EventError::Actor { found: self.actor.chars().take(80).collect() });
        }
        if !(-MAX_TIME..=MAX_TIME).contains(&self.effective_at) {
            return Err(EventError::Time { found: self.effective_at });
        }
        let family = self.event_type.family();
        // A correction is in the stream of its event, of any family.
        let anywhere = self.event_type.name() == "log.correction";
        let at_home = match family {
            Family::Log => anywhere || self.stream.as_str() == LOG_STREAM,
            _ => self.stream.family() == family.word(),
        };
        if !at_home {
            let wanted = match family {
                Family::Log => LOG_STREAM.to_owned(),
                _ => format!("{}/…", family.word()),
            };
            let stream = self.stream.as_str().to_owned();
            return Err(EventError::Stream { event_type: self.event_type, stream, wanted });
        }
        Ok(self)
    }

    /// An event that only the log writes.
    pub(crate) fn own(
        event: LogEvent,
        id: EventId,
        actor: &str,
        now: Micros,
    ) -> Result<NewEvent, EventError> {
        let entry = Entry::from(annals_events::Event::from(event));
        let event_type = entry.event.event_type();
        let stream = LOG_STREAM.parse().map_err(|_| EventError::Stream {
            event_type,
            stream: LOG_STREAM.to_owned(),
            wanted: LOG_STREAM.to_owned(),
        })?;
        let (payload, schema) = (entry.to_payload()?, event_type.schema());
        let actor = actor.to_owned();
        NewEvent { stream, id, event_type, schema, effective_at: now, actor, payload }.within_bounds()
    }

    /// A log's first event, with the log's own identity.
    pub(crate) fn opening(opened: &Opened, actor: &str, now: Micros) -> Result<NewEvent, EventError> {
        NewEvent::own(LogEvent::Opened(opened.clone()), EventId(opened.log_id.0), actor, now)
    }

    #[must_use]
    pub fn stream(&self) -> &StreamName {
        &self.stream
    }

    #[must_use]
    pub fn id(&self) -> EventId {
        self.id
    }

    #[must_use]
    pub fn event_type(&self) -> EventType {
        self.event_type
    }

    /// Microseconds since the epoch, UTC.
    #[must_use]
    pub fn effective_at(&self) -> Micros {
        self.effective_at
    }

    #[must_use]
    pub fn payload(&self) -> &RawPayload {
        &self.payload
    }
}
