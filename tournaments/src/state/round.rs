//! One round: its boards, its byes, whether it has begun.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Bye, Clocks, ColourChosen, ColourDrawn, Failure, ForfeitClaimed, GameScheduled, Outcome, Pair,
    ResultRecorded, RoundPaired, Stage,
};
use annals_events::{BoardId, GameId, Micros, PlayerId, Side, Termination};

use crate::standings::half_points;
use crate::state::Noted;
use crate::state::decision::{ColourDecision, Decision, Play};

/// An attempt that a ruling took out of force: it was halted, or its result was invalidated, or it is to be played anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The number of the attempt, as far as the record tells it.
    pub attempt: u32,
    /// Whether it was halted while it was played; else its result was invalidated.
    pub halted: bool,
    /// From which ply the next attempt goes on; none where it is a rematch from the start.
    pub ply: Option<u32>,
    pub failure: Failure,
    /// The clocks that were ruled.
    pub clocks: Option<Clocks>,
}

/// One pairing of a round, with the games that were attempts at it and the result that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The pair as it was published.
    pub pair: Pair,
    /// What decided the colours after the pairing was published, in order: the last holds.
    pub(super) colours: Vec<ColourDecision>,
    /// The games that are attempts at it, by number of the attempt.
    pub games: BTreeMap<u32, GameId>,
    /// The attempts that rulings took out of force, in order.
    pub set_aside: Vec<Noted<SetAside>>,
    /// How far play has come.
    pub(super) play: Play,
    /// The event that fixed when it is to be played, the last where it was moved.
    pub scheduled: Option<Noted<GameScheduled>>,
    pub claim: Option<Noted<ForfeitClaimed>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptStatus {
    Open,
    Over,
    Halted,
    /// It is over and its result was invalidated.
    Invalidated,
}

impl AttemptStatus {
    /// The words in sentences.
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
    pub attempt: u32,
    /// How many of its plies are kept.
    pub ply: u32,
}

impl SetAside {
    /// From where the next attempt goes on; a rematch goes on from the start.
    pub fn point(&self) -> ResumePoint {
        ResumePoint { attempt: self.attempt, ply: self.ply.unwrap_or(0) }
    }
}

impl Board {
    /// A pairing as it is published.
    pub(super) fn of(pair: &Pair) -> Board {
        Board {
            pair: pair.clone(),
            colours: Vec::new(),
            games: BTreeMap::new(),
            set_aside: Vec::new(),
            play: Play::Open,
            scheduled: None,
            claim: None,
        }
    }

    /// The player named first in the pairing.
    pub const fn upper(&self) -> &PlayerId {
        &self.pair.upper
    }

    /// The player named second.
    pub const fn lower(&self) -> &PlayerId {
        &self.pair.lower
    }

    /// The two players, in the order of the pairing.
    pub const fn players(&self) -> [&PlayerId; 2] {
        [self.upper(), self.lower()]
    }

    /// Whether a player is one of the two.
    pub fn has(&self, player: &PlayerId) -> bool {
        self.players().contains(&player)
    }

    /// The opponent of a player of the pairing.
    pub fn other(&self, player: &PlayerId) -> &PlayerId {
        if player == self.upper() { self.lower() } else { self.upper() }
    }

    /// The player who has Gold, once that is decided.
    pub fn gold(&self) -> Option<&PlayerId> {
        match self.colours.last() {
            None => self.pair.player(Side::Gold),
            Some(ColourDecision::Ruled(gold)) => Some(&gold.fact),
            Some(ColourDecision::Drawn(drawn)) => Some(&drawn.fact.gold),
            Some(ColourDecision::Chosen(Noted { fact, .. })) => {
                Some(if fact.side == Side::Gold { &fact.player } else { self.other(&fact.player) })
            }
        }
    }

    /// The player of the other side than Gold, once colours are decided.
    pub fn silver(&self) -> Option<&PlayerId> {
        self.gold().map(|gold| self.other(gold))
    }

    /// What gave the colours that hold; none where the pairing gives them, or they are open.
    pub fn colours_by(&self) -> Option<&ColourDecision> {
        self.colours.last()
    }

    /// The draw of lots for colours, where there was one; a ruling may have changed the colours since.
    pub fn drawn(&self) -> Option<&Noted<ColourDrawn>> {
        self.colours.iter().rev().find_map(|decision| match decision {
            ColourDecision::Drawn(drawn) => Some(drawn),
            _ => None,
        })
    }

    /// The choice of a side, where a player made one; a ruling may have changed the colours since.
    pub fn chosen(&self) -> Option<&Noted<ColourChosen>> {
        self.colours.iter().rev().find_map(|decision| match decision {
            ColourDecision::Chosen(chosen) => Some(chosen),
            _ => None,
        })
    }

    /// The result that holds, and how it came about.
    pub const fn decision(&self) -> Option<&Decision> {
        match &self.play {
            Play::Decided(decision) => Some(decision),
            Play::Open | Play::Halted => None,
        }
    }

    /// The result that holds.
    pub fn outcome(&self) -> Option<Outcome> {
        self.decision().map(Decision::outcome)
    }

    /// How the game ended, where stated.
    pub fn termination(&self) -> Option<Termination> {
        self.decision()?.termination()
    }

    /// The recorded result that holds; none where a ruling gave the outcome, or there is none.
    pub fn result(&self) -> Option<&Noted<ResultRecorded>> {
        self.decision()?.recorded()
    }

    /// Whether the result is a ruling's.
    pub fn ruled(&self) -> bool {
        self.decision().is_some_and(|decision| decision.recorded().is_none())
    }

    /// Squares of territory at the end, in the Amazons.
    pub fn territory(&self) -> Option<u32> {
        self.decision()?.territory()
    }

    /// Whether a ruling gave that territory.
    pub fn territory_ruled(&self) -> bool {
        self.decision().is_some_and(|decision| decision.territory_ruled.is_some())
    }

    /// Whether play is halted by a ruling.
    pub fn halted(&self) -> bool {
        self.play == Play::Halted
    }

    /// When it is to be played, where that is fixed.
    pub fn scheduled_at(&self) -> Option<Micros> {
        self.scheduled.as_ref().map(|scheduled| scheduled.fact.at)
    }

    /// The attempts of which the record speaks, by number.
    pub fn attempts(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.games.keys().copied().collect();
        numbers.extend(self.set_aside.iter().map(|aside| aside.fact.attempt));
        numbers.extend(self.result_attempt());
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// How many games were played at it, those that were broken off or replayed among them; a forfeit without a game is none.
    pub fn games_played(&self) -> u32 {
        u32::try_from(self.attempts().len()).unwrap_or(u32::MAX)
    }

    /// The number of a game among the attempts; none where it is no game of this pairing.
    pub fn number_of(&self, game: &GameId) -> Option<u32> {
        self.games.iter().find(|(_, known)| *known == game).map(|(number, _)| *number)
    }

    /// How it is with an attempt; none where the record knows no such attempt.
    pub fn status_of(&self, attempt: u32) -> Option<AttemptStatus> {
        if !self.attempts().contains(&attempt) {
            return None;
        }
        Some(match self.set_aside.iter().rev().find(|aside| aside.fact.attempt == attempt) {
            Some(aside) if aside.fact.halted => AttemptStatus::Halted,
            Some(_) => AttemptStatus::Invalidated,
            None if self.outcome().is_some() => AttemptStatus::Over,
            None => AttemptStatus::Open,
        })
    }

    /// The first attempt that is being played.
    pub fn attempt_open(&self) -> Option<u32> {
        self.attempts().into_iter().find(|attempt| self.status_of(*attempt) == Some(AttemptStatus::Open))
    }

    /// The last attempt of which the record speaks; 0 before the first. A game that was played and is in no log counts.
    pub fn last_attempt(&self) -> u32 {
        self.attempts().last().copied().unwrap_or(0)
    }

    /// The last attempt, where it is later than a game of this pairing.
    pub fn later_attempt(&self, game: &GameId) -> Option<u32> {
        let last = self.last_attempt();
        self.number_of(game).filter(|number| *number < last).map(|_| last)
    }

    /// How a game of this pairing was taken out of force, where it was.
    pub fn aside(&self, game: &GameId) -> Option<&Noted<SetAside>> {
        let attempt = self.number_of(game)?;
        self.set_aside.iter().rev().find(|aside| aside.fact.attempt == attempt)
    }

    /// The attempt that the recorded result is of; none where there is none, or it is a forfeit without a game.
    pub fn result_attempt(&self) -> Option<u32> {
        let result = &self.result()?.fact;
        let said = result.attempt.or_else(|| self.number_of(result.game.as_ref()?));
        if said.is_some() || self.is_forfeit_by(result) {
            return said;
        }
        Some(self.attempt_under_way())
    }

    /// The attempt that is being played, or the next one where the last was taken out of force.
    pub fn attempt_under_way(&self) -> u32 {
        let attached = self.games.keys().next_back().copied().unwrap_or(0);
        let aside = self.set_aside.iter().map(|aside| aside.fact.attempt).max().unwrap_or(0);
        if aside >= attached { aside.saturating_add(1) } else { attached }
    }

    /// The attempt that was taken out of force and that no later one has paid for; none where none is owed.
    pub fn owed(&self) -> Option<&Noted<SetAside>> {
        let last = self.set_aside.last()?;
        let paid = self.games.keys().next_back().is_some_and(|attempt| *attempt > last.fact.attempt);
        (!paid && self.outcome().is_none()).then_some(last)
    }

    /// Whether it was decided by a forfeit: the record says so, or a forfeit was claimed, no game was played, and the result
    /// does not say how it came about. A ruling says so itself.
    pub fn is_forfeit(&self) -> bool {
        self.decision().is_some_and(|decision| match decision.termination() {
            Some(termination) => termination == Termination::Forfeit,
            None => decision.recorded().is_some_and(|result| self.is_forfeit_by(&result.fact)),
        })
    }

    pub fn is_forfeit_by(&self, result: &ResultRecorded) -> bool {
        let no_game = || self.games.is_empty() && result.attempt.is_none() && result.game.is_none();
        match result.termination {
            Some(termination) => termination == Termination::Forfeit,
            None => self.claim.is_some() && no_game(),
        }
    }

    /// Who lost by forfeit; both where it was a double loss, nobody where it was none.
    pub fn forfeited_by(&self) -> Vec<&PlayerId> {
        if !self.is_forfeit() {
            return Vec::new();
        }
        match self.outcome() {
            Some(Outcome::Gold) => self.silver().into_iter().collect(),
            Some(Outcome::Silver) => self.gold().into_iter().collect(),
            Some(Outcome::DoubleLoss) => self.players().to_vec(),
            _ => Vec::new(),
        }
    }

    /// Half points of a player by the result that holds; none while there is no result, or where the player has no part in
    /// it.
    pub fn half_points(&self, player: &PlayerId) -> Option<u32> {
        let side = if self.gold() == Some(player) {
            Side::Gold
        } else if self.silver() == Some(player) {
            Side::Silver
        } else {
            return None;
        };
        half_points(self.outcome()?, side)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// The stage that it belongs to.
    pub stage: Stage,
    pub boards: BTreeMap<u32, Board>,
    pub byes: Vec<Bye>,
    /// When its first game began; none before.
    pub started_at: Option<Micros>,
    /// The pairing as it was published; boards may have been revoked since.
    pub paired: Noted<RoundPaired>,
    /// Whether the round was inferred from the dates of games.
    pub inferred: bool,
    /// The results of earlier rounds when it was paired.
    pub(crate) rests_on: Results,
}

/// The results of pairings, each with the player who has Gold.
pub(crate) type Results = BTreeMap<BoardId, (Outcome, Option<PlayerId>)>;

impl Round {
    /// Whether its start is recorded. An inferred round has no start of its own: its games are known to be played.
    pub fn is_started(&self) -> bool {
        self.started_at.is_some() || self.inferred
    }

    /// Whether a game of it has begun.
    pub fn has_begun(&self) -> bool {
        self.started_at.is_some() || self.boards.values().any(|board| board.last_attempt() > 0)
    }

    /// Whether every board has its result.
    pub fn is_over(&self) -> bool {
        self.boards.values().all(|board| board.outcome().is_some())
    }
}
