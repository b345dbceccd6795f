//! Schema versions. Stored payloads never change: a changed type gets the next version, and a step here that converts
//! old payloads. Reading applies the steps from the stored version; a step is pure and sees only the payload.

use serde_json::Value;

use crate::canonical;
use crate::decode::{DecodeError, PROGRAM, Source, UpcastError};
use crate::event::{Entry, Event};
use crate::event_type::{EventType, Family};

/// From version `from` to `from + 1`.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub event_type: EventType,
    /// From 1.
    pub from: u32,
    /// The error states what was found.
    pub apply: fn(Value) -> Result<Value, String>,
}

/// Steps, which determine present versions: 1 plus the number of a type's steps.
#[derive(Debug, Clone, Copy)]
pub struct Schemas<'s> {
    steps: &'s [Step],
}

/// A new optional field: old payloads are valid in the new version.
const fn optional_field(name: &str) -> Step {
    Step { event_type: EventType::of(Family::Tournament, name), from: 1, apply: Ok }
}

/// The rules that a dispute cites, and declared computers.
const STEPS: &[Step] =
    &[optional_field("tournament.dispute_filed"), optional_field("tournament.hardware_declared")];

impl<'s> Schemas<'s> {
    /// Of this program.
    pub const RELEASED: Schemas<'static> = Schemas { steps: STEPS };

    /// For trying out a schema change. A type's steps must be consecutive from 1.
    #[must_use]
    pub fn new(steps: &'s [Step]) -> Option<Schemas<'s>> {
        let in_order = steps.iter().enumerate().all(|(i, step)| {
            let before = steps[..i].iter().filter(|s| s.event_type == step.event_type).count();
            u32::try_from(before + 1) == Ok(step.from)
        });
        in_order.then_some(Schemas { steps })
    }

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

    /// Upcasts a payload to the present version.
    ///
    /// # Errors
    /// If the version is 0 or newer, or a step fails.
    pub fn upcast(&self, event_type: EventType, schema: u32, payload: Value) -> Result<Value, DecodeError> {
        self.check(event_type, schema)?;
        self.steps
            .iter()
            .filter(|step| step.event_type == event_type && step.from >= schema)
            .try_fold(payload, |payload, step| (step.apply)(payload).map_err(|reason| (step.from, reason)))
            .map_err(|(from, reason)| UpcastError { event_type, from, reason }.into())
    }

    /// Reads an entry of any known version.
    ///
    /// # Errors
    /// If the version is 0 or newer, a step fails, or the payload is invalid.
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

impl EventType {
    /// In which this program writes the type.
    #[must_use]
    pub fn schema(self) -> u32 {
        Schemas::RELEASED.current(self)
    }
}

impl<'a> Event<'a> {
    /// Reads an event, ignoring a time note (see [`Entry::from_payload`]).
    ///
    /// # Errors
    /// If the type is unknown, the schema newer, or the payload invalid.
    pub fn from_payload(type_name: &str, schema: u32, payload: &'a str) -> Result<Event<'a>, DecodeError> {
        Entry::from_payload(type_name, schema, payload).map(|entry| entry.event)
    }
}

impl<'a> Entry<'a> {
    /// # Errors
    /// If the type is unknown, the schema newer, or the payload invalid.
    pub fn from_payload(type_name: &str, schema: u32, payload: &'a str) -> Result<Entry<'a>, DecodeError> {
        Schemas::RELEASED.decode(EventType::from_name(type_name)?, schema, payload)
    }
}

/// Reads a payload that must be normal: canonical JSON, and in the present schema exactly as this program writes it.
/// For appending and verifying.
///
/// # Errors
/// As [`Entry::from_payload`], and if the payload is not normal.
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
