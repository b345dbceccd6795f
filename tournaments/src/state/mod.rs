//! The state of a tournament: what its events have made known so far.

pub(crate) mod calendar;
mod decision;
mod evolve;
pub(crate) mod round;
mod rulings;

use std::collections::BTreeMap;

use annals_events::tournament::{
    Announced, AppealDecided, AppealFiled, AvailabilityGiven, BanRecorded, BenchmarksDeclared, Closed,
    DisputeFiled, Disqualified, HardwareDeclared, HardwareSpecified, Invited, LotsDrawn, NoticeGiven,
    PenaltyRecorded, PrizeAwarded, ProgramSubmitted, ProgramSubstituted, ProgramTested, ProgramUpdated,
    Qualified, QualifyingGamePlayed, RoundsDeclared, RulingGiven, Stage,
};
use annals_events::{Micros, Pairing, PlayerId, PlayerKind};

use rulings::Change;

pub use decision::{Decision, ResultSource};
pub use round::{AttemptStatus, Board, ResumePoint, Round, SetAside};

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntrantStatus {
    Entered,
    /// Invited, and has not yet answered.
    Invited,
    /// Withdrew, or was taken out.
    Withdrawn,
    Disqualified,
}

impl EntrantStatus {
    /// The word in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            EntrantStatus::Entered => "entered",
            EntrantStatus::Invited => "invited",
            EntrantStatus::Withdrawn => "withdrawn",
            EntrantStatus::Disqualified => "disqualified",
        }
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
    /// The last round that was paired by then: a game of it stays to be decided. 0 before the first.
    pub after_round: u32,
}

/// The program of an entrant: everything that was said of it, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramRecord {
    pub submitted: Vec<Noted<ProgramSubmitted>>,
    pub tested: Vec<Noted<ProgramTested>>,
    pub updated: Vec<Noted<ProgramUpdated>>,
    /// An earlier version that plays in its place.
    pub substituted: Option<Noted<ProgramSubstituted>>,
}

impl ProgramRecord {
    /// The digest of what would play now, as far as the record says.
    #[must_use]
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
    /// The disqualification, where there is one.
    pub disqualified: Option<Noted<Disqualified>>,
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
    /// Seed, where a stage gave one.
    pub seed: Option<u32>,
    pub status: EntrantStatus,
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
    /// What it changed, which a ruling in its place undoes.
    pub(crate) change: Change,
}

/// What money was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

/// Something about an event that does not follow from those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub seq: u64,
    /// A short stable word, in `snake_case`.
    pub code: &'static str,
    /// What is the matter, in words.
    pub message: String,
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
    pub notices: Vec<Noted<NoticeGiven>>,
    pub penalties: Vec<Noted<PenaltyRecorded>>,
    pub prizes: Vec<Noted<PrizeAwarded>>,
    /// Readings that a ruling changed, by their numbers, in order.
    pub readings_ruled: Vec<(String, String)>,
    pub rounds: BTreeMap<u32, Round>,
    /// The rulings, in the order in which they were given.
    pub rulings: Vec<RulingInForce>,
    pub disputes: Vec<DisputeFiled>,
    pub appeals: Vec<(Noted<AppealFiled>, Option<AppealDecided>)>,
    pub bans: Vec<BanRecorded>,
    pub ledger: Vec<LedgerEntry>,
    /// The close, with the final order.
    pub closed: Option<Closed>,
    pub closed_at: Option<Micros>,
    /// When its first event happened.
    pub first_at: Option<Micros>,
    /// How many events were folded.
    pub events: u64,
    pub findings: Vec<Finding>,
}

impl Tournament {
    /// Whether an accepted appeal of a player is on each of their forfeits.
    pub(crate) fn heard(&self, player: &PlayerId) -> bool {
        let accepted = |(appeal, decided): &&(Noted<AppealFiled>, Option<AppealDecided>)| {
            appeal.fact.by == *player && decided.as_ref().is_some_and(|decided| decided.accepted)
        };
        let appeals: Vec<&Noted<AppealFiled>> =
            self.appeals.iter().filter(accepted).map(|(appeal, _)| appeal).collect();
        !appeals.is_empty()
            && self.forfeits_of(player).all(|forfeit| appeals.iter().any(|appeal| is_on(appeal, forfeit)))
    }

    /// Whether an appeal is on a forfeit of the player who filed it; also where no forfeit of theirs counts any more.
    pub(crate) fn is_on_a_forfeit(&self, appeal: &Noted<AppealFiled>) -> bool {
        let mut forfeits = self.forfeits_of(&appeal.fact.by).peekable();
        forfeits.peek().is_none() || forfeits.any(|forfeit| is_on(appeal, forfeit))
    }

    /// The pairings that a player forfeited, each with the event by which it was forfeited.
    pub(crate) fn forfeits_of(&self, player: &PlayerId) -> impl Iterator<Item = (Pairing, u64)> {
        let boards = self.rounds.iter().flat_map(|(&round, paired)| {
            paired.boards.iter().map(move |(&board, known)| (Pairing { round, board }, paired, known))
        });
        boards
            .filter(move |(_, _, board)| board.forfeited_by().contains(&player))
            .map(|(at, round, board)| (at, board.result().map_or(round.paired.seq, |result| result.seq)))
    }

    /// What is in the fund: the announced sum, and what came in, less what went out; in cents.
    #[must_use]
    pub fn fund(&self) -> i64 {
        let announced = self.announced.as_ref().map_or(0, |announced| announced.fund);
        let signed = |cents: u64| i64::try_from(cents).unwrap_or(i64::MAX);
        self.ledger.iter().fold(signed(announced), |fund, entry| match entry.what {
            Money::Fee | Money::Contribution | Money::PenaltyPaid | Money::PrizeReturned => {
                fund.saturating_add(signed(entry.amount))
            }
            Money::Refund | Money::Prize => fund.saturating_sub(signed(entry.amount)),
            Money::PrizeForfeited => fund,
        })
    }
}

/// Whether an appeal is on a forfeit: on that pairing, or, where it names none, filed after the forfeit.
fn is_on(appeal: &Noted<AppealFiled>, (pairing, seq): (Pairing, u64)) -> bool {
    appeal.fact.pairing.map_or(appeal.seq > seq, |about| about == pairing)
}
