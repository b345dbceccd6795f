//! Penalties and bans. A ban applies to later registrations in the same series.

use serde::{Deserialize, Serialize};

use super::grounds::{Evidence, Ground};
use crate::ids::PlayerId;
use crate::time::Micros;

/// 2015 WCC, Penalty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyRecorded {
    pub player: PlayerId,
    /// In cents.
    pub amount: u64,
    /// Broken rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyPaid {
    pub player: PlayerId,
    /// In cents.
    pub amount: u64,
    pub note: Option<String>,
}

/// From coming tournaments (2015 WCC, Qualifying: two years; Publication: limited programs).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanRecorded {
    pub player: PlayerId,
    /// Bound too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub developers: Vec<String>,
    /// None for every tournament.
    pub series: Option<String>,
    /// None for ever.
    pub until: Option<Micros>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    pub reason: String,
}

/// Before its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanLifted {
    pub player: PlayerId,
    /// None for every tournament.
    pub series: Option<String>,
    pub reason: String,
}
