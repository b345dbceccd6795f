//! Leaves at the beginning of a turn: captures within the turn are followed on their shortest ways; everything else is
//! left to the evaluator.

use annals_rules::arimaa::{MOST_STEPS, Steps};

use super::tree::Tree;
use super::worth::ILLEGAL;
use crate::threats::{self, Captures};

impl Tree<'_> {
    /// For the side that makes the turn: stand pat or capture.
    pub(super) fn quiet(&mut self, steps: &Steps, alpha: i32, beta: i32, ply: u16) -> i32 {
        let stand = self.evaluate(steps);
        if stand >= beta || steps.made() >= MOST_STEPS {
            return stand;
        }
        let captures = threats::captures(steps);
        let at_hand = captures.fewest.iter().flatten().any(|fewest| *fewest <= AT_HAND);
        if !at_hand || stand + most_gained(&captures) <= alpha {
            return stand;
        }
        self.capture(steps, &captures, stand, alpha.max(stand), beta, ply)
    }

    /// Tries steps towards a capture; `stand` is the value of doing nothing.
    fn capture(
        &mut self,
        steps: &Steps,
        captures: &Captures,
        stand: i32,
        mut alpha: i32,
        beta: i32,
        ply: u16,
    ) -> i32 {
        let mut next_steps = Vec::new();
        steps.for_each_next(|next| {
            next_steps.push(next);
            true
        });
        let enemy = steps.mover().other();
        let mut best = stand;
        for next in next_steps {
            let mut after = *steps;
            let captured = after.take(next).is_some_and(|capture| capture.side() == enemy);
            let worth = if captured && !after.is_push_open() {
                self.statistics.nodes += 1;
                self.quiet(&after, alpha, beta, ply + 1)
            } else if captured {
                self.statistics.nodes += 1;
                self.completed_push(&after, alpha, beta, ply + 1)
            } else if after.made() < MOST_STEPS {
                let left = threats::captures(&after);
                if !is_nearer(captures, &left) {
                    continue;
                }
                self.statistics.nodes += 1;
                self.capture(&after, &left, ILLEGAL, alpha, beta, ply + 1)
            } else {
                continue;
            };
            if worth > best {
                best = worth;
                alpha = alpha.max(worth);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    /// A push that captured with its first step: the pusher follows.
    fn completed_push(&mut self, steps: &Steps, alpha: i32, beta: i32, ply: u16) -> i32 {
        let mut best = ILLEGAL;
        let mut pushers = Vec::new();
        steps.for_each_next(|next| {
            pushers.push(next);
            true
        });
        for next in pushers {
            let mut after = *steps;
            after.take(next);
            self.statistics.nodes += 1;
            best = best.max(self.quiet(&after, alpha.max(best), beta, ply + 1));
            if best >= beta {
                break;
            }
        }
        best
    }
}

/// Most steps of a capture that is followed: a push or pull. Longer ones cost more than they gain.
const AT_HAND: u8 = 2;

/// An upper bound of the gain by the captures: twice the material.
fn most_gained(captures: &Captures) -> i32 {
    const WORTH: [i32; 6] = [300, 500, 600, 1000, 1800, 3600];
    let possible = captures.fewest.iter().zip(WORTH).filter(|(fewest, _)| fewest.is_some());
    possible.map(|(_, worth)| worth).max().unwrap_or(0)
}

/// Whether a step was on the shortest way to a capture.
fn is_nearer(before: &Captures, after: &Captures) -> bool {
    before.fewest.iter().zip(&after.fewest).any(|(before, after)| match (before, after) {
        (Some(before), Some(after)) => after < before,
        _ => false,
    })
}
