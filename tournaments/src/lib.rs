//! Tournaments as pure values: no file, clock, thread or random number.
//!
//! The state is the fold of the events in log order ([`Tournament`]). The fold records what events state; a
//! reference to an unknown pairing or player is kept as a [`Finding`].
//!
//! [`record`] derives the games played, in one shape for every format. [`formats`] proposes rounds and ranks
//! players; [`check`] compares an event with the rulebook; [`commands`] drafts events; [`rulebook`] has the
//! rules and readings.

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
