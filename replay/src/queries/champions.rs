//! The roll of champions over all tournaments of the log that are closed.

use annals_report::{Cell, Document, Table, ToDocument};
use annals_store::Log;
use annals_tournaments::{Money, fund};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::error::QueryError;
use super::list::{all, names, of_place, with_hint};
use super::person::Person;
use crate::cut::Cut;
use crate::view::text::heading;

/// The roll at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Champions {
    pub cut: Cut,
    /// The tournaments that are closed, by year.
    pub tournaments: Vec<ChampionLine>,
    /// Where tournaments come from, in the words of the program that names its commands.
    #[serde(skip)]
    pub hint: Option<String>,
}

/// One tournament of the roll.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChampionLine {
    pub year: Option<i32>,
    pub series: Option<String>,
    pub tournament: String,
    pub name: Option<String>,
    /// The titles that were won, as they were recorded.
    pub titles: Vec<String>,
    pub champions: Vec<Person>,
    pub second: Vec<Person>,
    pub third: Vec<Person>,
    /// What went out in prizes, in cents.
    pub prizes: u64,
    /// What the fund was made of: the announced sum and what came in less what was paid back, in cents.
    pub fund: i64,
    pub currency: Option<String>,
}

pub fn ask(log: &Log, cut: &Cut) -> Result<Champions, QueryError> {
    let mut tournaments: Vec<ChampionLine> = Vec::new();
    for opened in all(log, cut)? {
        let tournament = opened.tournament();
        let Some(closed) = &tournament.closed else { continue };
        let announced = tournament.announced.as_ref();
        let prizes = tournament.prizes.iter().fold(0u64, |sum, prize| sum.saturating_add(prize.fact.amount));
        // The fund is what is left; with what went out in prizes and did not come back it is what they were paid from.
        let returned = tournament.ledger.iter().filter(|line| line.what == Money::PrizeReturned);
        let returned = returned.fold(0u64, |sum, line| sum.saturating_add(line.amount));
        let paid = i64::try_from(prizes.saturating_sub(returned)).unwrap_or(i64::MAX);
        tournaments.push(ChampionLine {
            year: announced.and_then(|announced| announced.year),
            series: announced.and_then(|announced| announced.series.clone()),
            tournament: opened.stream.name().to_owned(),
            name: announced.map(|announced| announced.name.clone()),
            titles: closed.places.iter().flat_map(|placing| placing.titles.clone()).collect(),
            champions: of_place(tournament, 1),
            second: of_place(tournament, 2),
            third: of_place(tournament, 3),
            prizes,
            fund: fund::recorded(tournament).saturating_add(paid),
            currency: announced.and_then(|announced| announced.currency.clone()),
        });
    }
    // By year; those of one year, and those without one, stay in the order of their first events.
    tournaments.sort_by_key(|line| line.year.unwrap_or(i32::MAX));
    Ok(Champions { cut: *cut, tournaments, hint: None })
}

impl Champions {
    fn rows(&self) -> Table {
        Table::of("", &self.tournaments)
            .column("Year", |line| Cell::number(line.year))
            .column("Series", |line| Cell::some(line.series.as_ref()))
            .column("Tournament", |line| Cell::text(&line.tournament))
            .column("Name", |line| Cell::some(line.name.as_ref()))
            .column("Champion", |line| names(&line.champions))
            .column("Second", |line| names(&line.second))
            .column("Third", |line| names(&line.third))
            .column("Title", |line| Cell::join(&line.titles, "; "))
            .column("Fund", |line| match (&line.currency, line.fund) {
                (None, 0) => Cell::Empty,
                (currency, fund) => Cell::Money(fund, currency.clone()),
            })
            .column("Currency", |line| Cell::some(line.currency.as_ref()))
            .table()
    }
}

impl ToDocument for Champions {
    fn document(&self, zone: &TimeZone) -> Document {
        let mut table = Table { key: "Champion", ..self.rows() };
        // An amount names its currency.
        table.head.pop();
        table.rows.iter_mut().for_each(|row| drop(row.pop()));
        Document::new(heading("Champions", &self.cut, zone))
            .table(table)
            .or_line(&with_hint("no tournament is closed at that point", self.hint.as_deref()))
    }

    fn table(&self) -> Table {
        self.rows().for_programs()
    }
}
