//! Qualifying: benchmark players, games, and the published order of a stage with who advances and their seeds.

use serde::{Deserialize, Serialize};

use super::announcement::Stage;
use super::grounds::{Ground, Measure};
use crate::ids::{GameId, PlayerId};
use crate::time::Micros;
use crate::vocabulary::{Side, Termination};

/// A benchmark player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    pub player: PlayerId,
    /// In the gameroom.
    pub name: String,
    /// The gameroom's account number.
    pub account: Option<u64>,
}

/// 2015 WCC, Qualifying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchmarksDeclared {
    /// Replaces an earlier one.
    pub stable: Vec<Benchmark>,
}

/// Every game is recorded, counting or not: counting is recomputed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualifyingGamePlayed {
    /// The entrant.
    pub player: PlayerId,
    pub benchmark: PlayerId,
    /// Of the entrant.
    pub side: Side,
    pub rated: bool,
    pub started_at: Micros,
    pub ended_at: Micros,
    /// None for a draw or no result.
    pub winner: Option<Side>,
    pub termination: Option<Termination>,
    /// In the gameroom; breaks ties of starting time.
    pub number: Option<u64>,
    /// If the log contains it.
    pub game: Option<GameId>,
}

/// In the order of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualifyingRank {
    pub player: PlayerId,
    /// From 1.
    pub rank: u32,
    /// In the next stage; none for players who do not advance.
    pub seed: Option<u32>,
    /// By priority.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Qualified {
    /// The finished stage.
    pub from: Stage,
    /// The next stage.
    pub to: Stage,
    /// Best first.
    pub order: Vec<QualifyingRank>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}
