//! A table that was published of games which the log does not hold: totals only, from a source that is named.

use serde::{Deserialize, Serialize};

use crate::ids::PlayerId;

/// One row of a published table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    pub player: PlayerId,
    /// The place as published, from 1.
    pub place: u32,
    /// The points as published, in halves.
    pub half_points: u32,
}

/// A table was published: the totals of games that are not recorded one by one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablePublished {
    /// The rows, best first.
    pub rows: Vec<PublishedRow>,
    /// How many games every two players played; none where that is not known, or differs.
    pub games_a_pair: Option<u32>,
    /// How many crosstables give these totals: derived, never published. None where they were not derived.
    pub crosstables: Option<u64>,
    pub source: String,
    pub note: Option<String>,
}
