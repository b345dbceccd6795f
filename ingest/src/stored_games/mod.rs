//! Games read back from the tables `games` and `turns`: from a dataset, or from any Parquet files with their columns. A game comes
//! back as what it was stored from: what its record states, and its turns as events, which the rules fold like those of
//! every other source. What does not fit together is an error that names the file and the row, and never a game.
//!
//! [`StoredSource`] is one source of a dataset, or one named file of games. [`OpenSource`] reads it: the table of games in
//! windows, in the order of the source, and the turns of some games at a time, from any thread. Only the columns that are
//! needed are read, and of the turns only the pages that can hold the games.

mod error;
mod games;
mod source;
mod table;
mod turns;

pub use error::StoredGamesError;
pub use games::{NOT_REACHED, StoredGame, Window};
pub use source::{OpenSource, SourceNotStored, StoredSource, of_dataset, of_files};
pub use turns::{StoredTurns, Wanted};
