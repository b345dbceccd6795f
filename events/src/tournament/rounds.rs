//! Rounds: lots, pairings with byes and colours, what they were said to rest on, their revocation, their start.

use serde::{Deserialize, Serialize};

use super::announcement::Stage;
use super::grounds::{Draw, Ground, Measure};
use super::programs::ProgramDigest;
use crate::ids::{BoardId, GameId, PlayerId};
use crate::vocabulary::Side;

/// A player's lot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lot {
    pub player: PlayerId,
    /// The number drawn; no two players of a round have the same. A lower number stands higher.
    pub number: u64,
}

/// Lots were drawn for a round (2009 Open Classic, Swiss 6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LotsDrawn {
    pub round: u32,
    pub lots: Vec<Lot>,
    pub draw: Draw,
}

/// Two players put together for one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The board, from 1.
    pub board: u32,
    /// The player who stands higher in the order that the pairing rests on.
    pub upper: PlayerId,
    pub lower: PlayerId,
    /// The side of the upper player; none where a lot or a player's choice will decide.
    pub upper_side: Option<Side>,
    /// The rule that gave the colours.
    pub colour: Option<Ground>,
    /// The encounter that the game belongs to, where one has several games: they bear the same number.
    pub encounter: Option<u32>,
}

impl Pair {
    /// Who plays a side, where that is decided.
    #[must_use]
    pub fn player(&self, side: Side) -> Option<&PlayerId> {
        self.upper_side.map(|upper| if upper == side { &self.upper } else { &self.lower })
    }
}

/// A player has no game in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bye {
    pub player: PlayerId,
    /// What it is worth, in half points; none where the format counts no points.
    pub half_points: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}

/// A player's place in the order that a pairing rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranked {
    pub player: PlayerId,
    /// The rank, from 1.
    pub rank: u32,
    /// What it rests on, most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
}

/// How many pairings are as good as the published one, itself counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Equals {
    /// All were counted.
    Exactly(u64),
    /// There are this many, and perhaps more.
    AtLeast(u64),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundPaired {
    pub round: u32,
    /// The stage that it belongs to.
    pub stage: Stage,
    /// The pairs, by board.
    pub pairs: Vec<Pair>,
    /// Who has no game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<Bye>,
    /// The order that the pairing rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Ranked>,
    /// What this pairing measures on each criterion, most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
    /// How many pairings are as good.
    pub equals: Option<Equals>,
    /// True when the round was inferred from games and was not published by a director.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub inferred: bool,
}

/// A round's pairing, or one pair of it, was revoked: it counts as never paired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingRevoked {
    pub round: u32,
    /// The board; none for the whole round.
    pub board: Option<u32>,
    pub reason: String,
}

/// The colours of a pair were drawn by lot (2009 Open Classic, Swiss 9 and Final 12; 2015 WCC, Color Assignment 6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColourDrawn {
    pub pairing: BoardId,
    pub gold: PlayerId,
    pub draw: Draw,
    /// The rule that asks for a lot.
    pub ground: Option<Ground>,
}

/// The colours of a pair were chosen by a player (2009 Open Classic, the tie-break games).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColourChosen {
    pub pairing: BoardId,
    /// Who chose.
    pub player: PlayerId,
    /// The side that they play.
    pub side: Side,
    /// The rule that gives them the choice.
    pub ground: Option<Ground>,
}

/// The first game of a round began: from here on nothing of an earlier round can be altered (2015 WCC, Technical
/// Problems 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundStarted {
    pub round: u32,
    /// The pairing whose game began.
    pub pairing: Option<BoardId>,
    pub game: Option<GameId>,
    /// The programs with which the players go into the round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramDigest>,
}
