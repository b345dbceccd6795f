//! Iterative deepening until a limit is reached or the game is decided.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use annals_rules::amazons::{Move, Position};

use super::options::SearchOptions;
use super::order::Order;
use super::tree::{MOST_PLIES, Tree};
use crate::amazons::evaluation::Evaluator;
use crate::amazons::filling::{FillingVerdict, compare, fill_with};
use crate::search::budget::Budget;
use crate::search::table::TranspositionTable;
use crate::search::worth::{is_decided, score, win_at};
use crate::search::{Found, Info, Limits, Statistics, TableTooLarge, searcher};

const MOST_DEPTH: u16 = MOST_PLIES as u16 - 2;

/// Puzzle positions per side when the game is only filled, unless limited further.
const FILLING: u64 = 4_000;

searcher!(MOST_PLIES + 1);

impl Searcher {
    /// The best move; none without legal moves. The seed orders moves that first seem equal. `stop` ends the search
    /// early with a move, `report` is called for every completed depth.
    pub fn search(
        &mut self,
        position: &Position,
        seed: u64,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Option<Found<Move>> {
        let begun = Instant::now();
        self.statistics = Statistics::default();
        let moves = position.count_moves();
        if moves == 0 {
            return None;
        }
        self.table.age();
        self.order.begin(position.board().size());
        if self.options.filling
            && position.board().is_decided()
            && let Some(found) = self.fill(position, limits, begun)
        {
            report(&found.info);
            return Some(found);
        }
        let evaluator = Arc::clone(&self.evaluator);
        let budget = Budget::new(limits, stop, begun);
        let mut tree = Tree::new(&*evaluator, self.options, &self.table, &mut self.order, budget);
        let mut info =
            Info { depth: 0, score: crate::Score::EVEN, nodes: 0, elapsed: Duration::ZERO, line: Vec::new() };
        for depth in 1..=limits.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH) {
            let worth = tree.root(position, i32::from(depth), seed);
            if let Some((worth, line)) = &tree.best {
                info.line.clone_from(line);
                info.score = score(*worth);
            }
            info.nodes = tree.statistics.nodes;
            info.elapsed = begun.elapsed();
            let Some(worth) = worth else { break };
            info.depth = depth;
            report(&info);
            if is_decided(worth) || moves == 1 {
                break;
            }
        }
        self.statistics = tree.statistics;
        if info.line.is_empty() {
            // Stopped before the first move was evaluated.
            info.line.extend(position.moves().first());
        }
        let turn = *info.line.first()?;
        Some(Found { turn, info })
    }

    /// The first move of the longest filling found, if the sides only fill.
    fn fill(&mut self, position: &Position, limits: &Limits, begun: Instant) -> Option<Found<Move>> {
        let budget = limits.nodes.unwrap_or(FILLING).min(FILLING) as u32;
        let (board, side) = (position.board(), position.to_move());
        let own = fill_with(&self.order.neighbours, board, side, budget);
        let other = fill_with(&self.order.neighbours, board, side.other(), budget);
        let turn = own.first?;
        let worth = match compare(&own, &other) {
            FillingVerdict::Won(moves) => win_at(moves),
            FillingVerdict::Lost(moves) => -win_at(moves),
            FillingVerdict::Open(worth) => worth,
        };
        let nodes = u64::from(own.least + other.least).max(1);
        self.statistics.nodes = nodes;
        let depth = u16::try_from(own.least).unwrap_or(u16::MAX);
        let info = Info { depth, score: score(worth), nodes, elapsed: begun.elapsed(), line: vec![turn] };
        Some(Found { turn, info })
    }
}
