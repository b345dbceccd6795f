//! The director of a match: takes moves back, stops play, and decides where the rules are silent.

use annals_events::Side;

use super::report::Failure;

/// What a director says while a game is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instruction {
    /// The last move is taken back.
    Retract { why: String },
    Halt {
        /// Why, where it is said.
        why: Option<String>,
    },
}

/// What a director decides on a side that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It has lost the game.
    Lost,
    /// Its program is started again, and the game goes on with the position that stands.
    Again,
    /// Play stops; what comes of the game is decided later.
    Halt,
}

/// A director of a game that is being played.
pub trait Director {
    /// What they say now, if anything. It is asked for several times a second.
    fn next(&self) -> Option<Instruction>;

    /// What comes of a side whose program could not be started, died, talked nonsense or played an illegal turn.
    fn decide(&self, side: Side, failure: &Failure) -> Decision;
}
