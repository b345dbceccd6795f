//! Whether the side whose turn it is can put a rabbit on its goal rank within the turn.

use annals_rules::arimaa::bitboard::GOAL;
use annals_rules::arimaa::{MOST_STEPS, Pending, Piece, Position, Steps, Turn};

/// The fewest further steps of this turn after which a rabbit of the side that makes the turn stands on its goal rank, with
/// no push left open; 0 where one stands there, none where the rest of the turn does not suffice.
#[must_use]
pub fn goal_steps(steps: &Steps) -> Option<u8> {
    (0..=MOST_STEPS - steps.made()).find(|most| within(steps, *most, &mut Vec::new()))
}

/// A turn that wins by goal, with the fewest steps; none where there is none.
#[must_use]
pub fn goal_turn(position: &Position) -> Option<Turn> {
    let steps = Steps::begin(position);
    let most = goal_steps(&steps)?;
    let mut tokens = Vec::new();
    within(&steps, most, &mut tokens).then(|| {
        let mut turn = Turn::EMPTY;
        for token in tokens.into_iter().rev() {
            turn.push(token);
        }
        position.with_captures(&turn).unwrap_or(turn)
    })
}

fn within(steps: &Steps, most: u8, line: &mut Vec<annals_rules::arimaa::Token>) -> bool {
    let rabbits = steps.board().bits(steps.mover(), Piece::Rabbit);
    if rabbits & GOAL[steps.mover().index()] != 0 && !matches!(steps.pending(), Pending::Push { .. }) {
        return true;
    }
    if most == 0 {
        return false;
    }
    let mut reached = false;
    steps.for_each_next(|next| {
        let mut after = *steps;
        after.take(next);
        reached = within(&after, most - 1, line);
        if reached {
            line.push(next.token());
        }
        !reached
    });
    reached
}
