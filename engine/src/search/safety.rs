//! A last check of a turn if the search did not reach the reply: whether it allows a goal, and which turn does not. All
//! distinct turns are examined with exact goal detection, which takes milliseconds; only for turns that lose at once,
//! in searches of a few hundred positions.

use std::time::Instant;

use annals_events::Side;
use annals_rules::arimaa::{Generator, Position, Steps, Turn};
use annals_rules::game::{Era, Strictness};

use super::Past;
use super::tree::goal_is_near;
use crate::evaluation::Evaluator;
use crate::{Score, threats};

/// Turns between looks at the clock.
const BETWEEN_LOOKS: u32 = 64;

/// On the board, or to a goal in reply.
pub(super) fn loses_at_once(position: &Position, turn: &Turn) -> bool {
    let mover = position.to_move();
    position.play(turn, Strictness::Strict).is_ok_and(|(after, _)| verdict(&after, mover) == Outlook::Lost)
}

/// The best turn that does not lose at once, with its value; the first of equal ones, and with a time limit the best so
/// far. None if all lose.
pub(super) fn best_safe_turn(
    position: &Position,
    past: &Past,
    evaluator: &dyn Evaluator,
    until: Option<Instant>,
) -> Option<(Score, Turn)> {
    let mover = position.to_move();
    let mut best: Option<(Score, Turn)> = None;
    let (mut looked, mut late) = (0u32, false);
    Generator::new().for_each(position, |after, turn| {
        if late || past.forbids(after.hash()) {
            return;
        }
        looked += 1;
        late = looked.is_multiple_of(BETWEEN_LOOKS) && until.is_some_and(|until| Instant::now() >= until);
        let score = match verdict(after, mover) {
            Outlook::Lost => return,
            Outlook::Won => Score::win_in(u16::try_from(turn.steps()).unwrap_or(u16::MAX)),
            Outlook::Open => -Score::centirabbits(evaluator.evaluate(&Steps::begin(after))),
        };
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, *turn));
        }
    });
    best
}

/// The outcome after a turn, as far as it follows without search.
#[derive(PartialEq, Eq)]
enum Outlook {
    Won,
    Lost,
    Open,
}

fn verdict(after: &Position, mover: Side) -> Outlook {
    match after.outcome(Era::Modern, |_| 0) {
        Some(outcome) if outcome.winner == Some(mover) => Outlook::Won,
        Some(_) => Outlook::Lost,
        None => {
            let reply = Steps::begin(after);
            if goal_is_near(&reply) && threats::goal_steps(&reply).is_some() {
                Outlook::Lost
            } else {
                Outlook::Open
            }
        }
    }
}
