//! The report of a game between two contestants.

use annals_events::{Side, Termination};

/// The failure of a contestant. Each loses the game, in any position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A program could not be started.
    #[error("{0}")]
    NotStarted(String),
    /// A program ended, or closed its input or output.
    #[error("{0}")]
    Crashed(String),
    /// A program did not send a required message before the start.
    #[error("it did not say `{wanted}` in time")]
    NotReady {
        /// The awaited message.
        wanted: &'static str,
    },
    /// A program sent an invalid message, or too much output.
    #[error("{0}")]
    Nonsense(String),
    /// It did not play in time.
    #[error("it did not play in time")]
    OutOfTime,
    /// It played an illegal turn.
    #[error("its turn `{turn}` is not legal: {why} [{code}]")]
    Illegal {
        /// The turn, truncated.
        turn: String,
        /// The code of the rule.
        code: String,
        /// The rule, and how it is violated.
        why: String,
    },
    /// It resigned.
    #[error("it resigned")]
    Resigned,
    /// The match was stopped from outside.
    #[error("the match was stopped")]
    Stopped,
}

impl Failure {
    /// The ending in the record; none if the game has none.
    #[must_use]
    pub const fn termination(&self) -> Option<Termination> {
        match self {
            Failure::NotStarted(_)
            | Failure::Crashed(_)
            | Failure::NotReady { .. }
            | Failure::Nonsense(_) => Some(Termination::Forfeit),
            Failure::OutOfTime => Some(Termination::Time),
            Failure::Illegal { .. } => Some(Termination::IllegalMove),
            Failure::Resigned => Some(Termination::Resignation),
            Failure::Stopped => None,
        }
    }

    /// The additional text of the record; none if the ending is sufficient.
    #[must_use]
    pub fn stated(&self) -> Option<String> {
        match self {
            Failure::NotStarted(_)
            | Failure::Crashed(_)
            | Failure::NotReady { .. }
            | Failure::Nonsense(_) => Some(self.to_string()),
            Failure::Illegal { .. } | Failure::OutOfTime | Failure::Resigned | Failure::Stopped => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    Side(Side),
    /// No player: the game was abandoned.
    Nobody,
}

/// The default is that of a game that never began.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The winner; none if the game was stopped before its end.
    pub winner: Option<Winner>,
    /// The ending; none if it was stopped before its end.
    pub termination: Option<Termination>,
    /// The side that failed, and how; none if the board or the score decided.
    pub failure: Option<(Side, Failure)>,
    /// Completed turns of both sides, setups included.
    pub turns: usize,
    /// Remarks on a program that do not decide the game: its errors and warnings, wrongly stated captures.
    pub remarks: Vec<(Side, String)>,
    /// The person who had each move taken back, in order.
    pub retracted_by: Vec<String>,
}
