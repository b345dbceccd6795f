//! Feature tables: one row per position with planes, named scalars, label and split. [`columns`] has all columns,
//! [`filter`] selects games and positions, [`split`] divides games into folds. [`write()`] makes a file for Python,
//! DuckDB or [`read`]; [`collect`] holds all in memory.

pub mod columns;
mod dataset;
mod error;
mod feed;
pub mod filter;
mod format;
pub mod modern;
mod open;
mod options;
pub mod paper;
mod read_back;
mod report;
mod run;
mod sampling;
mod sources;
pub mod split;
mod subject;
mod table;
mod worker;
mod write;

pub use dataset::{Dataset, Example};
pub use error::FeatureError;
pub use filter::Filter;
pub use format::Format;
pub use open::{collect, collect_reported, read};
pub use options::Options;
pub use report::{ColumnDescribed, Report, SourceNotRead, SourceRead, list_of_columns};
pub use run::{Moment, Progress};
pub use sampling::Sampling;
pub use sources::{Sources, is_table};
pub use split::fold_of;
pub use write::{Target, write};
