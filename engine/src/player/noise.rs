//! Random turns, so that games differ.

use annals_rules::arimaa::{Generator, Position, Steps, Turn};
use annals_rules::game::Era;
use annals_rules::seeded::Rng;

use crate::search::Past;
use crate::threats;

/// Draws of a turn that does not lose at once.
const DRAWS: usize = 50;

/// A uniformly random distinct turn that does not lose at once, on the board or by a goal in reply; none if none was
/// found.
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
