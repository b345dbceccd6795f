//! The walk through the tree of moves: alpha-beta with a window of nothing for all but the first move (principal
//! variation search).
//!
//! A position of the Amazons cannot come twice, so what the table knows of it holds whatever the way to it. Where every
//! region belongs to one side the game is counted out by [`filling`](crate::amazons::filling) instead of searched.
//!
//! Where not all moves are looked into, a loss is never taken for proven: the rest of the moves is tried before one is
//! believed. So every win and every loss that comes out is one.

use annals_rules::amazons::{Move, Position};
use annals_rules::seeded::Rng;

use super::order::{Candidate, Order, SPECIAL, bring_best_forward};
use super::searcher::SearchOptions;
use crate::Score;
use crate::amazons::evaluation::Evaluator;
use crate::amazons::filling::{FillingVerdict, verdict};
use crate::amazons::neighbours::id_of;
use crate::search::Statistics;
use crate::search::best_lines::BestLines;
use crate::search::budget::Budget;
use crate::search::table::{Bound, Entry, TranspositionTable};
use crate::search::worth::{INFINITY, from_table, is_decided, to_table, win_at};

/// The longest way from the root.
pub(super) const MOST_PLIES: usize = 64;

/// Positions of the puzzle that are looked at for each side where a position is counted out within the search.
const FILLING: u32 = 80;

/// The depth with which a worth that is proven stands in the table.
const PROVEN: i32 = 100;

/// How many more moves are looked into at the root, and at the replies to its moves.
const WIDER: [usize; 2] = [4, 2];

/// From which move on the search is shallower at first, and by how much: two moves, one of each side, since a worth
/// just after an own move is always a little too good.
const LATE: usize = 8;
const SHALLOWER: i32 = 2;

/// A move of the root with its worth by the last search that said one.
#[derive(Debug, Clone, Copy)]
struct RootMove {
    played: Move,
    worth: i32,
    /// By it equal ones are told apart.
    lot: u64,
}

/// One search: what it works with and how far it is.
pub(super) struct Tree<'a> {
    evaluator: &'a dyn Evaluator,
    options: SearchOptions,
    table: &'a mut TranspositionTable,
    order: &'a mut Order,
    pub(super) budget: Budget<'a>,
    pub(super) statistics: Statistics,
    roots: Vec<RootMove>,
    /// The best line of the root so far, and its worth.
    pub(super) best: Option<(i32, Vec<Move>)>,
    lines: BestLines<Move>,
    /// The moves still to be tried at all positions on the way.
    candidates: Vec<Candidate>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(
        evaluator: &'a dyn Evaluator,
        options: SearchOptions,
        table: &'a mut TranspositionTable,
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

    /// How many moves of a position are looked into at so many moves from the root.
    fn width(&self, ply: u16) -> usize {
        match usize::from(self.options.width) {
            0 => usize::MAX,
            width => width * WIDER.get(usize::from(ply)).copied().unwrap_or(1),
        }
    }

    /// The root to a depth; none where the search was stopped on the way.
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
                // To the first depth every move gets a worth of its own, by which they are ordered afterwards.
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
            // What looks good at a glance is tried early deeper in the tree too.
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

    /// The worth of what a later move leads to: with a window of nothing, at first less deep; again where it does better
    /// than that.
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

    /// By how many moves less a move is looked into at first.
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

    /// The worth of a position for the side to move.
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
        // Nothing here is better than a win with the next move, or worse than a loss after it.
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

    /// The worth of a position in which the sides only fill what is theirs.
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
