//! Standings: players in rulebook order with tie-breaks, score, and places decided so far.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::PlayerId;
use annals_events::tournament::{Measure, Placing};
use annals_report::{Cell, Document, Table, ToDocument};
use annals_tournaments::crosstable::{Row, crosstable, crosstable_by_points};
use annals_tournaments::formats::{self, RankGroup};
use annals_tournaments::record::Record;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::{Tournament, standings as scores};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::heading::Heading;
use super::person::Person;
use super::phase::Phase;
use super::tournament_at::TournamentAt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standings {
    #[serde(flatten)]
    pub heading: Heading,
    /// The rulebook's name, `published` for published totals, or `score`.
    pub order: String,
    /// Why the rulebook's order is not shown.
    pub order_lacking: Option<String>,
    pub rows: Vec<StandingRow>,
    /// All places of the rulebook are decided.
    pub decided: bool,
    /// What a ruling has to decide.
    pub ruling_needed: Option<String>,
    /// The source of published totals.
    pub source: Option<String>,
    /// Places that the close published and the rulebook does not award by the present record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub published_otherwise: Vec<PublishedPlace>,
    /// The places are those of the close.
    #[serde(skip)]
    closed: bool,
    /// The qualifier is under way, and its order is not that of the rows.
    #[serde(skip)]
    qualifying: bool,
}

/// A place of a closed tournament and what the rulebook awards by the present record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublishedPlace {
    pub player: PlayerId,
    pub name: String,
    /// None if the close gave the player no place.
    pub published: Option<u32>,
    /// None if the rulebook awards no place.
    pub by_rules: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StandingRow {
    /// From 1; level players share one.
    pub rank: u32,
    pub player: PlayerId,
    pub name: String,
    pub seed: Option<u32>,
    pub won: u32,
    pub lost: u32,
    pub drawn: u32,
    /// Part of the lost games.
    pub forfeits: u32,
    pub byes: u32,
    pub half_points: u32,
    /// The tie-breaks, by priority, named by the rulebook.
    pub measures: Vec<Measure>,
    /// The status of the entry; `out` for a player who is in no further round.
    pub status: &'static str,
    /// Still in.
    pub active: bool,
    /// If decided.
    pub place: Option<u32>,
    /// Wins and losses follow from published totals.
    pub derived: bool,
    /// The present stage, the final, does not rank the player.
    #[serde(skip)]
    pub is_not_in_final: bool,
    /// What orders the players before the tie-breaks, if the format has it.
    #[serde(skip)]
    pub group: Option<RankGroup>,
}

impl StandingRow {
    /// For example `+3 =1 -0`.
    pub(super) fn score(&self) -> String {
        let derived = if self.derived { ", derived from the published points" } else { "" };
        format!("+{} ={} -{}{derived}", self.won, self.drawn, self.lost)
    }

    /// Sets the status of a player who is in no further round, though the entry is in force.
    fn out_of_play(&mut self) {
        if !self.active && ["entered", "invited"].contains(&self.status) {
            self.status = "out";
        }
    }

    /// The value in the column of its own that a tie-break has.
    fn in_own_column(&self, measure: &str) -> Option<i64> {
        match measure {
            "points" => Some(self.half_points.into()),
            "wins" => Some(self.won.into()),
            "losses" => Some(self.lost.into()),
            "seed" => self.seed.map(i64::from),
            _ => None,
        }
    }

    /// The tie-breaks that differ from their own column, such as the losses of a final after a Swiss.
    fn apart(&self) -> impl Iterator<Item = &str> {
        let differs =
            |measure: &&Measure| match (self.in_own_column(&measure.name), measure.values.as_slice()) {
                (Some(in_column), [value]) => in_column != *value,
                _ => false,
            };
        self.measures.iter().filter(differs).map(|measure| measure.name.as_str())
    }
}

/// Why tie-breaks differ from the columns of the same counts, if some do.
pub(super) fn counted_apart<'r>(rows: impl IntoIterator<Item = &'r StandingRow>) -> Option<String> {
    let names: BTreeSet<&str> = rows.into_iter().flat_map(StandingRow::apart).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| *name != "seed").collect();
    let these = names.join(", ");
    (!names.is_empty()).then(|| {
        format!("{these}: only what the rulebook counts for the order; Points, Won and Lost count all rounds")
    })
}

/// The rows of standings, with the places as far as they are decided.
pub(crate) struct RankedRows {
    pub rows: Vec<StandingRow>,
    order: String,
    order_lacking: Option<String>,
    /// Whether all places are decided, and what a ruling has to decide.
    placed: (bool, Option<String>),
}

/// By the rulebook or a published table, else by score.
pub(crate) fn ranked_rows(tournament: &Tournament, rulebook: Result<&Rulebook, String>) -> RankedRows {
    let rules = rulebook.as_ref().ok().copied();
    let by_rules = match rulebook {
        _ if tournament.published_table().is_some() => {
            Ok(("published".to_owned(), tournament.published_order().unwrap_or_default()))
        }
        Ok(rulebook) => match formats::ranking(tournament, rulebook) {
            Ok(order) if !order.is_empty() => Ok((rulebook.name.to_owned(), order)),
            Ok(_) => Err(None),
            Err(refusal) => Err(Some(refusal.to_string())),
        },
        Err(why) => Err(Some(why)),
    };
    let scored: BTreeMap<PlayerId, Record> = scores(tournament).into_iter().collect();
    let by_rank = |line: formats::RankedPlayer| {
        let row = row(tournament, &line.player, scored.get(&line.player));
        let (rank, active, group) = (line.rank, line.active, line.group);
        StandingRow { rank, measures: named_apart(line.measures), active, group, ..row }
    };
    let (order, order_lacking, mut rows) = match by_rules {
        Ok((name, order)) => (name, None, order.into_iter().map(by_rank).collect()),
        Err(why) => ("score".to_owned(), why, by_score(tournament)),
    };
    let seeds = tournament.seeds();
    for row in &mut rows {
        row.seed = seeds.get(&row.player).copied();
        row.out_of_play();
    }
    let placed = places(tournament, rules, &mut rows);
    RankedRows { rows, order, order_lacking, placed }
}

pub fn ask(opened: &TournamentAt<'_>) -> Standings {
    let tournament = opened.tournament();
    let rulebook = opened.rulebook().map_err(|error| error.to_string());
    let RankedRows { mut rows, order, order_lacking, placed } =
        ranked_rows(tournament, rulebook.as_ref().map_err(Clone::clone).copied());
    rows.extend(not_in_the_final(tournament, rulebook.ok(), &rows));
    Standings {
        heading: opened.heading("standings"),
        order,
        order_lacking,
        rows,
        decided: placed.0,
        ruling_needed: placed.1,
        source: tournament.published_table().map(|table| table.source.clone()),
        published_otherwise: published_otherwise(opened),
        closed: tournament.closed.is_some(),
        qualifying: Phase::of(tournament) == Phase::Qualifying && tournament.order_to_final().is_none(),
    }
}

/// Sets the places: of the close, or as far as decided. Returns whether all are decided, and what a ruling has to
/// decide.
fn places(
    tournament: &Tournament,
    rulebook: Option<&Rulebook>,
    rows: &mut [StandingRow],
) -> (bool, Option<String>) {
    let (placings, decided, needed) = match (&tournament.closed, rulebook) {
        (Some(closed), _) => (closed.places.clone(), true, None),
        // Entries are still to come.
        (None, Some(_)) if !tournament.is_begun() => (Vec::new(), false, None),
        (None, Some(rulebook)) => match formats::places(tournament, rulebook) {
            // While undecided, places of all players follow from the order and may change.
            Ok(places) if !places.decided && places.placings.len() >= rows.len() => {
                (Vec::new(), false, places.ruling_needed)
            }
            Ok(places) => (places.placings, places.decided, places.ruling_needed),
            Err(_) => (Vec::new(), false, None),
        },
        (None, None) => (Vec::new(), false, None),
    };
    let by_player: BTreeMap<&PlayerId, u32> =
        placings.iter().map(|placing| (&placing.player, placing.place)).collect();
    for row in rows {
        row.place = by_player.get(&row.player).copied();
    }
    (decided, needed)
}

/// The players whose place in a closed tournament differs from that of the rules, by place.
pub(super) fn published_otherwise(opened: &TournamentAt<'_>) -> Vec<PublishedPlace> {
    let tournament = opened.tournament();
    let (Some(closed), Ok(rulebook)) = (&tournament.closed, opened.rulebook()) else { return Vec::new() };
    // A close that the rules do not support in any way is the subject of the audit.
    let Ok(places) = formats::places(tournament, rulebook) else { return Vec::new() };
    if !places.decided {
        return Vec::new();
    }
    let of = |placings: &[Placing]| -> BTreeMap<PlayerId, u32> {
        placings.iter().map(|placing| (placing.player.clone(), placing.place)).collect()
    };
    let (published, by_rules) = (of(&closed.places), of(&places.placings));
    let players: BTreeSet<&PlayerId> = published.keys().chain(by_rules.keys()).collect();
    let mut differ: Vec<PublishedPlace> = players
        .into_iter()
        .filter(|player| published.get(*player) != by_rules.get(*player))
        .map(|player| PublishedPlace {
            name: Person::of(tournament, player).name,
            player: player.clone(),
            published: published.get(player).copied(),
            by_rules: by_rules.get(player).copied(),
        })
        .collect();
    differ.sort_by_key(|one| one.by_rules.unwrap_or(u32::MAX));
    differ
}

/// Qualifier points are whole, round points are halves: they get different names.
fn named_apart(mut measures: Vec<Measure>) -> Vec<Measure> {
    if measures.iter().any(|measure| measure.name == "played") {
        for measure in measures.iter_mut().filter(|measure| measure.name == "points") {
            "score".clone_into(&mut measure.name);
        }
    }
    measures
}

/// All players by score.
fn by_score(tournament: &Tournament) -> Vec<StandingRow> {
    let mut rows: Vec<StandingRow> = Vec::new();
    for (at, (player, score)) in scores(tournament).into_iter().enumerate() {
        let level = rows.last().filter(|last| last.half_points == score.half_points);
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
        seed: None,
        won: score.wins,
        lost: score.losses,
        drawn: score.draws,
        forfeits: forfeits(tournament, &player),
        byes: score.byes,
        half_points: score.half_points,
        measures: Vec::new(),
        status: entrant.map_or("stranger", |entrant| entrant.status().word()),
        active: entrant.is_some_and(|entrant| entrant.left.is_none()),
        place: None,
        derived: tournament.published_table().is_some(),
        is_not_in_final: false,
        group: None,
        player,
    }
}

/// Players of a round whom the present stage does not rank, such as those who are not in the final, as the crosstable
/// ranks them.
fn not_in_the_final(
    tournament: &Tournament,
    rulebook: Option<&Rulebook>,
    ranked: &[StandingRow],
) -> Vec<StandingRow> {
    let scored: BTreeMap<PlayerId, Record> = scores(tournament).into_iter().collect();
    let seeds = tournament.seeds();
    let is_ranked = |player: &PlayerId| ranked.iter().any(|row| row.player == *player);
    let has_played = |line: &Row| line.rounds.iter().any(|round| !round.had.is_empty());
    let table = rulebook
        .map_or_else(|| crosstable_by_points(tournament), |rulebook| crosstable(tournament, rulebook));
    let of_line = |line: Row| {
        let mut row = StandingRow {
            rank: line.rank,
            seed: seeds.get(&line.player).copied(),
            active: false,
            measures: line.measures,
            is_not_in_final: true,
            ..row(tournament, &line.player, scored.get(&line.player))
        };
        row.out_of_play();
        row
    };
    table.rows.into_iter().filter(|line| !is_ranked(&line.player) && has_played(line)).map(of_line).collect()
}

fn forfeits(tournament: &Tournament, player: &PlayerId) -> u32 {
    let boards = tournament.rounds.values().flat_map(|round| round.boards.values());
    let lost = boards.filter(|board| board.forfeited_by().contains(&player)).count();
    u32::try_from(lost).unwrap_or(u32::MAX)
}

/// The column title of a tie-break: `Lost games` for `lost_games`.
pub(super) fn head_of(name: &str) -> String {
    let words = match name {
        "opponents" => "opponents' points".to_owned(),
        other => other.replace(['_', '.'], " "),
    };
    let mut signs = words.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}

/// Ratings are millionths of an Elo point, points are halves.
pub fn cell_of(measure: &Measure) -> Cell {
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
        several => Cell::join(several, " "),
    }
}

/// Distinct, in order.
pub(super) fn measure_names<'m>(measures: impl Iterator<Item = &'m Measure>) -> Vec<&'m str> {
    let mut names: Vec<&str> = Vec::new();
    for measure in measures {
        if !names.contains(&measure.name.as_str()) {
            names.push(&measure.name);
        }
    }
    names
}

pub(super) fn cell_named(measures: &[Measure], name: &str) -> Cell {
    measures.iter().find(|measure| measure.name == name).map_or(Cell::Empty, cell_of)
}

/// Whether a tie-break has a column of its own.
pub(crate) fn has_column(name: &str) -> bool {
    ["points", "wins", "losses", "seed"].contains(&name)
}

/// The tie-breaks that people read of the present order. Those with a column of their own are not repeated, unless they differ
/// from it.
pub(super) fn measures_to_read<'r>(rows: impl IntoIterator<Item = &'r StandingRow>) -> Vec<&'r str> {
    let in_order: Vec<&StandingRow> = rows.into_iter().filter(|row| !row.is_not_in_final).collect();
    let mut names = measure_names(in_order.iter().flat_map(|row| &row.measures));
    let apart: BTreeSet<&str> = in_order.iter().flat_map(|row| row.apart()).collect();
    names.retain(|name| !has_column(name) || apart.contains(name));
    names
}

/// With identities for programs.
pub(super) fn table_of(title: &str, rows: &[StandingRow], for_programs: bool) -> Table {
    let names = match for_programs {
        true => measure_names(rows.iter().flat_map(|row| &row.measures)),
        false => measures_to_read(rows),
    };
    // Empty columns are omitted for people.
    let rare = |count: u32| Cell::number(Some(count).filter(|count| *count > 0 || for_programs));
    let mut table = Table::of(title, rows).column("Rank", |row| Cell::count(row.rank));
    if for_programs {
        table = table.column("Player", |row| Cell::text(&row.player));
    }
    table = table
        .column("Name", |row| Cell::named(&row.name, &row.player))
        .column("Seed", |row| Cell::number(row.seed))
        .column("Points", |row| Cell::Points(row.half_points))
        .column("Won", |row| Cell::count(row.won))
        .column("Lost", |row| Cell::count(row.lost))
        .column("Drawn", |row| Cell::count(row.drawn))
        .column("Forfeits", |row| rare(row.forfeits))
        .column("Byes", |row| rare(row.byes));
    for name in names {
        let prefix = if for_programs || has_column(name) { "by_" } else { "" };
        table = table.column(&head_of(&format!("{prefix}{name}")), |row| cell_named(&row.measures, name));
    }
    let status = |row: &StandingRow| if row.status == "entered" && !for_programs { "" } else { row.status };
    table =
        table.column("Status", |row| Cell::text(status(row))).column("Place", |row| Cell::number(row.place));
    if for_programs {
        table = table.column("Active", |row| Cell::text(row.active));
        table = table.column("Derived", |row| Cell::text(row.derived));
    } else {
        let derived = |row: &StandingRow| row.derived.then_some("won and lost are derived");
        table = table.column("Remarks", move |row| Cell::some(derived(row)));
    }
    table.table()
}

impl Standings {
    /// Why a rank and a place differ, if they do.
    fn places_differ(&self) -> Option<String> {
        let differs = |row: &&StandingRow| row.place.is_some_and(|place| place != row.rank);
        let row = self.rows.iter().find(differs)?;
        let (name, rank, place) = (&row.name, row.rank, row.place?);
        let origin = if self.closed { "the close published" } else { "the rulebook awards" };
        Some(format!(
            "the rank is the order of the table, the place is what {origin}: {name} has rank {rank} and place {place}. \
             Players whom the text leaves level share a place"
        ))
    }

    /// That the close published other places than the rulebook awards, if it did.
    fn not_as_ruled(&self) -> Option<String> {
        let place =
            |place: Option<u32>| place.map_or("no place".to_owned(), |place| format!("place {place}"));
        let of = |one: &PublishedPlace| {
            format!("{} {} (published: {})", one.name, place(one.by_rules), place(one.published))
        };
        let differ: Vec<String> = self.published_otherwise.iter().map(of).collect();
        (!differ.is_empty())
            .then(|| format!("by the present record the rulebook awards other places: {}", differ.join("; ")))
    }

    /// What determines the order.
    pub fn by(&self) -> String {
        match (&self.order_lacking, self.order.as_str()) {
            (Some(_), _) | (None, "score") => "score, before tie-breaks".to_owned(),
            (None, "published") => "the table as published".to_owned(),
            (None, rulebook) => format!("the order of {rulebook}"),
        }
    }

    /// What a reader of places has to know: that they differ from the ranks, or from those of the present record.
    pub(super) fn about_places(&self) -> Vec<(&'static str, Cell)> {
        vec![("Places", Cell::some(self.places_differ())), ("Not as ruled", Cell::some(self.not_as_ruled()))]
    }

    pub(super) fn order_facts(&self) -> Vec<(&'static str, Cell)> {
        vec![
            ("By", Cell::Text(self.by())),
            ("Source", Cell::some(self.source.as_ref())),
            ("Because", Cell::some(self.order_lacking.as_ref())),
        ]
    }
}

impl ToDocument for Standings {
    fn document(&self, zone: &TimeZone) -> Document {
        let mut facts = self.order_facts();
        facts.push(("To be ruled", Cell::some(self.ruling_needed.as_ref())));
        let name = self.heading.tournament.trim_start_matches("tournament/");
        let qualifier = format!("under way: `annals tournament explain {name} qualifier` prints its order");
        facts.push(("Qualifier", Cell::some(self.qualifying.then_some(qualifier))));
        facts.extend(self.about_places());
        facts.push(("Tie-breaks", Cell::some(counted_apart(&self.rows))));
        self.heading.document(zone).facts(facts).table(table_of("", &self.rows, false))
    }

    fn table(&self) -> Table {
        table_of("", &self.rows, true).for_programs()
    }
}
