//! Tournaments as pure values. No file, clock, thread or random number.
//!
//! The state of one tournament is the fold of its events, in the order of the log ([`Tournament`]). The fold records what
//! the events state: entries, pairings, results, rulings, money. What refers to a pairing or a player that no event has
//! made known is kept as a [`Finding`], never dropped.
//!
//! [`record`] derives what was played, in one shape for every format. [`formats`] proposes rounds and ranks players, one
//! module per format; [`check`] compares an event with the rulebook; [`commands`] drafts the events of a request;
//! [`rulebook`] holds the rules and the readings of ambiguous texts.

pub mod appointment;
pub mod check;
pub mod colours;
pub mod commands;
pub mod context;
pub mod crosstable;
pub mod explain;
pub mod field;
pub mod formats;
pub mod fund;
pub mod imitation;
pub mod infer;
pub mod lot;
pub mod pairing;
pub mod published;
pub mod qualifying;
pub mod reading;
pub mod record;
pub mod refusal;
mod round_check;
pub mod rulebook;
pub mod rulings;
mod standings;
mod state;
pub mod subject;
#[cfg(test)]
mod tests;
pub mod tpr;
pub mod verdict;

pub use standings::standings;
pub use state::{
    AttemptStatus, Board, ColourDecision, Decision, Entrant, EntrantStatus, Finding, Leaving, LedgerEntry,
    Left, Money, Noted, ProgramRecord, ResultSource, ResumePoint, Round, RuledGame, RulingInForce, SetAside,
    Tournament,
};
