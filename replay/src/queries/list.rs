use annals_events::{Family, GameKind, Micros};
use annals_report::{Cell, Document, Table, ToDocument};
use annals_store::Log;
use annals_tournaments::Tournament;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::error::QueryError;
use super::person::Person;
use super::phase::Phase;
use super::tournament_at::TournamentAt;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::view::text::heading;

/// With an event at the cut, by date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TournamentList {
    pub cut: Cut,
    pub tournaments: Vec<TournamentLine>,
    /// Where tournaments come from, worded by the program.
    #[serde(skip)]
    pub hint: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TournamentLine {
    /// In the log.
    pub tournament: String,
    pub name: Option<String>,
    pub rulebook: Option<String>,
    pub game: Option<GameKind>,
    pub year: Option<i32>,
    /// All entered players.
    pub players: usize,
    /// Paired rounds.
    pub rounds: usize,
    pub state: Phase,
    /// First place at the close.
    pub champions: Vec<Person>,
    /// Effective time of the first event.
    pub first_at: Option<Micros>,
    pub closed_at: Option<Micros>,
}

/// Every tournament with an event at a cut.
pub fn all<'l>(log: &'l Log, cut: &Cut) -> Result<Vec<TournamentAt<'l>>, ReplayError> {
    let mut all = Vec::new();
    for stream in log.streams(Some(Family::Tournament.word()))? {
        match TournamentAt::at(log, &stream.name, cut) {
            Ok(opened) => all.push(opened),
            Err(ReplayError::NotYet { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    all.sort_by(|a, b| (a.tournament().first_at, &a.stream).cmp(&(b.tournament().first_at, &b.stream)));
    Ok(all)
}

/// Of a place at the close.
pub fn of_place(tournament: &Tournament, place: u32) -> Vec<Person> {
    let places = tournament.closed.iter().flat_map(|closed| &closed.places);
    places
        .filter(|placing| placing.place == place)
        .map(|placing| Person::of(tournament, &placing.player))
        .collect()
}

pub fn ask(log: &Log, cut: &Cut) -> Result<TournamentList, QueryError> {
    let tournaments = all(log, cut)?
        .iter()
        .map(|opened| {
            let tournament = opened.tournament();
            let announced = tournament.announced.as_ref();
            TournamentLine {
                tournament: opened.stream.name().to_owned(),
                name: announced.map(|announced| announced.name.clone()),
                rulebook: announced.map(|announced| announced.rulebook.clone()),
                game: announced.map(|announced| announced.game),
                year: announced.and_then(|announced| announced.year),
                players: tournament.entrants.len(),
                rounds: tournament.rounds.len(),
                state: Phase::of(tournament),
                champions: of_place(tournament, 1),
                first_at: tournament.first_at,
                closed_at: tournament.closed_at,
            }
        })
        .collect();
    Ok(TournamentList { cut: *cut, tournaments, hint: None })
}

/// A sentence with the next step.
pub(super) fn with_hint(what: &str, hint: Option<&str>) -> String {
    hint.map_or_else(|| what.to_owned(), |hint| format!("{what}; {hint}"))
}

/// Separated by commas.
pub(super) fn names(people: &[Person]) -> Cell {
    if let [one] = people {
        return one.cell();
    }
    Cell::join(people.iter().map(|person| &person.name), ", ")
}

impl ToDocument for TournamentList {
    fn document(&self, zone: &TimeZone) -> Document {
        let page = Document::new(heading("Tournaments", &self.cut, zone)).table(self.rows());
        page.or_line(&with_hint("the log has no tournament at that point", self.hint.as_deref()))
    }

    fn table(&self) -> Table {
        self.rows().for_programs()
    }
}

impl TournamentList {
    fn rows(&self) -> Table {
        Table::of("", &self.tournaments)
            .column("Tournament", |line| Cell::text(&line.tournament))
            .column("Name", |line| Cell::some(line.name.as_ref()))
            .column("Rulebook", |line| Cell::some(line.rulebook.as_ref()))
            .column("Game", |line| Cell::some(line.game))
            .column("Year", |line| Cell::number(line.year))
            .column("Players", |line| Cell::count(line.players))
            .column("Rounds", |line| Cell::count(line.rounds))
            .column("State", |line| Cell::text(line.state.word()))
            .column("Champion", |line| names(&line.champions))
            .table()
    }
}
