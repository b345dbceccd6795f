//! Why games cannot be read back.

use std::io;
use std::path::PathBuf;

use crate::manifest::ManifestError;

/// Why games cannot be read back from their tables. Nothing is changed by reading.
#[derive(Debug, thiserror::Error)]
pub enum StoredGamesError {
    /// The dataset has no manifest that can be used, or a file of it is not as listed.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A file that cannot be opened.
    #[error("`{}` cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that is no Parquet, or one that is cut off or damaged.
    #[error("`{}` is not a valid Parquet file, or it is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A file that is neither table.
    #[error("`{}` is neither a table of games nor one of turns: it has no column `{games}` of games, and no column `{turns}` of turns", path.display())]
    NeitherTable {
        /// The file.
        path: PathBuf,
        /// A column that games have.
        games: &'static str,
        /// A column that turns have.
        turns: &'static str,
    },
    /// One of the two tables was not named.
    #[error("no file of the table `{missing}` is named besides `{}`", named.display())]
    OneTable {
        /// A file of the other table.
        named: PathBuf,
        /// The table that is missing.
        missing: &'static str,
    },
    /// A column that is needed is missing.
    #[error("`{}` has no column `{column}`, which the table `{table}` has", path.display())]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The table that it is a file of.
        table: &'static str,
        /// The column.
        column: &'static str,
    },
    /// A column of another type.
    #[error("`{}`: the column `{column}` holds {found}; expected {expected}", path.display())]
    WrongType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
        /// The type in the table.
        expected: &'static str,
        /// The type in the file.
        found: String,
    },
    /// A value that the column cannot hold.
    #[error("`{}`, row {row}: the column `{column}` {why}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The row, from 1.
        row: u64,
        /// The column.
        column: &'static str,
        /// What is wrong.
        why: String,
    },
    /// What a row says does not fit what others say.
    #[error("`{}`, row {row}: game {game} {why}", path.display())]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// The row, from 1.
        row: u64,
        /// The game.
        game: u64,
        /// What does not fit.
        why: String,
    },
}
