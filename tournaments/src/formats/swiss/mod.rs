//! A Swiss preliminary in which players are paired by a walk down the list (2009 WC, Preliminary 1–11): the number of
//! rounds, the order, the bye, the walk, the colours, who is out by forfeit, and who goes on.
//!
//! The walk of the text comes to an end without a pairing in about one round of ten: the last ones have all met. So each
//! candidate is taken only when the rest can still be paired completely: the walk then finds what the text's walk
//! finds wherever that succeeds, and otherwise the first solution in the same order. Whether the rest can be paired is
//! a question of matching, answered in `matching.rs`.
//!
//! [`pair_round`] makes a round of a record; [`standings`] is the order before it; the smaller parts can be used alone.
//! Lots and coins are drawn elsewhere and come in as values.

mod bye;
mod check;
mod colours;
mod lots;
mod matching;
pub(crate) mod propose;
mod reading;
mod round;
mod standings;
mod table;
mod walk;
pub(crate) mod why;

pub use bye::{ByeChoice, choose_bye};
pub use colours::{ColourCount, SwissColour, colour};
pub use reading::{ByePoints, ColourMeasure, FinalLots, GroupHalves, OddGroup, SecondBye, SwissReadings};
pub use round::{PairRequest, PairedGame, SwissError, SwissPairing, pair_round};
pub use standings::{Lots, StandingsError, SwissPlace, standings};
pub use table::{MOST_PLAYERS, TableError, rounds_for};
pub use walk::{Listed, Reached, Rejected, Rejection, Walk, WalkOutcome, WalkPair, walk};
