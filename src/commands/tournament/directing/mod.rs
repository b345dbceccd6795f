//! The commands of a director: the rulebook decides each, and the log appends or refuses it.

pub mod announce;
mod director;
pub mod disputes;
pub mod entry;
pub mod fund;
pub mod game;
pub mod programs;
pub mod qualifier;
pub mod round;
pub mod ruling;
pub mod schedule;

pub use director::{ByDirector, session_now};
