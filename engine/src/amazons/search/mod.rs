//! The search of the Amazons: alpha-beta over whole moves with iterative deepening. [`Searcher`] runs it, `tree` walks
//! the tree, `order` orders moves. Limits, table and scores are those of [`crate::search`].

mod options;
mod order;
mod searcher;
mod tree;

pub use options::SearchOptions;
pub use searcher::Searcher;
