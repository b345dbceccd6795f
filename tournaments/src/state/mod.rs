//! The state of a tournament: what its events have made known so far.

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
    /// What became of an entry.
    pub enum EntrantStatus, "status of an entry" {
        /// Takes part by an entry.
        Entered = "entered",
        /// Takes part by an invitation.
        Invited = "invited",
        /// Withdrew, or was taken out.
        Withdrawn = "withdrawn",
        /// May not take part any more.
        Disqualified = "disqualified",
    }
}

/// A fact with the event that made it known, and when it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted<T> {
    pub seq: u64,
    pub at: Micros,
    pub fact: T,
}

/// How somebody left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaving {
    Own,
    /// By losing a game by forfeit.
    Forfeit,
    /// By the director, a ruling among it.
    Removed,
    Disqualified,
    /// An invitation came to nothing.
    Lapsed,
}

/// That somebody left, and when in the course of the tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub seq: u64,
    pub at: Micros,
    pub how: Leaving,
}

/// The program of an entrant: everything that was said of it, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramRecord {
    pub submitted: Vec<Noted<ProgramSubmitted>>,
    pub tested: Vec<Noted<ProgramTested>>,
    pub updated: Vec<Noted<ProgramUpdated>>,
    /// An earlier version that plays in its place.
    pub substituted: Option<Noted<ProgramSubstituted>>,
    pub accounts_given: Vec<Noted<AccountGiven>>,
    pub accounts_withdrawn: Vec<Noted<AccountWithdrawn>>,
    /// When it was made public.
    pub published: Option<Noted<ProgramPublished>>,
}

impl ProgramRecord {
    /// The account that was given last and not withdrawn since.
    pub(crate) fn account(&self) -> Option<&Noted<AccountGiven>> {
        let withdrawn = self.accounts_withdrawn.last().map_or(0, |withdrawn| withdrawn.seq);
        self.accounts_given.last().filter(|given| given.seq > withdrawn)
    }

    /// The digest of what would play now, as far as the record says.
    pub fn digest(&self) -> Option<&str> {
        if let Some(substituted) = &self.substituted {
            return substituted.fact.digest.as_deref();
        }
        let submitted = self.submitted.last()?;
        let updated = self.updated.last().filter(|updated| updated.seq > submitted.seq);
        Some(updated.map_or(submitted.fact.digest.as_str(), |updated| updated.fact.after.as_str()))
    }
}

/// One who entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    pub name: String,
    pub entry: Noted<annals_events::tournament::PlayerRegistered>,
    /// The position in the order of entries, from 1.
    pub order: u32,
    /// How and when they left, while they are out.
    pub left: Option<Left>,
    /// The disqualifications, in order: one for each cause, also of a player who was out already.
    pub disqualified: Vec<Noted<Disqualified>>,
    /// The invitation, where there is one.
    pub invited: Option<Noted<Invited>>,
    pub program: ProgramRecord,
    /// What was declared of hardware, in order.
    pub hardware: Vec<Noted<HardwareDeclared>>,
    /// When they can play: what they said, in order.
    pub availability: Vec<Noted<AvailabilityGiven>>,
    pub kind: PlayerKind,
    /// Rating as last recorded here.
    pub rating: Option<i32>,
    /// Number of the entry, where there is one.
    pub number: Option<u32>,
    /// The seed of the last published order that gave one. [`Tournament::seeds`] are those that are played with.
    pub seed: Option<u32>,
}

impl Entrant {
    /// Whether the player takes part: entered or invited, and has not left.
    pub fn is_in(&self) -> bool {
        self.left.is_none()
    }

    pub(crate) fn disqualified_for(&self, cause: Disqualification) -> Option<&Noted<Disqualified>> {
        self.disqualified.iter().find(|out| out.fact.cause == cause)
    }

    /// Whether the player was disqualified when leaving, or since.
    fn is_disqualified_since(&self, left: &Left) -> bool {
        self.disqualified.last().is_some_and(|out| out.seq >= left.seq)
    }

    /// What became of the entry.
    pub fn status(&self) -> EntrantStatus {
        match &self.left {
            Some(left) if self.is_disqualified_since(left) => EntrantStatus::Disqualified,
            Some(_) => EntrantStatus::Withdrawn,
            None if self.invited.is_some() => EntrantStatus::Invited,
            None => EntrantStatus::Entered,
        }
    }

    /// Whether the player left before the event with which a stage begins, as far as there is one.
    pub(crate) fn left_before(&self, begins: Option<u64>) -> bool {
        self.left.as_ref().is_some_and(|left| begins.is_none_or(|begins| left.seq < begins))
    }
}

/// A ruling, and whether a later one took its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulingInForce {
    /// The event that gave it.
    pub seq: u64,
    pub at: Micros,
    pub ruling: RulingGiven,
    /// The number of the ruling that took its place.
    pub superseded_by: Option<u32>,
    /// The game that it halts, or of which it says whether it is rated.
    pub game: Option<GameId>,
    /// What it changed, which a ruling in its place undoes.
    pub(crate) change: Change,
}

/// What the rulings in force say of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuledGame {
    pub halted: bool,
    /// Whether it is rated, by the last ruling in force; none where none says so.
    pub rated: Option<bool>,
    /// The event of the first ruling about it, in force or not.
    pub first: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Money {
    /// An entry fee came in.
    Fee,
    /// A contribution to the fund came in.
    Contribution,
    PenaltyPaid,
    Refund,
    Prize,
    /// A prize stayed in the fund.
    PrizeForfeited,
    PrizeReturned,
}

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    pub seq: u64,
    pub at: Micros,
    pub what: Money,
    /// Who paid, or was paid.
    pub who: String,
    /// Cents of the tournament's currency.
    pub amount: u64,
}

/// Something about an event that does not follow from those before it, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub seq: u64,
    /// A short stable word, in `snake_case`.
    pub code: &'static str,
    /// What is the matter, in words.
    pub message: String,
}

impl Finding {
    /// A finding about an event.
    pub fn new(seq: u64, code: &'static str, message: impl Into<String>) -> Finding {
        Finding { seq, code, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {} ({})", self.seq, self.message, self.code)
    }
}

/// What checks look up, by its key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// The first position among the qualifying games of each game of the log.
    pub(crate) qualifying_by_game: BTreeMap<GameId, usize>,
    /// The first position among the qualifying games of each number.
    pub(crate) qualifying_by_number: BTreeMap<u64, usize>,
    /// The pairings to which each game was ever attached; a pairing may be revoked since.
    pub(crate) attached: BTreeMap<GameId, BTreeSet<BoardId>>,
    /// The event with which the first game began.
    pub(crate) begun: Option<u64>,
    /// Of what the ledger has a line, by who paid or was paid.
    booked: BTreeMap<String, BTreeSet<Money>>,
}

/// One tournament, as its events have made it known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tournament {
    pub announced: Option<Announced>,
    pub entrants: BTreeMap<PlayerId, Entrant>,
    /// The benchmark stable, where there is one.
    pub benchmarks: Option<BenchmarksDeclared>,
    pub qualifying_games: Vec<QualifyingGamePlayed>,
    /// The published order of each stage that ended with one.
    pub qualified: Vec<Qualified>,
    pub rounds_declared: BTreeMap<Stage, Noted<RoundsDeclared>>,
    /// The lots of each round.
    pub lots: BTreeMap<u32, Noted<LotsDrawn>>,
    pub hardware: Option<Noted<HardwareSpecified>>,
    /// The machine of the challenge match of the previous year.
    pub reference_hardware: Option<Noted<ReferenceHardwareRecorded>>,
    /// The computers of each round, by the players who have them.
    pub machines: BTreeMap<u32, BTreeMap<PlayerId, Machine>>,
    /// The bans that were recorded here and not lifted here. The context holds those of every tournament.
    pub bans: Vec<Noted<BanRecorded>>,
    pub bans_lifted: Vec<BanLifted>,
    pub notices: Vec<Noted<NoticeGiven>>,
    pub penalties: Vec<Noted<PenaltyRecorded>>,
    pub prizes: Vec<Noted<PrizeAwarded>>,
    /// Readings that a ruling changed, by their numbers, in order.
    pub readings_ruled: Vec<(String, String)>,
    pub rounds: BTreeMap<u32, Round>,
    /// The rounds of which rulings vacated the last pairing, without it.
    pub vacated: BTreeMap<u32, Round>,
    /// The rulings, in the order in which they were given.
    pub rulings: Vec<RulingInForce>,
    pub disputes: Vec<DisputeFiled>,
    pub appeals: Vec<(Noted<AppealFiled>, Option<AppealDecided>)>,
    pub ledger: Vec<LedgerEntry>,
    /// The totals of games that are not recorded, as they were published last.
    pub published: Option<Noted<TablePublished>>,
    /// The close, with the final order.
    pub closed: Option<Closed>,
    pub closed_at: Option<Micros>,
    /// When its first event happened.
    pub first_at: Option<Micros>,
    /// How many events were folded.
    pub events: u64,
    pub findings: Vec<Finding>,
    pub index: Index,
}

impl Tournament {
    /// A pairing that was published and not revoked.
    pub fn board(&self, pairing: BoardId) -> Option<&Board> {
        self.rounds.get(&pairing.round)?.boards.get(&pairing.board)
    }

    /// The rounds of some stages in order, each with its number.
    pub(crate) fn rounds_of(&self, stages: &[Stage]) -> impl Iterator<Item = (u32, &Round)> {
        let rounds = self.rounds.iter().filter(move |(_, round)| stages.contains(&round.stage));
        rounds.map(|(number, round)| (*number, round))
    }

    /// The event that paired the first round of some stages; none before.
    pub(crate) fn begins(&self, stages: &[Stage]) -> Option<u64> {
        self.rounds_of(stages).next().map(|(_, round)| round.paired.seq)
    }

    /// The published order that leads to the final; the last, where there are several.
    pub fn order_to_final(&self) -> Option<&Qualified> {
        self.qualified.iter().rev().find(|qualified| qualified.to == Stage::Final)
    }

    /// The number of the last round that is paired; 0 before the first.
    pub(crate) fn last_round(&self) -> u32 {
        self.rounds.keys().next_back().copied().unwrap_or(0)
    }

    /// The first round of which a game has begun.
    pub(crate) fn first_begun(&self) -> Option<u32> {
        self.rounds.iter().find(|(_, round)| round.has_begun()).map(|(number, _)| *number)
    }

    pub(crate) fn results_before(&self, round: u32) -> Results {
        let boards = self.rounds.range(..round).flat_map(|(&round, known)| {
            known.boards.iter().map(move |(&board, known)| (BoardId { round, board }, known))
        });
        boards.filter_map(|(at, board)| Some((at, (board.outcome()?, board.gold().cloned())))).collect()
    }

    /// The number of the next round, whatever its stage.
    pub(crate) fn next_round(&self) -> u32 {
        self.last_round().saturating_add(1)
    }

    /// The seeds of the players: those of the order that was published with the first round of the final, without gaps
    /// (2015 WCC, Tournament format 1), and before it those of the order that led to the final.
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

    /// Why a player is not to be paired in a stage, as far as the record tells without a rulebook. Where everyone meets everyone,
    /// and in a playoff, the games of a player who left are paired, and forfeited. Who plays a continuation is a reading.
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

    /// Whether who withdrew plays in a stage, as the record reads the text of the continuation (T26).
    fn returns_for(&self, stage: Stage) -> bool {
        let rulebook = || rulebook_in_force(self).ok().flatten();
        stage == Stage::Continuation
            && rulebook().is_some_and(|rules| rules.readings.elimination.removed == RemovedInContinuation::In)
    }

    /// Whether an accepted appeal of a player is on each of their forfeits; one appeal may be taken as accepted.
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

    /// The pairings that a player forfeited, each with the event by which it was forfeited.
    pub(crate) fn forfeits_of(&self, player: &PlayerId) -> impl Iterator<Item = (BoardId, u64)> {
        let boards = self.rounds.iter().flat_map(|(&round, paired)| {
            paired.boards.iter().map(move |(&board, known)| (BoardId { round, board }, paired, known))
        });
        boards
            .filter(move |(_, _, board)| board.forfeited_by().contains(&player))
            .map(|(at, round, board)| (at, board.result().map_or(round.paired.seq, |result| result.seq)))
    }

    /// Whether a line of the ledger says something of a player.
    pub(crate) fn booked(&self, what: Money, player: &PlayerId) -> bool {
        self.index.booked.get(player.as_str()).is_some_and(|lines| lines.contains(&what))
    }

    /// Whether a player was awarded money.
    pub(crate) fn awarded(&self, player: &PlayerId) -> bool {
        self.prizes.iter().any(|prize| prize.fact.player == *player && prize.fact.amount > 0)
    }
}

/// Whether the games of players who left are paired in a stage.
pub(crate) fn pairs_who_left(stage: Stage) -> bool {
    stage == Stage::RoundRobin || stage.is_playoff()
}

/// Whether an appeal is on a forfeit: on that pairing, or, where it names none, filed after the forfeit.
fn is_on(appeal: &Noted<AppealFiled>, (pairing, seq): (BoardId, u64)) -> bool {
    appeal.fact.pairing.map_or(appeal.seq > seq, |about| about == pairing)
}
