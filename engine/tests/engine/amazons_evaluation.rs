//! Evaluators of the Amazons: the same for both colours and for the board turned, the sum of their terms, and distances
//! as they are found by walking.

use std::collections::VecDeque;

use annals_engine::amazons::Registry;
use annals_events::Side;
use annals_rules::amazons::{Board, Distances, Position, Square, Symmetry};
use annals_rules::seeded::Rng;

use crate::amazons_places::{after, exchanged, scattered};

fn places() -> Vec<Position> {
    let mut rng = Rng::of(&[5]);
    let mut places: Vec<Position> = (0..70).map(|moves| after(&mut rng, moves)).collect();
    for (files, ranks, queens, blocks) in
        [(4, 4, 1, 3), (6, 6, 2, 9), (8, 8, 4, 20), (5, 9, 2, 10), (11, 11, 4, 30)]
    {
        places.extend((0..20).map(|_| scattered(&mut rng, files, ranks, queens, blocks)));
    }
    places.retain(|place| place.winner().is_none());
    places
}

#[test]
fn no_evaluator_prefers_a_colour_or_a_corner() {
    let registry = Registry::standard();
    for place in places() {
        for evaluator in registry.iter() {
            let worth = evaluator.evaluate(&place);
            assert_eq!(evaluator.evaluate(&exchanged(&place)), worth, "{}: {place}", evaluator.name());
            for symmetry in Symmetry::of(place.board().size()) {
                let turned = symmetry.position(&place);
                assert_eq!(evaluator.evaluate(&turned), worth, "{}: {place}", evaluator.name());
            }
        }
    }
}

#[test]
fn an_explanation_adds_up_to_the_worth() {
    let registry = Registry::standard();
    assert_eq!(
        registry.iter().map(|one| one.name()).collect::<Vec<_>>(),
        ["annals", "mobility", "queens", "territory"]
    );
    for place in places() {
        for evaluator in registry.iter() {
            let explanation = evaluator.explain(&place);
            assert_eq!(explanation.worth, evaluator.evaluate(&place), "{}: {place}", evaluator.name());
            assert!(!explanation.terms.is_empty());
        }
    }
}

#[test]
fn evaluators_tell_good_from_bad() {
    let registry = Registry::standard();
    // White has nine squares to itself, Black's queen is shut in but for one.
    let place: Position = "w [...x./...xB/xxxxx/...x./W..xx]".parse().unwrap();
    for evaluator in registry.iter() {
        assert!(evaluator.evaluate(&place) > 0, "{}", evaluator.name());
    }
}

/// Distances by walking from square to square, one move after the other.
fn walked(board: &Board, side: Side, far: i32) -> Vec<(Square, usize)> {
    let size = board.size();
    let vacant = |square: Square| size.bit(square) & board.vacant() != 0;
    let mut found: Vec<(Square, usize)> = Vec::new();
    let mut queue: VecDeque<(Square, usize)> = size.squares(board.queens(side)).map(|s| (s, 0)).collect();
    while let Some((from, moves)) = queue.pop_front() {
        for (files, ranks) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            for length in 1..=far {
                let at = |from: u8, step: i32| u8::try_from(i32::from(from) + step * length).ok();
                let (Some(file), Some(rank)) = (at(from.file(), files), at(from.rank(), ranks)) else {
                    break;
                };
                let Some(to) = Square::at(file, rank).filter(|to| vacant(*to)) else { break };
                if found.iter().all(|(seen, _)| *seen != to) {
                    found.push((to, moves + 1));
                    queue.push_back((to, moves + 1));
                }
            }
        }
    }
    found
}

#[test]
fn distances_are_those_that_are_walked() {
    for place in places().iter().step_by(3) {
        let board = place.board();
        for side in Side::BOTH {
            for (distances, far) in [(board.queen_distances(side), 30), (board.king_distances(side), 1)] {
                let mut layers = [0u128; Distances::FAR];
                for (square, moves) in walked(board, side, far) {
                    layers[moves.min(Distances::FAR) - 1] |= board.size().bit(square);
                }
                assert_eq!(&layers, distances.layers(), "{place}");
                let all = layers.iter().fold(0, |all, layer| all | layer);
                assert_eq!(distances.unreached(), board.vacant() & !all);
            }
        }
        let closer = board.closer_by_queen();
        let near = |side: Side| board.queen_distances(side).layers()[0];
        assert_eq!(near(Side::Gold) & near(Side::Silver) & !closer.tie, 0, "{place}");
        for side in Side::BOTH {
            for queen in board.size().squares(board.queens(side)) {
                assert_eq!(board.seen(queen) & !near(side), 0, "{place}");
            }
        }
    }
}
