//! What can be done within one turn, exactly: reaching the goal, and capturing. All of it is fast enough to
//! be asked at every node of a search.

mod captures;
mod field;
mod goal;

pub use captures::{CaptureTurn, Captures, capture_turns, captures};
pub use goal::{goal_steps, goal_steps_of, goal_turn};
