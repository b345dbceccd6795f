//! The default evaluator: nearness to squares in queen's and king's moves, and the queens' freedom. The terms are from
//! Lieberum, "An evaluation function for the game of Amazons" (2005), with other weights.
//!
//! The stage of the game is measured by what is still contested: every square that both sides reach counts one half per
//! move of difference. While much is open, squares change hands easily and general nearness counts more; in the end
//! only squares count.

use annals_events::Side;
use annals_rules::amazons::{Board, Distances, Position};

use super::{Evaluator, Shares, counts, explanation, for_the_mover, worth_for};
use crate::evaluation::Explanation;

#[derive(Debug, Clone, Copy, Default)]
pub struct Annals;

/// A fully open position: contested squares in 256ths.
const OPEN: i32 = 60 * 256;

/// Weights, of 256, when nothing, half and all is open: queens' territory, kings' territory, nearness in queen's moves,
/// lead in king's moves; interpolated between. While all is open a queen is everywhere in two moves, and king's moves
/// predict more. The values won most test games.
const WEIGHTS: [[i32; 4]; 3] = [[205, 26, 13, 13], [60, 80, 45, 55], [16, 110, 24, 44]];

/// The penalty of few contested squares in a queen's sight, when all is open: this divided by those squares and
/// [`FREEDOM`].
const CONFINED: i32 = 1_800;
const FREEDOM: i32 = 3;

const TERMS: usize = 6;

/// The first four count a side's squares, the fifth what its queens lack.
const NAMES: [&str; TERMS] =
    ["queen_territory", "king_territory", "nearness", "king_lead", "freedom", "tempo"];

impl Evaluator for Annals {
    fn name(&self) -> &str {
        "annals"
    }

    fn about(&self) -> &str {
        "nearness to the squares in queen's and king's moves, weighted by how much is open, and freedom of the queens"
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let (terms, _) = terms(position);
        terms.iter().map(|shares| worth_for(position.to_move(), *shares)).sum()
    }

    fn explain(&self, position: &Position) -> Explanation {
        let (terms, openness) = terms(position);
        let board = position.board();
        let mut reasons: [Vec<String>; TERMS] = Default::default();
        let [queens, kings] = [board.closer_by_queen(), board.closer_by_king()];
        for (reasons, closer) in reasons.iter_mut().zip([queens, kings]) {
            let [white, black] = closer.counts();
            reasons.push(format!("White is nearer to {white}, Black to {black}"));
            reasons.push(format!("{} are equally far", closer.tie.count_ones()));
        }
        reasons[4] = freedom_in_words(board);
        reasons[5].push(format!("{} % of the game is open", openness * 100 / 256));
        let parts =
            NAMES.into_iter().zip(terms).zip(reasons).map(|((name, shares), why)| (name, shares, why));
        explanation(self.name(), position, parts)
    }
}

/// Terms in the order of [`NAMES`], and the openness, of 256.
fn terms(position: &Position) -> ([Shares; TERMS], i32) {
    let board = position.board();
    let queen = Side::BOTH.map(|side| board.queen_distances(side));
    let between = between(&queen);
    if between == 0 {
        // Nothing is contested: only squares count.
        let (squares, _) = territory(&queen);
        let mut terms = [[0; 2]; TERMS];
        terms[0] = squares.map(|count| count * 100);
        return (terms, 0);
    }
    let king = Side::BOTH.map(|side| board.king_distances(side));
    let openness = between.min(OPEN) * 256 / OPEN;
    let weight = |i: usize| {
        let [closed, half, open] = WEIGHTS.map(|weights| weights[i]);
        if openness < 128 {
            closed + (half - closed) * openness / 128
        } else {
            half + (open - half) * (openness - 128) / 128
        }
    };
    let (queens, queens_tie) = territory(&queen);
    let (kings, kings_tie) = territory(&king);
    let weighed = |shares: Shares, i: usize| shares.map(|share| share * weight(i) / 256);
    let ties = (queens_tie * weight(0) + kings_tie * weight(1)) * counts::TIE / 256;
    let terms = [
        weighed(queens.map(|count| count * 100), 0),
        weighed(kings.map(|count| count * 100), 1),
        weighed([nearness(&queen[0]), nearness(&queen[1])], 2),
        weighed([king_lead(&king[0]), king_lead(&king[1])], 3),
        confinement(board, &queen).map(|lack| -lack * openness / 256),
        for_the_mover(position.to_move(), ties),
    ];
    (terms, openness)
}

/// Squares nearer to each side, and those equally far.
#[inline]
fn territory(distances: &[Distances; 2]) -> (Shares, i32) {
    let [white, black] = [distances[0].layers(), distances[1].layers()];
    let (mut unseen, mut counts, mut tie) = (!0u128, [0u128; 2], 0u128);
    for (white, black) in white.iter().zip(black) {
        let (white, black) = (white & unseen, black & unseen);
        counts[0] |= white & !black;
        counts[1] |= black & !white;
        tie |= white & black;
        unseen &= !(white | black);
    }
    (counts.map(|set| set.count_ones() as i32), tie.count_ones() as i32)
}

/// Contested squares in 256ths: those that both reach, halved per move of difference.
#[inline]
fn between(distances: &[Distances; 2]) -> i32 {
    let [white, black] = [distances[0].layers(), distances[1].layers()];
    let mut sum = 0;
    for (i, white) in white.iter().enumerate().filter(|(_, white)| **white != 0) {
        for (j, black) in black.iter().enumerate() {
            let both = white & black;
            if both != 0 {
                sum += (both.count_ones() as i32) << 8 >> i.abs_diff(j);
            }
        }
    }
    sum
}

/// Nearness to squares: each counts two, halved per queen's move.
#[inline]
fn nearness(distances: &Distances) -> i32 {
    let worths = distances.layers().iter().zip(0..);
    worths.map(|(layer, halvings)| (layer.count_ones() as i32 * 100) >> halvings).sum()
}

/// Nearness in king's moves: a sixth of a square per move below seven.
#[inline]
fn king_lead(distances: &Distances) -> i32 {
    let moves = distances.layers().iter().zip(1..7);
    moves.map(|(layer, moves)| layer.count_ones() as i32 * (7 - moves)).sum::<i32>() * 100 / 6
}

/// What each side's queens lack in freedom: of the squares in sight, those count that the other side can reach too.
#[inline]
fn confinement(board: &Board, distances: &[Distances; 2]) -> Shares {
    Side::BOTH.map(|side| {
        let contested = board.vacant() & !distances[side.other().index()].unreached();
        let queens = board.size().squares(board.queens(side));
        queens.map(|queen| lack((board.seen(queen) & contested).count_ones())).sum()
    })
}

#[inline]
fn lack(seen: u32) -> i32 {
    CONFINED / (seen as i32 + FREEDOM)
}

/// Each queen with the squares in its sight.
fn freedom_in_words(board: &Board) -> Vec<String> {
    let mut words = Vec::new();
    for (side, name) in Side::BOTH.into_iter().zip(["White's", "Black's"]) {
        let contested = board.vacant() & !board.queen_distances(side.other()).unreached();
        for queen in board.size().squares(board.queens(side)) {
            let seen = (board.seen(queen) & contested).count_ones();
            words.push(format!("{name} {queen} sees {seen} that are open to both"));
        }
    }
    words
}
