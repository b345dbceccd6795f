//! Setups.

use annals_events::{Side, closed_words};
use annals_rules::arimaa::{Action, Board, Piece, Square, Token, Turn};
use annals_rules::seeded::Rng;

use Piece::{Camel as M, Cat as C, Dog as D, Elephant as E, Horse as H, Rabbit as R};

closed_words! {
    /// How a player sets up.
    #[derive(Default)]
    pub enum SetupStyle, "setup style" {
        /// Always the same sound setup.
        #[default]
        Fixed = "fixed",
        /// A sound setup, varied by the seed.
        Varied = "varied",
        /// Any setup, by the seed.
        Random = "random",
    }
}

/// A side's two ranks from the a-file: the first, then the second.
type Ranks = [[Piece; 8]; 2];

/// Elephant in the middle, cats or dogs behind the traps, horses on the wings, rabbits at the edge. The first is the
/// fixed one. All may be mirrored.
const SOUND: [Ranks; 8] = [
    [[R, R, R, D, D, R, R, R], [R, H, C, E, M, C, H, R]],
    [[R, R, R, C, C, R, R, R], [R, H, D, E, M, D, H, R]],
    [[R, R, R, D, C, R, R, R], [R, H, C, E, M, D, H, R]],
    [[R, R, R, R, R, R, R, R], [D, H, C, E, M, C, H, D]],
    [[R, R, R, R, R, R, R, R], [H, D, C, E, M, C, D, H]],
    [[R, R, C, R, R, C, R, R], [R, H, D, E, M, D, H, R]],
    [[R, R, R, D, D, R, R, R], [R, H, C, M, E, C, H, R]],
    [[R, R, R, C, D, R, R, R], [R, M, C, H, E, D, H, R]],
];

/// `board` has the other side's setup, if any.
pub(super) fn set_up(style: SetupStyle, seed: u64, side: Side, board: &Board) -> Turn {
    let mut rng = Rng::of(&[seed, side.index() as u64]);
    let ranks = match style {
        SetupStyle::Fixed => SOUND[0],
        SetupStyle::Varied => {
            let ranks = *rng.pick(&SOUND);
            let mirrored = ranks.map(reversed);
            let by_chance = rng.chance(500);
            match answers(&ranks, board, side.other()).cmp(&answers(&mirrored, board, side.other())) {
                std::cmp::Ordering::Greater => ranks,
                std::cmp::Ordering::Less => mirrored,
                std::cmp::Ordering::Equal if by_chance => mirrored,
                std::cmp::Ordering::Equal => ranks,
            }
        }
        SetupStyle::Random => {
            let mut all: Vec<Piece> = SOUND[0].as_flattened().to_vec();
            rng.shuffle(&mut all);
            let rank = |from: usize| std::array::from_fn(|file| all.get(from + file).copied().unwrap_or(R));
            [rank(0), rank(8)]
        }
    };
    placed(&ranks, side)
}

fn reversed(mut rank: [Piece; 8]) -> [Piece; 8] {
    rank.reverse();
    rank
}

/// How well a setup answers the other's: distance of the camel from the enemy elephant, then of the elephant from the
/// enemy camel. Equal without an enemy setup.
fn answers(ranks: &Ranks, board: &Board, other: Side) -> (i32, i32) {
    let theirs = |piece| {
        let square = board.bits(other, piece);
        (square != 0).then_some((square.trailing_zeros() % 8) as i32)
    };
    let ours = |piece: Piece| {
        let at = ranks.as_flattened().iter().position(|&placed| placed == piece);
        (at.unwrap_or(0) % 8) as i32
    };
    let between = |piece, other| theirs(other).map_or(0, |file: i32| (file - ours(piece)).abs());
    (between(M, E), -between(E, M))
}

fn placed(ranks: &Ranks, side: Side) -> Turn {
    let numbers = match side {
        Side::Gold => [0, 1],
        Side::Silver => [7, 6],
    };
    let mut turn = Turn::EMPTY;
    for (rank, row) in numbers.into_iter().zip(ranks) {
        for (file, piece) in (0..).zip(row) {
            if let Some(square) = Square::at(file, rank) {
                turn.push(Token::new(side, *piece, square, Action::Place));
            }
        }
    }
    turn
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use annals_rules::arimaa::Setup;
    use annals_rules::game::Strictness;

    use super::*;

    fn both(style: SetupStyle, seed: u64) -> [Board; 2] {
        let gold = set_up(style, seed, Side::Gold, &Board::EMPTY);
        let gold = Setup::play(Board::EMPTY, Side::Gold, &gold, Strictness::Strict).unwrap();
        let silver = set_up(style, seed, Side::Silver, &gold);
        [gold, Setup::play(gold, Side::Silver, &silver, Strictness::Strict).unwrap()]
    }

    fn file(board: &Board, side: Side, piece: Piece) -> i32 {
        (board.bits(side, piece).trailing_zeros() % 8) as i32
    }

    #[test]
    fn every_style_sets_up_legally_and_only_the_fixed_one_is_always_the_same() {
        for (style, least, most) in
            [(SetupStyle::Fixed, 1, 1), (SetupStyle::Varied, 40, 200), (SetupStyle::Random, 200, 200)]
        {
            let different: BTreeSet<String> = (0..200).map(|seed| both(style, seed)[1].to_short()).collect();
            assert!((least..=most).contains(&different.len()), "{style:?}: {}", different.len());
            assert_eq!(both(style, 7), both(style, 7));
        }
    }

    #[test]
    fn silver_keeps_its_camel_from_the_elephant_that_stands_already() {
        for seed in 0..200 {
            let [_, board] = both(SetupStyle::Varied, seed);
            let elephant = file(&board, Side::Gold, E);
            let camel = file(&board, Side::Silver, M);
            let mirrored = 7 - camel;
            assert!((camel - elephant).abs() >= (mirrored - elephant).abs(), "{board}");
            assert_ne!(camel, elephant, "{board}");
        }
    }
}
