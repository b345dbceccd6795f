//! Every event there is: one type over the four families, the names under which the log files them, and the way
//! to and from a payload.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer};

use crate::canonical::{self, CanonicalError};
use crate::decode::{self, DecodeError, PROGRAM, Source};
use crate::envelope::RawPayload;
use crate::game::GameEvent;
use crate::log::LogEvent;
use crate::people::PeopleEvent;
use crate::schema::Schemas;
use crate::time::{TIME_KEY, TimeNote};
use crate::tournament::TournamentEvent;
use crate::turn_text;

/// What ties the enum of a family to the names of its types: `FAMILY.WORD` for each variant.
macro_rules! family_table {
    ($name:ident [$($life:lifetime)?] $prefix:literal { $($variant:ident = $word:literal,)* }) => {
        impl<$($life)?> $name<$($life)?> {
            /// The names of all types of the family, as they stand in envelopes.
            pub const TYPE_NAMES: &'static [&'static str] = &[$(concat!($prefix, ".", $word)),*];

            pub(crate) const fn index(&self) -> u8 {
                enum Index { $($variant),* }
                match self { $($name::$variant(_) => Index::$variant as u8),* }
            }

            pub(crate) fn read<'de $(: $life)?, D: serde::Deserializer<'de>>(
                index: u8,
                deserializer: D,
            ) -> Result<Self, D::Error> {
                enum Index { $($variant),* }
                $(if index == Index::$variant as u8 {
                    return serde::Deserialize::deserialize(deserializer).map($name::$variant);
                })*
                Err(serde::de::Error::custom(concat!("no such type in the family ", $prefix)))
            }

            pub(crate) fn write(&self) -> Result<String, $crate::canonical::CanonicalError> {
                match self { $($name::$variant(event) => $crate::canonical::to_string_without_nulls(event)),* }
            }

            pub(crate) fn write_to<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self { $($name::$variant(event) => serde::Serialize::serialize(event, to)),* }
            }
        }
    };
}
pub(crate) use family_table;

/// A family: its enum, with the table of its names.
macro_rules! family {
    (
        $(#[$docs:meta])*
        pub enum $name:ident: $prefix:literal {
            $($(#[$variant_docs:meta])* $variant:ident($inner:ty) = $word:literal,)*
        }
    ) => {
        $(#[$docs])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_docs])* $variant($inner),)*
        }

        impl $name {
            /// The name of the type as it stands in the envelope.
            #[must_use]
            pub const fn type_name(&self) -> &'static str {
                match self { $($name::$variant(_) => concat!($prefix, ".", $word)),* }
            }
        }

        $crate::event::family_table! { $name [] $prefix { $($variant = $word,)* } }
    };
}
pub(crate) use family;

family_table! {
    GameEvent ['a] "game" {
        Started = "started",
        TurnTaken = "turn_taken",
        TurnRejected = "turn_rejected",
        TurnRetracted = "turn_retracted",
        ClockSet = "clock_set",
        Halted = "halted",
        Resumed = "resumed",
        Ended = "ended",
        Annulled = "annulled",
        RatedChanged = "rated_changed",
    }
}

/// The four families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// What happened to the log itself.
    Log,
    /// What happened in one game.
    Game,
    /// What happened in a tournament.
    Tournament,
    /// Who is who.
    People,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 4] = [Family::Log, Family::Game, Family::Tournament, Family::People];

    /// The word before the dot.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Family::Log => "log",
            Family::Game => "game",
            Family::Tournament => "tournament",
            Family::People => "people",
        }
    }

    const fn names(self) -> &'static [&'static str] {
        match self {
            Family::Log => LogEvent::TYPE_NAMES,
            Family::Game => GameEvent::TYPE_NAMES,
            Family::Tournament => TournamentEvent::TYPE_NAMES,
            Family::People => PeopleEvent::TYPE_NAMES,
        }
    }
}

/// The type that a log holds most of.
const TURN_TAKEN: EventType = EventType { family: Family::Game, index: 1 };

/// The type of an event: what the envelope's `type` says, known to this program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventType {
    family: Family,
    index: u8,
}

impl EventType {
    /// Every type, family by family.
    pub fn all() -> impl Iterator<Item = EventType> {
        Family::ALL.into_iter().flat_map(|family| {
            (0..family.names().len()).map(move |index| EventType { family, index: index as u8 })
        })
    }

    /// The type of that name.
    ///
    /// # Errors
    /// When this program knows no such type.
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

    /// The type of a name that is written in the program; a name that is not known does not compile.
    pub(crate) const fn of(family: Family, name: &str) -> EventType {
        let (known, mut index) = (family.names(), 0);
        while !same(known[index].as_bytes(), name.as_bytes()) {
            index += 1;
        }
        EventType { family, index: index as u8 }
    }

    /// The name, `FAMILY.WORD`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.family.names()[usize::from(self.index)]
    }

    /// The family.
    #[must_use]
    pub const fn family(self) -> Family {
        self.family
    }

    /// The schema version in which this program writes the type.
    #[must_use]
    pub fn schema(self) -> u32 {
        Schemas::RELEASED.current(self)
    }

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

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Reads an event of a game by its index among the types.
struct GameType(u8);

impl<'de> DeserializeSeed<'de> for GameType {
    type Value = GameEvent<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<GameEvent<'de>, D::Error> {
        GameEvent::read(self.0, deserializer)
    }
}

/// Reads an event of this type, in its present schema and without a note, from any format.
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

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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

/// One thing that happened. A game's event borrows its text; the rarer families own theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// It happened to the log itself.
    Log(LogEvent),
    /// It happened in a game.
    Game(GameEvent<'a>),
    /// It happened in a tournament.
    Tournament(Box<TournamentEvent>),
    /// Something became known about who is who.
    People(PeopleEvent),
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

    /// The type.
    #[must_use]
    pub const fn event_type(&self) -> EventType {
        match self {
            Event::Log(event) => EventType { family: Family::Log, index: event.index() },
            Event::Game(event) => EventType { family: Family::Game, index: event.index() },
            Event::Tournament(event) => EventType { family: Family::Tournament, index: event.index() },
            Event::People(event) => EventType { family: Family::People, index: event.index() },
        }
    }

    /// The payload as the log stores it: canonical JSON in the present schema of the type, without the type's
    /// name. What is not there is left out; no payload holds a `null`.
    ///
    /// # Errors
    /// When an integer is beyond ±(2^53 − 1), or an option's name is not ASCII `snake_case`.
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

/// All that a payload says: the event, and the note on its time where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// What happened.
    pub event: Event<'a>,
    /// Why `effective_at` is not the time that the source states; none where it is.
    pub time: Option<TimeNote>,
}

impl<'a> Entry<'a> {
    /// Reads an entry from the type, schema version and payload that the log holds.
    ///
    /// # Errors
    /// When the type is unknown, the schema newer than this program, or the payload not one of that type.
    pub fn from_payload(type_name: &str, schema: u32, payload: &'a str) -> Result<Entry<'a>, DecodeError> {
        Schemas::RELEASED.decode(EventType::from_name(type_name)?, schema, payload)
    }

    /// The payload as the log stores it.
    ///
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
