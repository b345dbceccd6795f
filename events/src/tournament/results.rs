//! Results: which games are attempts at a pairing, how it came out, forfeits claimed.

use serde::{Deserialize, Serialize};

use crate::ids::{BoardId, GameId, PlayerId};
use crate::time::Micros;
use crate::vocabulary::{GameKind, Side, Termination, closed_words};

/// A game was said to be an attempt at a pairing: the first, or one that a ruling asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameAttached {
    pub pairing: BoardId,
    /// Which attempt, from 1.
    pub attempt: u32,
    pub game: GameId,
}

closed_words! {
    /// How a pairing came out.
    pub enum Outcome, "outcome" {
        /// Gold won, White in the Amazons.
        Gold = "gold",
        /// Silver won, Black in the Amazons.
        Silver = "silver",
        Draw = "draw",
        /// Both lost: neither came, or both were at fault.
        DoubleLoss = "double_loss",
        /// Both won; only a ruling can say so.
        DoubleWin = "double_win",
        /// Played, without a winner or a loser; only a ruling can say so.
        NoDecision = "no_decision",
    }
}

impl Outcome {
    /// The side that alone won.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Gold => Some(Side::Gold),
            Outcome::Silver => Some(Side::Silver),
            _ => None,
        }
    }

    /// The word as people read it in a game: where a side won, by the side's name there.
    #[must_use]
    pub const fn word_in(self, game: GameKind) -> &'static str {
        match (game, self) {
            (GameKind::Amazons, Outcome::Gold) => "white",
            (GameKind::Amazons, Outcome::Silver) => "black",
            (_, other) => other.word(),
        }
    }
}

impl From<Side> for Outcome {
    fn from(winner: Side) -> Outcome {
        match winner {
            Side::Gold => Outcome::Gold,
            Side::Silver => Outcome::Silver,
        }
    }
}

/// A pairing has its result. A forfeited one has it too: termination `forfeit`, with one winner or a double loss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRecorded {
    pub pairing: BoardId,
    pub outcome: Outcome,
    /// How the game ended, where that is known.
    pub termination: Option<Termination>,
    /// Which attempt the result is of, where a game was played.
    pub attempt: Option<u32>,
    /// The game, where the log holds it.
    pub game: Option<GameId>,
    /// The territory of the winner, where the rulebook counts it (Olympiad 2000), in squares.
    pub territory: Option<u32>,
    pub note: Option<String>,
}

/// A player claimed a game by forfeit (2009 Open Classic, Time of games).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForfeitClaimed {
    pub pairing: BoardId,
    pub claimant: PlayerId,
    /// The time for which the game was fixed.
    pub scheduled_at: Option<Micros>,
    /// Until when the claimant waited.
    pub waited_until: Option<Micros>,
}
