use super::evaluation::Registry;
use crate::player::{Noise, Resign};
use crate::search::Limits;

/// How a player chooses a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    #[default]
    Searcher,
    /// The move with the best evaluation, without search.
    Greedy,
    /// A random legal move.
    Random,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Searcher, Kind::Greedy, Kind::Random];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Searcher => "searcher",
            Kind::Greedy => "greedy",
            Kind::Random => "random",
        }
    }

    #[must_use]
    pub fn from_word(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
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
