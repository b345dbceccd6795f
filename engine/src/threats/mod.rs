//! What is possible within one turn, exactly: goals and captures, fast enough for every node of a search.

mod captures;
mod field;
mod goal;

pub use captures::{CaptureTurn, Captures, capture_turns, captures};
pub use goal::{goal_steps, goal_steps_of, goal_turn};
