//! Published totals of games that the log does not contain, with their source.

use serde::{Deserialize, Serialize};

use crate::ids::PlayerId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    pub player: PlayerId,
    /// As published, from 1.
    pub place: u32,
    /// As published.
    pub half_points: u32,
}

/// Totals of games not recorded individually.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablePublished {
    /// Best first.
    pub rows: Vec<PublishedRow>,
    /// Between every two players; none if unknown or varying.
    pub games_a_pair: Option<u32>,
    /// The number of crosstables with these totals: derived, never published.
    pub crosstables: Option<u64>,
    pub source: String,
    pub note: Option<String>,
}
