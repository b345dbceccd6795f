//! One round: its boards, its byes, whether it has begun.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Bye, Clocks, ColourChosen, ColourDrawn, Failure, ForfeitClaimed, GameScheduled, Outcome, Pair,
    ResultRecorded, RoundPaired, Stage,
};
use annals_events::{GameId, Micros, PlayerId, Side, Termination};

use crate::standings::half_points;
use crate::state::Noted;

/// An attempt that a ruling took out of force: it was halted, or its result was invalidated, or it is to be played anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The number of the attempt, as far as the record tells it.
    pub attempt: u32,
    /// Whether it was halted while it was played; else its result was invalidated.
    pub halted: bool,
    /// From which ply the next attempt goes on; none where it is a rematch from the start.
    pub ply: Option<u32>,
    /// What went wrong.
    pub failure: Failure,
    /// The clocks that were ruled.
    pub clocks: Option<Clocks>,
}

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
    /// The event that fixed it, the last where it was moved.
    pub scheduled: Option<Noted<GameScheduled>>,
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
    /// The attempts that rulings took out of force, in order.
    pub set_aside: Vec<Noted<SetAside>>,
}

/// How it is with an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptStatus {
    /// It is being played.
    Open,
    /// It is over.
    Over,
    /// It was halted.
    Halted,
    /// It is over and its result was invalidated.
    Invalidated,
}

impl AttemptStatus {
    /// The words in sentences.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AttemptStatus::Open => "being played",
            AttemptStatus::Over => "over",
            AttemptStatus::Halted => "halted",
            AttemptStatus::Invalidated => "invalidated",
        }
    }
}

/// A point of an attempt, from which another goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResumePoint {
    /// The number of the attempt.
    pub attempt: u32,
    /// How many of its plies are kept.
    pub ply: u32,
}

impl SetAside {
    /// From where the next attempt goes on; a rematch goes on from the start.
    #[must_use]
    pub fn point(&self) -> ResumePoint {
        ResumePoint { attempt: self.attempt, ply: self.ply.unwrap_or(0) }
    }
}

impl Board {
    /// The attempts of which the record speaks, by number.
    #[must_use]
    pub fn attempts(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.games.keys().copied().collect();
        numbers.extend(self.set_aside.iter().map(|aside| aside.fact.attempt));
        numbers.extend(self.result_attempt());
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The number of a game among the attempts; none where it is no game of this pairing.
    #[must_use]
    pub fn number_of(&self, game: &GameId) -> Option<u32> {
        self.games.iter().find(|(_, known)| *known == game).map(|(number, _)| *number)
    }

    /// How it is with an attempt; none where the record knows no such attempt.
    #[must_use]
    pub fn status_of(&self, attempt: u32) -> Option<AttemptStatus> {
        if !self.attempts().contains(&attempt) {
            return None;
        }
        Some(match self.set_aside.iter().rev().find(|aside| aside.fact.attempt == attempt) {
            Some(aside) if aside.fact.halted => AttemptStatus::Halted,
            Some(_) => AttemptStatus::Invalidated,
            None if self.outcome.is_some() => AttemptStatus::Over,
            None => AttemptStatus::Open,
        })
    }

    /// The first attempt that is being played.
    #[must_use]
    pub fn attempt_open(&self) -> Option<u32> {
        self.attempts().into_iter().find(|attempt| self.status_of(*attempt) == Some(AttemptStatus::Open))
    }

    /// The last attempt of which the record speaks; 0 before the first. A game that was played and is in no log counts.
    #[must_use]
    pub fn last_attempt(&self) -> u32 {
        self.attempts().last().copied().unwrap_or(0)
    }

    /// The attempt that the recorded result is of; none where there is none, or it is a forfeit without a game.
    #[must_use]
    pub fn result_attempt(&self) -> Option<u32> {
        let result = &self.result.as_ref()?.fact;
        let said = result.attempt.or_else(|| self.number_of(result.game.as_ref()?));
        if said.is_some() || self.is_forfeit_by(result) {
            return said;
        }
        Some(self.attempt_under_way())
    }

    /// The attempt that is being played, or the next one where the last was taken out of force.
    #[must_use]
    pub fn attempt_under_way(&self) -> u32 {
        let attached = self.games.keys().next_back().copied().unwrap_or(0);
        let aside = self.set_aside.iter().map(|aside| aside.fact.attempt).max().unwrap_or(0);
        if aside >= attached { aside.saturating_add(1) } else { attached }
    }

    /// The attempt that was taken out of force and that no later one has paid for; none where none is owed.
    #[must_use]
    pub fn owed(&self) -> Option<&Noted<SetAside>> {
        let last = self.set_aside.last()?;
        let paid = self.games.keys().next_back().is_some_and(|attempt| *attempt > last.fact.attempt);
        (!paid && self.outcome.is_none()).then_some(last)
    }

    /// Whether it was decided by a forfeit: the record says so, or a forfeit was claimed, no game was played, and the result
    /// does not say how it came about. A ruling says so itself.
    #[must_use]
    pub fn is_forfeit(&self) -> bool {
        self.outcome.is_some()
            && match self.termination {
                Some(termination) => termination == Termination::Forfeit,
                None => {
                    !self.ruled && self.result.as_ref().is_some_and(|result| self.is_forfeit_by(&result.fact))
                }
            }
    }

    /// Whether a result of this board is one by forfeit.
    #[must_use]
    pub fn is_forfeit_by(&self, result: &ResultRecorded) -> bool {
        let no_game = || self.games.is_empty() && result.attempt.is_none() && result.game.is_none();
        match result.termination {
            Some(termination) => termination == Termination::Forfeit,
            None => self.claim.is_some() && no_game(),
        }
    }

    /// Who lost by forfeit; both where it was a double loss, nobody where it was none.
    #[must_use]
    pub fn forfeited_by(&self) -> Vec<&PlayerId> {
        if !self.is_forfeit() {
            return Vec::new();
        }
        match self.outcome {
            Some(Outcome::Gold) => self.silver().into_iter().collect(),
            Some(Outcome::Silver) => self.gold.as_ref().into_iter().collect(),
            Some(Outcome::DoubleLoss) => vec![&self.upper, &self.lower],
            _ => Vec::new(),
        }
    }

    /// The player of the other side than Gold, once colours are decided.
    #[must_use]
    pub fn silver(&self) -> Option<&PlayerId> {
        self.gold.as_ref().map(|gold| if *gold == self.upper { &self.lower } else { &self.upper })
    }

    /// Half points of a player by the result that holds; none while there is no result, or where the player has no part in
    /// it.
    #[must_use]
    pub fn half_points(&self, player: &PlayerId) -> Option<u32> {
        let side = if self.gold.as_ref() == Some(player) {
            Side::Gold
        } else if self.silver() == Some(player) {
            Side::Silver
        } else {
            return None;
        };
        half_points(self.outcome?, side)
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
    /// Whether a game of it has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.started_at.is_some() || self.boards.values().any(|board| board.last_attempt() > 0)
    }

    /// Whether every board has its result.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.boards.values().all(|board| board.outcome.is_some())
    }
}
