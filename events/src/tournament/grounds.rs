//! What decisions rest on: the rule and its paragraph, what was found, evidence, and how a lot was drawn. Nothing
//! here decides; it records what was said.

use serde::{Deserialize, Serialize};

use crate::ids::GameId;

/// A rule that a decision rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// The rule by its name in the rulebook, e.g. `final.colour.1`.
    pub rule: String,
    /// The paragraph of the source, e.g. `2015 WCC, Color Assignment 1`.
    pub paragraph: Option<String>,
    /// What was found that made the rule apply.
    pub finding: Option<String>,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// What it is and what it shows.
    pub text: String,
    /// Where it can be had: a file's name, an address.
    pub source: Option<String>,
    /// The digest of that file: algorithm, colon, hexadecimal digits.
    pub digest: Option<String>,
    /// The game that it is about.
    pub game: Option<GameId>,
    /// The ply of that game.
    pub ply: Option<u32>,
    /// The event of the log that it points to.
    pub seq: Option<u64>,
}

impl From<&str> for Evidence {
    /// Evidence in words.
    fn from(text: &str) -> Evidence {
        Evidence { text: text.to_owned(), source: None, digest: None, game: None, ply: None, seq: None }
    }
}

/// How a lot was drawn. A draw is recorded, never repeated: a replay draws nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// How: `coin`, `sha256_seed`, `by_hand`.
    pub method: String,
    /// The seed, where it came from one.
    pub seed: Option<String>,
    /// The commitment to the seed that had been published before.
    pub commitment: Option<String>,
}

/// What something measures on one criterion of the rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// The criterion by its name in the rulebook, e.g. `meetings`.
    pub name: String,
    /// Its values, most important first; ratings in millionths of an Elo point, times in microseconds.
    pub values: Vec<i64>,
}
