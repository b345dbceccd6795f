//! An event that is submitted: not yet decided, and not in the log.

use annals_events::canonical::CanonicalError;
use annals_events::{
    DecodeError, Entry, Event, EventId, EventType, Hash, Micros, RawEnvelope, RawPayload, StatedPeriod,
    StreamName, TimeNote,
};
use annals_store::{EventError, NewEvent};

use super::dependencies::UNDECIDED;

/// An event that is to be appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub stream: StreamName,
    pub event_type: String,
    /// The schema of its payload.
    pub schema: u32,
    /// When it happened, microseconds since the epoch.
    pub effective_at: Micros,
    pub payload: RawPayload,
    /// Its identity, if it has one; else the append creates one.
    pub id: Option<EventId>,
    /// The actor, if not the one who submits the event.
    pub actor: Option<String>,
    /// Whether it happens now, without a stated time. Then `effective_at` is the time of submission, and it is raised to
    /// the time of events that another process appended since.
    pub now: bool,
}

impl Draft {
    /// An event of the present schema.
    ///
    /// # Errors
    /// When a number is outside the range of payloads.
    pub fn new(
        stream: StreamName,
        effective_at: Micros,
        event: impl Into<Event<'static>>,
    ) -> Result<Draft, CanonicalError> {
        Draft::of_entry(stream, effective_at, &Entry::from(event.into()))
    }

    /// An event with the note on its time.
    pub fn of_entry(
        stream: StreamName,
        effective_at: Micros,
        entry: &Entry<'_>,
    ) -> Result<Draft, CanonicalError> {
        let event_type = entry.event.event_type();
        Ok(Draft {
            stream,
            event_type: event_type.name().to_owned(),
            schema: event_type.schema(),
            effective_at,
            payload: entry.to_payload()?,
            id: None,
            actor: None,
            now: false,
        })
    }

    /// An event with a written payload. A payload of the present schema is converted to the form in which
    /// this program writes it; one of an older schema is unchanged.
    ///
    /// # Errors
    /// When the type is unknown, the schema newer than this program, or the payload not of it.
    pub fn from_parts(
        stream: StreamName,
        type_name: &str,
        schema: Option<u32>,
        effective_at: Micros,
        payload: RawPayload,
    ) -> Result<Draft, DecodeError> {
        let event_type = EventType::from_name(type_name)?;
        let schema = schema.unwrap_or(event_type.schema());
        let entry = Entry::from_payload(type_name, schema, payload.as_str())?;
        let payload = if schema == event_type.schema() {
            entry.to_payload().map_err(|source| DecodeError::NotCanonical { event_type, source })?
        } else {
            payload
        };
        let event_type = event_type.name().to_owned();
        Ok(Draft { stream, event_type, schema, effective_at, payload, id: None, actor: None, now: false })
    }

    /// With an identity of its own, by which a repetition is recognised.
    pub fn with_id(mut self, id: EventId) -> Draft {
        self.id = Some(id);
        self
    }

    /// With an actor other than the one who submits it.
    pub fn by(mut self, actor: &str) -> Draft {
        self.actor = Some(actor.to_owned());
        self
    }

    /// Happens now, without a stated time; its time so far is that of submission.
    pub fn now(mut self) -> Draft {
        self.now = true;
        self
    }

    /// Reads it.
    ///
    /// # Errors
    /// When the type is unknown, the schema newer than this program, or the payload not of it.
    pub fn decode(&self) -> Result<Entry<'_>, DecodeError> {
        Entry::from_payload(&self.event_type, self.schema, self.payload.as_str())
    }

    /// The same with its time raised to the earliest possible one; the payload keeps the stated time. A time that the source does not
    /// state is only moved.
    pub(crate) fn lifted(&self, floor: Micros) -> Result<Draft, DecodeError> {
        let mut draft = Draft { effective_at: floor, ..self.clone() };
        let mut entry = self.decode()?;
        if entry.time.is_none() {
            entry.time = Some(TimeNote::Lifted { stated_at: self.effective_at });
            let event_type = entry.event.event_type();
            draft.payload =
                entry.to_payload().map_err(|source| DecodeError::NotCanonical { event_type, source })?;
            draft.schema = event_type.schema();
        }
        Ok(draft)
    }

    /// The same with the period that the source states; its time is the period's beginning.
    pub(super) fn stated(&self, period: StatedPeriod) -> Result<Draft, DecodeError> {
        let mut entry = self.decode()?;
        let event_type = entry.event.event_type();
        entry.time.get_or_insert(TimeNote::Stated(period));
        let payload =
            entry.to_payload().map_err(|source| DecodeError::NotCanonical { event_type, source })?;
        Ok(Draft { payload, schema: event_type.schema(), ..self.clone() })
    }

    /// The event as it would be recorded.
    pub(super) fn recorded(&self, seq: u64, version: u64, recorded_at: Micros, actor: &str) -> RawEnvelope {
        RawEnvelope {
            seq,
            stream: self.stream.clone(),
            version,
            id: self.id.unwrap_or(UNDECIDED),
            event_type: self.event_type.clone(),
            schema: self.schema,
            effective_at: self.effective_at,
            recorded_at,
            actor: self.actor.as_deref().unwrap_or(actor).to_owned(),
            payload: self.payload.clone(),
            hash: Hash([0; 32]),
        }
    }

    /// Checks that its parts are within the bounds of events, independent of any rulebook.
    ///
    /// # Errors
    /// When a part is out of bounds.
    pub fn check(&self, actor: &str) -> Result<(), EventError> {
        self.to_new_event(UNDECIDED, actor).map(drop)
    }

    /// The event in the form that the log appends.
    pub(crate) fn to_new_event(&self, id: EventId, actor: &str) -> Result<NewEvent, EventError> {
        let actor = self.actor.as_deref().unwrap_or(actor);
        let (stream, payload) = (self.stream.clone(), self.payload.clone());
        NewEvent::from_parts(stream, id, &self.event_type, self.schema, self.effective_at, actor, payload)
    }
}
