//! Why a question about tournaments has no answer.

use annals_events::{Pairing, StreamName};
use annals_store::ReadError;
use annals_tournaments::refusal::Refusal;

use crate::error::ReplayError;
use crate::tournament_audit::TournamentAuditError;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("nobody called `{name}` is known {place}{}", near(known))]
    NoSuchPlayer {
        name: String,
        /// Where it was looked for.
        place: String,
        known: Vec<String>,
    },
    #[error("`{name}` is the name of several: name one of {}", players.join(", "))]
    SeveralPlayers { name: String, players: Vec<String> },
    #[error("{stream} has no round {round} at that point: {}", rounds(known))]
    NoSuchRound {
        stream: StreamName,
        round: u32,
        /// The rounds that it has.
        known: Vec<u32>,
    },
    #[error("{stream} has no pairing {pairing} at that point")]
    NoSuchPairing { stream: StreamName, pairing: Pairing },
    #[error("{stream} cannot be held against its rulebook: {why}")]
    NoRulebook { stream: StreamName, why: String },
    #[error("{0}")]
    Refused(#[from] Refusal),
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
