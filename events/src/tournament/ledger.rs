//! The ledger: money that came in and went out, in cents of the tournament's currency. Penalties stand with conduct.

use serde::{Deserialize, Serialize};

use super::grounds::Ground;
use crate::ids::PlayerId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeeRecorded {
    /// Who paid.
    pub player: PlayerId,
    pub amount: u64,
    pub note: Option<String>,
}

/// Somebody added to the prize fund.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContributionRecorded {
    /// Who gave it.
    pub from: String,
    pub amount: u64,
    pub note: Option<String>,
}

/// A fee, or a part of it, was paid back (2009 Open Classic, Registration).
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
    /// The games won that it rests on (2015 WCC, Prizes).
    pub games_won: Option<u32>,
    /// The half points that it rests on (2006 Postal, Prize Distribution).
    pub half_points: Option<u32>,
    /// What was awarded that is not money: a certificate, a gift.
    pub thing: Option<String>,
    pub ground: Option<Ground>,
}

/// A prize was forfeited before it was paid (2015 WCC, Qualifying).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrizeForfeited {
    pub player: PlayerId,
    pub amount: u64,
    pub ground: Option<Ground>,
    pub reason: String,
}

/// A prize was given back after it was paid (2015 WCC, Publication).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrizeReturned {
    /// Who gives it back.
    pub player: PlayerId,
    pub amount: u64,
    pub ground: Option<Ground>,
    pub reason: String,
}
