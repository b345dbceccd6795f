//! The search for the best turn.

mod limits;
mod searcher;

pub use limits::Limits;
pub use searcher::{Found, Info, Past, SearchOptions, Searcher};
