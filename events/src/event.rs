//! All events of the four families as one type, to and from payloads.

use serde::de::{DeserializeSeed, Deserializer};

use crate::canonical::{self, CanonicalError};
use crate::decode::{self, Source};
use crate::event_type::{EventType, Family, TURN_TAKEN};
use crate::game::GameEvent;
use crate::log::LogEvent;
use crate::payload::RawPayload;
use crate::people::PeopleEvent;
use crate::time::{TIME_KEY, TimeNote};
use crate::tournament::TournamentEvent;
use crate::turn_text;

impl EventType {
    pub(crate) fn read(self, source: Source<'_>) -> Result<Entry<'_>, serde_json::Error> {
        if let (TURN_TAKEN, Source::Text(text)) = (self, &source)
            && let Some((turn, time)) = turn_text::read(text)
        {
            return Ok(Entry { event: Event::Game(GameEvent::TurnTaken(turn)), time });
        }
        let (mut time, index) = (None, self.index);
        let note = &mut time;
        let event = match self.family {
            Family::Game => Event::Game(decode::read_borrowed(GameType(index), source, note)?),
            Family::Log => Event::Log(decode::read_owned(source, note, |r| LogEvent::read(index, r))?),
            Family::People => {
                Event::People(decode::read_owned(source, note, |r| PeopleEvent::read(index, r))?)
            }
            Family::Tournament => {
                let event = decode::read_owned(source, note, |r| TournamentEvent::read(index, r))?;
                Event::Tournament(Box::new(event))
            }
        };
        Ok(Entry { event, time })
    }
}

/// Reads a game event by its type's index.
struct GameType(u8);

impl<'de> DeserializeSeed<'de> for GameType {
    type Value = GameEvent<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<GameEvent<'de>, D::Error> {
        GameEvent::read(self.0, deserializer)
    }
}

/// In the present schema, without a note.
impl<'de> DeserializeSeed<'de> for EventType {
    type Value = Event<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Event<'de>, D::Error> {
        Ok(match self.family {
            Family::Game => Event::Game(GameEvent::read(self.index, deserializer)?),
            Family::Log => Event::Log(LogEvent::read(self.index, deserializer)?),
            Family::People => Event::People(PeopleEvent::read(self.index, deserializer)?),
            Family::Tournament => {
                Event::Tournament(Box::new(TournamentEvent::read(self.index, deserializer)?))
            }
        })
    }
}

/// A game's event borrows its text; the rarer families own theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    Log(LogEvent),
    Game(GameEvent<'a>),
    Tournament(Box<TournamentEvent>),
    People(PeopleEvent),
}

impl Event<'_> {
    #[must_use]
    pub const fn event_type(&self) -> EventType {
        match self {
            Event::Log(event) => EventType { family: Family::Log, index: event.index() },
            Event::Game(event) => EventType { family: Family::Game, index: event.index() },
            Event::Tournament(event) => EventType { family: Family::Tournament, index: event.index() },
            Event::People(event) => EventType { family: Family::People, index: event.index() },
        }
    }

    /// The stored payload: canonical JSON in the present schema, without the type's name. Absent values are omitted,
    /// never `null`.
    ///
    /// # Errors
    /// If an integer is beyond ±(2^53 − 1), or an option's name is not ASCII `snake_case`.
    pub fn to_payload(&self) -> Result<RawPayload, CanonicalError> {
        write(self, None)
    }
}

impl From<LogEvent> for Event<'_> {
    fn from(event: LogEvent) -> Self {
        Event::Log(event)
    }
}

impl<'a> From<GameEvent<'a>> for Event<'a> {
    fn from(event: GameEvent<'a>) -> Self {
        Event::Game(event)
    }
}

impl From<TournamentEvent> for Event<'_> {
    fn from(event: TournamentEvent) -> Self {
        Event::Tournament(Box::new(event))
    }
}

impl From<PeopleEvent> for Event<'_> {
    fn from(event: PeopleEvent) -> Self {
        Event::People(event)
    }
}

/// An event with its time note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    pub event: Event<'a>,
    /// None if `effective_at` is the stated time.
    pub time: Option<TimeNote>,
}

impl Entry<'_> {
    /// # Errors
    /// As [`Event::to_payload`].
    pub fn to_payload(&self) -> Result<RawPayload, CanonicalError> {
        write(&self.event, self.time)
    }
}

impl<'a> From<Event<'a>> for Entry<'a> {
    fn from(event: Event<'a>) -> Entry<'a> {
        Entry { event, time: None }
    }
}

fn write(event: &Event<'_>, time: Option<TimeNote>) -> Result<RawPayload, CanonicalError> {
    let mut text = match event {
        Event::Log(event) => event.write()?,
        Event::Game(event) => event.write()?,
        Event::Tournament(event) => event.write()?,
        Event::People(event) => event.write()?,
    };
    if let Some(time) = time {
        let comma = if text == "{}" { "" } else { "," };
        let note = format!("\"{TIME_KEY}\":{}{comma}", canonical::to_string(&time)?);
        text.insert_str(1, &note);
    }
    Ok(RawPayload::from_stored(text))
}
