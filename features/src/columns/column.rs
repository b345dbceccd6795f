use std::fmt;

use annals_events::GameKind;

use crate::subject::{AmazonsPosition, ArimaaPosition, Subject};

/// Columns that are requested together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// What every table holds: game, place in it, label, ratings, fold.
    Row,
    /// The paper's planes.
    Paper,
    /// The modern planes.
    Modern,
    /// Named numbers of a position.
    Scalars,
    /// Counts of turns, which cost minutes a million.
    Counts,
    /// Named numbers of a position of the Amazons.
    Amazons,
}

impl Group {
    /// All groups that can be requested: [`Group::Row`] is always included.
    pub const ASKED: [Group; 5] =
        [Group::Paper, Group::Modern, Group::Scalars, Group::Counts, Group::Amazons];

    /// The default groups of a table.
    #[must_use]
    pub const fn of_game(game: GameKind) -> &'static [Group] {
        match game {
            GameKind::Arimaa => &[Group::Paper, Group::Modern, Group::Scalars],
            GameKind::Amazons => &[Group::Amazons],
        }
    }

    /// The game that it is of; none where it is of every game.
    #[must_use]
    pub const fn game(self) -> Option<GameKind> {
        match self {
            Group::Row => None,
            Group::Paper | Group::Modern | Group::Scalars | Group::Counts => Some(GameKind::Arimaa),
            Group::Amazons => Some(GameKind::Amazons),
        }
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Group::Row => "row",
            Group::Paper => "paper",
            Group::Modern => "modern",
            Group::Scalars => "scalars",
            Group::Counts => "counts",
            Group::Amazons => "amazons",
        }
    }
}

/// What the numbers of a column are, and how they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1: true or false.
    Truth,
    /// 0 to 255.
    U8,
    /// −128 to 127.
    I8,
    /// 0 to 65,535.
    U16,
    /// −32,768 to 32,767.
    I16,
    /// The same, or nothing: in arrays −32,768.
    Rating,
    /// 0 to 2^32 − 1.
    U32,
    /// 0 to 2^64 − 1.
    U64,
    /// A word of a list; in arrays its place there.
    Word(&'static [&'static str]),
    /// The name of a source; in arrays its place in the list of sources.
    Source,
    /// Planes of 8×8 numbers of 8 bits, with what each holds.
    Planes(&'static [&'static str]),
}

impl Kind {
    /// Bytes of one value.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Kind::Truth | Kind::U8 | Kind::I8 | Kind::Word(_) => 1,
            Kind::U16 | Kind::I16 | Kind::Rating => 2,
            Kind::U32 | Kind::Source => 4,
            Kind::U64 => 8,
            Kind::Planes(names) => names.len() * 64,
        }
    }

    /// The name of the type of its numbers, as NumPy has it.
    #[must_use]
    pub const fn number_type(self) -> &'static str {
        match self {
            Kind::Truth => "bool",
            Kind::U8 | Kind::Word(_) => "uint8",
            Kind::I8 | Kind::Planes(_) => "int8",
            Kind::U16 => "uint16",
            Kind::I16 | Kind::Rating => "int16",
            Kind::U32 | Kind::Source => "uint32",
            Kind::U64 => "uint64",
        }
    }
}

/// The value for no rating where a column has no nulls.
pub const NO_RATING: i16 = i16::MIN;

pub(crate) type NumberOf = fn(&Subject<'_>) -> i64;

/// How a column is computed.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    Row(NumberOf),
    Arimaa(fn(&ArimaaPosition<'_>) -> i64),
    Planes(fn(&ArimaaPosition<'_>, &mut [u8])),
    Amazons(fn(&AmazonsPosition<'_>) -> i64),
}

pub struct Column {
    pub name: &'static str,
    /// The group that it belongs to.
    pub group: Group,
    /// What its numbers are.
    pub kind: Kind,
    /// Their unit; empty where they have none.
    pub unit: &'static str,
    pub about: &'static str,
    pub(crate) value: Value,
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What is computed of a position: equal where the names are.
impl PartialEq for Column {
    fn eq(&self, other: &Column) -> bool {
        self.name == other.name
    }
}

impl Eq for Column {}
