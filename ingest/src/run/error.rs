//! Why an ingest failed. Bad rows are not a reason: they are stored with flags or in `rejects`.

use crate::manifest::{Counts, ManifestError};
use crate::players::PlayersError;
use crate::position_index::PositionIndexError;
use crate::source::DiscoverError;
use crate::write::{PublishError, StoredFileError, WriteError};

/// In every case the dataset is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the dataset file {0}; the dataset is damaged. Remove its folder and ingest the archive again")]
    StoredFile(#[from] StoredFileError),
    /// A stored game could not be read for comparison with the log's.
    #[error(
        "the games of the log cannot be compared with those that are stored: {0}. The dataset is as it was before"
    )]
    StoredGames(#[from] crate::stored_games::StoredGamesError),
    #[error("{0}. The dataset is as it was before")]
    Event(#[from] super::UnreadableEvent),
    #[error("the log cannot be read: {what}. The dataset is as it was before")]
    Log { what: String },
    #[error(
        "stopped; the dataset is as it was before. {finished} finished sources are kept aside: the same `annals ingest` goes \
         on from there"
    )]
    Cancelled { finished: usize },
    /// Rows were lost or counted twice.
    #[error(
        "the rows of `{source_name}` do not add up: {} read, but {} accepted + {} flagged + {} rejected; nothing was \
         published. This is a fault of the program, please report it", counts.rows, counts.accepted, counts.flagged,
        counts.rejected
    )]
    Counts { source_name: String, counts: Counts },
    /// A thread panicked.
    #[error(
        "a working thread died ({what}); nothing was published, the dataset is as it was before. This is a fault of the \
         program, please report it"
    )]
    Panicked { what: String },
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
