//! The rules of the games: positions, turns, notation, legality, results, clocks, scoring and the gameroom's
//! rating formula. Pure: no file, no thread, no clock of the machine, no random number.

pub mod arimaa;
pub mod clock;
mod facts;
pub mod game;
pub mod rating;
pub mod scoring;

pub use facts::{ClockFacts, EndFacts, GameDeparture, GameFacts};
