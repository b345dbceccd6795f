//! The search with the evaluator that games are played with, on boards that no game would reach: any part of the
//! full set on any squares, and hardly any nodes. Nothing panics, and what is returned is a legal turn.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_engine::evaluation::Annals;
use annals_engine::search::{Limits, Past, SearchOptions, Searcher};
use annals_engine::threats::goal_steps;
use annals_events::Side;
use annals_rules::arimaa::{Board, Generator, Piece, Position, Square, Steps};
use annals_rules::game::Era;
use annals_rules::seeded::Rng;

use crate::search_places::{after, scattered, search};

/// Each piece of the full set with a chance of so many in ten, on any square that is free, whoever may have
/// won.
fn anything(rng: &mut Rng, in_ten: u32) -> Position {
    let mut placed = Vec::new();
    let mut taken = 0u64;
    for side in Side::BOTH {
        for (piece, count) in Piece::ALL.iter().zip([8, 2, 2, 2, 1, 1]) {
            for _ in 0..count {
                let Some(square) = Square::new(rng.below(64) as u8) else { continue };
                if rng.below(10) < in_ten && taken & square.bit() == 0 {
                    taken |= square.bit();
                    placed.push((square, side, *piece));
                }
            }
        }
    }
    match Board::from_pieces(placed) {
        Ok(board) => Position::new(board, *rng.pick(&Side::BOTH)),
        // Somebody stands alone on a trap.
        Err(_) => anything(rng, in_ten),
    }
}

#[test]
fn boards_that_no_game_reaches_are_searched_without_a_panic() {
    let mut rng = Rng::of(&[21]);
    let mut searchers = [0, 1].map(|hash_mib| {
        Searcher::new(Arc::new(Annals), SearchOptions { hash_mib, ..SearchOptions::default() })
    });
    let (mut searched, mut without) = (0, 0);
    for number in 0..6_000u32 {
        let place = anything(&mut rng, [1, 3, 6, 10][number as usize % 4]);
        let most = u64::from(rng.below(120));
        let depth = [None, Some(rng.below(60) as u16)][number as usize / 4 % 2];
        let limits = Limits { depth, nodes: Some(most), time: None };
        let searcher = &mut searchers[number as usize % 2];
        match searcher.search(&place, &Past::new(), &limits, &AtomicBool::new(false), &mut |_| {}) {
            Some(found) => {
                after(&place, &found.turn);
                searched += 1;
            }
            None => {
                assert!(!place.has_turn(), "{place}");
                without += 1;
            }
        }
    }
    assert!(searched > 5_000 && without > 20, "{searched}, {without}");
}

/// A search that is cut off before it saw the other side's turn looks at least whether that is a goal.
#[test]
fn even_with_a_single_node_no_goal_is_given_that_can_be_helped() {
    let mut rng = Rng::of(&[22]);
    let mut searcher =
        Searcher::new(Arc::new(Annals), SearchOptions { hash_mib: 1, ..SearchOptions::default() });
    let mut generator = Generator::new();
    let goal = |position: &Position| goal_steps(&Steps::begin(position)).is_some();
    let (mut helped, mut lost) = (0, 0);
    for number in 0..500 {
        let place = scattered(&mut rng, 2, 3);
        if goal(&place) || !goal(&place.passed()) {
            continue;
        }
        let gives = |after: &Position| match after.outcome(Era::Modern, |_| 0) {
            Some(outcome) => outcome.winner != Some(place.to_move()),
            None => goal(after),
        };
        let mut safe = false;
        generator.for_each(&place, |after, _| safe |= !gives(after));
        let found = search(&mut searcher, &place, &Limits::nodes([1, 30, 200][number % 3])).unwrap();
        assert_eq!(gives(&after(&place, &found.turn)), !safe, "{place}: {}", found.turn);
        helped += usize::from(safe);
        lost += usize::from(!safe);
    }
    assert!(helped > 30 && lost > 10, "{helped}, {lost}");
}
