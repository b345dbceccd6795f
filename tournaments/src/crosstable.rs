//! The crosstable of any tournament: who played whom, with which colour and what came of it, in the order of the ranking;
//! and each player's way through the rounds.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Measure, Outcome, Stage};
use annals_events::{BoardId, PlayerId, Side};
use serde::Serialize;

use crate::formats::{RankedPlayer, ranking};
use crate::record::Record;
use crate::rulebook::Rulebook;
use crate::standings::standings;
use crate::state::Board;
use crate::state::Tournament;

/// One game seen from one of its players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellGame {
    pub pairing: BoardId,
    pub stage: Stage,
    /// The side of the player whose row it is; none while colours are open.
    pub side: Option<Side>,
    /// How it came out; none while it is open.
    pub outcome: Option<Outcome>,
    /// The half points that it brought; none while it is open, or where nothing was decided.
    pub half_points: Option<u32>,
    /// Whether a player's absence decided it.
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
    /// The name to show; the identity where no player of that name entered.
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

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    /// The rows, the best first.
    pub rows: Vec<Row>,
    /// Why the rows are not in the order of the rulebook, where they are not: then they go by points.
    pub not_ranked: Option<String>,
}

/// Makes the crosstable. Players are in the order of the rulebook's ranking; where there is none, by points. Each player who
/// entered or was paired has a row.
pub fn crosstable(tournament: &Tournament, rulebook: &Rulebook) -> Crosstable {
    match ranking(tournament, rulebook) {
        Ok(ranked) => in_order(tournament, ranked, None),
        Err(refusal) => in_order(tournament, Vec::new(), Some(refusal.what)),
    }
}

/// The crosstable by points alone, for a tournament whose rulebook is not known.
pub fn crosstable_by_points(tournament: &Tournament) -> Crosstable {
    in_order(tournament, tournament.published_order().unwrap_or_default(), None)
}

fn in_order(tournament: &Tournament, ranked: Vec<RankedPlayer>, not_ranked: Option<String>) -> Crosstable {
    let mut scores: BTreeMap<PlayerId, Record> = BTreeMap::new();
    let listed: BTreeSet<PlayerId> = ranked.iter().map(|one| one.player.clone()).collect();
    let line = |one: RankedPlayer| (one.rank, one.player, one.measures, one.active);
    let mut order: Vec<_> = ranked.into_iter().map(line).collect();
    // A player who is in no ranking follows by points, with a rank that says so.
    let mut above: Option<(u32, u32)> = None;
    for (player, score) in standings(tournament) {
        if !listed.contains(&player) {
            let next = u32::try_from(order.len() + 1).unwrap_or(u32::MAX);
            let rank = match above {
                Some((half_points, rank)) if half_points == score.half_points => rank,
                _ => next,
            };
            above = Some((score.half_points, rank));
            let points = Measure { name: "points".to_owned(), values: vec![i64::from(score.half_points)] };
            let active = tournament.entrants.get(&player).is_some_and(crate::Entrant::is_in);
            order.push((rank, player.clone(), vec![points], active));
        }
        scores.insert(player, score);
    }
    let places: BTreeMap<PlayerId, usize> =
        order.iter().enumerate().map(|(at, (_, player, ..))| (player.clone(), at)).collect();
    let rounds = tournament.rounds.iter();
    let rounds: Vec<RoundOf> =
        rounds.map(|(&round, paired)| RoundOf { round, stage: paired.stage, had: Vec::new() }).collect();
    let rows = order.into_iter().map(|(rank, player, measures, active)| {
        let score = scores.remove(&player).unwrap_or_default();
        Row {
            rank,
            name: tournament.entrants.get(&player).map_or_else(|| player.to_string(), |one| one.name.clone()),
            active,
            measures,
            game_half_points: 0,
            cells: vec![None; places.len()],
            rounds: rounds.clone(),
            won: score.wins,
            drawn: score.draws,
            lost: score.losses,
            byes: score.byes,
            half_points: score.half_points,
            player,
        }
    });
    let mut rows: Vec<Row> = rows.collect();
    fill(&mut rows, tournament, &places);
    Crosstable { rows, not_ranked }
}

/// Enters the games and byes of all rounds.
fn fill(rows: &mut [Row], tournament: &Tournament, places: &BTreeMap<PlayerId, usize>) {
    for (at, (&number, round)) in tournament.rounds.iter().enumerate() {
        let pairs = round.boards.iter().filter(|(_, board)| board.upper() != board.lower());
        for (&board, recorded) in pairs {
            let pairing = BoardId { round: number, board };
            for player in recorded.players() {
                let opponent = recorded.other(player);
                let Some(row) = places.get(player).and_then(|at| rows.get_mut(*at)) else { continue };
                let game = seen_by(player, pairing, round.stage, recorded);
                if let Some(cell) = places.get(opponent).and_then(|at| row.cells.get_mut(*at)) {
                    let cell = cell.get_or_insert_default();
                    let won = game.half_points.unwrap_or(0);
                    cell.half_points = cell.half_points.saturating_add(won);
                    row.game_half_points = row.game_half_points.saturating_add(won);
                    cell.games.push(game.clone());
                }
                if let Some(of) = row.rounds.get_mut(at) {
                    of.had.push(InRound::Game { opponent: opponent.clone(), game });
                }
            }
        }
        for bye in &round.byes {
            let row = places.get(&bye.player).and_then(|at| rows.get_mut(*at));
            if let Some(of) = row.and_then(|row| row.rounds.get_mut(at)) {
                of.had.push(InRound::Bye { half_points: bye.half_points });
            }
        }
    }
}

fn seen_by(player: &PlayerId, pairing: BoardId, stage: Stage, board: &Board) -> CellGame {
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
