//! Schema versions. What was written is never written again: when the shape of a type changes, its version rises by
//! one and a step is added here that turns a payload of the old version into one of the new. Reading applies
//! the steps from the stored version up to the present one; a step is pure and sees nothing but the payload.

use serde_json::Value;

use crate::canonical;
use crate::decode::{DecodeError, PROGRAM, Source, UpcastError};
use crate::event::{Entry, Event};
use crate::event_type::{EventType, Family};

/// One step: what turns a payload of version `from` into one of version `from + 1`.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub event_type: EventType,
    /// The version that goes in, from 1.
    pub from: u32,
    /// The change. On failure: what was found, in words.
    pub apply: fn(Value) -> Result<Value, String>,
}

/// A set of steps; with them comes the present version of every type, 1 plus the number of its steps.
#[derive(Debug, Clone, Copy)]
pub struct Schemas<'s> {
    steps: &'s [Step],
}

/// A type got a field that may be left out: an old payload is one of the new version too.
const fn optional_field(name: &str) -> Step {
    Step { event_type: EventType::of(Family::Tournament, name), from: 1, apply: Ok }
}

/// The steps of this program: the rules that a dispute cites, and the computers that are declared.
const STEPS: &[Step] =
    &[optional_field("tournament.dispute_filed"), optional_field("tournament.hardware_declared")];

impl<'s> Schemas<'s> {
    /// The versions and steps of this program.
    pub const RELEASED: Schemas<'static> = Schemas { steps: STEPS };

    /// Schemas with the given steps, for trying out a change of schema. The steps of one type must lead from
    /// 1 upwards without a gap, in order.
    #[must_use]
    pub fn new(steps: &'s [Step]) -> Option<Schemas<'s>> {
        let in_order = steps.iter().enumerate().all(|(i, step)| {
            let before = steps[..i].iter().filter(|s| s.event_type == step.event_type).count();
            u32::try_from(before + 1) == Ok(step.from)
        });
        in_order.then_some(Schemas { steps })
    }

    /// The present version of a type.
    #[must_use]
    pub fn current(&self, event_type: EventType) -> u32 {
        self.steps.iter().filter(|step| step.event_type == event_type).fold(1, |version, _| version + 1)
    }

    fn check(&self, event_type: EventType, schema: u32) -> Result<(), DecodeError> {
        let known = self.current(event_type);
        if schema == 0 {
            return Err(DecodeError::NoSuchSchema { event_type, known });
        }
        if schema > known {
            return Err(DecodeError::NewerSchema { event_type, found: schema, known, program: PROGRAM });
        }
        Ok(())
    }

    /// Carries a payload from the version in which it is written to the present one.
    ///
    /// # Errors
    /// When the version is 0 or newer than the present one, or a step fails.
    pub fn upcast(&self, event_type: EventType, schema: u32, payload: Value) -> Result<Value, DecodeError> {
        self.check(event_type, schema)?;
        self.steps
            .iter()
            .filter(|step| step.event_type == event_type && step.from >= schema)
            .try_fold(payload, |payload, step| (step.apply)(payload).map_err(|reason| (step.from, reason)))
            .map_err(|(from, reason)| UpcastError { event_type, from, reason }.into())
    }

    /// Reads an entry from a payload of any version up to the present one.
    ///
    /// # Errors
    /// When the version is 0 or newer than the present one, a step fails, or the payload is not of its type.
    pub fn decode<'a>(
        &self,
        event_type: EventType,
        schema: u32,
        payload: &'a str,
    ) -> Result<Entry<'a>, DecodeError> {
        let present = self.current(event_type);
        if schema == present {
            return event_type.read(Source::Text(payload)).map_err(|source| DecodeError::Payload {
                event_type,
                schema,
                source,
            });
        }
        self.check(event_type, schema)?;
        let broken = |source| DecodeError::Payload { event_type, schema, source };
        let value = serde_json::from_str(payload).map_err(broken)?;
        let value = self.upcast(event_type, schema, value)?;
        event_type.read(Source::Value(value)).map_err(broken)
    }
}

/// Carries a payload from the version in which it is written to the present one of this program.
///
/// # Errors
/// When the type is unknown, the version is 0 or newer than the present one, or a step fails.
pub fn upcast(type_name: &str, schema: u32, payload: Value) -> Result<Value, DecodeError> {
    Schemas::RELEASED.upcast(EventType::from_name(type_name)?, schema, payload)
}

impl EventType {
    /// The schema version in which this program writes the type.
    #[must_use]
    pub fn schema(self) -> u32 {
        Schemas::RELEASED.current(self)
    }
}

impl<'a> Event<'a> {
    /// Reads an event from the type, schema version and payload that the log holds; a note on its time is read over
    /// (see [`Entry::from_payload`]).
    ///
    /// # Errors
    /// When the type is unknown, the schema newer than this program, or the payload not one of that type.
    pub fn from_payload(type_name: &str, schema: u32, payload: &'a str) -> Result<Event<'a>, DecodeError> {
        Entry::from_payload(type_name, schema, payload).map(|entry| entry.event)
    }
}

impl<'a> Entry<'a> {
    /// Reads an entry from the type, schema version and payload that the log holds.
    ///
    /// # Errors
    /// When the type is unknown, the schema newer than this program, or the payload not one of that type.
    pub fn from_payload(type_name: &str, schema: u32, payload: &'a str) -> Result<Entry<'a>, DecodeError> {
        Schemas::RELEASED.decode(EventType::from_name(type_name)?, schema, payload)
    }
}

/// Reads a payload and makes sure that it is the one way to say what it says: canonical JSON, and for the present
/// schema to the byte what this program would write. For what enters a log, and for verifying one.
///
/// # Errors
/// As [`Entry::from_payload`], and when the payload is not in its one form.
pub fn check_payload<'a>(type_name: &str, schema: u32, payload: &'a str) -> Result<Entry<'a>, DecodeError> {
    let event_type = EventType::from_name(type_name)?;
    let not_canonical = |source| DecodeError::NotCanonical { event_type, source };
    let entry = Schemas::RELEASED.decode(event_type, schema, payload)?;
    canonical::check(payload).map_err(not_canonical)?;
    if schema == event_type.schema() {
        let written = entry.to_payload().map_err(not_canonical)?;
        if written.as_str() != payload {
            let start = |text: &str| text.chars().take(400).collect();
            let (found, wanted) = (start(payload), start(written.as_str()));
            return Err(DecodeError::NotNormal { event_type, found, wanted });
        }
    }
    Ok(entry)
}
