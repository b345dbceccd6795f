//! Programs against each other: games under a clock, schedules of games, and what their results say.

pub mod elo;
mod normal;
pub mod pool;
pub mod schedule;
pub mod sprt;
pub mod standings;
