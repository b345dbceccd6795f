use annals_events::{BoardId, Micros, PlayerId, StreamName};
use annals_tournaments::refusal::Refusal;

use crate::error::ReplayError;
use crate::tournament_audit::TournamentAuditError;

#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error("no player called `{name}` is known {place}{}", near(known))]
    NoSuchPlayer {
        name: String,
        /// Where it was searched.
        place: String,
        known: Vec<String>,
    },
    #[error("`{name}` is the name of several: name one of {}", players.join(", "))]
    SeveralPlayers { name: String, players: Vec<String> },
    #[error("{stream} has no round {round} at that point: {}", rounds(known))]
    NoSuchRound { stream: StreamName, round: u32, known: Vec<u32> },
    #[error("{stream} has no pairing {pairing} at that point")]
    NoSuchPairing { stream: StreamName, pairing: BoardId },
    /// A player of the published order who has left.
    #[error(
        "{player} is in the published order of the qualifier of {stream}, but has left the tournament since"
    )]
    LeftSince { stream: StreamName, player: PlayerId, published_at: Micros },
    /// A query that requires a round.
    #[error("only a round shows why two players do not meet, or why a player has no bye")]
    OnlyOfRound,
    #[error("{stream} cannot be checked against its rulebook: {why}")]
    NoRulebook { stream: StreamName, why: String },
    #[error("{0}")]
    Refused(#[from] Refusal),
    #[error("{0}")]
    Nothing(String),
}

impl From<TournamentAuditError> for QueryError {
    fn from(error: TournamentAuditError) -> QueryError {
        match error {
            TournamentAuditError::Replay(error) => QueryError::Replay(error),
            other => QueryError::Nothing(other.to_string()),
        }
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
