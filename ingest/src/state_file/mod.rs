//! The input files of the pairing programs of Arimaa tournaments: one line for each player, round, bye and game.
//! [`StateFile::read`] parses one, [`std::fmt::Display`] writes it, [`StateFile::events`] converts it to events of a
//! tournament, and [`recorded()`] makes it from a recorded one.
//!
//! ```text
//! player NAME RATING           RATING is a decimal number, and the greatest is the first seed; NAME has no space
//! round N                      round N begins; rounds are numbered from 1 without a gap
//! round N # inferred           the same; the director's file did not mark the round, and it was inferred from the games
//! game GOLD SILVER RESULT      also `pair` and `pick`; GOLD moves first; without RESULT the game is open
//! bye NAME [win|loss]
//! remove NAME                  plays no more
//! add NAME                     plays again
//! stop                         nothing behind it is read
//! ```
//!
//! RESULT is `winner NAME`, `winner NAME # forfeit`, `draw`, `double win`, `double loss`, `no decision` or `vacated`.
//! Everything from `#` or `*` to the end of a line is a comment; only `inferred` after a round and `forfeit` after a
//! winner have a meaning. Without `round` lines rounds are inferred from the order of the games.

mod events;
mod open;
mod read;
mod recorded;
mod seed;
mod write;

use annals_events::GameKind;

pub use events::{FromState, REASON};
pub use open::{OpenStateError, StateSummary};
pub use read::{StateFault, StateFileError};
pub use recorded::{ToState, recorded};
pub use seed::Seed;

/// The comment of an inferred round.
const INFERRED: &str = "inferred";

/// The comment of a winner by forfeit.
const FORFEIT: &str = "forfeit";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameResult {
    Winner(String),
    /// One won by forfeit.
    Forfeit(String),
    Draw,
    DoubleWin,
    DoubleLoss,
    /// Played without a winner or loser.
    NoDecision,
    /// The pairing never counted.
    Vacated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByeWord {
    Win,
    Loss,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Entry.
    Player {
        name: String,
        /// The seeding rating.
        seed: Seed,
    },
    /// Plays no more.
    Remove(String),
    /// Plays again.
    Add(String),
    Round {
        number: u32,
        /// Inferred from the games.
        inferred: bool,
    },
    Bye {
        name: String,
        /// If stated.
        word: Option<ByeWord>,
    },
    Game {
        /// Moves first.
        gold: String,
        silver: String,
        /// None while undecided.
        result: Option<GameResult>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateLine {
    /// In the file, from 1; 0 before writing.
    pub number: u64,
    pub said: Statement,
}

/// Only the comments `inferred` and `forfeit` are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateFile {
    /// Non-empty lines, in order.
    pub lines: Vec<StateLine>,
}

impl StateFile {
    pub fn say(&mut self, said: Statement) {
        self.lines.push(StateLine { number: 0, said });
    }

    /// All statements, in order.
    pub fn said(&self) -> impl Iterator<Item = &Statement> {
        self.lines.iter().map(|line| &line.said)
    }
}

/// Half points of a bye that counts as a win: all games of a meeting.
const fn won_bye(kind: GameKind) -> u32 {
    match kind {
        GameKind::Arimaa => 2,
        GameKind::Amazons => 4,
    }
}
