//! Why a question about tournaments has no answer.

use annals_events::{Pairing, StreamName};
use annals_store::ReadError;
use annals_tournaments::refusal::Refusal;

use crate::error::ReplayError;
use crate::tournament_audit::TournamentAuditError;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// The state cannot be had.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Nobody of that name.
    #[error("nobody called `{name}` is known {place}{}", near(known))]
    NoSuchPlayer {
        /// What was named.
        name: String,
        /// Where it was looked for.
        place: String,
        /// Who is known.
        known: Vec<String>,
    },
    /// A name that several have.
    #[error("`{name}` is the name of several: name one of {}", players.join(", "))]
    SeveralPlayers {
        /// What was named.
        name: String,
        /// Who has it.
        players: Vec<String>,
    },
    /// No such round.
    #[error("{stream} has no round {round} at that point: {}", rounds(known))]
    NoSuchRound {
        /// The tournament.
        stream: StreamName,
        /// What was asked for.
        round: u32,
        /// The rounds that it has.
        known: Vec<u32>,
    },
    /// No such pairing.
    #[error("{stream} has no pairing {pairing} at that point")]
    NoSuchPairing {
        /// The tournament.
        stream: StreamName,
        /// What was asked for.
        pairing: Pairing,
    },
    /// The rulebook cannot be followed.
    #[error("{stream} cannot be held against its rulebook: {why}")]
    NoRulebook {
        /// The tournament.
        stream: StreamName,
        /// Why not.
        why: String,
    },
    /// The rules give no answer.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// What is asked about is not there.
    #[error("{0}")]
    Nothing(String),
}

impl From<TournamentAuditError> for QuestionError {
    fn from(error: TournamentAuditError) -> QuestionError {
        match error {
            TournamentAuditError::Replay(error) => QuestionError::Replay(error),
            other => QuestionError::Nothing(other.to_string()),
        }
    }
}

impl From<ReadError> for QuestionError {
    fn from(error: ReadError) -> QuestionError {
        QuestionError::Replay(error.into())
    }
}

fn near(known: &[String]) -> String {
    if known.is_empty() || known.len() > 40 {
        return String::new();
    }
    format!("; there are {}", known.join(", "))
}

fn rounds(known: &[u32]) -> String {
    if known.is_empty() {
        return "none is paired".to_owned();
    }
    let known: Vec<String> = known.iter().map(u32::to_string).collect();
    format!("paired are {}", known.join(", "))
}
