//! The search of the best turn: alpha-beta over single steps with iterative deepening. [`Searcher`] runs it: `tree`
//! walks the steps, `quiet` follows captures at the leaves, `order` orders steps, also by their `likelihood`, `table` stores positions, `line`
//! makes legal turns, `safety` checks the chosen turn. [`time_for_turn`] gives the time by a clock.

pub(crate) mod best_lines;
pub(crate) mod budget;
mod found;
pub(crate) mod learned;
mod likelihood;
mod likelihood_weights;
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

pub use found::{Found, Info, Statistics};
pub use likelihood::StepFeatures;
pub use limits::Limits;
pub use options::{SearchOptions, TableTooLarge};
pub use past::Past;
pub use searcher::Searcher;
pub(crate) use searcher::searcher;
pub use time::{ClockFacts, time_for_turn, time_to_think, turns_to_come};
