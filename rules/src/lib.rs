//! The rules of the games: positions, turns, notation, legality, results, clocks, scoring and the gameroom's
//! rating formula. Pure: no file, no thread, no clock of the machine, no random number
//! but those that follow from a seed that is handed in.

pub mod amazons;
pub mod any_game;
mod any_position;
pub mod arimaa;
pub mod clock;
mod facts;
pub mod game;
pub mod rating;
pub mod scoring;
pub mod seeded;
mod split_mix;
mod turn_label;

pub use any_position::{AnyPosition, AnyPositionError};
pub use facts::{ClockFacts, EndFacts, GameFacts, GameViolation, Retraction, TakenBackBy};
pub use turn_label::{NotATurn, TurnLabel};
