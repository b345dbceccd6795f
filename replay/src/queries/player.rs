//! One player in a tournament: entry, standing, rounds, money, events.

use std::collections::BTreeSet;

use annals_events::narrative::{self, utc};
use annals_events::tournament::Outcome;
use annals_events::{BoardId, GameKind, Micros, PlayerId, PlayerKind, Side, Termination};
use annals_report::{Cell, Document, Table, ToDocument};
use annals_tournaments::crosstable::InRound;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::crosstable::way_of;
use super::error::QueryError;
use super::heading::Heading;
use super::history::{self, HistoryLine};
use super::ledger::LedgerLine;
use super::person::Person;
use super::standings::{self, StandingRow};
use super::tournament_at::TournamentAt;
use crate::colours::colour;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerPage {
    #[serde(flatten)]
    pub heading: Heading,
    pub player: Person,
    pub kind: PlayerKind,
    /// Of a program.
    pub developers: Vec<String>,
    pub country: Option<String>,
    pub entered_at: Micros,
    pub rating_on_entry: Option<i32>,
    /// As last recorded here.
    pub rating: Option<i32>,
    pub seed: Option<u32>,
    pub status: &'static str,
    pub left_at: Option<Micros>,
    /// The digest of the present program.
    pub program: Option<String>,
    pub standing: Option<StandingRow>,
    pub rounds: Vec<PlayedRound>,
    pub qualifying_games: usize,
    /// Where the counting games are shown, worded by the program.
    #[serde(skip)]
    pub qualifier_hint: Option<String>,
    pub ledger: Vec<LedgerLine>,
    /// That name the player, or one of the pairings, and their corrections.
    pub events: Vec<HistoryLine>,
    #[serde(skip)]
    pub game: GameKind,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PlayedRound {
    pub round: u32,
    /// None for a bye.
    pub pairing: Option<BoardId>,
    /// None for a bye.
    pub opponent: Option<Person>,
    /// None while undecided.
    pub side: Option<Side>,
    pub outcome: Option<Outcome>,
    pub termination: Option<Termination>,
    /// The player's.
    pub half_points: Option<u32>,
    /// By a ruling.
    pub ruled: bool,
}

/// # Errors
/// If the log cannot be read, or the player never entered.
pub fn ask(opened: &TournamentAt<'_>, player: &PlayerId) -> Result<PlayerPage, QueryError> {
    let tournament = opened.tournament();
    let Some(entrant) = tournament.entrants.get(player) else {
        return Err(QueryError::NoSuchPlayer {
            name: player.to_string(),
            place: format!("in {}", opened.stream),
            known: tournament.entrants.keys().map(ToString::to_string).collect(),
        });
    };
    let entry = &entrant.entry.fact;
    let rounds = rounds_of(opened, player);
    let pairings: BTreeSet<BoardId> = rounds.iter().filter_map(|round| round.pairing).collect();
    let events = history::lines(
        opened,
        &opened.narrator(&utc),
        &TimeZone::UTC,
        &|said| said.names(&opened.stream, player, &pairings),
        &|correction| {
            correction.players.iter().any(|named| named == player.as_str())
                || correction.pairings.iter().any(|pairing| pairings.contains(pairing))
        },
    )?;
    let paid = tournament.ledger.iter().filter(|entry| entry.who == player.as_str());
    Ok(PlayerPage {
        heading: opened.heading(&entrant.name),
        player: opened.person(player),
        kind: entrant.kind,
        developers: entry.developers.clone(),
        country: entry.country.clone(),
        entered_at: entrant.entry.at,
        rating_on_entry: entry.rating,
        rating: entrant.rating,
        seed: tournament.seeds().get(player).copied(),
        status: entrant.status().word(),
        left_at: entrant.left.as_ref().map(|left| left.at),
        program: entrant.program.digest().map(str::to_owned),
        standing: standings::ask(opened).rows.into_iter().find(|row| row.player == *player),
        rounds,
        qualifying_games: tournament.qualifying_games.iter().filter(|game| game.player == *player).count(),
        qualifier_hint: None,
        ledger: paid.map(|entry| LedgerLine::of(opened, entry)).collect(),
        events,
        game: opened.game(),
    })
}

fn rounds_of(opened: &TournamentAt<'_>, player: &PlayerId) -> Vec<PlayedRound> {
    let tournament = opened.tournament();
    let of = |(round, had): (u32, InRound)| match had {
        InRound::Game { opponent, game } => {
            let board = tournament.rounds.get(&round).and_then(|all| all.boards.get(&game.pairing.board));
            PlayedRound {
                round,
                pairing: Some(game.pairing),
                opponent: Some(opened.person(&opponent)),
                side: game.side,
                outcome: game.outcome,
                termination: board.and_then(|board| board.termination()),
                half_points: game.half_points,
                ruled: game.ruled,
            }
        }
        InRound::Bye { half_points } => PlayedRound { round, half_points, ..PlayedRound::default() },
    };
    way_of(tournament, player).into_iter().map(of).collect()
}

/// The result in a word, for the player.
pub(super) fn result_word(outcome: Option<Outcome>, half_points: Option<u32>) -> &'static str {
    match (outcome, half_points) {
        (None, _) => "to come",
        (Some(Outcome::DoubleLoss), _) => "lost (both)",
        (Some(Outcome::DoubleWin), _) => "won (both)",
        (Some(_), Some(2)) => "won",
        (Some(_), Some(1)) => "drawn",
        (Some(_), Some(_)) => "lost",
        (Some(_), None) => "no decision",
    }
}

impl PlayerPage {
    fn played(&self, title: &str) -> Table {
        Table::of(title, &self.rounds)
            .column("Round", |round| Cell::count(round.round))
            .column("Pairing", |round| Cell::some(round.pairing))
            .column("Side", |round| Cell::some(round.side.map(|side| colour(self.game, side))))
            .column("Opponent", |round| round.opponent.as_ref().map_or(Cell::Empty, Person::cell))
            .column("Result", |round| match round.pairing {
                Some(_) => Cell::text(result_word(round.outcome, round.half_points)),
                None => Cell::text("bye"),
            })
            .column("How", |round| Cell::some(round.termination.map(narrative::ending)))
            .column("Points", |round| Cell::points(round.half_points))
            .column("Remarks", |round| Cell::some(round.ruled.then_some("by ruling")))
            .table()
    }
}

impl ToDocument for PlayerPage {
    fn document(&self, zone: &TimeZone) -> Document {
        let standing = self.standing.as_ref();
        let score = standing.map(StandingRow::score);
        let mut page = self.heading.document(zone).facts(vec![
            ("Player", Cell::text(&self.player.player)),
            ("Kind", Cell::text(self.kind.word())),
            ("Developers", Cell::Text(self.developers.join(", "))),
            ("Country", Cell::some(self.country.as_ref())),
            ("Entered", Cell::Time(self.entered_at)),
            ("Rating", Cell::number(self.rating)),
            ("On entry", Cell::number(self.rating_on_entry.filter(|_| self.rating != self.rating_on_entry))),
            ("Seed", Cell::number(self.seed)),
            ("Status", Cell::text(standing.map_or(self.status, |row| row.status))),
            ("Left", Cell::time(self.left_at)),
            ("Program", Cell::some(self.program.as_ref())),
            ("Rank", Cell::number(standing.map(|row| row.rank))),
            ("Score", Cell::some(score)),
            ("Points", Cell::points(standing.map(|row| row.half_points))),
            ("Place", Cell::number(standing.and_then(|row| row.place))),
        ]);
        if self.qualifying_games > 0 {
            let hint = self.qualifier_hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
            let games = format!("{} games recorded{hint}", self.qualifying_games);
            page = page.facts(vec![("Qualifier", Cell::Text(games))]);
        }
        let events = self.events.iter().map(|HistoryLine { line: event, corrected_by, .. }| {
            // `explain` shows why a round is as it is.
            let why = event.why.as_ref().filter(|_| event.event != "tournament.round_paired");
            let why = why.map_or(String::new(), |why| format!(" {why}"));
            let by = corrected_by.map_or(String::new(), |by| format!(" (corrected by event {by})"));
            format!("{}  event {}: {}{why}{by}", event.when(zone), event.seq, event.what)
        });
        page.table(self.played("Rounds"))
            .table(LedgerLine::table("Money", &self.ledger, false))
            .lines("Events", events.collect())
    }

    fn table(&self) -> Table {
        Table::of("", &self.rounds)
            .column("round", |round| Cell::count(round.round))
            .column("pairing", |round| Cell::some(round.pairing))
            .column("side", |round| Cell::some(round.side))
            .column("opponent", |round| Cell::some(round.opponent.as_ref().map(|person| &person.player)))
            .column("outcome", |round| Cell::some(round.outcome))
            .column("termination", |round| Cell::some(round.termination))
            .column("points", |round| Cell::points(round.half_points))
            .column("ruled", |round| Cell::text(round.ruled))
            .column("bye", |round| Cell::text(round.pairing.is_none()))
            .table()
    }
}
