use annals_events::PlayerId;

use crate::field::FieldError;
use crate::pairing::PairingError;
use crate::record::RecordError;
use crate::refusal::Refusal;
use crate::tpr::RatingError;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EliminationError {
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Pairing(#[from] PairingError),
    #[error(transparent)]
    Rating(#[from] RatingError),
    #[error("{player} is not among the players who are still in")]
    NotIn { player: PlayerId },
    #[error("the rules rank by tournament performance rating, and no ratings were given")]
    RatingsMissing,
    #[error("the final is over: there is no further round")]
    Over,
    #[error("the next game is not a playoff of {one} and {other}")]
    NoSuchPlayoff { one: PlayerId, other: PlayerId },
    #[error("an elimination needs at least one life for each player")]
    NoLives,
}

impl From<EliminationError> for Refusal {
    fn from(error: EliminationError) -> Refusal {
        Refusal::lacking(error.to_string())
    }
}
