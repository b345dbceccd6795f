//! The settings of a player of the Amazons.

use annals_events::closed_words;

use super::evaluation::Registry;
use crate::player::{Noise, Resign};
use crate::search::Limits;

closed_words! {
    /// How a player comes to its move.
    #[derive(Default)]
    pub enum Kind, "kind of player" {
        /// It searches.
        #[default]
        Searcher = "searcher",
        /// It plays the move after which its evaluator gives the best value, and looks no further.
        Greedy = "greedy",
        /// It plays any legal move, by the seed.
        Random = "random",
    }
}

/// In how many turns, one after the other, a search has to find a player hopelessly behind before it gives up, where
/// the settings are read from text.
pub const RESIGN_TURNS: u16 = 3;

/// The settings of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How it comes to its move.
    pub kind: Kind,
    pub evaluator: String,
    /// How far it looks; depth counts moves.
    pub limits: Limits,
    /// The size of its table of positions, in MiB.
    pub hash_mib: u32,
    /// How many moves of a position are looked into where that is deeper in the tree than the first two moves: those
    /// that come first in the order; all of them for 0.
    pub width: u16,
    /// Noise in its first turns.
    pub noise: Noise,
    /// When it gives up, in hundredths of a square; never where there is none.
    pub resign: Option<Resign>,
    /// The seed of all chance.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            kind: Kind::Searcher,
            evaluator: Registry::DEFAULT.to_owned(),
            limits: Limits::nodes(15_000),
            hash_mib: 8,
            width: 60,
            noise: Noise::default(),
            resign: None,
            seed: 0,
        }
    }
}
