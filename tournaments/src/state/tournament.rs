//! The state of a tournament: the fold of its events, with lookups.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use annals_events::tournament::{
    Announced, AppealDecided, AppealFiled, BanLifted, BanRecorded, BenchmarksDeclared, Closed, DisputeFiled,
    HardwareSpecified, LotsDrawn, Machine, NoticeGiven, PenaltyRecorded, PrizeAwarded, Qualified,
    QualifyingGamePlayed, Ranked, ReferenceHardwareRecorded, RoundsDeclared, RulingGiven, Stage,
    TablePublished,
};
use annals_events::{BoardId, GameId, Micros, PlayerId};
use serde::Serialize;

use super::change::Change;
use super::entrant::Entrant;
use super::noted::Noted;
use super::round::{Board, Results, Round};

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

/// A claim of a player that the director decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filed {
    Dispute(u32),
    Appeal(u32),
}

impl fmt::Display for Filed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Filed::Dispute(number) => write!(f, "dispute {number}"),
            Filed::Appeal(number) => write!(f, "appeal {number}"),
        }
    }
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
    /// The event that published the last order of a stage.
    pub order: Option<u64>,
    /// Kinds of ledger entries, by payer or recipient.
    pub(super) booked: BTreeMap<String, BTreeSet<Money>>,
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

    /// No player is in and nothing was ever paired, so that no place is given.
    pub(crate) fn is_without_players(&self) -> bool {
        self.rounds.is_empty() && self.entrants.values().all(|entrant| entrant.left.is_some())
    }

    /// Whether a number of rounds, an order, a table or a ruling is recorded, or a round. Before, entries are still to come.
    pub fn is_begun(&self) -> bool {
        let published = !self.qualified.is_empty() || self.published.is_some();
        published || !self.rounds.is_empty() || !self.rounds_declared.is_empty() || !self.rulings.is_empty()
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

    /// The first board without a result.
    pub fn open_board(&self) -> Option<BoardId> {
        self.rounds.iter().find_map(|(&round, known)| {
            let mut boards = known.boards.iter();
            let (&board, _) = boards.find(|(_, board)| board.outcome().is_none())?;
            Some(BoardId { round, board })
        })
    }

    /// Disputes that no ruling decides, then appeals without an answer, each with who filed it.
    pub(crate) fn undecided(&self) -> impl Iterator<Item = (Filed, &PlayerId)> {
        let ruled = |dispute: &&DisputeFiled| {
            self.rulings.iter().any(|given| given.ruling.dispute == Some(dispute.number))
        };
        let disputes = self.disputes.iter().filter(move |dispute| !ruled(dispute));
        let appeals = self.appeals.iter().filter(|(_, decided)| decided.is_none());
        disputes
            .map(|dispute| (Filed::Dispute(dispute.number), &dispute.by))
            .chain(appeals.map(|(appeal, _)| (Filed::Appeal(appeal.fact.number), &appeal.fact.by)))
    }

    /// Of any stage.
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

/// On that pairing, or without one filed after the forfeit.
fn is_on(appeal: &Noted<AppealFiled>, (pairing, seq): (BoardId, u64)) -> bool {
    appeal.fact.pairing.map_or(appeal.seq > seq, |about| about == pairing)
}
