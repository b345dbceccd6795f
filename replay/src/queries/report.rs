//! A tournament as a printable page: announcement, places, entrants, standings, crosstable, rounds, games with moves,
//! rulings, ledger; at the foot the log's receipt and the program.

use annals_events::tournament::{Disqualification, Disqualified, PenaltyRecorded};
use annals_events::{BoardId, GameId, Micros, PROGRAM, Side, StreamName};
use annals_report::{Cell, Document, Table, ToDocument, money};
use annals_store::{Head, Log};
use annals_tournaments::Noted;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::corrections::{self, CorrectionLine};
use super::crosstable::{self, Crosstable};
use super::error::QueryError;
use super::ledger::{self, LedgerLine};
use super::overview::{self, Overview};
use super::person::Person;
use super::rounds::{self, Rounds, outcome_words};
use super::rulings::{self, Rulings};
use super::standings::table_of;
use super::tournament_at::TournamentAt;
use crate::error::ReplayError;
use crate::read::game_at;
use crate::view::GameView;
use crate::view::text::point;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub overview: Overview,
    /// Best first; empty before the close.
    pub places: Vec<PlaceLine>,
    pub crosstable: Crosstable,
    pub rounds: Rounds,
    /// Games in the log.
    pub games: Vec<GameLine>,
    pub rulings: Rulings,
    /// Of events that were entered wrongly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<CorrectionLine>,
    /// Imposed, paid or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub penalties: Vec<PenaltyLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disqualified: Vec<DisqualifiedLine>,
    pub ledger: Vec<LedgerLine>,
    pub closed_at: Option<Micros>,
    pub source: Source,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlaceLine {
    pub place: u32,
    pub player: Person,
    pub titles: Vec<String>,
    /// Qualifies for the Challenge.
    pub contender: bool,
    /// Awarded, in cents.
    pub prize: u64,
    /// Prizes that are not money.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<String>,
}

impl PlaceLine {
    /// `150.00 USD; gold medal`.
    fn prizes(&self, currency: Option<&str>) -> Vec<String> {
        let amount = Some(self.prize).filter(|amount| *amount > 0);
        let amount = amount.map(|amount| money(i64::try_from(amount).unwrap_or(i64::MAX), currency));
        amount.into_iter().chain(self.things.iter().cloned()).collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PenaltyLine {
    pub at: Micros,
    pub player: Person,
    /// In cents.
    pub amount: u64,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DisqualifiedLine {
    pub at: Micros,
    pub player: Person,
    pub cause: Disqualification,
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameLine {
    pub pairing: BoardId,
    pub attempt: u32,
    pub game: GameId,
    /// By the game's record.
    pub gold: Option<String>,
    pub silver: Option<String>,
    pub started_at: Option<Micros>,
    pub time_control: Option<String>,
    pub rated: bool,
    pub plies: usize,
    /// With number and side.
    pub turns: Vec<String>,
}

/// The source of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Of the log.
    pub receipt: String,
    /// As four values.
    pub head: Head,
    pub program: String,
    pub stream: StreamName,
}

impl Source {
    pub fn line(&self) -> String {
        format!("Made by {} from {} of the log {}", self.program, self.stream, self.receipt)
    }
}

pub fn ask(log: &Log, opened: &TournamentAt<'_>) -> Result<Report, QueryError> {
    let tournament = opened.tournament();
    let closed = tournament.closed.as_ref();
    let places = closed
        .iter()
        .flat_map(|closed| &closed.places)
        .map(|placing| PlaceLine {
            place: placing.place,
            player: opened.person(&placing.player),
            titles: placing.titles.clone(),
            contender: placing.contender,
            prize: tournament
                .prizes
                .iter()
                .filter(|prize| prize.fact.player == placing.player)
                .fold(0, |sum, prize| sum.saturating_add(prize.fact.amount)),
            things: tournament
                .prizes
                .iter()
                .filter(|prize| prize.fact.player == placing.player)
                .filter_map(|prize| prize.fact.thing.clone())
                .collect(),
        })
        .collect();
    let corrections = corrections::ask(opened, &TimeZone::UTC)?;
    let head = match log.acknowledged() {
        Some(head) => head,
        None => log.head().map_err(ReplayError::from)?,
    };
    Ok(Report {
        overview: overview::ask(opened),
        places,
        crosstable: crosstable::ask(opened),
        rounds: rounds::with_corrections(opened, None, &corrections)?,
        games: games(log, opened)?,
        rulings: rulings::ask(opened)?,
        corrections,
        penalties: penalties(opened),
        disqualified: disqualified(opened),
        ledger: ledger::ask(opened).ledger,
        closed_at: tournament.closed_at,
        source: Source {
            receipt: head.to_string(),
            head,
            program: PROGRAM.to_owned(),
            stream: opened.stream.clone(),
        },
    })
}

fn penalties(opened: &TournamentAt<'_>) -> Vec<PenaltyLine> {
    let imposed = opened.tournament().penalties.iter();
    let line = |penalty: &Noted<PenaltyRecorded>| PenaltyLine {
        at: penalty.at,
        player: opened.person(&penalty.fact.player),
        amount: penalty.fact.amount,
        reason: penalty.fact.reason.clone(),
    };
    imposed.map(line).collect()
}

fn disqualified(opened: &TournamentAt<'_>) -> Vec<DisqualifiedLine> {
    let events = opened.tournament().entrants.values().flat_map(|entrant| &entrant.disqualified);
    let line = |out: &Noted<Disqualified>| DisqualifiedLine {
        at: out.at,
        player: opened.person(&out.fact.player),
        cause: out.fact.cause,
        reason: out.fact.reason.clone(),
    };
    events.map(line).collect()
}

/// In the log at the cut.
fn games(log: &Log, opened: &TournamentAt<'_>) -> Result<Vec<GameLine>, QueryError> {
    let mut lines = Vec::new();
    for (round, boards) in opened.tournament().rounds.iter().map(|(number, round)| (*number, &round.boards)) {
        for (board, pair) in boards {
            for (attempt, game) in &pair.games {
                let Ok(stream) = format!("game/{game}").parse::<StreamName>() else { continue };
                let view = match game_at(log, &stream, &opened.cut) {
                    Ok(replay) => GameView::of(&stream, &replay, &opened.cut),
                    // A named game may be missing in the log.
                    Err(ReplayError::NoSuchStream { .. } | ReplayError::NotYet { .. }) => continue,
                    Err(error) => return Err(error.into()),
                };
                lines.push(GameLine {
                    pairing: BoardId { round, board: *board },
                    attempt: *attempt,
                    game: game.clone(),
                    gold: view.gold.map(|player| player.name),
                    silver: view.silver.map(|player| player.name),
                    started_at: view.started_at,
                    time_control: view.time_control,
                    rated: view.rated,
                    plies: view.plies,
                    turns: view.turns.iter().map(|turn| format!("{} {}", turn.label, turn.steps)).collect(),
                });
            }
        }
    }
    Ok(lines)
}

impl Report {
    fn place_table(&self) -> Table {
        Table::of("", &self.places)
            .column("Place", |line| Cell::count(line.place))
            .column("Player", |line| line.player.cell())
            .column("Titles", |line| Cell::join(&line.titles, "; "))
            .column("Goes on", |line| Cell::some(line.contender.then_some("contender")))
            .column("Prize", |line| match (i64::try_from(line.prize), line.things.as_slice()) {
                (Ok(0), []) => Cell::Empty,
                (Ok(prize), []) => Cell::Money(prize, self.overview.currency.clone()),
                _ => Cell::join(line.prizes(self.overview.currency.as_deref()), "; "),
            })
            .table()
    }

    fn penalty_table(&self) -> Table {
        Table::of("", &self.penalties)
            .column("Imposed", |line| Cell::Time(line.at))
            .column("Player", |line| line.player.cell())
            .column("Amount", |line| {
                Cell::Money(i64::try_from(line.amount).unwrap_or(i64::MAX), self.overview.currency.clone())
            })
            .column("Reason", |line| Cell::text(&line.reason))
            .table()
    }

    fn disqualified_table(&self) -> Table {
        Table::of("", &self.disqualified)
            .column("At", |line| Cell::Time(line.at))
            .column("Player", |line| line.player.cell())
            .column("Cause", |line| Cell::Text(line.cause.word().replace('_', " ")))
            .column("Reason", |line| Cell::some(line.reason.as_ref()))
            .table()
    }

    fn game_pages(&self, mut page: Document) -> Document {
        let [first, second] = Side::BOTH.map(|side| side.name_in(self.crosstable.game));
        let boards = || self.rounds.rounds.iter().flat_map(|round| &round.boards);
        // Of the last attempt.
        let outcome = |game: &GameLine| {
            let board = boards().find(|board| board.pairing == game.pairing)?;
            let last = board.games.keys().next_back() == Some(&game.attempt);
            board.outcome.filter(|_| last)
        };
        page = page.table(
            Table::of("", &self.games)
                .column("Pairing", |game| Cell::text(game.pairing))
                .column("Attempt", |game| Cell::count(game.attempt))
                .column("Game", |game| Cell::text(&game.game))
                .column(first, |game| Cell::some(game.gold.as_ref()))
                .column(second, |game| Cell::some(game.silver.as_ref()))
                .column("Result", |game| Cell::some(outcome(game).map(outcome_words)))
                .column("Started", |game| Cell::time(game.started_at))
                .column("Time control", |game| Cell::some(game.time_control.as_ref()))
                .column("Rated", |game| Cell::text(if game.rated { "yes" } else { "no" }))
                .column("Plies", |game| Cell::count(game.plies))
                .table(),
        );
        for game in self.games.iter().filter(|game| !game.turns.is_empty()) {
            let title = format!("{}, {}", game.pairing, game.game);
            page = page.lines(title, vec![game.turns.join("; ")]);
        }
        page
    }
}

impl ToDocument for Report {
    fn document(&self, zone: &TimeZone) -> Document {
        let overview = &self.overview;
        let mut facts = overview.about();
        facts.push(("State", Cell::text(overview.state.word())));
        facts.push(("Closed", Cell::time(self.closed_at)));
        facts.push(("Shown", Cell::Text(point(&overview.heading.cut, zone))));
        let part = |title: &str| Document::new(title);
        let crosstable = self.crosstable.document(zone);
        let mut order = overview.standings.order_facts();
        order.extend(overview.standings.about_places());
        Document::new(&overview.heading.of)
            .facts(facts)
            .append(part("Final places").facts(overview.standings.about_places()).table(self.place_table()))
            .append(part("Entrants").table(overview.entrant_table().untitled()))
            .append(part("Standings").facts(order).table(table_of("", &overview.standings.rows, false)))
            .append(Document { title: "Crosstable".to_owned(), ..crosstable })
            .append(self.rounds.onto(part("Rounds"), zone))
            .append(self.game_pages(part("Games")))
            .append(self.rulings.onto(part("Rulings")))
            .append(part("Corrections").table(corrections::table("", &self.corrections)))
            .append(part("Disqualifications").table(self.disqualified_table()))
            .append(part("Penalties imposed").table(self.penalty_table()))
            .append(part("Ledger").table(LedgerLine::table("", &self.ledger, true)))
            .append(part("Schedule").table(overview.schedule_table().untitled()))
            .append(part("Stages").table(overview.stage_table().untitled()))
            .append(part("How the rulebook is read").table(overview.reading_table().untitled()))
    }

    fn table(&self) -> Table {
        self.crosstable.table()
    }
}
