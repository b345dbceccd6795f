//! Conduct: penalties and bans. A ban reaches beyond its tournament; a later registration in the same series is
//! held against it.

use serde::{Deserialize, Serialize};

use super::grounds::{Evidence, Ground};
use crate::ids::PlayerId;
use crate::time::Micros;

/// A penalty was imposed (2015 WCC, Penalty).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyRecorded {
    pub player: PlayerId,
    /// How much, in cents.
    pub amount: u64,
    /// The rules that were broken.
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
    /// How much, in cents.
    pub amount: u64,
    pub note: Option<String>,
}

/// A player or developer was banned from coming tournaments (2015 WCC, Qualifying: two years; Publication: limited
/// programs).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanRecorded {
    pub player: PlayerId,
    /// The developers whom it binds too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub developers: Vec<String>,
    /// The series from which they are banned; none for every tournament.
    pub series: Option<String>,
    /// Until when it stands; none for ever.
    pub until: Option<Micros>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    pub reason: String,
}

/// A ban was lifted before its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanLifted {
    pub player: PlayerId,
    /// The series for which it is lifted; none for every tournament.
    pub series: Option<String>,
    pub reason: String,
}
