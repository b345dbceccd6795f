//! Feature tables: one row for every position of a game, with what a network or a study learns from (planes, named
//! scalars), what it is to learn (the label), and how games are told apart into splits. No SQL, and no network.

mod dataset;
mod error;
pub mod filter;
pub mod paper;
pub mod split;

pub use dataset::{Dataset, Example, collect, read};
pub use error::FeatureError;
pub use filter::Filter;
pub use split::fold_of;
