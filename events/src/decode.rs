//! Reads payloads: errors, and the way to a typed value. The present schema is read directly, borrowing strings,
//! without a tree of JSON values.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer, StrDeserializer};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::canonical::CanonicalError;
use crate::event_type::{EventType, Family};
use crate::time::{TIME_KEY, TimeNote};

/// In errors and events.
pub const PROGRAM: &str = concat!("annals ", env!("CARGO_PKG_VERSION"));

#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// Unknown type.
    #[error(
        "`{found}` is not an event type of this program ({program}, with {known} types{family}); \
         a newer program may have written it: read the log with that one"
    )]
    UnknownType {
        /// The first 80 characters.
        found: String,
        known: usize,
        /// The family's types; empty if the family is unknown.
        family: String,
        program: &'static str,
    },
    /// From a newer program.
    #[error(
        "schema {found} of `{event_type}` is newer than this program ({program}), which reads it up to schema \
         {known}: read the log with the program that wrote it, or a later one"
    )]
    NewerSchema { event_type: EventType, found: u32, known: u32, program: &'static str },
    /// Version 0.
    #[error("schema 0 of `{event_type}`: schemas are counted from 1 (this program reads it up to {known})")]
    NoSuchSchema {
        event_type: EventType,
        /// The newest version that is known.
        known: u32,
    },
    #[error("the payload is not one of `{event_type}`, schema {schema}: {source}")]
    Payload { event_type: EventType, schema: u32, source: serde_json::Error },
    #[error(transparent)]
    Upcast(#[from] UpcastError),
    #[error("the payload of `{event_type}` is not in canonical form: {source}")]
    NotCanonical { event_type: EventType, source: CanonicalError },
    /// The payload is canonical JSON, but not in the form that this program writes: it has a `null`, or
    /// a default written out.
    #[error("the payload of `{event_type}` has `{found}`; its only form is `{wanted}`")]
    NotNormal {
        event_type: EventType,
        /// The first 400 characters.
        found: String,
        /// As this program writes it (the first 400 characters).
        wanted: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("schema {from} of `{event_type}` cannot be carried over to schema {}: {reason}", from + 1)]
pub struct UpcastError {
    pub event_type: EventType,
    /// Of the failed step.
    pub from: u32,
    pub reason: String,
}

impl EventType {
    /// # Errors
    /// If the type is unknown.
    pub fn from_name(name: &str) -> Result<EventType, DecodeError> {
        let family = match name.as_bytes().first() {
            Some(b'g') => Family::Game,
            Some(b't') => Family::Tournament,
            Some(b'p') => Family::People,
            _ => Family::Log,
        };
        match family.names().iter().position(|known| *known == name) {
            Some(index) => Ok(EventType { family, index: index as u8 }),
            None => Err(unknown_type(name)),
        }
    }
}

#[cold]
fn unknown_type(name: &str) -> DecodeError {
    let stem = name.split_once('.').map_or(name, |(family, _)| family);
    let family = Family::ALL
        .into_iter()
        .find(|family| family.word() == stem)
        .map_or(String::new(), |family| format!("; of this family: {}", family.names().join(", ")));
    DecodeError::UnknownType {
        found: name.chars().take(80).collect(),
        known: EventType::all().count(),
        family,
        program: PROGRAM,
    }
}

pub(crate) enum Source<'a> {
    /// As stored.
    Text(&'a str),
    /// From an upcast.
    Value(Value),
}

/// Reads a game's payload, borrowing strings, with its time note.
pub(crate) fn read_borrowed<'a, S: DeserializeSeed<'a>>(
    seed: S,
    source: Source<'a>,
    note: &mut Option<TimeNote>,
) -> Result<S::Value, serde_json::Error> {
    match source {
        Source::Text(text) => {
            let mut reader = serde_json::Deserializer::from_str(text);
            let value = if text.starts_with(NOTE_FIRST) {
                reader.deserialize_map(Noted { seed, note })?
            } else {
                seed.deserialize(&mut reader)?
            };
            reader.end()?;
            Ok(value)
        }
        Source::Value(mut value) => {
            *note = take_note(&mut value)?;
            seed.deserialize(value)
        }
    }
}

pub(crate) type TextReader<'r> = serde_json::Deserializer<serde_json::de::StrRead<'r>>;

/// Reads any other payload. Events own their strings, so only text is supported, and the code for some ninety types is
/// compiled once.
pub(crate) fn read_owned<T>(
    source: Source<'_>,
    note: &mut Option<TimeNote>,
    read: impl FnOnce(&mut TextReader<'_>) -> Result<T, serde_json::Error>,
) -> Result<T, serde_json::Error> {
    let text = text_of(source, note)?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    let value = read(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Without the time note.
fn text_of<'a>(source: Source<'a>, note: &mut Option<TimeNote>) -> Result<Cow<'a, str>, serde_json::Error> {
    let text = match source {
        Source::Text(text) => text,
        Source::Value(mut value) => {
            *note = take_note(&mut value)?;
            return Ok(Cow::Owned(value.to_string()));
        }
    };
    let Some(rest) = text.strip_prefix(NOTE_FIRST) else { return Ok(Cow::Borrowed(text)) };
    let mut notes = serde_json::Deserializer::from_str(rest).into_iter();
    *note = notes.next().transpose()?;
    let rest = rest[notes.byte_offset()..].trim_start();
    Ok(Cow::Owned(match rest.strip_prefix(',') {
        Some(members) if !members.trim_start().starts_with('}') => format!("{{{members}"),
        _ => format!("{{{rest}"),
    }))
}

/// The prefix of a payload with a note: keys are sorted.
const NOTE_FIRST: &str = "{\"_time\":";

fn take_note(value: &mut Value) -> Result<Option<TimeNote>, serde_json::Error> {
    let stated = value.as_object_mut().and_then(|object| object.remove(TIME_KEY));
    stated.map(TimeNote::deserialize).transpose()
}

/// Separates the time note; everything else goes to the seed.
struct Noted<'n, S> {
    seed: S,
    note: &'n mut Option<TimeNote>,
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Noted<'_, S> {
    type Value = S::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a payload: an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<S::Value, A::Error> {
        self.seed.deserialize(MapAccessDeserializer::new(Aside { map, note: self.note }))
    }
}

/// Without the note.
struct Aside<'n, A> {
    map: A,
    note: &'n mut Option<TimeNote>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Aside<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        loop {
            match self.map.next_key_seed(KeyText)? {
                None => return Ok(None),
                Some(key) if key.is(TIME_KEY) => {
                    if self.note.replace(self.map.next_value()?).is_some() {
                        return Err(de::Error::duplicate_field(TIME_KEY));
                    }
                }
                Some(Key::Lent(key)) => return seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some),
                Some(Key::Own(key)) => return seed.deserialize(StrDeserializer::new(&key)).map(Some),
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

enum Key<'de> {
    Lent(&'de str),
    Own(String),
}

impl Key<'_> {
    fn is(&self, name: &str) -> bool {
        match self {
            Key::Lent(key) => *key == name,
            Key::Own(key) => key == name,
        }
    }
}

struct KeyText;

impl<'de> DeserializeSeed<'de> for KeyText {
    type Value = Key<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for KeyText {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
        Ok(Key::Lent(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
        Ok(Key::Own(key.to_owned()))
    }
}
