//! The crosstable of a tournament, in ranking order, and each player's rounds.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Measure, Outcome, QualifyingRank, Stage};
use annals_events::{BoardId, PlayerId, Side};
use serde::Serialize;

use crate::formats::{RankedPlayer, ranking};
use crate::record::Record;
use crate::rulebook::Rulebook;
use crate::standings::standings;
use crate::state::Board;
use crate::state::Tournament;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellGame {
    pub pairing: BoardId,
    pub stage: Stage,
    /// None while colours are undecided.
    pub side: Option<Side>,
    /// None while undecided.
    pub outcome: Option<Outcome>,
    /// None while undecided, or without a decision.
    pub half_points: Option<u32>,
    pub forfeit: bool,
    pub ruled: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    pub half_points: u32,
    pub games: Vec<CellGame>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InRound {
    Game {
        opponent: PlayerId,
        game: CellGame,
    },
    Bye {
        /// None if the pairing does not state it.
        half_points: Option<u32>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundOf {
    pub round: u32,
    pub stage: Stage,
    /// Empty if the player did not take part.
    pub had: Vec<InRound>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Level players share a rank.
    pub rank: u32,
    pub player: PlayerId,
    /// The identity if no such player entered.
    pub name: String,
    pub active: bool,
    /// The tie-breaks.
    pub measures: Vec<Measure>,
    /// One cell per player, in row order; none if the two were not paired, and on the diagonal.
    pub cells: Vec<Option<Cell>>,
    pub rounds: Vec<RoundOf>,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub byes: u32,
    pub game_half_points: u32,
    /// Byes included.
    pub half_points: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    pub rows: Vec<Row>,
    /// Why the rows are in the order of points instead of the rulebook's ranking.
    pub not_ranked: Option<String>,
}

/// Rows for all players ranked or paired, in the order of the rulebook's ranking; without one for all who entered, by points.
pub fn crosstable(tournament: &Tournament, rulebook: &Rulebook) -> Crosstable {
    match ranking(tournament, rulebook) {
        Ok(ranked) => in_order(tournament, ranked, None),
        Err(refusal) => in_order(tournament, Vec::new(), Some(refusal.what)),
    }
}

/// By points alone, for an unknown rulebook.
pub fn crosstable_by_points(tournament: &Tournament) -> Crosstable {
    in_order(tournament, tournament.published_order().unwrap_or_default(), None)
}

fn in_order(tournament: &Tournament, ranked: Vec<RankedPlayer>, not_ranked: Option<String>) -> Crosstable {
    let mut scores: BTreeMap<PlayerId, Record> = BTreeMap::new();
    let listed: BTreeSet<PlayerId> = ranked.iter().map(|one| one.player.clone()).collect();
    let line = |one: RankedPlayer| (one.rank, one.player, one.measures, one.active);
    let mut order: Vec<_> = ranked.into_iter().map(line).collect();
    // Players without a rank follow, if they were in a round: in the order that led to the final, the others by points.
    let in_a_round = |score: &Record| score.wins + score.draws + score.losses + score.byes > 0;
    let all = order.is_empty();
    let published: BTreeMap<&PlayerId, &QualifyingRank> = tournament
        .order_to_final()
        .filter(|qualified| qualified.from == Stage::Swiss)
        .map(|qualified| qualified.order.iter().map(|place| (&place.player, place)).collect())
        .unwrap_or_default();
    let published = |player: &PlayerId| published.get(player).copied();
    let mut scored = standings(tournament);
    scored.sort_by_key(|(player, _)| published(player).map_or(u32::MAX, |place| place.rank));
    let mut above: Option<(Option<u32>, u32, u32)> = None;
    for (player, score) in scored {
        let paired = tournament.rounds.values().any(|round| round.has(&player));
        if !listed.contains(&player) && (all || paired || in_a_round(&score)) {
            let next = u32::try_from(order.len() + 1).unwrap_or(u32::MAX);
            let place = published(&player);
            let key = place.map(|place| place.rank);
            let is_level = |half_points| key.is_some() || half_points == score.half_points;
            let rank = match above {
                Some((before, half_points, rank)) if before == key && is_level(half_points) => rank,
                _ => next,
            };
            above = Some((key, score.half_points, rank));
            let points = || Measure { name: "points".to_owned(), values: vec![i64::from(score.half_points)] };
            let measures = place.map_or_else(|| vec![points()], |place| place.measures.clone());
            let active = tournament.entrants.get(&player).is_some_and(crate::Entrant::is_in);
            order.push((rank, player.clone(), measures, active));
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
