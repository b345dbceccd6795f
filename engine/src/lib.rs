//! The engine: evaluates positions, searches turns, plays games, serves AEI in both roles, and runs matches.
//!
//! [`evaluation`] has evaluators by name; [`threats`] finds goals and captures within one turn, exactly; [`search`]
//! finds the best turn; [`player`] sets up, follows a game and chooses turns. [`aei`] is the protocol between programs,
//! [`arena`] runs matches, [`selfplay`] generates games.
//!
//! These are for Arimaa; [`amazons`] has the same for the Amazons with the same limits, table and clock. [`aei`],
//! [`arena`] and [`selfplay`] serve both through [`seated`].
//!
//! With a fixed seed and a limit of depth or nodes, the same position and past give the same turn on every machine.

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

/// Higher whenever the engine plays other turns or gives other evaluations than before, with the same settings.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
