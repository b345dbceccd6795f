//! The envelope: what the log says *about* an event. The payload inside is canonical JSON; two clocks tell when
//! the thing happened (`effective_at`) and when the log took it (`recorded_at`), both in microseconds since
//! the Unix epoch, UTC.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::canonical::{self, CanonicalError};
use crate::decode::DecodeError;
use crate::event::{Entry, Event};
use crate::hex::{EventId, Hash};
use crate::ids::is_name;

/// Why an envelope or one of its parts is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeError {
    /// The name of a stream is malformed.
    #[error(
        "`{0}` is no stream name: write FAMILY/NAME with lower-case letters, digits, `.`, `-` and `_`, \
         for example `game/wcc-2015.r3.2`"
    )]
    Stream(String),
}

/// The name of a stream: `tournament/wcc-2015`, `game/wcc-2015.r3.2`, `people/omar`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StreamName(String);

impl StreamName {
    /// The part before the slash.
    #[must_use]
    pub fn family(&self) -> &str {
        self.0.split_once('/').map_or("", |(family, _)| family)
    }

    /// The part after the slash.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, name)| name)
    }

    /// The whole name.
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

/// One event with everything that the log says about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope<P> {
    /// Position in the log, from 1, without gaps.
    pub seq: u64,
    /// The stream it belongs to.
    pub stream: StreamName,
    /// Position in its stream, from 1, without gaps.
    pub version: u64,
    /// Who it is: an append of the same identity and content a second time changes nothing.
    pub id: EventId,
    /// The type of the payload, e.g. `game.turn_taken`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Schema version of that type, from 1.
    pub schema: u32,
    /// When it happened: microseconds since the Unix epoch, UTC.
    pub effective_at: i64,
    /// When the log took it: microseconds since the Unix epoch, UTC.
    pub recorded_at: i64,
    /// Who said so.
    pub actor: String,
    /// What happened.
    pub payload: P,
    /// The hash over the hash before it and every other field of this envelope.
    pub hash: Hash,
}

/// An envelope as the log holds it.
pub type RawEnvelope = Envelope<RawPayload>;

impl<P> Envelope<P> {
    /// The same envelope around another payload.
    pub fn with_payload<Q>(self, payload: Q) -> Envelope<Q> {
        Envelope {
            seq: self.seq,
            stream: self.stream,
            version: self.version,
            id: self.id,
            event_type: self.event_type,
            schema: self.schema,
            effective_at: self.effective_at,
            recorded_at: self.recorded_at,
            actor: self.actor,
            payload,
            hash: self.hash,
        }
    }
}

impl RawEnvelope {
    /// Reads the event in it, carried over from an older schema where that is needed.
    ///
    /// # Errors
    /// When the type is unknown, the schema newer than this program, or the payload not one of that type.
    pub fn decode(&self) -> Result<Event<'_>, DecodeError> {
        Event::from_payload(&self.event_type, self.schema, self.payload.as_str())
    }

    /// Reads the event in it with the note on its time.
    ///
    /// # Errors
    /// As [`RawEnvelope::decode`].
    pub fn decode_entry(&self) -> Result<Entry<'_>, DecodeError> {
        Entry::from_payload(&self.event_type, self.schema, self.payload.as_str())
    }
}

/// A payload as the log stores and hashes it: the text of canonical JSON. As a part of a larger JSON document it
/// stands there as the value that it is, not as a string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RawPayload(String);

impl RawPayload {
    /// A text that must be canonical JSON.
    ///
    /// # Errors
    /// When it is not; the error names what is wrong or shows the canonical form.
    pub fn from_canonical(text: String) -> Result<RawPayload, CanonicalError> {
        canonical::check(&text)?;
        Ok(RawPayload(text))
    }

    /// JSON in any layout, brought into canonical form.
    ///
    /// # Errors
    /// When it is no JSON, or has no canonical form.
    pub fn from_json(text: &str) -> Result<RawPayload, CanonicalError> {
        let value: serde_json::Value = canonical::from_str(text)?;
        canonical::to_string(&value).map(RawPayload)
    }

    /// A text as a log holds it, taken as it is: what hashes cover is the stored text, right or wrong.
    #[must_use]
    pub fn from_stored(text: String) -> RawPayload {
        RawPayload(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, given away.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl AsRef<str> for RawPayload {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RawPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RawPayload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: serde_json::Value = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawPayload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawPayload, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        canonical::to_string(&value).map(RawPayload).map_err(serde::de::Error::custom)
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
        assert_eq!(canonical::from_canonical_str::<Envelope<GameEvent<'_>>>(&text).unwrap(), envelope);
    }
}
