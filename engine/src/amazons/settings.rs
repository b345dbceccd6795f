//! The settings of a player of the Amazons.

use annals_events::closed_words;

use super::evaluation::Registry;
use crate::player::{Noise, Resign};
use crate::search::Limits;

closed_words! {
    /// The method by which a player chooses its move.
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

/// Successive turns of a hopeless search before resignation; default of settings text.
pub const RESIGN_TURNS: u16 = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub kind: Kind,
    pub evaluator: String,
    /// Depth counts moves.
    pub limits: Limits,
    /// In MiB.
    pub hash_mib: u32,
    /// Moves searched per position below the first two moves; 0 for all.
    pub width: u16,
    /// In its first turns.
    pub noise: Noise,
    /// In hundredths of a square; none for never.
    pub resign: Option<Resign>,
    /// Of all chance.
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
