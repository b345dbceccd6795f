//! Positions to search: of real games, of games by chance, and with few pieces.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_engine::evaluation::Material;
use annals_engine::search::{Found, Limits, Past, SearchOptions, Searcher};
use annals_events::Side;
use annals_rules::arimaa::{Board, Generator, Piece, Position, Square, Turn};
use annals_rules::game::{Era, Strictness};
use annals_rules::seeded::Rng;
use serde_json::Value;

use crate::vectors;

pub fn position(text: &str) -> Position {
    text.parse().unwrap()
}

pub fn searcher(options: SearchOptions) -> Searcher {
    Searcher::new(Arc::new(Material), options)
}

pub fn small() -> SearchOptions {
    SearchOptions { hash_mib: 1, ..SearchOptions::default() }
}

pub fn search(searcher: &mut Searcher, position: &Position, limits: &Limits) -> Option<Found> {
    searcher.search(position, &Past::new(), limits, &AtomicBool::new(false), &mut |_| {})
}

/// The position after a turn that must be legal as it is stated.
pub fn after(position: &Position, turn: &Turn) -> Position {
    position.play(turn, Strictness::Strict).unwrap_or_else(|error| panic!("{turn}: {error}")).0
}

/// The positions of `perft-arimaa.json`, most of them of real games.
pub fn real() -> Vec<(String, Position)> {
    let Some(text) = vectors::vector("perft-arimaa.json") else { return Vec::new() };
    let file: Value = serde_json::from_str(&text).unwrap();
    file["positions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let side: Side = row["side"].as_str().unwrap().parse().unwrap();
            let board = Board::parse(row["board"].as_str().unwrap()).unwrap();
            (row["name"].as_str().unwrap().to_owned(), Position::new(board, side))
        })
        .collect()
}

/// A board with some pieces anywhere, on which nobody has won and the side to move has a turn.
pub fn scattered(rng: &mut Rng, rabbits: u32, others: u32) -> Position {
    loop {
        let mut pieces = Vec::new();
        for side in Side::BOTH {
            for _ in 0..rabbits {
                pieces.push((side, Piece::Rabbit));
            }
            for _ in 0..rng.below(others + 1) {
                pieces.push((side, *rng.pick(&Piece::ALL[1..])));
            }
        }
        let placed: Vec<_> = pieces
            .into_iter()
            .filter_map(|(side, piece)| Some((Square::new(rng.below(64) as u8)?, side, piece)))
            .collect();
        let Ok(board) = Board::from_pieces(placed) else { continue };
        let position = Position::new(board, *rng.pick(&Side::BOTH));
        if position.passed().outcome(Era::Modern, |_| 0).is_none()
            && position.outcome(Era::Modern, |_| 0).is_none()
        {
            return position;
        }
    }
}

/// Positions of games in which every turn is one of chance, from the beginning to the end.
pub fn by_chance(rng: &mut Rng, games: usize, found: &mut impl FnMut(&Position)) {
    let mut generator = Generator::new();
    for _ in 0..games {
        let mut position = position("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
        for _ in 0..80 {
            if position.outcome(Era::Modern, |_| 0).is_some() {
                break;
            }
            found(&position);
            let mut turns = Vec::new();
            generator.for_each(&position, |after, _| turns.push(*after));
            position = *rng.pick(&turns);
        }
    }
}
