//! The crosstable by results in force. A cell has one symbol per game: the row player's result (1, ½, 0, `n` for no
//! decision, `*` for a game to come), colour, and whether an absence or ruling decided it.

use annals_events::{GameKind, PlayerId, Side};
use annals_report::{Cell, Document, Table, ToDocument, points as half_points};
use annals_tournaments::Tournament;
use annals_tournaments::crosstable::{self as part, CellGame, InRound, Row};
use annals_tournaments::published::{Derived, Scores};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::heading::Heading;
use super::tournament_at::TournamentAt;

/// Most derived crosstables displayed separately.
const MOST_SHOWN: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    #[serde(flatten)]
    pub heading: Heading,
    #[serde(skip)]
    pub game: GameKind,
    /// Rows in the order of the standings, and why that is not the rulebook's.
    #[serde(flatten)]
    pub table: part::Crosstable,
    /// From published totals, if only those are recorded.
    pub derived: Option<Derived>,
}

pub fn ask(opened: &TournamentAt<'_>) -> Crosstable {
    let tournament = opened.tournament();
    let table = match opened.rulebook() {
        Ok(rulebook) => part::crosstable(tournament, rulebook),
        Err(_) => part::crosstable_by_points(tournament),
    };
    Crosstable {
        heading: opened.heading("crosstable"),
        game: opened.game(),
        table,
        derived: tournament.derived(),
    }
}

/// A player's rounds: number and items.
pub(super) fn way_of(tournament: &Tournament, player: &PlayerId) -> Vec<(u32, InRound)> {
    let rows = part::crosstable_by_points(tournament).rows.into_iter();
    rows.filter(|row| row.player == *player)
        .flat_map(|row| row.rounds)
        .flat_map(|round| round.had.into_iter().map(move |had| (round.round, had)))
        .collect()
}

/// An encounter's score from one side: `2-0`.
fn encounter(table: &Scores, at: usize, against: usize) -> Option<String> {
    let points = |one: usize, other: usize| table.get(one).and_then(|row| row.get(other)).copied();
    Some(format!("{}-{}", half_points(points(at, against)?), half_points(points(against, at)?)))
}

/// For example `1g`, `½s`, `0gf`, `*`.
fn sign(game: &CellGame, kind: GameKind) -> String {
    let result = match (game.outcome, game.half_points) {
        (None, _) => "*",
        (Some(_), Some(2)) => "1",
        (Some(_), Some(1)) => "½",
        (Some(_), Some(_)) => "0",
        (Some(_), None) => "n",
    };
    let side = game.side.map_or(String::new(), |side| side.letter_in(kind).to_string());
    let forfeit = if game.forfeit { "f" } else { "" };
    let ruled = if game.ruled { "r" } else { "" };
    format!("{result}{side}{forfeit}{ruled}")
}

impl Crosstable {
    /// One symbol per game, in order.
    pub fn signs(&self, cell: &part::Cell) -> String {
        let signs: Vec<String> = cell.games.iter().map(|game| sign(game, self.game)).collect();
        signs.join(" ")
    }

    pub fn legend(&self) -> String {
        let games =
            || self.table.rows.iter().flat_map(|row| row.cells.iter().flatten()).flat_map(|c| &c.games);
        let results = [
            ("1 won", games().any(|game| game.half_points == Some(2))),
            ("½ drawn", games().any(|game| game.half_points == Some(1))),
            ("0 lost", games().any(|game| game.half_points == Some(0))),
            ("n no decision", games().any(|game| game.outcome.is_some() && game.half_points.is_none())),
            ("* to come", games().any(|game| game.outcome.is_none())),
        ];
        let [first, second] =
            Side::BOTH.map(|side| format!("{} with {}", side.letter_in(self.game), side.name_in(self.game)));
        let marks = [
            (first.as_str(), games().any(|game| game.side == Some(Side::Gold))),
            (second.as_str(), games().any(|game| game.side == Some(Side::Silver))),
            ("f by forfeit", games().any(|game| game.forfeit)),
            ("r by ruling", games().any(|game| game.ruled)),
        ];
        let used = |signs: &[(&str, bool)]| {
            let used = signs.iter().filter(|(_, used)| *used).map(|(sign, _)| *sign);
            used.collect::<Vec<_>>().join(", ")
        };
        let mut parts = vec![used(&results), used(&marks)];
        parts.retain(|part| !part.is_empty());
        parts.join("; ")
    }

    /// Possible scores by the published totals: `2-0`, or `3-1 or 2-2`.
    fn derived_scores(&self, player: &PlayerId, other: &PlayerId) -> String {
        let scores = || {
            let derived = self.derived.as_ref()?;
            let place = |of: &PlayerId| derived.players.iter().position(|one| one == of);
            let (at, against) = (place(player)?, place(other)?);
            let mut scores: Vec<String> = Vec::new();
            for table in derived.crosstables.as_ref()? {
                let score = encounter(table, at, against)?;
                if !scores.contains(&score) {
                    scores.push(score);
                }
            }
            Some(scores.join(" or "))
        };
        scores().filter(|_| player != other).unwrap_or_default()
    }

    /// Each derived crosstable as a table.
    fn derived_tables(&self) -> Vec<Table> {
        let Some(Derived { players, crosstables: Some(several), .. }) = &self.derived else {
            return Vec::new();
        };
        if !(2..=MOST_SHOWN).contains(&several.len()) {
            return Vec::new();
        }
        let name = |player: &PlayerId| {
            let row = self.table.rows.iter().find(|row| row.player == *player);
            row.map_or_else(|| player.to_string(), |row| row.name.clone())
        };
        let table = |(number, scores): (usize, &Scores)| {
            let title = format!("Derived crosstable {number} of {}", several.len());
            let mut table = Table::of(&title, players.iter().enumerate())
                .column("No", |(at, _)| Cell::count(at + 1))
                .column("Player", |(_, player)| Cell::named(name(player), player));
            for against in 0..players.len() {
                table = table.column(&(against + 1).to_string(), |(at, _)| match *at == against {
                    true => Cell::text("x"),
                    false => Cell::some(encounter(scores, *at, against)),
                });
            }
            table.table()
        };
        (1..).zip(several).map(table).collect()
    }

    fn derivation(&self) -> Option<String> {
        let derived = self.derived.as_ref()?;
        let from = format!("the totals are those of {}; no game is recorded", derived.source);
        Some(match derived.crosstables.as_deref() {
            None => format!("{from}, and no crosstable was derived"),
            Some([]) => format!("{from}, and no crosstable gives these totals"),
            Some([_]) => format!("derived: {from}, and this crosstable alone gives them"),
            Some(several) => {
                format!("derived: {from}, and {} crosstables give them", several.len())
            }
        })
    }

    fn rows_against_all(&self, for_programs: bool) -> Table {
        let rows: &[Row] = &self.table.rows;
        let head = |word: &str| if for_programs { word.to_lowercase() } else { word.to_owned() };
        let mut table = Table::of("", rows.iter().enumerate())
            .column(&head("No"), |(number, _)| Cell::count(number + 1))
            .column(&head("Player"), |(_, row)| {
                Cell::named(if for_programs { row.player.as_str() } else { &row.name }, &row.player)
            });
        for (at, other) in rows.iter().enumerate() {
            // Numbers keep a wide table narrow; programs get identities.
            let head = if for_programs { other.player.to_string() } else { (at + 1).to_string() };
            table = table.column(&head, |(number, row)| match row.cells.get(at) {
                _ if *number == at && !for_programs => Cell::text("x"),
                Some(Some(cell)) => Cell::Text(self.signs(cell)),
                _ => Cell::Text(self.derived_scores(&row.player, &other.player)),
            });
        }
        table = table
            .column(&head("Byes"), |(_, row)| Cell::number(Some(row.byes).filter(|byes| *byes > 0)))
            .column(&head("Points"), |(_, row)| Cell::Points(row.half_points))
            .column(&head("Rank"), |(_, row)| Cell::count(row.rank));
        // Below the table for people.
        if for_programs {
            table = table.column("derived", |_| Cell::text(self.derived.is_some()));
        }
        table.table()
    }
}

impl ToDocument for Crosstable {
    fn document(&self, zone: &TimeZone) -> Document {
        let below =
            if self.table.rows.is_empty() { "no player has entered".to_owned() } else { self.legend() };
        let page = self
            .heading
            .document(zone)
            .facts(vec![("By points", Cell::some(self.table.not_ranked.as_ref()))]);
        let rows = Table { keep: &["No", "Player", "Points", "Rank"], ..self.rows_against_all(false) };
        let page = page.table(rows);
        let page = self.derived_tables().into_iter().fold(page, Document::table);
        let below = [below, self.derivation().unwrap_or_default()];
        page.lines("", below.into_iter().filter(|line| !line.is_empty()).collect())
    }

    fn table(&self) -> Table {
        self.rows_against_all(true)
    }
}
