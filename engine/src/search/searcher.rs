//! Iterative deepening until a limit is reached or the game is decided.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use annals_rules::arimaa::{MOST_STEPS, Position, Steps};

use super::budget::Budget;
use super::found::{Found, Info, Statistics};
use super::line::{first_turn, line_of, turns};
use super::order::Order;
use super::safety::{best_safe_turn, loses_at_once};
use super::table::TranspositionTable;
use super::tree::{MOST_PLIES, Tree, goal_is_near};
use super::worth::{is_decided, score, win_at};
use super::{Limits, Past, SearchOptions, TableTooLarge};
use crate::Score;
use crate::evaluation::Evaluator;
use crate::threats;

/// Paths also have passes and pushes.
const MOST_DEPTH: u16 = 60;

/// Bytes.
const HELPER_STACK: usize = 8 << 20;

/// Time of the safety check after a stop.
const LAST_LOOK: Duration = Duration::from_millis(4);

/// A searcher for one game, with `$plies` of move order.
macro_rules! searcher {
    ($plies:expr) => {
        /// Searches with one evaluator; tables are kept between searches.
        pub struct Searcher {
            evaluator: Arc<dyn Evaluator>,
            options: SearchOptions,
            table: TranspositionTable,
            table_too_large: Option<TableTooLarge>,
            order: Order,
            statistics: Statistics,
        }

        impl std::fmt::Debug for Searcher {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct("Searcher")
                    .field("evaluator", &self.evaluator.name())
                    .field("options", &self.options)
                    .finish_non_exhaustive()
            }
        }

        impl Searcher {
            /// With empty tables. Without enough memory the table is smaller: see [`Searcher::table_too_large`].
            #[must_use]
            pub fn new(evaluator: Arc<dyn Evaluator>, options: SearchOptions) -> Searcher {
                let (table, table_too_large) = TranspositionTable::new(options.hash_mib);
                let order = Order::new($plies);
                Searcher {
                    evaluator,
                    options,
                    table,
                    table_too_large,
                    order,
                    statistics: Statistics::default(),
                }
            }

            /// Clears all tables.
            pub fn clear(&mut self) {
                self.table.clear();
                self.order.clear();
            }

            /// If the table is smaller than set.
            #[must_use]
            pub const fn table_too_large(&self) -> Option<TableTooLarge> {
                self.table_too_large
            }

            /// Of the last search.
            #[must_use]
            pub fn statistics(&self) -> Statistics {
                self.statistics
            }
        }
    };
}
pub(crate) use searcher;

searcher!(MOST_PLIES);

impl Searcher {
    /// The best turn; none without a legal one. `stop` ends the search early with a turn, `report` is called for every
    /// completed depth.
    pub fn search(
        &mut self,
        position: &Position,
        past: &Past,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Found> {
        let begun = Instant::now();
        self.statistics = Statistics::default();
        let (any, _) = first_turn(&[], position, past)?;
        if self.options.goals
            && let Some(found) = goal_at_once(position, past, begun)
        {
            report(&found.info);
            return Some(found);
        }
        self.table.age();
        self.order.age();
        let evaluator = Arc::clone(&self.evaluator);
        let budget = Budget::new(limits, stop, begun);
        let (options, table) = (self.options, &self.table);
        let mut tree = Tree::new(&*evaluator, options, table, &mut self.order, past, budget);
        let mut info =
            Info { depth: 0, score: Score::EVEN, nodes: 0, elapsed: Duration::ZERO, line: vec![any] };
        let deepest = limits.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
        let helpers = if limits.are_of_time() { options.threads.saturating_sub(1) } else { 0 };
        let (found, helped) = (AtomicBool::new(false), AtomicU64::new(0));
        let help = |number: u32| {
            let mut order = Order::new(MOST_PLIES);
            let limits = Limits::default();
            let budget = Budget::new(&limits, &found, begun);
            let mut tree = Tree::new(&*evaluator, options, table, &mut order, past, budget);
            // Half of the threads are a step ahead of the others.
            let mut depths = 1 + i32::from(number.is_multiple_of(2))..=i32::from(MOST_DEPTH);
            while depths.next().is_some_and(|depth| tree.root(position, depth).is_some()) {}
            helped.fetch_add(tree.statistics.nodes, Ordering::Relaxed);
        };
        std::thread::scope(|scope| {
            for number in 0..helpers {
                let thread = std::thread::Builder::new().stack_size(HELPER_STACK);
                // Without another thread the search goes on with those that it has.
                let _ = thread.spawn_scoped(scope, {
                    let help = &help;
                    move || help(number)
                });
            }
            for depth in 1..=deepest {
                let worth = tree.root(position, i32::from(depth));
                if let Some((worth, line)) = &tree.best {
                    let line = turns(line, position, past);
                    if !line.is_empty() {
                        info.line = line;
                        info.score = score(*worth);
                    }
                }
                info.nodes = tree.statistics.nodes;
                info.elapsed = begun.elapsed();
                let Some(worth) = worth else { break };
                info.depth = depth;
                info.score = score(worth);
                report(&info);
                if is_decided(worth) && worth.abs() >= win_at(depth) {
                    break;
                }
            }
            found.store(true, Ordering::Relaxed);
        });
        self.statistics = tree.statistics;
        self.statistics.nodes += helped.into_inner();
        info.nodes = self.statistics.nodes;
        let turn = *info.line.first()?;
        let hurried = limits.time.is_some() || stop.load(Ordering::Relaxed);
        let until = hurried.then(|| Instant::now() + LAST_LOOK);
        if self.options.safety
            && info.depth < MOST_STEPS.into()
            && loses_at_once(position, &turn)
            && let Some((score, safe)) = best_safe_turn(position, past, &*evaluator, until)
        {
            (info.score, info.line) = (score, vec![safe]);
            return Some(Found { turn: safe, info });
        }
        Some(Found { turn, info })
    }
}

/// A goal within this turn needs no search.
fn goal_at_once(position: &Position, past: &Past, begun: Instant) -> Option<Found> {
    if !goal_is_near(&Steps::begin(position)) {
        return None;
    }
    let turn = threats::goal_turn(position)?;
    let steps = u16::try_from(turn.steps()).unwrap_or(4);
    let (legal, _) = first_turn(&line_of(&turn), position, past)?;
    if legal != turn {
        return None;
    }
    let info = Info {
        depth: steps,
        score: Score::win_in(steps),
        nodes: 1,
        elapsed: begun.elapsed(),
        line: vec![turn],
    };
    Some(Found { turn, info })
}
