//! The crosstable: each against each, by the results that hold. A cell holds one sign for each game of the two: what
//! the player of the row made of it (1, ½, 0, `-` for no decision, `*` for a game to come) and with which colour.

use std::collections::BTreeMap;

use annals_events::tournament::Outcome;
use annals_events::{Pairing, PlayerId, Side};
use annals_tournaments::{Board, Tournament};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Answer;
use super::opened::Opened;
use super::page::{Cell, Page, Table};
use super::standings;
use crate::cut::Cut;
use crate::view::text::heading;

/// The crosstable of a tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    /// The tournament.
    pub tournament: String,
    /// The name as it is shown.
    pub title: String,
    /// The point that is shown.
    pub cut: Cut,
    /// The players, in the order of the standings.
    pub rows: Vec<CrossRow>,
}

/// One player against everybody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CrossRow {
    /// The rank in the standings.
    pub rank: u32,
    /// The player.
    pub player: PlayerId,
    /// The name to show.
    pub name: String,
    /// The games against each opponent, in the order of play; those who never met are not listed.
    pub against: BTreeMap<PlayerId, Vec<CrossGame>>,
    /// The rounds in which the player had a bye.
    pub byes: Vec<u32>,
    /// Half points.
    pub half_points: u32,
}

/// One game of the crosstable, from the side of the player of the row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CrossGame {
    /// The pairing.
    pub pairing: Pairing,
    /// The side of the player; none while colours are open.
    pub side: Option<Side>,
    /// The result that holds; none for a game to come.
    pub outcome: Option<Outcome>,
    /// Half points that the player has from it; none where there are none to have.
    pub half_points: Option<u32>,
}

impl CrossGame {
    fn of(pairing: Pairing, board: &Board, player: &PlayerId) -> CrossGame {
        let side = board.gold.as_ref().map(|gold| if gold == player { Side::Gold } else { Side::Silver });
        CrossGame { pairing, side, outcome: board.outcome, half_points: board.half_points(player) }
    }

    /// `1g`, `½s`, `0g`, `*`.
    fn sign(&self) -> String {
        let result = match (self.outcome, self.half_points) {
            (None, _) => "*",
            (Some(_), Some(2)) => "1",
            (Some(_), Some(1)) => "½",
            (Some(_), Some(_)) => "0",
            (Some(_), None) => "-",
        };
        format!("{result}{}", self.side.map_or("", |side| if side == Side::Gold { "g" } else { "s" }))
    }
}

/// Asks.
#[must_use]
pub fn ask(opened: &Opened<'_>) -> Crosstable {
    let tournament = opened.tournament();
    let rows = standings::ask(opened)
        .rows
        .into_iter()
        .map(|row| CrossRow {
            rank: row.rank,
            against: games_of(tournament, &row.player),
            byes: byes_of(tournament, &row.player),
            player: row.player,
            name: row.name,
            half_points: row.half_points,
        })
        .collect();
    Crosstable {
        tournament: opened.stream.name().to_owned(),
        title: opened.title("crosstable"),
        cut: opened.cut,
        rows,
    }
}

/// The games of a player, by opponent, in the order of play.
pub(super) fn games_of(tournament: &Tournament, player: &PlayerId) -> BTreeMap<PlayerId, Vec<CrossGame>> {
    let mut against: BTreeMap<PlayerId, Vec<CrossGame>> = BTreeMap::new();
    for (number, round) in &tournament.rounds {
        for (at, board) in &round.boards {
            let other = if board.upper == *player {
                &board.lower
            } else if board.lower == *player {
                &board.upper
            } else {
                continue;
            };
            let pairing = Pairing { round: *number, board: *at };
            against.entry(other.clone()).or_default().push(CrossGame::of(pairing, board, player));
        }
    }
    against
}

fn byes_of(tournament: &Tournament, player: &PlayerId) -> Vec<u32> {
    let rounds = tournament.rounds.iter();
    rounds
        .filter(|(_, round)| round.byes.iter().any(|bye| bye.player == *player))
        .map(|(number, _)| *number)
        .collect()
}

impl Crosstable {
    fn rows_against_all(&self, title: &str, for_programs: bool) -> Table {
        let mut table = Table::new(title, &["No", "Player"]);
        for (number, row) in self.rows.iter().enumerate() {
            // Numbers keep a wide table narrow; a program finds the identities.
            table.head.push(if for_programs { row.player.to_string() } else { (number + 1).to_string() });
        }
        table.head.extend(["Byes", "Points", "Rank"].map(str::to_owned));
        for (number, row) in self.rows.iter().enumerate() {
            let mut cells = vec![
                Cell::Number(i64::try_from(number + 1).unwrap_or(i64::MAX)),
                if for_programs { Cell::text(&row.player) } else { Cell::text(&row.name) },
            ];
            for other in &self.rows {
                let games = row.against.get(&other.player).map_or(&[][..], Vec::as_slice);
                let signs: Vec<String> = games.iter().map(CrossGame::sign).collect();
                let same = other.player == row.player && !for_programs;
                cells.push(Cell::Text(if same { "x".to_owned() } else { signs.join(" ") }));
            }
            cells.push(match row.byes.len() {
                0 => Cell::Empty,
                byes => Cell::Number(i64::try_from(byes).unwrap_or(i64::MAX)),
            });
            cells.push(Cell::Points(row.half_points));
            cells.push(Cell::Number(row.rank.into()));
            table.rows.push(cells);
        }
        table
    }
}

impl Answer for Crosstable {
    fn page(&self, zone: &TimeZone) -> Page {
        let page = Page::new(heading(&self.title, &self.cut, zone).trim_end());
        page.table(self.rows_against_all("", false)).lines(
            "",
            vec!["1 won, ½ drawn, 0 lost, - no decision, * to come; g with Gold, s with Silver".to_owned()],
        )
    }

    fn table(&self) -> Table {
        self.rows_against_all("", true)
    }
}
