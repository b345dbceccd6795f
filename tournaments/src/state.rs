//! The state of a tournament: what its events have made known so far.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Announced, AppealDecided, AppealFiled, BanRecorded, BenchmarksDeclared, Closed, DisputeFiled, Qualified,
    QualifyingGamePlayed, RulingGiven,
};
use annals_events::{Micros, PlayerId, PlayerKind};

use crate::round::Round;

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntrantStatus {
    /// Takes part.
    Entered,
    /// Invited, and has not yet answered.
    Invited,
    /// Withdrew, or was taken out.
    Withdrawn,
    /// Was disqualified.
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

/// One who entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// The name to show.
    pub name: String,
    /// Human or program.
    pub kind: PlayerKind,
    /// Rating as last recorded here.
    pub rating: Option<i32>,
    /// Number of the entry, where there is one.
    pub number: Option<u32>,
    /// Seed, where a stage gave one.
    pub seed: Option<u32>,
    /// What became of it.
    pub status: EntrantStatus,
}

/// A ruling, and whether a later one took its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulingInForce {
    /// The event that gave it.
    pub seq: u64,
    /// When it was given.
    pub at: Micros,
    /// The ruling.
    pub ruling: RulingGiven,
    /// The number of the ruling that took its place.
    pub superseded_by: Option<u32>,
}

/// What money was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Money {
    /// An entry fee came in.
    Fee,
    /// A contribution to the fund came in.
    Contribution,
    /// A penalty came in.
    PenaltyPaid,
    /// A refund went out.
    Refund,
    /// A prize went out.
    Prize,
    /// A prize stayed in the fund.
    PrizeForfeited,
    /// A prize came back.
    PrizeReturned,
}

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The event.
    pub seq: u64,
    /// When.
    pub at: Micros,
    /// What for.
    pub what: Money,
    /// Who paid, or was paid.
    pub who: String,
    /// Cents of the tournament's currency.
    pub amount: u64,
}

/// Something about an event that does not follow from those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The event.
    pub seq: u64,
    /// A short stable word, in `snake_case`.
    pub code: &'static str,
    /// What is the matter, in words.
    pub message: String,
}

/// One tournament, as its events have made it known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tournament {
    /// The announcement.
    pub announced: Option<Announced>,
    /// Who entered, by identity.
    pub entrants: BTreeMap<PlayerId, Entrant>,
    /// The benchmark stable, where there is one.
    pub benchmarks: Option<BenchmarksDeclared>,
    /// The qualifying games.
    pub qualifying_games: Vec<QualifyingGamePlayed>,
    /// The published order of each stage that ended with one.
    pub qualified: Vec<Qualified>,
    /// The rounds, by number.
    pub rounds: BTreeMap<u32, Round>,
    /// The rulings, in the order in which they were given.
    pub rulings: Vec<RulingInForce>,
    /// The disputes.
    pub disputes: Vec<DisputeFiled>,
    /// The appeals, with what was decided.
    pub appeals: Vec<(AppealFiled, Option<AppealDecided>)>,
    /// The bans.
    pub bans: Vec<BanRecorded>,
    /// The ledger.
    pub ledger: Vec<LedgerEntry>,
    /// The close, with the final order.
    pub closed: Option<Closed>,
    /// When it was closed.
    pub closed_at: Option<Micros>,
    /// When its first event happened.
    pub first_at: Option<Micros>,
    /// How many events were folded.
    pub events: u64,
    /// What does not follow.
    pub findings: Vec<Finding>,
}

impl Tournament {
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

    /// When the first game of the round after the given one began: `round:5` means one microsecond before it.
    #[must_use]
    pub fn round_after_started_at(&self, round: u32) -> Option<Micros> {
        self.rounds.range(round + 1..).find_map(|(_, round)| round.started_at)
    }
}
