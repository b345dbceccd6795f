//! The default evaluator: nearness to squares in queen's and king's moves, and the queens' freedom. The terms are from
//! Lieberum, "An evaluation function for the game of Amazons" (2005). The parameters are fitted to games of the
//! engine.
//!
//! The stage of the game is measured by what is still contested: every square that both sides reach counts one half per
//! move of difference. While much is open, squares change hands easily and general nearness counts more; in the end
//! only squares count.

use annals_events::Side;
use annals_rules::amazons::{Board, Distances, Position};

use super::{Evaluator, Shares, counts, explanation, for_the_mover, worth_for};
use crate::evaluation::Explanation;

/// The evaluator with the fitted parameters.
#[derive(Debug, Clone, Copy, Default)]
pub struct Annals;

/// [`Annals`] with other parameters; not in the standard registry.
#[derive(Debug, Clone, Copy)]
pub struct AnnalsWith(pub Parameters);

/// A fully open position: contested squares in 256ths.
const OPEN: i32 = 60 * 256;

/// When nothing, half and all is open; interpolated between.
pub type Weight = [i32; 3];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// Squares nearer in queen's moves: of 256, as the next two.
    pub queen_territory: Weight,
    pub king_territory: Weight,
    pub king_lead: Weight,
    /// The turn, in hundredths of a square.
    pub tempo: Weight,
    /// The penalty of few contested squares in a queen's sight, when all is open: this divided by those squares and three.
    pub confined: i32,
}

/// `examples/amazons_weights.rs` fits and prints them.
const FITTED: Parameters = Parameters {
    queen_territory: [213, 35, -9],
    king_territory: [43, 44, 36],
    king_lead: [15, 157, 56],
    tempo: [61, 66, 105],
    confined: 3_285,
};

/// Those of [`Annals`].
impl Default for Parameters {
    fn default() -> Parameters {
        FITTED
    }
}

const TERMS: usize = 5;

/// The first three count a side's squares, the fourth what its queens lack.
const NAMES: [&str; TERMS] = ["queen_territory", "king_territory", "king_lead", "freedom", "tempo"];

impl Evaluator for Annals {
    fn name(&self) -> &str {
        "annals"
    }

    fn about(&self) -> &str {
        "nearness to the squares in queen's and king's moves, weighted by how much is open, and freedom of the queens"
    }

    fn evaluate(&self, position: &Position) -> i32 {
        evaluate(position, &FITTED)
    }

    fn explain(&self, position: &Position) -> Explanation {
        explain(position, &FITTED)
    }
}

impl Evaluator for AnnalsWith {
    fn name(&self) -> &str {
        Annals.name()
    }

    fn about(&self) -> &str {
        Annals.about()
    }

    fn evaluate(&self, position: &Position) -> i32 {
        evaluate(position, &self.0)
    }

    fn explain(&self, position: &Position) -> Explanation {
        explain(position, &self.0)
    }
}

fn evaluate(position: &Position, parameters: &Parameters) -> i32 {
    let (terms, _) = terms(position, parameters);
    terms.iter().map(|shares| worth_for(position.to_move(), *shares)).sum()
}

fn explain(position: &Position, parameters: &Parameters) -> Explanation {
    let (terms, openness) = terms(position, parameters);
    let board = position.board();
    let mut reasons: [Vec<String>; TERMS] = Default::default();
    let [queens, kings] = [board.closer_by_queen(), board.closer_by_king()];
    for (reasons, closer) in reasons.iter_mut().zip([queens, kings]) {
        let [white, black] = closer.counts();
        reasons.push(format!("White is nearer to {white}, Black to {black}"));
        reasons.push(format!("{} are equally far", closer.tie.count_ones()));
    }
    reasons[3] = freedom_in_words(board);
    reasons[4].push(format!("{} % of the game is open", openness * 100 / 256));
    let parts = NAMES.into_iter().zip(terms).zip(reasons).map(|((name, shares), why)| (name, shares, why));
    explanation(Annals.name(), position, parts)
}

/// Terms in the order of [`NAMES`], and the openness, of 256.
fn terms(position: &Position, parameters: &Parameters) -> ([Shares; TERMS], i32) {
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
    let weight = |[closed, half, open]: Weight| match openness {
        0..128 => closed + (half - closed) * openness / 128,
        _ => half + (open - half) * (openness - 128) / 128,
    };
    let [by_queen, by_king] = [parameters.queen_territory, parameters.king_territory].map(weight);
    let (queens, queens_tie) = territory(&queen);
    let (kings, kings_tie) = territory(&king);
    let weighed = |shares: Shares, weight: i32| shares.map(|share| share * weight / 256);
    let ties = (queens_tie * by_queen + kings_tie * by_king) * counts::TIE / 256;
    let terms = [
        weighed(queens.map(|count| count * 100), by_queen),
        weighed(kings.map(|count| count * 100), by_king),
        weighed([king_lead(&king[0]), king_lead(&king[1])], weight(parameters.king_lead)),
        confinement(board, &queen, parameters.confined).map(|lack| -lack * openness / 256),
        for_the_mover(position.to_move(), ties + weight(parameters.tempo)),
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

/// Nearness in king's moves: a sixth of a square per move below seven.
#[inline]
fn king_lead(distances: &Distances) -> i32 {
    let moves = distances.layers().iter().zip(1..7);
    moves.map(|(layer, moves)| layer.count_ones() as i32 * (7 - moves)).sum::<i32>() * 100 / 6
}

/// What each side's queens lack in freedom: of the squares in sight, those count that the other side can reach too.
#[inline]
fn confinement(board: &Board, distances: &[Distances; 2], confined: i32) -> Shares {
    Side::BOTH.map(|side| {
        let contested = board.vacant() & !distances[side.other().index()].unreached();
        let queens = board.size().squares(board.queens(side));
        queens.map(|queen| confined / ((board.seen(queen) & contested).count_ones() as i32 + 3)).sum()
    })
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
