//! How a game between two contestants went.

use annals_events::{Side, Termination};

/// Why a contestant could not go on. Each loses the game, whatever the position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A program could not be started.
    #[error("{0}")]
    NotStarted(String),
    /// A program ended, or closed its input or output.
    #[error("{0}")]
    Crashed(String),
    /// A program did not say what it had to before the game could begin.
    #[error("it did not say `{wanted}` in time")]
    NotReady {
        /// What was waited for.
        wanted: &'static str,
    },
    /// A program sent what is not a message of the protocol, or far too much.
    #[error("{0}")]
    Nonsense(String),
    /// It did not play in time.
    #[error("it did not play in time")]
    OutOfTime,
    /// It played what is no legal turn.
    #[error("its turn `{turn}` is not legal: {why} [{code}]")]
    Illegal {
        /// What it played, cut.
        turn: String,
        /// The rule, in a word.
        code: String,
        /// The rule, and how it is broken.
        why: String,
    },
    /// It gave up.
    #[error("it resigned")]
    Resigned,
    /// The match was stopped from outside.
    #[error("the match was stopped")]
    Stopped,
}

impl Failure {
    /// How the record calls such an end; none where the game has none.
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

    /// What the record keeps of it with the word for the end; none where the word is enough.
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
    /// Who won; none where the game was stopped before its end.
    pub winner: Option<Winner>,
    /// How it ended; none where it was stopped before its end.
    pub termination: Option<Termination>,
    /// Who failed, and how; none where the board or the score decided.
    pub failure: Option<(Side, Failure)>,
    /// Completed turns of both sides, setups included.
    pub turns: usize,
    /// What a program did that is no reason to lose, but worth a word: its errors and warnings, captures misstated.
    pub remarks: Vec<(Side, String)>,
    /// The person who had each move taken back, in order.
    pub retracted_by: Vec<String>,
}
