//! Alpha-beta over steps with zero windows for all but the first (principal variation search). Values keep their sign
//! within a turn and change it at its end.
//!
//! Depth counts steps, four per turn: ending a turn early uses up its remaining steps, so that all lines of a depth end
//! at the same point of a turn. A begun push is always completed.
//!
//! # Dependence on the path
//!
//! A turn may not restore the board or bring about a position for the third time. So a table key covers board, mover,
//! steps made, what the last step left open, the position at the start of the turn (if a step was made), and the
//! positions that occurred twice in the game or on the path: no value is used under other prohibitions. Not covered are
//! positions that occurred once and would recur twice below, which takes at least four turns to and fro within one
//! search; then only the value is that of another path, and turns are checked again at the root.

use annals_events::Side;
use annals_rules::arimaa::bitboard::{GOAL, neighbours};
use annals_rules::arimaa::{MOST_STEPS, Pending, Piece, Position, Square, Steps};

use super::best_lines::BestLines;
use super::budget::Budget;
use super::found::Statistics;
use super::line::PASS;
use super::order::{Candidate, LOSING, Order, Ranking, SPECIAL, take_best};
use super::past::salt_of;
use super::table::{Bound, Entry, TranspositionTable};
use super::worth::{ILLEGAL, INFINITY, is_decided, to_table, win_at};
use super::{Past, SearchOptions};
use crate::evaluation::Evaluator;
use crate::threats;

/// Longest path from the root, ends of turns included.
pub(super) const MOST_PLIES: usize = 120;

/// A position in the tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    /// Steps to look ahead.
    pub(super) depth: i32,
    /// Steps from the root.
    pub(super) ply: u16,
    /// Steps and early ends of turns from the root.
    pub(super) height: usize,
    /// Target of the turn's last step.
    pub(super) last: Option<Square>,
}

impl At {
    pub(super) const fn root(depth: i32) -> At {
        At { depth, ply: 0, height: 0, last: None }
    }
}

pub(super) struct Tree<'a> {
    pub(super) evaluator: &'a dyn Evaluator,
    pub(super) options: SearchOptions,
    pub(super) table: &'a TranspositionTable,
    pub(super) order: &'a mut Order,
    pub(super) past: &'a Past,
    pub(super) budget: Budget<'a>,
    pub(super) statistics: Statistics,
    /// Of the root so far, with its value.
    pub(super) best: Option<(i32, Vec<u16>)>,
    /// Positions from the first turn's end on.
    turns: Vec<u64>,
    /// The forbidden positions' part of keys.
    salt: u64,
    /// By height: the step on the path, and the best line from there.
    walked: Vec<u16>,
    lines: BestLines<u16>,
    /// Untried steps of all positions on the path.
    candidates: Vec<Candidate>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(
        evaluator: &'a dyn Evaluator,
        options: SearchOptions,
        table: &'a TranspositionTable,
        order: &'a mut Order,
        past: &'a Past,
        budget: Budget<'a>,
    ) -> Tree<'a> {
        Tree {
            evaluator,
            options,
            table,
            order,
            past,
            budget,
            statistics: Statistics::default(),
            best: None,
            turns: Vec::new(),
            salt: past.forbidden(),
            walked: vec![PASS; MOST_PLIES + 2],
            lines: BestLines::new(MOST_PLIES),
            candidates: Vec::new(),
        }
    }

    pub(super) fn evaluate(&mut self, steps: &Steps) -> i32 {
        self.statistics.evaluations += 1;
        let most = crate::Score::MOST;
        self.evaluator.evaluate(steps).clamp(-most, most)
    }

    /// The table key; see the module.
    fn key(&self, steps: &Steps, start: &Position) -> u64 {
        let mut key = steps.hash() ^ self.salt;
        if steps.made() == 0 {
            return key;
        }
        key ^= salt_of(start.hash().wrapping_add(u64::from(steps.made())));
        let open = |from: Square, kind: Piece, push: u64| {
            salt_of(push << 16 | u64::from(from.index()) << 3 | kind.index() as u64)
        };
        match steps.pending() {
            Pending::Nothing => {}
            Pending::Push { from, victim } => key ^= open(from, victim, 2),
            Pending::Pull { from, puller } if may_pull(steps, from) => key ^= open(from, puller, 1),
            Pending::Pull { .. } => {}
        }
        key
    }

    /// For the side that makes the turn, at its beginning or in mid-turn; `ILLEGAL` if the turn cannot end legally.
    pub(super) fn node(
        &mut self,
        steps: &Steps,
        start: &Position,
        mut alpha: i32,
        mut beta: i32,
        at: At,
    ) -> i32 {
        if self.budget.is_spent(&mut self.statistics.nodes) {
            return 0;
        }
        let made = steps.made();
        let depth = at.depth.max(0);
        let principal = beta - alpha > 1;
        self.lines.clear(at.height);
        if at.height >= MOST_PLIES {
            return self.evaluate(steps);
        }
        if at.height > 0 {
            // Nothing is better than an immediate win, or worse than a loss before the next step.
            alpha = alpha.max(-win_at(at.ply));
            beta = beta.min(win_at(at.ply));
            if alpha >= beta {
                return alpha;
            }
        }

        let key = self.key(steps, start);
        let known = if self.options.table { self.table.get(key) } else { None };
        if let Some(entry) = known
            && (!principal || depth == 0)
            && at.height > 0
            && entry.depth >= depth
            && let Some(worth) = entry.answer(at.ply, alpha, beta)
        {
            self.statistics.table_hits += 1;
            return worth;
        }

        // Goals within the turn are known from its beginning. Positions with one are not in the table.
        if made == 0
            && self.options.goals
            && known.is_none()
            && goal_is_near(steps)
            && let Some(left) = threats::goal_steps(steps)
        {
            return win_at(at.ply + u16::from(left));
        }
        if depth == 0 && !steps.is_push_open() {
            let worth = if self.options.quiescence && made == 0 {
                self.quiet(steps, alpha, beta, at.ply)
            } else {
                self.evaluate(steps)
            };
            if !self.budget.stopped() {
                self.remember(key, worth, alpha, beta, at, None);
            }
            return worth;
        }
        let first = self.candidates.len();
        let may_end = made > 0 && !steps.is_push_open() && steps.hash() != start.hash();
        let known_best = known.and_then(|entry| entry.step).and_then(|step| u16::try_from(step).ok());
        let known_best = known_best.and_then(|id| Candidate::known(steps, may_end, id));
        self.candidates.extend(known_best);
        // The other steps are needed only if the known one does not cut.
        let mut ranked = !self.options.likelihood;
        if ranked {
            self.rank(steps, may_end, known_best, at);
        }
        let (mut best, mut best_step) = (ILLEGAL, None);
        let raised_from = alpha;
        let mut tried = first;
        loop {
            let candidate = match take_best(self.candidates.get_mut(tried..).unwrap_or_default()) {
                Some(candidate) => candidate,
                None if ranked => break,
                None => {
                    self.rank(steps, may_end, known_best, at);
                    ranked = true;
                    continue;
                }
            };
            let number = tried - first;
            tried += 1;
            if let Some(walked) = self.walked.get_mut(at.height) {
                *walked = candidate.id();
            }
            if best > ILLEGAL && !principal && self.may_leave_out(&candidate, number, depth, best) {
                // So may all that come later in the order.
                break;
            }
            let reduced = self.reduction(&candidate, number, depth);
            let worth = if best == ILLEGAL {
                self.child(steps, start, &candidate, alpha, beta, at, 0)
            } else {
                let mut worth = self.child(steps, start, &candidate, alpha, alpha + 1, at, reduced);
                if worth > alpha && reduced > 0 {
                    worth = self.child(steps, start, &candidate, alpha, alpha + 1, at, 0);
                }
                if worth > alpha && worth < beta {
                    worth = self.child(steps, start, &candidate, alpha, beta, at, 0);
                }
                worth
            };
            if self.budget.stopped() {
                self.candidates.truncate(first);
                return 0;
            }
            if worth <= best {
                continue;
            }
            best = worth;
            if worth > alpha {
                best_step = Some(candidate.id());
                alpha = worth;
                if principal {
                    self.keep_line(at.height, candidate.id(), worth);
                }
                if worth >= beta {
                    self.statistics.cutoffs += 1;
                    self.statistics.first_cutoffs += u64::from(number == 0);
                    let before = self.candidates.get(first..tried - 1).unwrap_or_default();
                    self.order.refuted(steps, at.height, depth, &candidate, before);
                    break;
                }
            }
        }
        self.candidates.truncate(first);
        if best == ILLEGAL && made == 0 {
            // No legal turn: immobilized, or only by repetition.
            best = -win_at(at.ply);
        }
        if best > ILLEGAL {
            self.remember(key, best, raised_from, beta, at, best_step);
        }
        best
    }

    /// After a candidate, for the side that makes the turn.
    #[expect(clippy::too_many_arguments, reason = "the arguments of a position, and which of its steps")]
    fn child(
        &mut self,
        steps: &Steps,
        start: &Position,
        candidate: &Candidate,
        alpha: i32,
        beta: i32,
        at: At,
        reduced: i32,
    ) -> i32 {
        self.lines.clear(at.height + 1);
        let Some(next) = candidate.next else {
            let left = i32::from(MOST_STEPS - steps.made());
            let at = At { depth: at.depth - left - reduced, height: at.height + 1, last: None, ..at };
            return self.end_of_turn(steps, start, alpha, beta, at);
        };
        let mut after = *steps;
        after.take(next);
        let at =
            At { depth: at.depth - 1 - reduced, ply: at.ply + 1, height: at.height + 1, last: Some(next.to) };
        if after.made() == MOST_STEPS {
            self.end_of_turn(&after, start, alpha, beta, At { last: None, ..at })
        } else {
            self.node(&after, start, alpha, beta, at)
        }
    }

    /// The end of a turn: decided on the board in official order, or the negated value of the next turn.
    fn end_of_turn(&mut self, steps: &Steps, start: &Position, alpha: i32, beta: i32, at: At) -> i32 {
        let Ok(next) = steps.finish(start) else { return ILLEGAL };
        let hash = next.hash();
        let stood = self.past.seen(hash) + self.turns.iter().filter(|turn| **turn == hash).count() as u32;
        if stood >= 2 {
            return ILLEGAL;
        }
        if let Some(mover_wins) = decided(&next) {
            return if mover_wins { win_at(at.ply) } else { -win_at(at.ply) };
        }
        let salt = self.salt;
        if stood == 1 {
            self.salt ^= salt_of(hash);
        }
        self.turns.push(hash);
        let worth = -self.node(&Steps::begin(&next), &next, -beta, -alpha, at);
        self.turns.pop();
        self.salt = salt;
        worth
    }

    /// Adds the candidates that are not known from the table.
    fn rank(&mut self, steps: &Steps, may_end: bool, known: Option<Candidate>, at: At) {
        let by = match self.options.likelihood {
            true => Ranking::Likelihood,
            false => Ranking::Nearness(at.last),
        };
        let known = known.map(|known| known.id());
        self.order.rank(steps, may_end, known, by, at.height, &mut self.candidates);
    }

    /// Whether a step is too late in the order, too near the leaves, to be tried.
    fn may_leave_out(&self, candidate: &Candidate, number: usize, depth: i32, best: i32) -> bool {
        self.options.pruning
            && candidate.rank < SPECIAL
            && !is_decided(best)
            && (candidate.rank < LOSING && depth <= 2 || number as i32 >= 2 + 2 * depth)
    }

    /// The reduction of a candidate.
    fn reduction(&self, candidate: &Candidate, number: usize, depth: i32) -> i32 {
        if !self.options.reductions || depth < 2 || candidate.rank >= SPECIAL || number < 3 {
            return 0;
        }
        1 + i32::from(number >= 5)
            + i32::from(number >= 10)
            + i32::from(candidate.rank < LOSING && depth >= 3)
    }

    /// Keeps a better line for the position above, or at the root as the best.
    fn keep_line(&mut self, height: usize, step: u16, worth: i32) {
        self.lines.keep(height, step);
        // Within the first turn, raising alpha means the best of all.
        if self.turns.is_empty() {
            let mut whole = self.walked.get(..height).unwrap_or_default().to_vec();
            whole.extend_from_slice(self.lines.at(height));
            self.best = Some((worth, whole));
        }
    }

    fn remember(&mut self, key: u64, worth: i32, alpha: i32, beta: i32, at: At, step: Option<u16>) {
        if !self.options.table {
            return;
        }
        let bound = Bound::of(worth, alpha, beta);
        let worth = to_table(worth, at.ply);
        self.table.put(key, Entry { worth, depth: at.depth.max(0), bound, step: step.map(u32::from) });
    }

    /// The root to a depth; none if stopped.
    pub(super) fn root(&mut self, position: &Position, depth: i32) -> Option<i32> {
        let steps = Steps::begin(position);
        let worth = self.node(&steps, position, -INFINITY, INFINITY, At::root(depth));
        (!self.budget.stopped()).then_some(worth)
    }
}

/// Whether an enemy is next to the square that an own piece left, so that it may be pulled.
fn may_pull(steps: &Steps, from: Square) -> bool {
    steps.board().occupied(steps.mover().other()) & neighbours(from) != 0
}

/// Whether a rabbit of the mover is within the steps left from its goal.
pub(super) fn goal_is_near(steps: &Steps) -> bool {
    let ranks = 8 * (u32::from(MOST_STEPS - steps.made()) + 1);
    let near = match steps.mover() {
        Side::Gold => !(u64::MAX >> ranks),
        Side::Silver => !(u64::MAX << ranks),
    };
    debug_assert!(near & GOAL[steps.mover().index()] != 0);
    steps.board().bits(steps.mover(), Piece::Rabbit) & near != 0
}

/// Whether the side that moved has won (true) or lost, in official order; none while undecided. That all turns repeat
/// is found when they are tried.
fn decided(next: &Position) -> Option<bool> {
    let board = next.board();
    let (b, a) = (next.to_move(), next.to_move().other());
    let rabbits = |side| board.bits(side, Piece::Rabbit);
    if rabbits(a) & GOAL[a.index()] != 0 {
        Some(true)
    } else if rabbits(b) & GOAL[b.index()] != 0 {
        Some(false)
    } else if rabbits(b) == 0 {
        Some(true)
    } else if rabbits(a) == 0 {
        Some(false)
    } else if !next.has_turn() {
        Some(true)
    } else {
        None
    }
}
