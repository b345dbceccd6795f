//! One round: boards, byes, beginning.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Bye, Clocks, ColourChosen, ColourDrawn, Failure, ForfeitClaimed, GameScheduled, Outcome, Pair,
    ResultRecorded, RoundPaired, Stage,
};
use annals_events::{BoardId, GameId, Micros, PlayerId, Side, Termination};

use crate::state::Noted;
use crate::state::decision::{ColourDecision, Decision, Play, half_points};

/// An attempt out of force by a ruling: halted, invalidated, or to be replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// If recorded.
    pub attempt: u32,
    /// Halted during play; else its result was invalidated.
    pub halted: bool,
    /// Where the next attempt resumes; none for a rematch.
    pub ply: Option<u32>,
    pub failure: Failure,
    /// By the ruling.
    pub clocks: Option<Clocks>,
}

/// One pairing with its attempts and result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// As published.
    pub pair: Pair,
    /// After publication, in order: the last is in force.
    pub(super) colours: Vec<ColourDecision>,
    /// Attempts by number.
    pub games: BTreeMap<u32, GameId>,
    /// In order.
    pub set_aside: Vec<Noted<SetAside>>,
    pub(super) play: Play,
    /// The last appointment.
    pub scheduled: Option<Noted<GameScheduled>>,
    pub claim: Option<Noted<ForfeitClaimed>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptStatus {
    Open,
    Over,
    Halted,
    /// Its result was invalidated.
    Invalidated,
}

impl AttemptStatus {
    /// For sentences.
    pub const fn word(self) -> &'static str {
        match self {
            AttemptStatus::Open => "being played",
            AttemptStatus::Over => "over",
            AttemptStatus::Halted => "halted",
            AttemptStatus::Invalidated => "invalidated",
        }
    }
}

/// A point of an attempt at which another resumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResumePoint {
    pub attempt: u32,
    /// The number of plies kept.
    pub ply: u32,
}

impl SetAside {
    /// Where the next attempt resumes; a rematch at the start.
    pub fn point(&self) -> ResumePoint {
        ResumePoint { attempt: self.attempt, ply: self.ply.unwrap_or(0) }
    }
}

impl Board {
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

    /// Named first in the pairing.
    pub const fn upper(&self) -> &PlayerId {
        &self.pair.upper
    }

    pub const fn lower(&self) -> &PlayerId {
        &self.pair.lower
    }

    /// In the order of the pairing.
    pub const fn players(&self) -> [&PlayerId; 2] {
        [self.upper(), self.lower()]
    }

    pub fn has(&self, player: &PlayerId) -> bool {
        self.players().contains(&player)
    }

    pub fn other(&self, player: &PlayerId) -> &PlayerId {
        if player == self.upper() { self.lower() } else { self.upper() }
    }

    /// Once decided.
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

    /// Once decided.
    pub fn silver(&self) -> Option<&PlayerId> {
        self.gold().map(|gold| self.other(gold))
    }

    /// The decision in force; none if the pairing has it or it is undecided.
    pub fn colours_by(&self) -> Option<&ColourDecision> {
        self.colours.last()
    }

    /// If any; a ruling may have changed the colours since.
    pub fn drawn(&self) -> Option<&Noted<ColourDrawn>> {
        self.colours.iter().rev().find_map(|decision| match decision {
            ColourDecision::Drawn(drawn) => Some(drawn),
            _ => None,
        })
    }

    /// If any; a ruling may have changed the colours since.
    pub fn chosen(&self) -> Option<&Noted<ColourChosen>> {
        self.colours.iter().rev().find_map(|decision| match decision {
            ColourDecision::Chosen(chosen) => Some(chosen),
            _ => None,
        })
    }

    pub const fn decision(&self) -> Option<&Decision> {
        match &self.play {
            Play::Decided(decision) => Some(decision),
            Play::Open | Play::Halted => None,
        }
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.decision().map(Decision::outcome)
    }

    pub fn termination(&self) -> Option<Termination> {
        self.decision()?.termination()
    }

    /// None if ruled.
    pub fn result(&self) -> Option<&Noted<ResultRecorded>> {
        self.decision()?.recorded()
    }

    pub fn ruled(&self) -> bool {
        self.decision().is_some_and(|decision| decision.recorded().is_none())
    }

    /// In squares (Amazons).
    pub fn territory(&self) -> Option<u32> {
        self.decision()?.territory()
    }

    pub fn territory_ruled(&self) -> bool {
        self.decision().is_some_and(|decision| decision.territory_ruled.is_some())
    }

    pub fn halted(&self) -> bool {
        self.play == Play::Halted
    }

    /// If fixed.
    pub fn scheduled_at(&self) -> Option<Micros> {
        self.scheduled.as_ref().map(|scheduled| scheduled.fact.at)
    }

    /// Recorded attempts, by number.
    pub fn attempts(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.games.keys().copied().collect();
        numbers.extend(self.set_aside.iter().map(|aside| aside.fact.attempt));
        numbers.extend(self.result_attempt());
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Games played, halted and replayed ones included; a forfeit without a game does not count.
    pub fn games_played(&self) -> u32 {
        u32::try_from(self.attempts().len()).unwrap_or(u32::MAX)
    }

    /// A game's attempt number; none for a game of another pairing.
    pub fn number_of(&self, game: &GameId) -> Option<u32> {
        self.games.iter().find(|(_, known)| *known == game).map(|(number, _)| *number)
    }

    /// None for an unrecorded attempt.
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

    pub fn attempt_open(&self) -> Option<u32> {
        self.attempts().into_iter().find(|attempt| self.status_of(*attempt) == Some(AttemptStatus::Open))
    }

    /// The last recorded attempt, also without a game in the log; 0 before the first.
    pub fn last_attempt(&self) -> u32 {
        self.attempts().last().copied().unwrap_or(0)
    }

    /// The last attempt, if later than a game of this pairing.
    pub fn later_attempt(&self, game: &GameId) -> Option<u32> {
        let last = self.last_attempt();
        self.number_of(game).filter(|number| *number < last).map(|_| last)
    }

    /// How a game was put out of force, if it was.
    pub fn aside(&self, game: &GameId) -> Option<&Noted<SetAside>> {
        let attempt = self.number_of(game)?;
        self.set_aside.iter().rev().find(|aside| aside.fact.attempt == attempt)
    }

    /// The attempt of the recorded result; none for a forfeit without a game.
    pub fn result_attempt(&self) -> Option<u32> {
        let result = &self.result()?.fact;
        let said = result.attempt.or_else(|| self.number_of(result.game.as_ref()?));
        if said.is_some() || self.is_forfeit_by(result) {
            return said;
        }
        Some(self.attempt_under_way())
    }

    /// The attempt in play, or the next one if the last is out of force.
    pub fn attempt_under_way(&self) -> u32 {
        let attached = self.games.keys().next_back().copied().unwrap_or(0);
        let aside = self.set_aside.iter().map(|aside| aside.fact.attempt).max().unwrap_or(0);
        if aside >= attached { aside.saturating_add(1) } else { attached }
    }

    /// The attempt out of force without a later one.
    pub fn owed(&self) -> Option<&Noted<SetAside>> {
        let last = self.set_aside.last()?;
        let paid = self.games.keys().next_back().is_some_and(|attempt| *attempt > last.fact.attempt);
        (!paid && self.outcome().is_none()).then_some(last)
    }

    /// A game of the log was taken out of force, and the attempt that is to follow it has not begun.
    pub fn lacks_attempt(&self) -> bool {
        self.owed().is_some_and(|owed| self.games.contains_key(&owed.fact.attempt))
    }

    /// Decided by forfeit: recorded so, or claimed without a game or stated ending. A ruling states it.
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

    /// Both for a double loss; empty without a forfeit.
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

    /// By the result in force; none without one, or for other players.
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
    pub stage: Stage,
    pub boards: BTreeMap<u32, Board>,
    pub byes: Vec<Bye>,
    /// The beginning of its first game.
    pub started_at: Option<Micros>,
    /// The board of that game, if it is recorded.
    pub started_with: Option<u32>,
    /// As published; boards may have been revoked since.
    pub paired: Noted<RoundPaired>,
    /// From the dates of games.
    pub inferred: bool,
    /// The results of earlier rounds when it was paired.
    pub(crate) rests_on: Results,
}

/// Each result with the player who has Gold.
pub(crate) type Results = BTreeMap<BoardId, (Outcome, Option<PlayerId>)>;

impl Round {
    /// Whether its start is recorded. An inferred round counts as started: its games were played.
    pub fn is_started(&self) -> bool {
        self.started_at.is_some() || self.inferred
    }

    /// When the game of a board began, as far as the start of the round says: of the game that started it, and of every game
    /// of a ring, which are played at once.
    pub fn started(&self, board: u32) -> Option<Micros> {
        self.started_at.filter(|_| self.stage == Stage::Ring || self.started_with == Some(board))
    }

    /// Whether a player has a game or a bye in it.
    pub fn has(&self, player: &PlayerId) -> bool {
        self.boards.values().any(|board| board.has(player))
            || self.byes.iter().any(|bye| bye.player == *player)
    }

    /// Whether one of its games has begun.
    pub fn has_begun(&self) -> bool {
        self.started_at.is_some() || self.boards.values().any(|board| board.last_attempt() > 0)
    }

    pub fn is_over(&self) -> bool {
        self.boards.values().all(|board| board.outcome().is_some())
    }
}

/// Whether games of players who left are paired.
pub(crate) fn pairs_who_left(stage: Stage) -> bool {
    stage == Stage::RoundRobin || stage.is_playoff()
}
