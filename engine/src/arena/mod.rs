//! Programs against each other: games under a clock, schedules of games, and their evaluation.
//!
//! A [`Bout`] is one game between two [`Contestant`]s, each a program with the AEI protocol or a built-in player; everything
//! that happens in it is reported as events. [`play_all`] plays many on several threads.

mod bout;
mod command_line;
mod console;
pub mod contestant;
mod director;
pub mod elo;
mod matches;
mod normal;
mod pace;
pub mod pool;
mod process;
mod report;
pub mod results;
mod running;
pub mod schedule;
mod seat;
mod series;
pub mod sprt;
pub mod standings;

pub use bout::{Bout, BoutError, Sink, position_to_play};
pub use command_line::{CommandLine, CommandLineError};
pub use console::Console;
pub use contestant::{Contestant, ContestantError, Kind};
pub use director::{Decision, Director, Instruction, NoDecision};
pub use matches::{GameRecord, Match};
pub use pace::{Pace, Patience};
pub use process::{Process, ProcessError};
pub use report::{Failure, Report, Winner};
pub use running::Running;
pub use series::play_all;
