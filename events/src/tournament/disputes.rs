//! Disputes and appeals. A ruling decides a dispute, an event of its own an appeal.

use serde::{Deserialize, Serialize};

use super::grounds::{Evidence, Ground};
use crate::ids::{BoardId, PlayerId};

/// 2006 Postal, Special Rules: disputes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DisputeFiled {
    /// In its tournament, from 1.
    pub number: u32,
    pub by: PlayerId,
    pub against: Option<PlayerId>,
    pub pairing: Option<BoardId>,
    /// The stated events.
    pub claim: String,
    /// Allegedly broken rules (since schema 2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// Against a removal, a forfeit or a ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppealFiled {
    /// In its tournament, from 1.
    pub number: u32,
    pub by: PlayerId,
    /// That it contests.
    pub ruling: Option<u32>,
    pub pairing: Option<BoardId>,
    /// The request and its reason.
    pub claim: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// Changes by an accepted one are events of their own: a reinstatement, a ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppealDecided {
    pub number: u32,
    pub by: PlayerId,
    pub accepted: bool,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}
