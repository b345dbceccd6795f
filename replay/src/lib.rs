//! Folds the log into state at any point in time: a game, a player, a tournament, or the whole. What was true at a
//! time (`as_of`) and what was known at a time (`known_at`) are two questions; both pass through one
//! [`timeline`], so every view of the same cut agrees.

pub mod cut;
pub mod game;
pub mod people;
pub mod point;
pub mod timeline;

pub use cut::Cut;
pub use game::{Finding, GameReplay};
