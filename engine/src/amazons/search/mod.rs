//! The search for the best move of the Amazons: alpha-beta over whole moves, deepened one move at a time.
//!
//! [`Searcher`] is the whole of it. `tree` walks the tree, `order` says which move to try first. Limits, the table and the
//! way to count wins are those of [`crate::search`].

mod order;
mod searcher;
mod tree;

pub use searcher::{SearchOptions, Searcher};
