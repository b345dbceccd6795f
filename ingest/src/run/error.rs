//! Why an ingest failed. Bad rows are not a reason: they are stored with flags or in `rejects`.

use annals_events::DecodeError;

use crate::manifest::{Counts, ManifestError};
use crate::players::PlayersError;
use crate::position_index::PositionIndexError;
use crate::source::DiscoverError;
use crate::write::{PublishError, StoredFileError, WriteError};

#[derive(Debug, thiserror::Error)]
#[error("event {seq} of the log cannot be read: {error}")]
pub struct UnreadableEvent {
    pub seq: u64,
    pub error: DecodeError,
}

/// In every case the dataset is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the dataset is damaged: its file {0}")]
    StoredFile(#[from] StoredFileError),
    /// A stored game could not be read to be compared with that of the log.
    #[error("the games of the log cannot be compared with those that are stored: {0}")]
    StoredGames(#[from] crate::stored_games::StoredGamesError),
    #[error(transparent)]
    Plan(#[from] crate::run::shards::PlanError),
    #[error("{0}")]
    Event(#[from] UnreadableEvent),
    #[error("the log cannot be read: {what}")]
    Log { what: String },
    /// A stop was requested.
    #[error("stopped; {finished} finished sources are kept for the next run")]
    Cancelled { finished: usize },
    /// Rows were lost or counted twice.
    #[error(
        "the rows of `{source_name}` do not add up: {} read, but {} accepted + {} flagged + {} rejected. \
         This is a fault of the program, please report it", counts.rows, counts.accepted, counts.flagged,
        counts.rejected
    )]
    Counts { source_name: String, counts: Counts },
    /// A thread died.
    #[error("a working thread died ({what}). This is a fault of the program, please report it")]
    Panicked {
        /// The panic message.
        what: String,
    },
    #[error("the manifest cannot be written as JSON: {0}; this is a fault of the program, please report it")]
    Json(#[from] serde_json::Error),
}

impl From<PublishError> for IngestError {
    fn from(error: PublishError) -> IngestError {
        match error {
            PublishError::Write(error) => error.into(),
            PublishError::Manifest(error) => error.into(),
        }
    }
}

impl From<PositionIndexError> for IngestError {
    fn from(error: PositionIndexError) -> IngestError {
        match error {
            PositionIndexError::Stored(error) => error.into(),
            PositionIndexError::Write(error) => error.into(),
            PositionIndexError::Stopped => IngestError::Cancelled { finished: 0 },
        }
    }
}

impl From<PlayersError> for IngestError {
    fn from(error: PlayersError) -> IngestError {
        match error {
            PlayersError::Stored(error) => error.into(),
            PlayersError::Write(error) => error.into(),
        }
    }
}
