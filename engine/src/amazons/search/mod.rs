//! The search for the best move.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use annals_rules::amazons::{Move, Position};

use super::evaluation::Evaluator;
use crate::search::table::Table;
use crate::search::worth::score;
use crate::search::{Found, Info, Limits, TableTooLarge};

/// What a searcher is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// The size of the table of positions, in MiB.
    pub hash_mib: u32,
    /// How many moves are looked into deep in the tree; all for 0.
    pub width: u16,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions { hash_mib: 8, width: 60 }
    }
}

/// Searches positions with one evaluator.
pub struct Searcher {
    evaluator: Arc<dyn Evaluator>,
    table: Table,
    table_too_large: Option<TableTooLarge>,
}

impl Searcher {
    /// A searcher with empty tables.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: SearchOptions) -> Searcher {
        let (table, table_too_large) = Table::new(options.hash_mib);
        Searcher { evaluator, table, table_too_large }
    }

    /// Forgets everything that earlier searches found out.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// That its table is smaller than it should be, where it is.
    #[must_use]
    pub const fn table_too_large(&self) -> Option<TableTooLarge> {
        self.table_too_large
    }

    /// Searches for the best move.
    pub fn search(
        &mut self,
        position: &Position,
        _seed: u64,
        _limits: &Limits,
        _stop: &AtomicBool,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Option<Found<Move>> {
        let begun = Instant::now();
        let moves = position.moves();
        let judged = moves.iter().map(|played| {
            let mut after = *position;
            after.make(*played);
            let worth = if after.winner().is_some() { 999_999 } else { -self.evaluator.evaluate(&after) };
            (worth, *played)
        });
        let (worth, turn) = judged.max()?;
        let info = Info {
            depth: 1,
            score: score(worth),
            nodes: moves.len() as u64,
            elapsed: begun.elapsed(),
            line: vec![turn],
        };
        report(&info);
        Some(Found { turn, info })
    }
}
