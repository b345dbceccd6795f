//! Results: attempts at a pairing, outcomes, forfeit claims.

use serde::{Deserialize, Serialize};

use crate::ids::{BoardId, GameId, PlayerId};
use crate::time::Micros;
use crate::vocabulary::{GameKind, Side, Termination, UnknownWord, closed_words};

/// As an attempt at a pairing: the first, or one by ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameAttached {
    pub pairing: BoardId,
    /// From 1.
    pub attempt: u32,
    pub game: GameId,
}

closed_words! {
    pub enum Outcome, "outcome" {
        /// White in the Amazons.
        Gold = "gold",
        /// Black in the Amazons.
        Silver = "silver",
        Draw = "draw",
        /// Both absent, or both at fault.
        DoubleLoss = "double_loss",
        /// By a ruling only.
        DoubleWin = "double_win",
        /// Played without winner and loser; by a ruling only.
        NoDecision = "no_decision",
    }
}

impl Outcome {
    /// The only winner.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Gold => Some(Side::Gold),
            Outcome::Silver => Some(Side::Silver),
            _ => None,
        }
    }

    /// With the side's name in the game.
    #[must_use]
    pub const fn word_in(self, game: GameKind) -> &'static str {
        match (game, self) {
            (GameKind::Amazons, Outcome::Gold) => "white",
            (GameKind::Amazons, Outcome::Silver) => "black",
            (_, other) => other.word(),
        }
    }

    /// By its word, or by the name of the winning side in a game.
    ///
    /// # Errors
    /// With the words of the game, when it is neither.
    pub fn read_in(text: &str, game: GameKind) -> Result<Outcome, UnknownWord> {
        if let Some(winner) = Side::named_in(text, game) {
            return Ok(winner.into());
        }
        text.parse().map_err(|unknown: UnknownWord| match game {
            GameKind::Arimaa => unknown,
            GameKind::Amazons => UnknownWord { known: AMAZONS, ..unknown },
        })
    }
}

/// The outcomes of a game of the Amazons.
const AMAZONS: &str = "white, black, draw, double_loss, double_win, no_decision";

impl From<Side> for Outcome {
    fn from(winner: Side) -> Outcome {
        match winner {
            Side::Gold => Outcome::Gold,
            Side::Silver => Outcome::Silver,
        }
    }
}

/// Also of a forfeit: termination `forfeit`, with one winner or a double loss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRecorded {
    pub pairing: BoardId,
    pub outcome: Outcome,
    /// If known.
    pub termination: Option<Termination>,
    /// If a game was played.
    pub attempt: Option<u32>,
    /// If the log contains it.
    pub game: Option<GameId>,
    /// The winner's, in squares, if the rulebook counts it (Olympiad 2000).
    pub territory: Option<u32>,
    pub note: Option<String>,
}

/// 2009 Open Classic, Time of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForfeitClaimed {
    pub pairing: BoardId,
    pub claimant: PlayerId,
    /// Of the game.
    pub scheduled_at: Option<Micros>,
    /// By the claimant.
    pub waited_until: Option<Micros>,
}
