//! Turns of chance, so that games of the same players differ.

use annals_rules::arimaa::{Generator, Position, Steps, Turn};
use annals_rules::game::Era;
use annals_rules::seeded::Rng;

use crate::search::Past;
use crate::threats;

/// How often a turn is drawn again because it loses at once.
const DRAWS: usize = 50;

/// Any distinct turn, each equally likely among those that do not lose at once: neither by what the board says after it, nor by
/// a goal of the other side in its next turn. None where none was found.
pub(super) fn any_turn(
    generator: &mut Generator,
    position: &Position,
    past: &Past,
    rng: &mut Rng,
) -> Option<Turn> {
    let mut turns = Vec::new();
    generator.for_each(position, |after, turn| {
        if !past.forbids(after.hash()) {
            turns.push((*turn, *after));
        }
    });
    for _ in 0..DRAWS.min(turns.len()) {
        let (turn, after) = rng.pick(&turns);
        if !loses_at_once(after) {
            return Some(*turn);
        }
    }
    None
}

fn loses_at_once(after: &Position) -> bool {
    match after.outcome(Era::Modern, |_| 0) {
        Some(outcome) => outcome.winner == Some(after.to_move()),
        None => threats::goal_steps(&Steps::begin(after)).is_some(),
    }
}
