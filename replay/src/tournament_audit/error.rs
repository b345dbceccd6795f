//! Why a tournament is not audited.

use annals_events::StreamName;
use annals_tournaments::rulebook::{ReadingError, RulebookError};

use crate::error::ReplayError;

#[derive(Debug, thiserror::Error)]
pub enum TournamentAuditError {
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error("`{stream}` was never announced, so nothing says by which rulebook it is to be checked")]
    NotAnnounced { stream: StreamName },
    /// Totals only, under an unknown rulebook: not an error of the record.
    #[error(
        "nothing is checked: {stream} holds the totals of {source_of_totals} and no games, and its rulebook `{rulebook}` is none \
         that Annals knows"
    )]
    NothingToCheck { stream: StreamName, source_of_totals: String, rulebook: String },
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    #[error(transparent)]
    Reading(#[from] ReadingError),
}
