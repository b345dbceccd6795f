//! The search for the best turn: alpha-beta over single steps, deepened one step at a time.
//!
//! [`Searcher`] is the whole of it. `tree` walks the tree of steps, `quiet` looks at captures where the tree ends, `order` says
//! which step to try first, `table` remembers positions, `line` makes legal turns of steps, and `safety` looks at a turn once more
//! before it is played. [`time_for_turn`] says how long to think where there is a clock.

pub(crate) mod best_lines;
pub(crate) mod budget;
pub(crate) mod learned;
mod limits;
mod line;
mod options;
mod order;
mod past;
mod quiet;
mod safety;
mod searcher;
pub(crate) mod table;
mod time;
mod tree;
pub(crate) mod worth;

pub use limits::Limits;
pub use options::{SearchOptions, TableTooLarge};
pub use past::Past;
pub use searcher::{Found, Info, Searcher, Statistics};
pub use time::{ClockFacts, time_for_turn, time_to_think, turns_to_come};
