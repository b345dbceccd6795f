use std::io;
use std::path::{Path, PathBuf};

use annals_events::GameKind;
use annals_ingest::output_file::OutputError;
use annals_ingest::source::DiscoverError;
use annals_ingest::stored_games::StoredGamesError;
use arrow::error::ArrowError;
use parquet::errors::ParquetError;

use crate::format::METADATA;

/// Why a table was not made or read. Existing files remain; no partial file is left.
#[derive(Debug, thiserror::Error)]
pub enum FeatureError {
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    #[error(transparent)]
    Stored(#[from] StoredGamesError),
    #[error("`{}` holds stored games, and `{}` is an archive file; a table is made of one or the other", stored.display(), archive.display())]
    TwoKinds { stored: PathBuf, archive: PathBuf },
    #[error("a dataset does not hold {what}; archive files do")]
    NotStored { what: &'static str },
    #[error("the feature `{name}` is one of {}, and the table is of {}", in_words(*of), in_words(*table))]
    OtherGame { name: String, of: GameKind, table: GameKind },
    #[error("no position is left of {rows} rows: {why}; nothing was written")]
    Empty {
        rows: u64,
        /// Counts by reason, and unread sources.
        why: String,
    },
    #[error("there is no feature `{name}`")]
    NoSuchFeature { name: String },
    #[error("there is no ending `{name}`")]
    NoSuchEnding { name: String },
    /// The file's name determines no format.
    #[error("`{}` does not end in .parquet, .npz or .safetensors, so it is not clear what it is to be", path.display())]
    UnknownFormat { path: PathBuf },
    #[error("a feature table has its games selected already")]
    Selected,
    #[error("a feature table cannot be combined with other files")]
    Combined,
    #[error("there are too many positions; select fewer games")]
    TooMany,
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file that cannot be read back by this program, though it writes such files.
    #[error("`{}` is for Python; a table is read back from .parquet or .safetensors", path.display())]
    OneWay { path: PathBuf },
    #[error("`{}` cannot be {doing}: {source}; a table of this name is as it was before", path.display())]
    Write { path: PathBuf, doing: &'static str, source: io::Error },
    #[error("`{}` cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("`{}` is no table of features, or it is damaged: {why}", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("the table of features `{}` has no key `{METADATA}` in the metadata of the file", path.display())]
    NoDescription { path: PathBuf },
    #[error("the table `{}` has no column `{column}`; it was written without it", path.display())]
    NoColumn { path: PathBuf, column: &'static str },
    #[error("rows cannot be encoded: {0}; this is a fault of the program, please report it")]
    Encoding(String),
    #[error("stopped; nothing was written")]
    Stopped,
    /// A thread panicked.
    #[error(
        "a working thread died ({what}); nothing was written. This is a fault of the program, please report it"
    )]
    Panicked { what: String },
}

const fn in_words(game: GameKind) -> &'static str {
    match game {
        GameKind::Arimaa => "Arimaa",
        GameKind::Amazons => "the Amazons",
    }
}

impl FeatureError {
    pub(crate) fn write(doing: &'static str, path: &Path, source: io::Error) -> FeatureError {
        FeatureError::Write { path: path.to_owned(), doing, source }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> FeatureError {
        FeatureError::Read { path: path.to_owned(), source }
    }

    pub(crate) fn damaged(path: &Path, why: impl ToString) -> FeatureError {
        FeatureError::Damaged { path: path.to_owned(), why: why.to_string() }
    }
}

impl From<ArrowError> for FeatureError {
    fn from(error: ArrowError) -> FeatureError {
        FeatureError::Encoding(error.to_string())
    }
}

impl From<ParquetError> for FeatureError {
    fn from(error: ParquetError) -> FeatureError {
        FeatureError::Encoding(error.to_string())
    }
}
