//! Alpha-beta with zero windows for all but the first move (principal variation search). No position repeats, so table
//! entries hold on every path. Positions without contested regions are counted out by
//! [`filling`](crate::amazons::filling).
//!
//! With limited width, a loss is verified by the remaining moves, so that every reported win and loss is exact.

use annals_rules::amazons::{Move, Position};
use annals_rules::seeded::Rng;

use super::options::SearchOptions;
use super::order::{Candidate, Order, SPECIAL, bring_best_forward};
use crate::Score;
use crate::amazons::evaluation::Evaluator;
use crate::amazons::filling::{FillingVerdict, verdict};
use crate::amazons::neighbours::id_of;
use crate::search::Statistics;
use crate::search::best_lines::BestLines;
use crate::search::budget::Budget;
use crate::search::table::{Bound, Entry, TranspositionTable};
use crate::search::worth::{INFINITY, from_table, is_decided, to_table, win_at};

/// Longest path from the root.
pub(super) const MOST_PLIES: usize = 64;

/// Puzzle positions per side within the search.
const FILLING: u32 = 80;

/// Table depth of proven values.
const PROVEN: i32 = 100;

/// Width factors at the root and at replies to its moves.
const WIDER: [usize; 2] = [4, 2];

/// First reduced move, and the reduction: two moves, one per side, since a value right after an own move is too good.
const LATE: usize = 8;
const SHALLOWER: i32 = 2;

/// A root move with its last value.
#[derive(Debug, Clone, Copy)]
struct RootMove {
    played: Move,
    worth: i32,
    /// Breaks ties.
    lot: u64,
}

pub(super) struct Tree<'a> {
    evaluator: &'a dyn Evaluator,
    options: SearchOptions,
    table: &'a TranspositionTable,
    order: &'a mut Order,
    pub(super) budget: Budget<'a>,
    pub(super) statistics: Statistics,
    roots: Vec<RootMove>,
    /// Of the root so far, with its value.
    pub(super) best: Option<(i32, Vec<Move>)>,
    lines: BestLines<Move>,
    /// Untried moves of all positions on the path.
    candidates: Vec<Candidate>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(
        evaluator: &'a dyn Evaluator,
        options: SearchOptions,
        table: &'a TranspositionTable,
        order: &'a mut Order,
        budget: Budget<'a>,
    ) -> Tree<'a> {
        Tree {
            evaluator,
            options,
            table,
            order,
            budget,
            statistics: Statistics::default(),
            roots: Vec::new(),
            best: None,
            lines: BestLines::new(MOST_PLIES),
            candidates: Vec::new(),
        }
    }

    /// Moves searched at a position at this ply.
    fn width(&self, ply: u16) -> usize {
        match usize::from(self.options.width) {
            0 => usize::MAX,
            width => width * WIDER.get(usize::from(ply)).copied().unwrap_or(1),
        }
    }

    /// The root to a depth; none if stopped.
    pub(super) fn root(&mut self, position: &Position, depth: i32, seed: u64) -> Option<i32> {
        let first = depth <= 1;
        if first {
            self.list_roots(position, seed);
        }
        let (mut best, mut alpha) = (-INFINITY, -INFINITY);
        let mut best_at = 0;
        for number in 0..self.roots.len() {
            if number >= self.width(0) && !first && best >= -Score::MOST {
                break;
            }
            let Some(root) = self.roots.get(number).copied() else { break };
            let mut after = *position;
            after.make(root.played);
            let worth = if first || number == 0 {
                // At the first depth every move gets an exact value for ordering.
                let alpha = if first { -INFINITY } else { alpha };
                -self.node(&after, depth - 1, 1, -INFINITY, -alpha)
            } else {
                self.scout(&after, depth, 0, alpha, INFINITY, self.reduction(number, depth, 0))
            };
            if self.budget.stopped() {
                return None;
            }
            if let Some(root) = self.roots.get_mut(number)
                && first
            {
                root.worth = worth;
            }
            if worth > best {
                (best, best_at) = (worth, number);
                alpha = alpha.max(worth);
                let mut line = vec![root.played];
                line.extend_from_slice(self.lines.at(1));
                self.best = Some((worth, line));
            }
        }
        if first {
            self.roots.sort_by_key(|root| (std::cmp::Reverse(root.worth), root.lot));
            self.best = self.roots.first().map(|root| (root.worth, vec![root.played]));
            // Moves that look good are tried early deeper in the tree too.
            let mover = position.to_move();
            for (root, bonus) in self.roots.iter().zip((1..=128).rev()) {
                self.order.learn(mover, root.played, 4 * bonus);
            }
        } else if let Some(upto) = self.roots.get_mut(..=best_at) {
            upto.rotate_right(1);
        }
        Some(best)
    }

    fn list_roots(&mut self, position: &Position, seed: u64) {
        self.candidates.clear();
        self.order.rank(position, None, 0, &mut self.candidates);
        bring_best_forward(&mut self.candidates, usize::MAX);
        let size = position.board().size();
        let lot = |played: Move| Rng::of(&[seed, position.hash(), u64::from(id_of(size, played))]).any();
        let root = |candidate: &Candidate| RootMove {
            played: candidate.played,
            worth: 0,
            lot: lot(candidate.played),
        };
        self.roots = self.candidates.iter().map(root).collect();
        self.candidates.clear();
    }

    /// The value after a later move: zero window, first reduced, repeated if better.
    fn scout(&mut self, after: &Position, depth: i32, ply: u16, alpha: i32, beta: i32, less: i32) -> i32 {
        let mut worth = -self.node(after, depth - 1 - less, ply + 1, -alpha - 1, -alpha);
        if worth > alpha && less > 0 && !self.budget.stopped() {
            worth = -self.node(after, depth - 1, ply + 1, -alpha - 1, -alpha);
        }
        if worth > alpha && worth < beta && !self.budget.stopped() {
            worth = -self.node(after, depth - 1, ply + 1, -beta, -alpha);
        }
        worth
    }

    /// The reduction of a move.
    fn reduction(&self, number: usize, depth: i32, rank: i32) -> i32 {
        if self.options.reductions && depth > SHALLOWER && number >= LATE && rank < SPECIAL {
            SHALLOWER
        } else {
            0
        }
    }

    fn evaluate(&mut self, position: &Position) -> i32 {
        self.statistics.evaluations += 1;
        self.evaluator.evaluate(position).clamp(-Score::MOST, Score::MOST)
    }

    /// For the side to move.
    fn node(&mut self, position: &Position, depth: i32, ply: u16, mut alpha: i32, mut beta: i32) -> i32 {
        if self.budget.is_spent(&mut self.statistics.nodes) {
            return 0;
        }
        let height = usize::from(ply);
        self.lines.clear(height);
        let side = position.to_move();
        if !position.board().can_move(side) {
            return -win_at(ply);
        }
        // Nothing is better than an immediate win, or worse than a loss after it.
        alpha = alpha.max(-win_at(ply + 2));
        beta = beta.min(win_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        if self.options.filling && position.board().is_decided() {
            match self.counted_out(position, ply) {
                Some(worth) if is_decided(worth) || depth <= 0 => return worth,
                _ => {}
            }
        }
        if depth <= 0 || height >= MOST_PLIES {
            return self.evaluate(position);
        }
        let key = position.hash();
        let principal = beta - alpha > 1;
        let known = if self.options.table { self.table.get(key) } else { None };
        if let Some(entry) = known
            && !principal
            && entry.depth >= depth
            && let Some(worth) = entry.answer(ply, alpha, beta)
        {
            self.statistics.table_hits += 1;
            return worth;
        }
        let first = self.candidates.len();
        let known_best = known.and_then(|entry| entry.step);
        self.order.rank(position, known_best, height, &mut self.candidates);
        let width = self.width(ply);
        bring_best_forward(self.candidates.get_mut(first..).unwrap_or_default(), width);
        let (mut best, mut best_id) = (-INFINITY, None);
        let raised_from = alpha;
        for at in first.. {
            let Some(candidate) = self.candidates.get(at).copied() else { break };
            let number = at - first;
            if number >= width && best >= -Score::MOST {
                break;
            }
            let mut after = *position;
            after.make(candidate.played);
            let worth = if number == 0 {
                -self.node(&after, depth - 1, ply + 1, -beta, -alpha)
            } else {
                let less = self.reduction(number, depth, candidate.rank);
                self.scout(&after, depth, ply, alpha, beta, less)
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
                best_id = Some(id_of(position.board().size(), candidate.played));
                alpha = worth;
                if principal {
                    self.lines.keep(height, candidate.played);
                }
                if worth >= beta {
                    self.statistics.cutoffs += 1;
                    self.statistics.first_cutoffs += u64::from(number == 0);
                    let before = self.candidates.get(first..at).unwrap_or_default();
                    self.order.refuted(side, height, depth, &candidate, before);
                    break;
                }
            }
        }
        self.candidates.truncate(first);
        let bound = Bound::of(best, raised_from, beta);
        self.remember(key, Entry { worth: to_table(best, ply), depth, bound, step: best_id });
        best
    }

    /// For a position that the sides only fill.
    fn counted_out(&mut self, position: &Position, ply: u16) -> Option<i32> {
        let key = position.hash();
        if self.options.table
            && let Some(entry) = self.table.get(key)
            && entry.depth >= PROVEN
        {
            self.statistics.table_hits += 1;
            return Some(from_table(entry.worth, ply));
        }
        let worth = match verdict(&self.order.neighbours, position, FILLING) {
            FillingVerdict::Won(moves) => win_at(ply.saturating_add(moves)),
            FillingVerdict::Lost(moves) => -win_at(ply.saturating_add(moves)),
            FillingVerdict::Open(worth) => return Some(worth),
        };
        self.remember(
            key,
            Entry { worth: to_table(worth, ply), depth: PROVEN, bound: Bound::Exact, step: None },
        );
        Some(worth)
    }

    fn remember(&mut self, key: u64, entry: Entry) {
        if self.options.table {
            self.table.put(key, entry);
        }
    }
}
