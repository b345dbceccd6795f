//! The crosstable of any tournament: who played whom, with which colour and what came of it, in the order of the ranking;
//! and each player's way through the rounds.

use std::collections::BTreeMap;

use annals_events::tournament::{Measure, Outcome, Stage};
use annals_events::{Pairing, PlayerId, Side};
use serde::Serialize;

use crate::formats::{Standing, ranking};
use crate::rulebook::Rulebook;
use crate::standings::standings;
use crate::state::Board;
use crate::state::Tournament;

/// One game seen from one of its players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellGame {
    pub pairing: Pairing,
    pub stage: Stage,
    /// The side of the player whose row it is; none while colours are open.
    pub side: Option<Side>,
    /// How it came out; none while it is open.
    pub outcome: Option<Outcome>,
    /// The half points that it brought; none while it is open, or where nothing was decided.
    pub half_points: Option<u32>,
    /// Whether somebody's absence decided it.
    pub forfeit: bool,
    /// Whether a ruling gave the result.
    pub ruled: bool,
}

/// What one player made against another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    pub half_points: u32,
    pub games: Vec<CellGame>,
}

/// What a player had in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InRound {
    Game {
        opponent: PlayerId,
        game: CellGame,
    },
    Bye {
        /// What it is worth, where the pairing says so.
        half_points: Option<u32>,
    },
}

/// A round of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundOf {
    pub round: u32,
    pub stage: Stage,
    /// What the player had in it; empty where the player did not take part.
    pub had: Vec<InRound>,
}

/// A row: a player with what they made against each of the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The rank; players level on everything share one.
    pub rank: u32,
    pub player: PlayerId,
    /// The name to show; the identity where nobody of that name entered.
    pub name: String,
    /// Whether the player is still in.
    pub active: bool,
    /// What the rank rests on.
    pub measures: Vec<Measure>,
    /// One cell for each player, in the order of the rows; none where the two have not been paired, and on the
    /// diagonal.
    pub cells: Vec<Option<Cell>>,
    pub rounds: Vec<RoundOf>,
    /// Games won, double wins among them.
    pub won: u32,
    pub drawn: u32,
    /// Games lost, double losses among them.
    pub lost: u32,
    pub byes: u32,
    /// Half points of the games, byes not counted.
    pub game_half_points: u32,
    /// Half points, byes counted as the pairing says.
    pub half_points: u32,
}

/// The crosstable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    /// The rows, the best first.
    pub rows: Vec<Row>,
    /// Why the rows are not in the order of the rulebook, where they are not: then they go by points.
    pub not_ranked: Option<String>,
}

/// Makes the crosstable. Players are in the order of the rulebook's ranking; where there is none, by points. Whoever entered
/// or was paired has a row.
#[must_use]
pub fn crosstable(tournament: &Tournament, rulebook: &Rulebook) -> Crosstable {
    match ranking(tournament, rulebook) {
        Ok(ranked) => in_order(tournament, ranked, None),
        Err(refusal) => in_order(tournament, Vec::new(), Some(refusal.what)),
    }
}

/// The crosstable by points alone, for a tournament whose rulebook is not known.
#[must_use]
pub fn crosstable_by_points(tournament: &Tournament) -> Crosstable {
    in_order(tournament, Vec::new(), None)
}

fn in_order(tournament: &Tournament, ranked: Vec<Standing>, not_ranked: Option<String>) -> Crosstable {
    let scores: Vec<_> = standings(tournament);
    let line = |one: Standing| (one.rank, one.player, one.measures, one.active);
    let mut order: Vec<_> = ranked.into_iter().map(line).collect();
    // Who is in no ranking follows by points, with a rank that says so.
    let ranked = order.len();
    let mut above: Option<(u32, u32)> = None;
    for (player, score) in &scores {
        if order.iter().take(ranked).any(|(_, known, ..)| known == player) {
            continue;
        }
        let next = u32::try_from(order.len() + 1).unwrap_or(u32::MAX);
        let rank = match above {
            Some((half_points, rank)) if half_points == score.half_points => rank,
            _ => next,
        };
        above = Some((score.half_points, rank));
        let points = Measure { name: "points".to_owned(), values: vec![i64::from(score.half_points)] };
        let active = tournament.entrants.get(player).is_some_and(crate::formats::began::still_in);
        order.push((rank, player.clone(), vec![points], active));
    }
    let places: BTreeMap<PlayerId, usize> =
        order.iter().enumerate().map(|(at, (_, player, ..))| (player.clone(), at)).collect();
    let score_of: BTreeMap<&PlayerId, _> = scores.iter().map(|(player, score)| (player, score)).collect();
    let rows = order.into_iter().map(|(rank, player, measures, active)| {
        let score = score_of.get(&player).copied().cloned().unwrap_or_default();
        let (cells, rounds) = way(tournament, &player, &places);
        Row {
            rank,
            name: tournament.entrants.get(&player).map_or_else(|| player.to_string(), |one| one.name.clone()),
            active,
            measures,
            game_half_points: cells.iter().flatten().map(|cell| cell.half_points).sum(),
            cells,
            rounds,
            won: score.wins,
            drawn: score.draws,
            lost: score.losses,
            byes: score.byes,
            half_points: score.half_points,
            player,
        }
    });
    Crosstable { rows: rows.collect(), not_ranked }
}

/// One player's cells and rounds.
fn way(
    tournament: &Tournament,
    player: &PlayerId,
    places: &BTreeMap<PlayerId, usize>,
) -> (Vec<Option<Cell>>, Vec<RoundOf>) {
    let mut cells: Vec<Option<Cell>> = vec![None; places.len()];
    let mut rounds = Vec::with_capacity(tournament.rounds.len());
    for (number, round) in &tournament.rounds {
        let mut had = Vec::new();
        for (board, recorded) in &round.boards {
            let opponent = match (recorded.upper() == player, recorded.lower() == player) {
                (true, false) => recorded.lower(),
                (false, true) => recorded.upper(),
                _ => continue,
            };
            let pairing = Pairing { round: *number, board: *board };
            let game = seen_by(player, pairing, round.stage, recorded);
            if let Some(cell) = places.get(opponent).and_then(|at| cells.get_mut(*at)) {
                let cell = cell.get_or_insert_default();
                cell.half_points = cell.half_points.saturating_add(game.half_points.unwrap_or(0));
                cell.games.push(game.clone());
            }
            had.push(InRound::Game { opponent: opponent.clone(), game });
        }
        let byes = round.byes.iter().filter(|bye| bye.player == *player);
        had.extend(byes.map(|bye| InRound::Bye { half_points: bye.half_points }));
        rounds.push(RoundOf { round: *number, stage: round.stage, had });
    }
    (cells, rounds)
}

fn seen_by(player: &PlayerId, pairing: Pairing, stage: Stage, board: &Board) -> CellGame {
    let side = board.gold().map(|gold| if gold == player { Side::Gold } else { Side::Silver });
    CellGame {
        pairing,
        stage,
        side,
        outcome: board.outcome(),
        half_points: board.half_points(player),
        forfeit: board.is_forfeit(),
        ruled: board.ruled(),
    }
}
