//! One round: its boards, its byes, whether it has begun.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Bye, ColourChosen, ColourDrawn, ForfeitClaimed, Outcome, Pair, ResultRecorded, RoundPaired, Stage,
};
use annals_events::{GameId, Micros, PlayerId, Termination};

use crate::state::Noted;

/// One pairing of a round, with the games that were attempts at it and the result that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The player named first in the pairing.
    pub upper: PlayerId,
    /// The player named second.
    pub lower: PlayerId,
    /// Who has Gold, once that is decided.
    pub gold: Option<PlayerId>,
    /// The games that are attempts at it, by number of the attempt.
    pub games: BTreeMap<u32, GameId>,
    /// The result that holds.
    pub outcome: Option<Outcome>,
    /// How it came about, where stated.
    pub termination: Option<Termination>,
    /// Whether the result is a ruling's.
    pub ruled: bool,
    /// Whether play is halted by a ruling.
    pub halted: bool,
    /// When it is to be played, where that is fixed.
    pub scheduled_at: Option<Micros>,
    /// Whether somebody claimed a forfeit.
    pub forfeit_claimed: bool,
    /// Squares of territory at the end, in the Amazons.
    pub territory: Option<u32>,
    /// Whether a ruling gave that territory.
    pub territory_ruled: bool,
    /// The pair as it was published.
    pub pair: Pair,
    /// The recorded result that holds; none where a ruling gave the outcome, or there is none.
    pub result: Option<Noted<ResultRecorded>>,
    /// The claim of a forfeit.
    pub claim: Option<Noted<ForfeitClaimed>>,
    /// How the colours were drawn, where a lot decided.
    pub drawn: Option<Noted<ColourDrawn>>,
    /// How the colours were chosen, where a player did.
    pub chosen: Option<Noted<ColourChosen>>,
}

impl Board {
    /// The player of the other side than Gold, once colours are decided.
    #[must_use]
    pub fn silver(&self) -> Option<&PlayerId> {
        self.gold.as_ref().map(|gold| if *gold == self.upper { &self.lower } else { &self.upper })
    }

    /// Half points of a player by the result that holds: 2 for a win, 1 for a draw, 0 for a loss; none while there
    /// is no result, or where the player has no part in it.
    #[must_use]
    pub fn half_points(&self, player: &PlayerId) -> Option<u32> {
        let is_gold = if self.gold.as_ref() == Some(player) {
            true
        } else if self.silver() == Some(player) {
            false
        } else {
            return None;
        };
        Some(match self.outcome? {
            Outcome::Gold => 2 * u32::from(is_gold),
            Outcome::Silver => 2 * u32::from(!is_gold),
            Outcome::Draw => 1,
            Outcome::DoubleWin => 2,
            Outcome::DoubleLoss => 0,
            Outcome::NoDecision => return None,
        })
    }
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// The stage that it belongs to.
    pub stage: Stage,
    /// The boards, by number.
    pub boards: BTreeMap<u32, Board>,
    /// Who has a bye.
    pub byes: Vec<Bye>,
    /// When its first game began; none before.
    pub started_at: Option<Micros>,
    /// The pairing as it was published; boards may have been revoked since.
    pub paired: Noted<RoundPaired>,
    /// Whether the round was inferred from the dates of games.
    pub inferred: bool,
}

impl Round {
    /// Whether every board has its result.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.boards.values().all(|board| board.outcome.is_some())
    }
}
