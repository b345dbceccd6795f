//! Rounds: lots, pairings with byes and colours, grounds, revocation, start.

use serde::{Deserialize, Serialize};

use super::announcement::Stage;
use super::grounds::{Draw, Ground, Measure};
use super::programs::ProgramDigest;
use crate::ids::{BoardId, GameId, PlayerId};
use crate::vocabulary::Side;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lot {
    pub player: PlayerId,
    /// Unique within a round; lower is better.
    pub number: u64,
}

/// 2009 Open Classic, Swiss 6.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LotsDrawn {
    pub round: u32,
    pub lots: Vec<Lot>,
    pub draw: Draw,
}

/// Two players of one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// From 1.
    pub board: u32,
    /// Higher in the order of the pairing.
    pub upper: PlayerId,
    pub lower: PlayerId,
    /// None if a lot or a player will decide.
    pub upper_side: Option<Side>,
    /// The rule of the colours.
    pub colour: Option<Ground>,
    /// Common to all games of an encounter.
    pub encounter: Option<u32>,
}

impl Pair {
    /// If decided.
    #[must_use]
    pub fn player(&self, side: Side) -> Option<&PlayerId> {
        self.upper_side.map(|upper| if upper == side { &self.upper } else { &self.lower })
    }
}

/// A player without a game in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bye {
    pub player: PlayerId,
    /// None if the format has no points.
    pub half_points: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}

/// In the order of the pairing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranked {
    pub player: PlayerId,
    /// From 1.
    pub rank: u32,
    /// By priority.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
}

/// The number of pairings as good as the published one, itself counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Equals {
    /// Counted.
    Exactly(u64),
    /// A lower bound.
    AtLeast(u64),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundPaired {
    pub round: u32,
    pub stage: Stage,
    /// By board.
    pub pairs: Vec<Pair>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<Bye>,
    /// Used for the pairing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Ranked>,
    /// On each criterion, by priority.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
    /// The number of equivalents.
    pub equals: Option<Equals>,
    /// From games, not published by a director.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub inferred: bool,
}

/// A whole round, or one pair: it counts as never paired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingRevoked {
    pub round: u32,
    /// None for the whole round.
    pub board: Option<u32>,
    pub reason: String,
}

/// By lot (2009 Open Classic, Swiss 9 and Final 12; 2015 WCC, Color Assignment 6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColourDrawn {
    pub pairing: BoardId,
    pub gold: PlayerId,
    pub draw: Draw,
    /// The rule of the lot.
    pub ground: Option<Ground>,
}

/// By a player (2009 Open Classic, tie-break games).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColourChosen {
    pub pairing: BoardId,
    /// Who chose.
    pub player: PlayerId,
    /// The chosen one.
    pub side: Side,
    /// The rule of the choice.
    pub ground: Option<Ground>,
}

/// By its first game; from then on no earlier round changes (2015 WCC, Technical Problems 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundStarted {
    pub round: u32,
    /// Whose game began.
    pub pairing: Option<BoardId>,
    pub game: Option<GameId>,
    /// Of the players in the round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramDigest>,
}
