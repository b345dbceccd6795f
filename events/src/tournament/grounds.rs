//! Grounds of decisions: rule, paragraph, finding, evidence, and draws, as stated.

use serde::{Deserialize, Serialize};

use crate::ids::GameId;

/// A rule as ground of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// In the rulebook, e.g. `final.colour.1`.
    pub rule: String,
    /// Of the source, e.g. `2015 WCC, Color Assignment 1`.
    pub paragraph: Option<String>,
    /// What made the rule apply.
    pub finding: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// What it is and shows.
    pub text: String,
    /// A file's name or an address.
    pub source: Option<String>,
    /// Of that file: algorithm, colon, hexadecimal digits.
    pub digest: Option<String>,
    pub game: Option<GameId>,
    /// Of that game.
    pub ply: Option<u32>,
    /// Of an event.
    pub seq: Option<u64>,
}

impl From<&str> for Evidence {
    /// Evidence as text.
    fn from(text: &str) -> Evidence {
        Evidence { text: text.to_owned(), source: None, digest: None, game: None, ply: None, seq: None }
    }
}

/// A recorded draw; replays draw nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// `coin`, `sha256_seed` or `by_hand`.
    pub method: String,
    pub seed: Option<String>,
    /// To the seed, published before.
    pub commitment: Option<String>,
}

/// A value on a criterion of the rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// In the rulebook, e.g. `meetings`.
    pub name: String,
    /// By priority; ratings in millionths of an Elo point, times in microseconds.
    pub values: Vec<i64>,
}
