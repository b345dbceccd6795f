use std::io;
use std::path::PathBuf;

use crate::manifest::ManifestError;

/// Errors of reading games from tables. Reading changes nothing.
#[derive(Debug, thiserror::Error)]
pub enum StoredGamesError {
    /// The manifest is unusable, or a listed file differs.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("`{}` cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("`{}` is not a valid Parquet file, or it is damaged: {why}", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("`{}` is neither a table of games nor one of turns: it has no column `{games}` of games, and no column `{turns}` of turns", path.display())]
    NeitherTable { path: PathBuf, games: &'static str, turns: &'static str },
    #[error("no file of the table `{missing}` is named besides `{}`", named.display())]
    OneTable {
        /// Of the other table.
        named: PathBuf,
        missing: &'static str,
    },
    #[error("`{}` has no column `{column}`, which the table `{table}` has", path.display())]
    MissingColumn {
        path: PathBuf,
        /// Its table.
        table: &'static str,
        column: &'static str,
    },
    #[error("`{}`: the column `{column}` holds {found}; expected {expected}", path.display())]
    WrongType { path: PathBuf, column: &'static str, expected: &'static str, found: String },
    #[error("`{}`, row {row}: the column `{column}` {why}", path.display())]
    Value {
        path: PathBuf,
        /// From 1.
        row: u64,
        column: &'static str,
        why: String,
    },
    #[error("`{}`, row {row}: game {game} {why}", path.display())]
    Contradiction {
        path: PathBuf,
        /// From 1.
        row: u64,
        game: u64,
        why: String,
    },
}
