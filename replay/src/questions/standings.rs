//! The standings: everybody in the order of the rulebook, with what the order rests on, the score, and the places as far
//! as they are decided.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::Measure;
use annals_tournaments::formats;
use annals_tournaments::record::Record;
use annals_tournaments::{Tournament, standings as scores};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Answer;
use super::opened::Opened;
use super::page::{Cell, Page, Table};
use super::person::Person;
use crate::cut::Cut;
use crate::view::text::heading;

/// The standings of a tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standings {
    /// The tournament.
    pub tournament: String,
    /// The name as it is shown.
    pub title: String,
    /// The point that is shown.
    pub cut: Cut,
    /// What orders them: the rulebook's name, or `score` where it cannot be followed.
    pub order: String,
    /// Why the rulebook's order is not shown, where it is not.
    pub order_lacking: Option<String>,
    /// The players, best first.
    pub rows: Vec<StandingRow>,
    /// Whether all places that the rulebook names are decided.
    pub decided: bool,
    /// What a ruling has to decide, where the rules do not.
    pub ruling_needed: Option<String>,
}

/// One line of the standings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StandingRow {
    /// The rank, from 1; players level on everything share one.
    pub rank: u32,
    /// The player.
    pub player: PlayerId,
    /// The name to show.
    pub name: String,
    /// The seed, where there is one.
    pub seed: Option<u32>,
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost by forfeit; they are among those lost.
    pub forfeits: u32,
    /// Byes.
    pub byes: u32,
    /// Half points.
    pub half_points: u32,
    /// What the order rests on, most important first, as the rulebook names it.
    pub measures: Vec<Measure>,
    /// `entered`, `invited`, `withdrawn`, `disqualified`.
    pub status: &'static str,
    /// Whether the player is still in.
    pub active: bool,
    /// The place, where it is decided.
    pub place: Option<u32>,
}

/// Asks.
#[must_use]
pub fn ask(opened: &Opened<'_>) -> Standings {
    let tournament = opened.tournament();
    let by_rules = match opened.rulebook() {
        Ok(rulebook) => match formats::ranking(tournament, rulebook) {
            Ok(order) if !order.is_empty() => Ok((rulebook.name.to_owned(), order)),
            Ok(_) => Err(None),
            Err(refusal) => Err(Some(refusal.to_string())),
        },
        Err(error) => Err(Some(error.to_string())),
    };
    let scored: BTreeMap<PlayerId, Record> = scores(tournament).into_iter().collect();
    let (order, order_lacking, mut rows) = match by_rules {
        Ok((name, order)) => {
            let rows = order
                .into_iter()
                .map(|line| {
                    let row = row(tournament, &line.player, scored.get(&line.player));
                    let measures = named_apart(line.measures);
                    StandingRow { rank: line.rank, measures, active: line.active, ..row }
                })
                .collect();
            (name, None, rows)
        }
        Err(why) => ("score".to_owned(), why, by_score(tournament)),
    };
    let placed = places(opened, &mut rows);
    Standings {
        tournament: opened.stream.name().to_owned(),
        title: opened.title("standings"),
        cut: opened.cut,
        order,
        order_lacking,
        rows,
        decided: placed.0,
        ruling_needed: placed.1,
    }
}

/// Puts the places into the rows: those of the close, or as far as the rules decide them. Gives whether all are decided,
/// and what a ruling has to decide.
fn places(opened: &Opened<'_>, rows: &mut [StandingRow]) -> (bool, Option<String>) {
    let tournament = opened.tournament();
    let (placings, decided, needed) = match (&tournament.closed, opened.rulebook()) {
        (Some(closed), _) => (closed.places.clone(), true, None),
        (None, Ok(rulebook)) => match formats::places(tournament, rulebook) {
            // Places of everybody while not all is decided are what the order would give, and may change.
            Ok(places) if !places.decided && places.placings.len() >= rows.len() => {
                (Vec::new(), false, places.ruling_needed)
            }
            Ok(places) => (places.placings, places.decided, places.ruling_needed),
            Err(_) => (Vec::new(), false, None),
        },
        (None, Err(_)) => (Vec::new(), false, None),
    };
    let by_player: BTreeMap<&PlayerId, u32> =
        placings.iter().map(|placing| (&placing.player, placing.place)).collect();
    for row in rows {
        row.place = by_player.get(&row.player).copied();
    }
    (decided, needed)
}

/// The points of a qualifier are whole ones, those of a round are counted in halves: they get a name of their own.
fn named_apart(mut measures: Vec<Measure>) -> Vec<Measure> {
    if measures.iter().any(|measure| measure.name == "played") {
        for measure in measures.iter_mut().filter(|measure| measure.name == "points") {
            "score".clone_into(&mut measure.name);
        }
    }
    measures
}

/// Everybody by score alone.
fn by_score(tournament: &Tournament) -> Vec<StandingRow> {
    let mut rows: Vec<StandingRow> = Vec::new();
    for (at, (player, score)) in scores(tournament).into_iter().enumerate() {
        let level =
            rows.last().filter(|last| last.half_points == score.half_points && last.won == score.wins);
        let rank = level.map_or(u32::try_from(at + 1).unwrap_or(u32::MAX), |last| last.rank);
        rows.push(StandingRow { rank, ..row(tournament, &player, Some(&score)) });
    }
    rows
}

fn row(tournament: &Tournament, player: &PlayerId, score: Option<&Record>) -> StandingRow {
    let Person { player, name } = Person::of(tournament, player);
    let entrant = tournament.entrants.get(&player);
    let score = score.cloned().unwrap_or_default();
    StandingRow {
        rank: 0,
        name,
        seed: entrant.and_then(|entrant| entrant.seed),
        won: score.wins,
        lost: score.losses,
        drawn: score.draws,
        forfeits: forfeits(tournament, &player),
        byes: score.byes,
        half_points: score.half_points,
        measures: Vec::new(),
        status: entrant.map_or("stranger", |entrant| entrant.status.word()),
        active: entrant.is_some_and(|entrant| entrant.left.is_none()),
        place: None,
        player,
    }
}

/// How many games a player lost by forfeit.
fn forfeits(tournament: &Tournament, player: &PlayerId) -> u32 {
    let boards = tournament.rounds.values().flat_map(|round| round.boards.values());
    let lost = boards.filter(|board| board.forfeited_by().contains(&player)).count();
    u32::try_from(lost).unwrap_or(u32::MAX)
}

/// The words of a measure in a head: `Lost games` for `lost_games`.
fn head_of(name: &str) -> String {
    let words = match name {
        "opponents" => "opponents' points".to_owned(),
        other => other.replace(['_', '.'], " "),
    };
    let mut signs = words.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}

/// The value of a measure: ratings are millionths of an Elo point, points are halves.
pub(super) fn cell_of(measure: &Measure) -> Cell {
    match measure.values.as_slice() {
        [] => Cell::Empty,
        [millionths] if ["rating", "performance"].contains(&measure.name.as_str()) => {
            Cell::Rating(*millionths)
        }
        [at] if measure.name.ends_with("_at") => Cell::Time(*at),
        [half_points] if ["points", "opponents"].contains(&measure.name.as_str()) => {
            u32::try_from(*half_points).map_or(Cell::Number(*half_points), Cell::Points)
        }
        [value] => Cell::Number(*value),
        several => Cell::Text(several.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")),
    }
}

/// The rows as a table, identities in it where it is for programs.
pub(super) fn table_of(title: &str, rows: &[StandingRow], for_programs: bool) -> Table {
    let mut names: Vec<&str> = Vec::new();
    for measure in rows.iter().flat_map(|row| &row.measures) {
        // What stands in a column of its own is not said twice.
        let stands = ["points", "wins", "losses", "seed"].contains(&measure.name.as_str()) && !for_programs;
        if !stands && !names.contains(&measure.name.as_str()) {
            names.push(&measure.name);
        }
    }
    let mut head =
        vec!["Rank", "Player", "Name", "Seed", "Points", "Won", "Lost", "Drawn", "Forfeits", "Byes"];
    head.retain(|word| for_programs || *word != "Player");
    let mut table = Table::new(title, &head);
    let prefix = if for_programs { "by_" } else { "" };
    table.head.extend(names.iter().map(|name| head_of(&format!("{prefix}{name}"))));
    table.head.extend(["Status".to_owned(), "Place".to_owned()]);
    if for_programs {
        table.head.push("Active".to_owned());
    }
    for row in rows {
        let mut cells = vec![Cell::Number(row.rank.into())];
        if for_programs {
            cells.push(Cell::text(&row.player));
        }
        cells.push(Cell::text(&row.name));
        cells.push(Cell::number(row.seed));
        cells.push(Cell::Points(row.half_points));
        cells.extend([row.won, row.lost, row.drawn].map(|count| Cell::Number(count.into())));
        // Columns that say nothing are left out for people.
        let rare =
            |count: u32| if count == 0 && !for_programs { Cell::Empty } else { Cell::Number(count.into()) };
        cells.extend([rare(row.forfeits), rare(row.byes)]);
        cells.extend(names.iter().map(|name| {
            let measure = row.measures.iter().find(|measure| measure.name == *name);
            measure.map_or(Cell::Empty, cell_of)
        }));
        let status = match (row.status, row.active) {
            ("entered", true) if !for_programs => "",
            ("entered" | "invited", false) if !for_programs => "out",
            (status, _) => status,
        };
        cells.push(Cell::text(status));
        cells.push(Cell::number(row.place));
        if for_programs {
            cells.push(Cell::text(row.active));
        }
        table.rows.push(cells);
    }
    table
}

impl Standings {
    /// What the order rests on, in words.
    #[must_use]
    pub fn by(&self) -> String {
        match (&self.order_lacking, self.order.as_str()) {
            (None, "score") => "score, before tie-breaks".to_owned(),
            (None, rulebook) => format!("the order of {rulebook}"),
            (Some(_), _) => "score, before tie-breaks".to_owned(),
        }
    }
}

impl Standings {
    /// Why the rulebook's order is not shown, where it is not.
    pub(super) fn lacking(&self) -> Cell {
        self.order_lacking.as_ref().map_or(Cell::Empty, Cell::text)
    }
}

impl Answer for Standings {
    fn page(&self, zone: &TimeZone) -> Page {
        let needed = self.ruling_needed.as_ref().map_or(Cell::Empty, Cell::text);
        Page::new(heading(&self.title, &self.cut, zone).trim_end())
            .facts(vec![("By", Cell::Text(self.by())), ("Because", self.lacking()), ("To be ruled", needed)])
            .table(table_of("", &self.rows, false))
    }

    fn table(&self) -> Table {
        table_of("", &self.rows, true).for_programs()
    }
}
