//! A search over the distinct turns of a position, one turn deep.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use annals_rules::arimaa::{Generator, Position, Steps, Turn};
use annals_rules::game::Era;

use super::Limits;
use crate::Score;
use crate::evaluation::Evaluator;

/// How often each position with its side to move (by hash) has stood in the game, the present one included.
#[derive(Debug, Clone, Default)]
pub struct Past(HashMap<u64, u32>);

impl Past {
    /// Nothing has stood before.
    #[must_use]
    pub fn new() -> Past {
        Past::default()
    }

    /// A position has stood once more.
    pub fn stood(&mut self, hash: u64) {
        *self.0.entry(hash).or_default() += 1;
    }

    /// How often a position has stood.
    #[must_use]
    pub fn seen(&self, hash: u64) -> u32 {
        self.0.get(&hash).copied().unwrap_or(0)
    }
}

/// What a searcher is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// The size of the table of positions, in MiB.
    pub hash_mib: u32,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions { hash_mib: 32 }
    }
}

/// How a search stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    /// Steps looked ahead, completely.
    pub depth: u16,
    /// The worth for the side to move.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// Since the beginning of the search.
    pub elapsed: Duration,
    /// The best line of turns: the first is the turn to play.
    pub line: Vec<Turn>,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The turn to play, with its captures.
    pub turn: Turn,
    /// The last word on it.
    pub info: Info,
}

/// Searches positions with one evaluator; its tables are kept from one search to the next.
pub struct Searcher {
    evaluator: Arc<dyn Evaluator>,
    generator: Generator,
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher").field("evaluator", &self.evaluator.name()).finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher with empty tables.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, _options: SearchOptions) -> Searcher {
        Searcher { evaluator, generator: Generator::new() }
    }

    /// Forgets everything that earlier searches found out.
    pub fn clear(&mut self) {}

    /// Searches for the best turn of a position; none where the side to move has no legal turn. `stop` ends the search early
    /// (a turn is returned all the same), `report` hears of every completed depth.
    pub fn search(
        &mut self,
        position: &Position,
        past: &Past,
        _limits: &Limits,
        _stop: &AtomicBool,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Found> {
        let begun = Instant::now();
        let mut best: Option<(Score, Turn)> = None;
        let mut nodes = 0;
        let evaluator = &self.evaluator;
        self.generator.for_each(position, |after, turn| {
            nodes += 1;
            if past.seen(after.hash()) >= 2 {
                return;
            }
            let seen = |hash| past.seen(hash) + u32::from(hash == after.hash());
            let score = match after.outcome(Era::Modern, seen) {
                Some(outcome) if outcome.winner == Some(position.to_move()) => Score::win_in(4),
                Some(_) => Score::loss_in(4),
                None => -Score::centirabbits(evaluator.evaluate(&Steps::begin(after))),
            };
            if best.as_ref().is_none_or(|(worth, _)| score > *worth) {
                best = Some((score, *turn));
            }
        });
        let (score, turn) = best?;
        let info = Info { depth: 4, score, nodes, elapsed: begun.elapsed(), line: vec![turn] };
        report(&info);
        Some(Found { turn, info })
    }
}
