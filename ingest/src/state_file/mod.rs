//! The state files by which directors of Arimaa tournaments fed their pairing programs: one line for each player, round,
//! bye and game. [`StateFile`] is such a file as a value; it is read ([`StateFile::read`]), written ([`std::fmt::Display`]),
//! turned into the events of a tournament ([`StateFile::events`]), and made from a recorded one ([`recorded()`]).
//!
//! ```text
//! player NAME SEED             SEED is a rating, a decimal number; NAME has no space
//! round N                      round N begins; rounds are numbered from 1 without a gap
//! round N # inferred           the same; the director's file did not mark the round, and it was inferred from the games
//! game GOLD SILVER RESULT      also `pair` and `pick`; GOLD moves first; without RESULT the game is open
//! bye NAME [win|loss]
//! remove NAME                  plays no more
//! add NAME                     plays again
//! stop                         nothing behind it is read
//! ```
//!
//! RESULT is `winner NAME`, `winner NAME # forfeit`, `draw`, `double win`, `double loss`, `no decision` or `vacated`. Everything
//! from `#` or `*` to the end of its line is a comment; only `inferred` behind a round and `forfeit` behind a winner have a
//! meaning. A file without `round` lines has its rounds inferred from the order of its games.

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

/// The comment behind a round that was inferred.
const INFERRED: &str = "inferred";

/// The comment behind a winner who won by forfeit.
const FORFEIT: &str = "forfeit";

/// How a game came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameResult {
    /// One of the two won.
    Winner(String),
    /// One of the two won by forfeit.
    Forfeit(String),
    /// Neither won nor lost.
    Draw,
    /// Both won.
    DoubleWin,
    /// Both lost.
    DoubleLoss,
    /// Played, and nobody won or lost.
    NoDecision,
    /// Never to have been paired.
    Vacated,
}

/// The word behind a bye.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByeWord {
    /// It counts as a win.
    Win,
    /// It counts as a loss.
    Loss,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Somebody enters.
    Player {
        name: String,
        /// The rating by which they are seeded.
        seed: Seed,
    },
    /// Somebody plays no more.
    Remove(String),
    /// Somebody plays again.
    Add(String),
    /// A round begins.
    Round {
        number: u32,
        /// Whether it was inferred from the games.
        inferred: bool,
    },
    /// Somebody has no game.
    Bye {
        name: String,
        /// What it counts as, where that is said.
        word: Option<ByeWord>,
    },
    /// Two play.
    Game {
        /// Who moves first.
        gold: String,
        silver: String,
        /// How it came out; none while it is open.
        result: Option<GameResult>,
    },
}

/// A line that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateLine {
    /// Its number in the file, from 1; 0 for one that stands in no file yet.
    pub number: u64,
    /// What it says.
    pub said: Statement,
}

/// A state file. Other comments than `inferred` behind a round and `forfeit` behind a winner are not kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateFile {
    /// The lines that say something, in order.
    pub lines: Vec<StateLine>,
}

impl StateFile {
    /// Adds a line.
    pub fn say(&mut self, said: Statement) {
        self.lines.push(StateLine { number: 0, said });
    }

    /// What the lines say, wherever they stand.
    pub fn said(&self) -> impl Iterator<Item = &Statement> {
        self.lines.iter().map(|line| &line.said)
    }
}

/// What a bye is worth that counts as a win, in half points: as many games as a meeting has, all won.
const fn won_bye(kind: GameKind) -> u32 {
    match kind {
        GameKind::Arimaa => 2,
        GameKind::Amazons => 4,
    }
}
