//! What can be done within one turn, exactly: reaching the goal, and capturing.

mod captures;
mod goal;

pub use captures::{Captures, captures};
pub use goal::{goal_steps, goal_turn};
