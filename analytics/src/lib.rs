//! Queries on the Parquet dataset: SQL on DataFusion, Annals' own functions, position search, ratings, and what the
//! commands `query`, `games`, `game`, `player`, `explore` and `study` show; and charts of the dataset and of the log.
//!
//! Only this crate depends on DataFusion. It reads exactly the files that the dataset's manifest lists, and writes only
//! files that a user names.

mod boards;
mod bounded_texts;
pub mod career;
mod careers;
#[cfg(feature = "charts")]
pub mod charts;
mod checked_arithmetic;
mod checked_sum;
pub mod citations;
mod dataset;
pub mod dates;
mod described;
mod duration_patterns;
mod error;
pub mod explore;
pub mod export;
mod files_table;
pub mod functions;
pub mod game_view;
pub mod games;
mod headers;
mod kept;
mod keyed;
mod log_columns;
mod log_table;
mod memory;
mod notation;
mod old_names;
mod other_dialects;
pub mod output;
mod pattern;
pub mod players;
mod prepared;
pub mod prompt;
pub mod ratings;
mod reads;
pub mod rejected_turns;
mod rewriting;
pub mod search;
mod session;
mod spill;
mod sql_bounds;
mod sql_error;
mod sql_guard;
mod sql_schema;
mod sql_text;
mod stoppable;
mod store;
mod stored_start;
mod streamed;
pub mod studies;
mod tournaments;
mod typed_rows;
mod user_table;
pub mod views;
#[cfg(feature = "cluster")]
mod workers;

pub use careers::CAREERS;
pub use dataset::Dataset;
pub use described::{FunctionDescription, SchemaDescription};
pub use error::{Error, Remedy};
pub use kept::Kept;
pub use keyed::FOOTERS;
pub use memory::{BUFFERS, Canceller, LastResort, MARGIN};
pub use notation::mirrored_turn;
pub use other_dialects::literal_pattern;
pub use pattern::{Pattern, PatternError};
pub use prepared::{Prepared, Values, is_view, statement};
pub use reads::{Reads, TableReads};
pub use session::{Answer, DEFAULT_MEMORY, Options, Session};
pub use sql_bounds::STACK_BYTES;
pub use sql_guard::{Question, is_complete, queries};
pub use sql_schema::Schema;
pub use user_table::UserTable;
#[cfg(feature = "cluster")]
pub use workers::{Ran, SCAN_BYTES, WorkerOptions, WorkerService, Workers, worker_service};
