//! The envelope: what the log says *about* an event. The payload inside is canonical JSON; two clocks tell when
//! the thing happened (`effective_at`) and when the log took it (`recorded_at`), both in microseconds since
//! the Unix epoch, UTC.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::decode::DecodeError;
use crate::event::{Entry, Event};
use crate::identity::{EventId, Hash};
use crate::ids::is_name;
use crate::payload::RawPayload;

/// Why an envelope or one of its parts is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeError {
    /// The name of a stream is malformed.
    #[error(
        "`{0}` is not a valid stream name: write FAMILY/NAME with lower-case letters, digits, `.`, `-` and `_`, \
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
    pub actor: String,
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
