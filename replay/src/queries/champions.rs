//! The champions of all closed tournaments.

use annals_report::{Cell, Document, Table, ToDocument};
use annals_store::Log;
use annals_tournaments::fund;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::error::QueryError;
use super::list::{all, names, of_place, with_hint};
use super::person::Person;
use super::standings::published_otherwise;
use crate::cut::Cut;
use crate::view::text::heading;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Champions {
    pub cut: Cut,
    /// Closed ones, by year.
    pub tournaments: Vec<ChampionLine>,
    /// Where tournaments come from, worded by the program.
    #[serde(skip)]
    pub hint: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChampionLine {
    pub year: Option<i32>,
    pub series: Option<String>,
    pub tournament: String,
    pub name: Option<String>,
    /// As recorded.
    pub titles: Vec<String>,
    pub champions: Vec<Person>,
    pub second: Vec<Person>,
    pub third: Vec<Person>,
    /// Paid, in cents.
    pub prizes: u64,
    /// The announced sum plus income minus refunds, in cents.
    pub fund: i64,
    pub currency: Option<String>,
    /// By the present record the rulebook awards other places.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub published_otherwise: bool,
}

pub fn ask(log: &Log, cut: &Cut) -> Result<Champions, QueryError> {
    let mut tournaments: Vec<ChampionLine> = Vec::new();
    for opened in all(log, cut)? {
        let tournament = opened.tournament();
        let Some(closed) = &tournament.closed else { continue };
        let announced = tournament.announced.as_ref();
        let prizes = tournament.prizes.iter().fold(0u64, |sum, prize| sum.saturating_add(prize.fact.amount));
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
            fund: fund::recorded(tournament).total,
            currency: announced.and_then(|announced| announced.currency.clone()),
            published_otherwise: !published_otherwise(&opened).is_empty(),
        });
    }
    // By year; others in the order of their first events.
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
        let mut table = Table { keep: &["Champion"], ..self.rows() };
        // Amounts have a currency.
        table.head.pop();
        table.rows.iter_mut().for_each(|row| drop(row.pop()));
        let otherwise = self.tournaments.iter().filter(|line| line.published_otherwise);
        let notes = otherwise.map(|line| {
            format!(
                "{}: the places are as published; by the present record the rulebook awards others",
                line.tournament
            )
        });
        Document::new(heading("Champions", &self.cut, zone))
            .table(table)
            .lines("", notes.collect())
            .or_line(&with_hint("no tournament is closed at that point", self.hint.as_deref()))
    }

    fn table(&self) -> Table {
        self.rows().for_programs()
    }
}
