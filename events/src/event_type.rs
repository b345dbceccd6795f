//! Event types: four families, and names.

use std::fmt;

use crate::family::family_table;
use crate::game::GameEvent;
use crate::log::LogEvent;
use crate::people::PeopleEvent;
use crate::tournament::TournamentEvent;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    Log,
    Game,
    Tournament,
    People,
}

impl Family {
    pub const ALL: [Family; 4] = [Family::Log, Family::Game, Family::Tournament, Family::People];

    /// Before the dot.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Family::Log => "log",
            Family::Game => "game",
            Family::Tournament => "tournament",
            Family::People => "people",
        }
    }

    pub(crate) const fn names(self) -> &'static [&'static str] {
        match self {
            Family::Log => LogEvent::TYPE_NAMES,
            Family::Game => GameEvent::TYPE_NAMES,
            Family::Tournament => TournamentEvent::TYPE_NAMES,
            Family::People => PeopleEvent::TYPE_NAMES,
        }
    }
}

/// The most frequent type of a log.
pub(crate) const TURN_TAKEN: EventType = EventType { family: Family::Game, index: 1 };

/// A known `type` of an envelope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventType {
    pub(crate) family: Family,
    pub(crate) index: u8,
}

impl EventType {
    pub fn all() -> impl Iterator<Item = EventType> {
        Family::ALL.into_iter().flat_map(|family| {
            (0..family.names().len()).map(move |index| EventType { family, index: index as u8 })
        })
    }

    /// Unknown names do not compile.
    pub(crate) const fn of(family: Family, name: &str) -> EventType {
        let (known, mut index) = (family.names(), 0);
        while !same(known[index].as_bytes(), name.as_bytes()) {
            index += 1;
        }
        EventType { family, index: index as u8 }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.family.names()[usize::from(self.index)]
    }

    #[must_use]
    pub const fn family(self) -> Family {
        self.family
    }
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
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
