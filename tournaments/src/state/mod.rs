pub(crate) mod calendar;
mod decision;
mod evolve;
pub(crate) mod round;
mod rulings;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use annals_events::tournament::{
    AccountGiven, AccountWithdrawn, Announced, AppealDecided, AppealFiled, AvailabilityGiven, BanLifted,
    BanRecorded, BenchmarksDeclared, Closed, DisputeFiled, Disqualification, Disqualified, HardwareDeclared,
    HardwareSpecified, Invited, LotsDrawn, Machine, NoticeGiven, PenaltyRecorded, PrizeAwarded,
    ProgramPublished, ProgramSubmitted, ProgramSubstituted, ProgramTested, ProgramUpdated, Qualified,
    QualifyingGamePlayed, Ranked, ReferenceHardwareRecorded, RoundsDeclared, RulingGiven, Stage,
    TablePublished,
};
use annals_events::{BoardId, GameId, Micros, PlayerId, PlayerKind, closed_words};
use serde::Serialize;

use crate::formats::elimination::RemovedInContinuation;
use crate::rulebook::rulebook_in_force;
use rulings::Change;

pub use decision::{ColourDecision, Decision, ResultSource};
use round::Results;
pub use round::{AttemptStatus, Board, ResumePoint, Round, SetAside};

closed_words! {
    pub enum EntrantStatus, "status of an entry" {
        Entered = "entered",
        Invited = "invited",
        Withdrawn = "withdrawn",
        Disqualified = "disqualified",
    }
}

/// A fact with its event and effective time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted<T> {
    pub seq: u64,
    pub at: Micros,
    pub fact: T,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaving {
    Own,
    Forfeit,
    /// By the director, also by a ruling.
    Removed,
    Disqualified,
    /// An invitation lapsed.
    Lapsed,
}

/// How and when a player left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub seq: u64,
    pub at: Micros,
    pub how: Leaving,
}

/// All events on an entrant's program, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramRecord {
    pub submitted: Vec<Noted<ProgramSubmitted>>,
    pub tested: Vec<Noted<ProgramTested>>,
    pub updated: Vec<Noted<ProgramUpdated>>,
    /// The earlier version that replaces it.
    pub substituted: Option<Noted<ProgramSubstituted>>,
    pub accounts_given: Vec<Noted<AccountGiven>>,
    pub accounts_withdrawn: Vec<Noted<AccountWithdrawn>>,
    pub published: Option<Noted<ProgramPublished>>,
}

impl ProgramRecord {
    /// The last account that was not withdrawn.
    pub(crate) fn account(&self) -> Option<&Noted<AccountGiven>> {
        let withdrawn = self.accounts_withdrawn.last().map_or(0, |withdrawn| withdrawn.seq);
        self.accounts_given.last().filter(|given| given.seq > withdrawn)
    }

    /// The digest of the present program, if recorded.
    pub fn digest(&self) -> Option<&str> {
        if let Some(substituted) = &self.substituted {
            return substituted.fact.digest.as_deref();
        }
        let submitted = self.submitted.last()?;
        let updated = self.updated.last().filter(|updated| updated.seq > submitted.seq);
        Some(updated.map_or(submitted.fact.digest.as_str(), |updated| updated.fact.after.as_str()))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    pub name: String,
    pub entry: Noted<annals_events::tournament::PlayerRegistered>,
    /// By order of entry, from 1.
    pub order: u32,
    /// While they are out.
    pub left: Option<Left>,
    /// One per cause, also of a player who was out already.
    pub disqualified: Vec<Noted<Disqualified>>,
    pub invited: Option<Noted<Invited>>,
    pub program: ProgramRecord,
    /// In order.
    pub hardware: Vec<Noted<HardwareDeclared>>,
    /// In order.
    pub availability: Vec<Noted<AvailabilityGiven>>,
    pub kind: PlayerKind,
    /// As last recorded.
    pub rating: Option<i32>,
    /// Of the entry.
    pub number: Option<u32>,
    /// From the last published order with one. [`Tournament::seeds`] are the seeds in use.
    pub seed: Option<u32>,
}

impl Entrant {
    /// Entered or invited, and not left.
    pub fn is_in(&self) -> bool {
        self.left.is_none()
    }

    pub(crate) fn disqualified_for(&self, cause: Disqualification) -> Option<&Noted<Disqualified>> {
        self.disqualified.iter().find(|out| out.fact.cause == cause)
    }

    /// Disqualified when leaving, or since.
    fn is_disqualified_since(&self, left: &Left) -> bool {
        self.disqualified.last().is_some_and(|out| out.seq >= left.seq)
    }

    pub fn status(&self) -> EntrantStatus {
        match &self.left {
            Some(left) if self.is_disqualified_since(left) => EntrantStatus::Disqualified,
            Some(_) => EntrantStatus::Withdrawn,
            None if self.invited.is_some() => EntrantStatus::Invited,
            None => EntrantStatus::Entered,
        }
    }

    /// Left before the event that begins a stage, if any.
    pub(crate) fn left_before(&self, begins: Option<u64>) -> bool {
        self.left.as_ref().is_some_and(|left| begins.is_none_or(|begins| left.seq < begins))
    }
}

/// A ruling, and whether a later one replaced it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulingInForce {
    pub seq: u64,
    pub at: Micros,
    pub ruling: RulingGiven,
    /// The number of the replacing ruling.
    pub superseded_by: Option<u32>,
    /// The game that it halts or rates.
    pub game: Option<GameId>,
    /// What it changed, for undoing.
    pub(crate) change: Change,
}

/// What rulings in force decide about a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuledGame {
    pub halted: bool,
    /// By the last ruling in force.
    pub rated: Option<bool>,
    pub first: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Money {
    Fee,
    Contribution,
    PenaltyPaid,
    Refund,
    Prize,
    PrizeForfeited,
    PrizeReturned,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    pub seq: u64,
    pub at: Micros,
    pub what: Money,
    /// Payer or recipient.
    pub who: String,
    /// In cents.
    pub amount: u64,
}

/// An event that does not follow from those before it, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub seq: u64,
    /// Stable, in `snake_case`.
    pub code: &'static str,
    pub message: String,
}

impl Finding {
    pub fn new(seq: u64, code: &'static str, message: impl Into<String>) -> Finding {
        Finding { seq, code, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {} ({})", self.seq, self.message, self.code)
    }
}

/// Lookups for checks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// First index among the qualifying games, per game of the log.
    pub(crate) qualifying_by_game: BTreeMap<GameId, usize>,
    /// First index among the qualifying games, per number.
    pub(crate) qualifying_by_number: BTreeMap<u64, usize>,
    /// All pairings a game was ever attached to, revoked ones included.
    pub(crate) attached: BTreeMap<GameId, BTreeSet<BoardId>>,
    /// The event that began the first game.
    pub(crate) begun: Option<u64>,
    /// Kinds of ledger entries, by payer or recipient.
    booked: BTreeMap<String, BTreeSet<Money>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tournament {
    pub announced: Option<Announced>,
    pub entrants: BTreeMap<PlayerId, Entrant>,
    pub benchmarks: Option<BenchmarksDeclared>,
    pub qualifying_games: Vec<QualifyingGamePlayed>,
    /// The published order of each stage with one.
    pub qualified: Vec<Qualified>,
    pub rounds_declared: BTreeMap<Stage, Noted<RoundsDeclared>>,
    /// By round.
    pub lots: BTreeMap<u32, Noted<LotsDrawn>>,
    pub hardware: Option<Noted<HardwareSpecified>>,
    /// Of the previous year's challenge match.
    pub reference_hardware: Option<Noted<ReferenceHardwareRecorded>>,
    /// By round and player.
    pub machines: BTreeMap<u32, BTreeMap<PlayerId, Machine>>,
    /// Recorded and not lifted here. The context has those of all tournaments.
    pub bans: Vec<Noted<BanRecorded>>,
    pub bans_lifted: Vec<BanLifted>,
    pub notices: Vec<Noted<NoticeGiven>>,
    pub penalties: Vec<Noted<PenaltyRecorded>>,
    pub prizes: Vec<Noted<PrizeAwarded>>,
    /// Changed by rulings, in order.
    pub readings_ruled: Vec<(String, String)>,
    pub rounds: BTreeMap<u32, Round>,
    /// Rounds whose last pairing was vacated by rulings, without it.
    pub vacated: BTreeMap<u32, Round>,
    /// In the order given.
    pub rulings: Vec<RulingInForce>,
    pub disputes: Vec<DisputeFiled>,
    pub appeals: Vec<(Noted<AppealFiled>, Option<AppealDecided>)>,
    pub ledger: Vec<LedgerEntry>,
    /// Last published totals of games that are not recorded.
    pub published: Option<Noted<TablePublished>>,
    pub closed: Option<Closed>,
    pub closed_at: Option<Micros>,
    /// Effective time of the first event.
    pub first_at: Option<Micros>,
    pub events: u64,
    pub findings: Vec<Finding>,
    pub index: Index,
}

impl Tournament {
    /// A pairing that was published and not revoked.
    pub fn board(&self, pairing: BoardId) -> Option<&Board> {
        self.rounds.get(&pairing.round)?.boards.get(&pairing.board)
    }

    /// In order, with numbers.
    pub(crate) fn rounds_of(&self, stages: &[Stage]) -> impl Iterator<Item = (u32, &Round)> {
        let rounds = self.rounds.iter().filter(move |(_, round)| stages.contains(&round.stage));
        rounds.map(|(number, round)| (*number, round))
    }

    /// The event that paired the first round of some stages.
    pub(crate) fn begins(&self, stages: &[Stage]) -> Option<u64> {
        self.rounds_of(stages).next().map(|(_, round)| round.paired.seq)
    }

    /// The last published order that leads to the final.
    pub fn order_to_final(&self) -> Option<&Qualified> {
        self.qualified.iter().rev().find(|qualified| qualified.to == Stage::Final)
    }

    /// The last paired round; 0 before the first.
    pub(crate) fn last_round(&self) -> u32 {
        self.rounds.keys().next_back().copied().unwrap_or(0)
    }

    /// The first round with a game begun.
    pub(crate) fn first_begun(&self) -> Option<u32> {
        self.rounds.iter().find(|(_, round)| round.has_begun()).map(|(number, _)| *number)
    }

    pub(crate) fn results_before(&self, round: u32) -> Results {
        let boards = self.rounds.range(..round).flat_map(|(&round, known)| {
            known.boards.iter().map(move |(&board, known)| (BoardId { round, board }, known))
        });
        boards.filter_map(|(at, board)| Some((at, (board.outcome()?, board.gold().cloned())))).collect()
    }

    /// Whatever its stage.
    pub(crate) fn next_round(&self) -> u32 {
        self.last_round().saturating_add(1)
    }

    /// From the first round of the final those of its order, without gaps (2015 WCC, Tournament format 1);
    /// before, those of the order that led to it.
    pub fn seeds(&self) -> BTreeMap<&PlayerId, u32> {
        let seed = |line: &'_ Ranked| {
            let measure = line.measures.iter().find(|measure| measure.name == "seed")?;
            u32::try_from(*measure.values.first()?).ok()
        };
        let first = self.rounds_of(&[Stage::Final]).next();
        let order = first.map_or(&[][..], |(_, round)| &round.paired.fact.order);
        let played: BTreeMap<&PlayerId, u32> =
            order.iter().filter_map(|line| Some((&line.player, seed(line)?))).collect();
        if !played.is_empty() {
            return played;
        }
        self.entrants.iter().filter_map(|(player, entrant)| Some((player, entrant.seed?))).collect()
    }

    /// Why a player is not to be paired in a stage, without a rulebook. In an all-play-all and a playoff,
    /// games of players who left are paired and forfeited. The continuation depends on a reading.
    pub(crate) fn not_to_be_paired(&self, player: &PlayerId, stage: Stage) -> Option<&'static str> {
        match self.entrants.get(player).map(Entrant::status) {
            None => Some("never entered"),
            Some(EntrantStatus::Disqualified) => Some("is disqualified"),
            Some(EntrantStatus::Withdrawn) if !pairs_who_left(stage) && !self.returns_for(stage) => {
                Some("has withdrawn")
            }
            Some(_) => None,
        }
    }

    /// Whether a withdrawn player plays in a stage, by the recorded reading of T26.
    fn returns_for(&self, stage: Stage) -> bool {
        let rulebook = || rulebook_in_force(self).ok().flatten();
        stage == Stage::Continuation
            && rulebook().is_some_and(|rules| rules.readings.elimination.removed == RemovedInContinuation::In)
    }

    /// Whether each of a player's forfeits has an accepted appeal; `taken` counts as accepted.
    pub(crate) fn heard(&self, player: &PlayerId, taken: Option<u32>) -> bool {
        let accepted = |(appeal, decided): &&(Noted<AppealFiled>, Option<AppealDecided>)| {
            let granted = decided.as_ref().is_some_and(|decided| decided.accepted);
            appeal.fact.by == *player && (granted || taken == Some(appeal.fact.number))
        };
        let appeals: Vec<&Noted<AppealFiled>> =
            self.appeals.iter().filter(accepted).map(|(appeal, _)| appeal).collect();
        !appeals.is_empty()
            && self.forfeits_of(player).all(|forfeit| appeals.iter().any(|appeal| is_on(appeal, forfeit)))
    }

    /// A player's forfeited pairings, each with its event.
    pub(crate) fn forfeits_of(&self, player: &PlayerId) -> impl Iterator<Item = (BoardId, u64)> {
        let boards = self.rounds.iter().flat_map(|(&round, paired)| {
            paired.boards.iter().map(move |(&board, known)| (BoardId { round, board }, paired, known))
        });
        boards
            .filter(move |(_, _, board)| board.forfeited_by().contains(&player))
            .map(|(at, round, board)| (at, board.result().map_or(round.paired.seq, |result| result.seq)))
    }

    /// Whether the ledger has such a line.
    pub(crate) fn booked(&self, what: Money, player: &PlayerId) -> bool {
        self.index.booked.get(player.as_str()).is_some_and(|lines| lines.contains(&what))
    }

    /// Whether a player was awarded money.
    pub(crate) fn awarded(&self, player: &PlayerId) -> bool {
        self.prizes.iter().any(|prize| prize.fact.player == *player && prize.fact.amount > 0)
    }
}

/// Whether games of players who left are paired.
pub(crate) fn pairs_who_left(stage: Stage) -> bool {
    stage == Stage::RoundRobin || stage.is_playoff()
}

/// On that pairing, or without one filed after the forfeit.
fn is_on(appeal: &Noted<AppealFiled>, (pairing, seq): (BoardId, u64)) -> bool {
    appeal.fact.pairing.map_or(appeal.seq > seq, |about| about == pairing)
}
