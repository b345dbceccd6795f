//! The ledger, in cents of the tournament's currency. Penalties are in conduct.

use serde::{Deserialize, Serialize};

use super::grounds::Ground;
use crate::ids::PlayerId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeeRecorded {
    /// The payer.
    pub player: PlayerId,
    pub amount: u64,
    pub note: Option<String>,
}

/// To the prize fund.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContributionRecorded {
    pub from: String,
    pub amount: u64,
    pub note: Option<String>,
}

/// A fee, or part of it (2009 Open Classic, Registration).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefundRecorded {
    pub player: PlayerId,
    pub amount: u64,
    pub ground: Option<Ground>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrizeAwarded {
    pub player: PlayerId,
    pub amount: u64,
    /// The basis (2015 WCC, Prizes).
    pub games_won: Option<u32>,
    /// The basis (2006 Postal, Prize Distribution).
    pub half_points: Option<u32>,
    /// Not money: a certificate, a gift.
    pub thing: Option<String>,
    pub ground: Option<Ground>,
}

/// Before payment (2015 WCC, Qualifying).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrizeForfeited {
    pub player: PlayerId,
    pub amount: u64,
    pub ground: Option<Ground>,
    pub reason: String,
}

/// After payment (2015 WCC, Publication).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrizeReturned {
    pub player: PlayerId,
    pub amount: u64,
    pub ground: Option<Ground>,
    pub reason: String,
}
