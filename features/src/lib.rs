//! Feature tables: one row for every position of a game, with what a network or a study learns from (planes, named
//! scalars), what it is to learn (the label), and how games are told apart into splits. No SQL, and no network.
//!
//! [`columns`] names everything that can be asked for, [`filter`] says which games and positions, [`split`] divides games
//! into folds. [`write()`] makes a file for Python, DuckDB or [`read`]; [`collect`] holds all in memory.

pub mod columns;
mod dataset;
mod error;
mod feed;
pub mod filter;
pub mod modern;
mod options;
pub mod paper;
mod read_back;
mod report;
mod run;
mod sources;
pub mod split;
mod subject;
mod table;
mod worker;
mod write;

pub use dataset::{Dataset, Example, collect, collect_reported, read};
pub use error::FeatureError;
pub use filter::Filter;
pub use options::Options;
pub use report::{ColumnDescribed, Report, SourceNotRead, SourceRead};
pub use run::{Moment, Progress};
pub use sources::{Sources, is_table};
pub use split::fold_of;
pub use write::{Format, write};
