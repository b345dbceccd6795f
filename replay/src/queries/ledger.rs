//! The ledger: the fund, what was paid into it and out of it, and each payment.

use std::collections::BTreeMap;

use annals_events::Micros;
use annals_report::{Cell, Document, Table, ToDocument};
use annals_tournaments::{LedgerEntry, Money, fund};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::heading::Heading;
use super::tournament_at::TournamentAt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ledger {
    #[serde(flatten)]
    pub heading: Heading,
    pub currency: Option<String>,
    /// The announced sum, in cents.
    pub announced: u64,
    /// The sum of the payments of each kind, in cents.
    pub paid: BTreeMap<&'static str, u64>,
    /// The announced sum plus income minus refunds, in cents.
    pub fund: i64,
    /// The prizes, without returned ones, in cents.
    pub awarded: i64,
    /// The fund minus the prizes, in cents.
    pub fund_left: i64,
    /// In the order of the log.
    pub ledger: Vec<LedgerLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerLine {
    pub seq: u64,
    pub at: Micros,
    pub what: &'static str,
    /// Payer or recipient.
    pub who: String,
    /// Whether that is a player of the tournament.
    #[serde(skip)]
    is_player: bool,
    /// In cents.
    pub amount: u64,
    pub currency: Option<String>,
    /// A prize that is not money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<String>,
}

pub(super) const fn money_words(money: Money) -> &'static str {
    match money {
        Money::Fee => "fee",
        Money::Contribution => "contribution",
        Money::PenaltyPaid => "penalty",
        Money::Refund => "refund",
        Money::Prize => "prize",
        Money::PrizeForfeited => "prize forfeited",
        Money::PrizeReturned => "prize returned",
    }
}

/// `penalties`, `prizes returned`.
fn plural(what: &str) -> String {
    match (what.split_once(' '), what.strip_suffix('y')) {
        (Some((noun, rest)), _) => format!("{} {rest}", plural(noun)),
        (None, Some(stem)) => format!("{stem}ies"),
        (None, None) => format!("{what}s"),
    }
}

impl LedgerLine {
    pub(super) fn of(opened: &TournamentAt<'_>, entry: &LedgerEntry) -> LedgerLine {
        let announced = opened.tournament().announced.as_ref();
        let prize = opened.tournament().prizes.iter().find(|prize| prize.seq == entry.seq);
        LedgerLine {
            thing: prize.and_then(|prize| prize.fact.thing.clone()),
            seq: entry.seq,
            at: entry.at,
            what: money_words(entry.what),
            who: entry.who.clone(),
            is_player: opened.tournament().entrants.contains_key(entry.who.as_str()),
            amount: entry.amount,
            currency: announced.and_then(|announced| announced.currency.clone()),
        }
    }

    pub(super) fn table(title: &str, lines: &[LedgerLine], with_who: bool) -> Table {
        Table::of(title, lines)
            .column("At", |line| Cell::Time(line.at))
            .column("For", |line| match &line.thing {
                Some(thing) => Cell::Text(format!("{}: {thing}", line.what)),
                None => Cell::text(line.what),
            })
            .column("Who", |line| match (with_who, line.is_player) {
                (false, _) => Cell::Empty,
                (true, false) => Cell::text(&line.who),
                (true, true) => Cell::named(&line.who, &line.who),
            })
            .column("Amount", |line| match (line.amount, &line.thing) {
                (0, Some(_)) => Cell::Empty,
                (amount, _) => Cell::Money(i64::try_from(amount).unwrap_or(i64::MAX), line.currency.clone()),
            })
            .table()
    }
}

pub fn ask(opened: &TournamentAt<'_>) -> Ledger {
    let tournament = opened.tournament();
    let announced = tournament.announced.as_ref();
    let ledger: Vec<LedgerLine> =
        tournament.ledger.iter().map(|entry| LedgerLine::of(opened, entry)).collect();
    let mut paid: BTreeMap<&str, u64> = BTreeMap::new();
    for line in &ledger {
        let sum = paid.entry(line.what).or_default();
        *sum = sum.saturating_add(line.amount);
    }
    let fund = fund::recorded(tournament);
    Ledger {
        heading: opened.heading("ledger"),
        currency: announced.and_then(|announced| announced.currency.clone()),
        announced: announced.map_or(0, |announced| announced.fund),
        paid,
        fund: fund.total,
        awarded: fund.awarded,
        fund_left: fund.left,
        ledger,
    }
}

impl Ledger {
    fn sums(&self) -> Table {
        let money = |cents: i64| Cell::Money(cents, self.currency.clone());
        let paid = |cents: u64| money(i64::try_from(cents).unwrap_or(i64::MAX));
        let mut rows = vec![("announced".to_owned(), paid(self.announced))];
        rows.extend(self.paid.iter().map(|(what, cents)| (plural(what), paid(*cents))));
        let total = [("fund", self.fund), ("awarded", self.awarded), ("left", self.fund_left)];
        rows.extend(total.map(|(what, cents)| (what.to_owned(), money(cents))));
        Table::of("In all", rows)
            .column("What", |(what, _)| Cell::text(what))
            .column("Amount", |(_, amount)| amount.clone())
            .table()
    }
}

impl ToDocument for Ledger {
    fn document(&self, zone: &TimeZone) -> Document {
        let page = self.heading.document(zone);
        if self.ledger.is_empty() && self.fund == 0 {
            return page.or_line("no payment is recorded");
        }
        page.table(self.sums()).table(LedgerLine::table("Payments", &self.ledger, true))
    }

    fn table(&self) -> Table {
        LedgerLine::table("", &self.ledger, true).for_programs()
    }
}
