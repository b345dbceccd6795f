//! Qualifying: the benchmark stable, the games against it, and the order in which a stage is published to have
//! ended, with who goes on and with which seed.

use serde::{Deserialize, Serialize};

use super::announcement::Stage;
use super::grounds::{Ground, Measure};
use crate::ids::{GameId, PlayerId};
use crate::time::Micros;
use crate::vocabulary::{Side, Termination};

/// A player of the benchmark stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    pub player: PlayerId,
    /// The name in the gameroom.
    pub name: String,
    /// The gameroom's number for the account.
    pub account: Option<u64>,
}

/// The stable of benchmark players was declared (2015 WCC, Qualifying).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchmarksDeclared {
    /// The stable; it replaces one that was declared before.
    pub stable: Vec<Benchmark>,
}

/// A game of the qualifier was played. Every game is recorded, counting or not: what counts is recomputed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualifyingGamePlayed {
    /// The player who wants to qualify.
    pub player: PlayerId,
    pub benchmark: PlayerId,
    /// The side of the player who wants to qualify.
    pub side: Side,
    pub rated: bool,
    pub started_at: Micros,
    /// When it was over.
    pub ended_at: Micros,
    /// The side that won; none for a draw or no result.
    pub winner: Option<Side>,
    pub termination: Option<Termination>,
    /// The gameroom's number of the game; it breaks ties of the starting time.
    pub number: Option<u64>,
    /// The game, where the log holds it.
    pub game: Option<GameId>,
}

/// One player's place in the order of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualifyingRank {
    pub player: PlayerId,
    /// The place in the order, from 1.
    pub rank: u32,
    /// The seed in the next stage; none for those who do not go on.
    pub seed: Option<u32>,
    /// What the place rests on, most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
}

/// The order of a stage was published, and who goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Qualified {
    /// The stage that is over.
    pub from: Stage,
    /// The stage that follows.
    pub to: Stage,
    /// The order, best first.
    pub order: Vec<QualifyingRank>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}
