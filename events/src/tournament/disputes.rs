//! What players bring before the director: disputes and appeals. A dispute is decided by a ruling; an appeal by an
//! event of its own.

use serde::{Deserialize, Serialize};

use super::grounds::{Evidence, Ground};
use crate::ids::{BoardId, PlayerId};

/// A player disputed something (2006 Postal, Special Rules: disputes).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DisputeFiled {
    /// The number of the dispute in its tournament, from 1.
    pub number: u32,
    /// Who brings it.
    pub by: PlayerId,
    /// Against whom.
    pub against: Option<PlayerId>,
    pub pairing: Option<BoardId>,
    /// What is said to have happened.
    pub claim: String,
    /// The rules that are said to be broken (since schema 2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// A player appealed against a removal, a forfeit or a ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppealFiled {
    /// The number of the appeal in its tournament, from 1.
    pub number: u32,
    pub by: PlayerId,
    /// The ruling that it is against.
    pub ruling: Option<u32>,
    pub pairing: Option<BoardId>,
    /// What is asked for, and why.
    pub claim: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// An appeal was decided. What an accepted one changes is said by events of its own: a reinstatement, a ruling.
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
