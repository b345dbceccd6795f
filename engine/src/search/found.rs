//! What a search finds, and its statistics.

use std::time::Duration;

use annals_rules::arimaa::Turn;

use crate::Score;

/// The state of a search. A turn is Arimaa's, or another game's move, whose depth counts moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info<T = Turn> {
    /// Completed, in steps.
    pub depth: u16,
    /// For the side to move.
    pub score: Score,
    pub nodes: u64,
    pub elapsed: Duration,
    /// The first is the turn to play.
    pub line: Vec<T>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<T = Turn> {
    /// With its captures.
    pub turn: T,
    pub info: Info<T>,
}

/// Search statistics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    pub nodes: u64,
    pub evaluations: u64,
    /// Positions answered by the table.
    pub table_hits: u64,
    /// Positions with a cutoff.
    pub cutoffs: u64,
    /// Those by the first step.
    pub first_cutoffs: u64,
}
