//! The envelope of an event. `effective_at` is when it happened, `recorded_at` when the log recorded it, in
//! microseconds since the Unix epoch, UTC.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::decode::DecodeError;
use crate::event::{Entry, Event};
use crate::identity::{EventId, Hash};
use crate::ids::is_name;
use crate::payload::RawPayload;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeError {
    #[error(
        "`{0}` is not a valid stream name: write FAMILY/NAME with lower-case letters, digits, `.`, `-` and `_`, \
         for example `game/wcc-2015.r3.2`"
    )]
    Stream(String),
}

/// For example `tournament/wcc-2015`, `game/wcc-2015.r3.2`, `people/omar`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StreamName(String);

impl StreamName {
    #[must_use]
    pub fn family(&self) -> &str {
        self.0.split_once('/').map_or("", |(family, _)| family)
    }

    #[must_use]
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, name)| name)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for StreamName {
    type Err = EnvelopeError;

    fn from_str(text: &str) -> Result<StreamName, EnvelopeError> {
        match text.split_once('/') {
            Some((family, name)) if is_name(family) && is_name(name) => Ok(StreamName(text.to_owned())),
            _ => Err(EnvelopeError::Stream(text.chars().take(80).collect())),
        }
    }
}

impl TryFrom<String> for StreamName {
    type Error = EnvelopeError;

    fn try_from(text: String) -> Result<StreamName, EnvelopeError> {
        text.parse()
    }
}

impl From<StreamName> for String {
    fn from(name: StreamName) -> String {
        name.0
    }
}

impl fmt::Display for StreamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope<P> {
    /// From 1, gapless.
    pub seq: u64,
    pub stream: StreamName,
    /// In the stream, from 1, gapless.
    pub version: u64,
    /// A repeated append of the same identity and content changes nothing.
    pub id: EventId,
    /// For example `game.turn_taken`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Of the type, from 1.
    pub schema: u32,
    /// Microseconds since the Unix epoch, UTC.
    pub effective_at: i64,
    /// Microseconds since the Unix epoch, UTC.
    pub recorded_at: i64,
    pub actor: String,
    pub payload: P,
    /// Over the previous hash and every other field.
    pub hash: Hash,
}

/// As stored.
pub type RawEnvelope = Envelope<RawPayload>;

impl RawEnvelope {
    /// Decodes the event, upcast if necessary.
    ///
    /// # Errors
    /// If the type is unknown, the schema newer, or the payload invalid.
    pub fn decode(&self) -> Result<Event<'_>, DecodeError> {
        Event::from_payload(&self.event_type, self.schema, self.payload.as_str())
    }

    /// With the time note.
    ///
    /// # Errors
    /// As [`RawEnvelope::decode`].
    pub fn decode_entry(&self) -> Result<Entry<'_>, DecodeError> {
        Entry::from_payload(&self.event_type, self.schema, self.payload.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameEvent, Side, TurnTaken, canonical};

    #[test]
    fn a_stream_name_has_a_family_and_a_name() {
        let stream: StreamName = "game/wcc-2015.r3.2".parse().unwrap();
        assert_eq!((stream.family(), stream.name()), ("game", "wcc-2015.r3.2"));
        for bad in ["", "game", "game/", "/x", "Game/x", "game/a/b", "game/a b"] {
            assert!(bad.parse::<StreamName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_envelope_survives_canonical_json() {
        let envelope = Envelope {
            seq: 7,
            stream: "game/1".parse().unwrap(),
            version: 3,
            id: EventId::for_import([1; 8], 3),
            event_type: "game.turn_taken".to_owned(),
            schema: 1,
            effective_at: 1_769_941_065_000_000,
            recorded_at: 1_769_941_065_000_001,
            actor: "gameroom".to_owned(),
            payload: GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, "Ra1")),
            hash: Hash([9; 32]),
        };
        let text = canonical::to_string(&envelope).unwrap();
        assert_eq!(canonical::from_str::<Envelope<GameEvent<'_>>>(&text).unwrap(), envelope);
    }
}
