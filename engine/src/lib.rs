//! The engine: it judges positions, searches for turns, plays whole games, speaks AEI in both roles, and runs matches.
//!
//! [`evaluation`] says what a position is worth, by any evaluator by name; [`threats`] finds goals and captures within one
//! turn, exactly; [`search`] looks for the best turn; [`player`] is what sits at the board: it sets up, follows a game and
//! chooses. [`aei`] is the text protocol between programs, [`arena`] plays programs against each other, and [`selfplay`]
//! makes games by the thousand.
//!
//! All this is for Arimaa; [`amazons`] judges, searches and plays the game of the Amazons, with the same limits, table and
//! clock. [`aei`], [`arena`] and [`selfplay`] are for both: [`seated`] is what they need of a game.
//!
//! With a fixed seed and a limit of depth or nodes the same position and past give the same turn on every machine.

pub mod aei;
pub mod amazons;
pub mod arena;
pub mod evaluation;
pub mod player;
mod player_name;
mod referee;
mod score;
pub mod search;
pub mod seated;
pub mod selfplay;
pub mod settings_text;
pub mod threats;

pub use score::Score;
