//! The rules of the games: positions, turns, notation, legality, results, clocks, scoring and the gameroom's rating
//! formula. Pure: no file, thread, clock of the machine, or random number other than from a given seed.

pub mod amazons;
pub mod any_game;
mod any_position;
pub mod arimaa;
pub mod clock;
mod facts;
pub mod game;
mod perft;
mod position;
pub mod rating;
pub mod scoring;
pub mod seeded;
mod split_mix;
mod turn_choice;
mod turn_label;

pub use any_position::{AnyPosition, AnyPositionError};
pub use facts::{ClockFacts, EndFacts, GameFacts, GameViolation, Retraction, TakenBackBy};
pub use turn_choice::TurnChoice;
pub use turn_label::{NotATurn, TurnLabel};
