//! The director of a match: takes moves back, stops play, and decides cases without a rule.

use std::str::FromStr;

use annals_events::{GameEvent, Micros};

use super::report::Failure;

/// An instruction of a director while a game is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instruction {
    /// The last move is taken back.
    Retract {
        /// The person who gave the instruction.
        by: String,
        why: String,
    },
    Halt {
        /// The reason, if one is given.
        why: Option<String>,
    },
}

/// The decision of a director on a side that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It has lost the game.
    Lost,
    /// Its program is started again, and the game resumes from the present position.
    Again,
    /// Play stops; the game is decided later.
    Halt,
}

/// A text is not a decision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a valid decision; write `lost`, `again` or `halt`")]
pub struct NoDecision(String);

impl FromStr for Decision {
    type Err = NoDecision;

    fn from_str(text: &str) -> Result<Decision, NoDecision> {
        match text {
            "lost" => Ok(Decision::Lost),
            "again" => Ok(Decision::Again),
            "halt" => Ok(Decision::Halt),
            _ => Err(NoDecision(text.to_owned())),
        }
    }
}

/// A director of games that are being played.
pub trait Director {
    /// The next instruction, if there is one. Called several times a second.
    fn next(&self) -> Option<Instruction>;

    /// Decides on a side whose program could not be started, ended, sent nonsense or played an illegal turn; `who` names it.
    fn decide(&self, who: &str, failure: &Failure) -> Decision;

    /// Receives every event of a game when it happens; `by` is the person who had a move taken back.
    fn happened(&self, _at: Micros, _event: &GameEvent<'static>, _by: Option<&str>) {}
}
