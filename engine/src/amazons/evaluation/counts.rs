//! Evaluators of a single count.

use annals_events::Side;
use annals_rules::amazons::{Closer, Position};

use super::{Evaluator, Shares, explanation, for_the_mover, worth_for};
use crate::evaluation::Explanation;

const SQUARE: i32 = 100;

/// Value to the mover of a square that both reach equally soon.
pub(super) const TIE: i32 = 15;

/// Each side's squares, and the mover's share of ties.
fn closer(closer: &Closer, to_move: Side) -> [Shares; 2] {
    let squares = closer.counts().map(|count| count as i32 * SQUARE);
    [squares, for_the_mover(to_move, closer.tie.count_ones() as i32 * TIE)]
}

fn sum([squares, ties]: [Shares; 2], to_move: Side) -> i32 {
    worth_for(to_move, squares) + worth_for(to_move, ties)
}

/// Squares reached in fewer queen's moves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Queens;

impl Evaluator for Queens {
    fn name(&self) -> &str {
        "queens"
    }

    fn about(&self) -> &str {
        "squares that a side reaches in fewer queen's moves than the other"
    }

    fn evaluate(&self, position: &Position) -> i32 {
        sum(closer(&position.board().closer_by_queen(), position.to_move()), position.to_move())
    }

    fn explain(&self, position: &Position) -> Explanation {
        let [squares, ties] = closer(&position.board().closer_by_queen(), position.to_move());
        let parts = [("queen_territory", squares, Vec::new()), ("tempo", ties, Vec::new())];
        explanation(self.name(), position, parts)
    }
}

/// Squares reached in fewer king's moves, or by one side only.
#[derive(Debug, Clone, Copy, Default)]
pub struct Territory;

impl Evaluator for Territory {
    fn name(&self) -> &str {
        "territory"
    }

    fn about(&self) -> &str {
        "squares that a side reaches in fewer king's moves than the other, or alone"
    }

    fn evaluate(&self, position: &Position) -> i32 {
        sum(closer(&position.board().closer_by_king(), position.to_move()), position.to_move())
    }

    fn explain(&self, position: &Position) -> Explanation {
        let [squares, ties] = closer(&position.board().closer_by_king(), position.to_move());
        let parts = [("king_territory", squares, Vec::new()), ("tempo", ties, Vec::new())];
        explanation(self.name(), position, parts)
    }
}

/// Legal moves, a hundredth of a square each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mobility;

fn moves(position: &Position) -> Shares {
    Side::BOTH.map(|side| i32::try_from(position.board().count_moves(side)).unwrap_or(i32::MAX / 4))
}

impl Evaluator for Mobility {
    fn name(&self) -> &str {
        "mobility"
    }

    fn about(&self) -> &str {
        "legal moves, a hundred of them as much as a square"
    }

    fn evaluate(&self, position: &Position) -> i32 {
        worth_for(position.to_move(), moves(position))
    }

    fn explain(&self, position: &Position) -> Explanation {
        explanation(self.name(), position, [("moves", moves(position), Vec::new())])
    }
}
