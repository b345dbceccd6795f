//! Reads games from the tables `games` and `turns` of a dataset, or of any Parquet files with these columns: the
//! record's facts, and turns as events for the rules to fold. Contradictions are errors with file and row.
//!
//! [`StoredSource`] is a source of a dataset, or a named file of games. [`OpenSource`] reads it from any thread: games
//! in windows in source order, turns by game. Only needed columns and pages are read.

mod error;
mod games;
mod keyed;
mod source;
mod table;
mod turns;

pub use error::StoredGamesError;
pub use games::{NOT_REACHED, StoredGame, Window};
pub use keyed::{KeyedFile, KeyedReads};
pub use source::{OpenSource, SourceNotStored, StoredSource, of_dataset, of_files};
pub use turns::{StoredTurns, Wanted};
