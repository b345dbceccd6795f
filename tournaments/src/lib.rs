//! Tournaments as pure values. No file, clock, thread or random number.
//!
//! The state of one tournament is the fold of its events, in the order of the log ([`Tournament`]). The fold records what
//! was said to have happened: entries, pairings, results, rulings, money. What refers to a pairing or a player that no
//! event made known is kept as a [`Finding`], never dropped.
//!
//! What the rulebooks decide stands beside it, as parts that know no events: exact pairing with its proof ([`pairing`]), the
//! floating eliminations of 2015 and 2009 ([`elimination`]), performance ratings ([`tpr`]), colours ([`colours`]), the
//! qualifier of 2015 ([`qualifier`]), the Swiss of 2009 ([`swiss`]), the postal ring of 2006 ([`ring`]), the Olympiad of
//! 2000 ([`olympiad`]), technical rulings ([`rulings`]); readings of ambiguous texts are named options ([`reading`]).

pub mod appointment;
pub mod check;
pub mod colours;
pub mod commands;
pub mod context;
pub mod crosstable;
pub mod explain;
pub mod formats;
pub mod fund;
pub mod history;
pub mod infer;
pub mod lot;
pub mod pairing;
pub mod places_ruled;
pub mod reading;
pub mod record;
pub mod refusal;
mod round_check;
pub mod rulebook;
pub mod rulings;
mod standings;
mod state;
#[cfg(test)]
mod tests;
pub mod tpr;
pub mod verdict;

pub use standings::{Score, standings};
pub use state::{
    AttemptStatus, Board, Entrant, EntrantStatus, Finding, Leaving, LedgerEntry, Left, Money, Noted,
    ProgramRecord, ResumePoint, Round, RulingInForce, SetAside, Tournament,
};
