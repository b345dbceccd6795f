//! Tournaments as pure values: the state of one tournament is the fold of its events, in the order of the log. No
//! file, clock, thread or random number.
//!
//! The fold records what was said to have happened: entries, pairings, results, rulings, money. It judges nothing:
//! what refers to a pairing or a player that no event made known is kept as a [`Finding`], never dropped.

pub mod colours;
pub mod elimination;
mod evolve;
pub mod history;
pub mod olympiad;
pub mod pairing;
pub mod qualifier;
pub mod reading;
pub mod ring;
mod round;
pub mod rulings;
mod standings;
mod state;
pub mod swiss;
pub mod tpr;
#[cfg(test)]
mod tests;

pub use round::{Board, Round};
pub use standings::{Score, standings};
pub use state::{Entrant, EntrantStatus, Finding, LedgerEntry, Money, RulingInForce, Tournament};
