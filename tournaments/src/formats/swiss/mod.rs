//! The Swiss preliminary (2009 WC, Preliminary 1–11): number of rounds, order, bye, the walk down the list,
//! colours, forfeits, and who advances.
//!
//! The walk of the text finds no pairing in about one round of ten: the last players have all met. So a
//! candidate is accepted only if the rest can still be paired completely (`matching.rs`). The result equals
//! the text's walk where that succeeds, otherwise the first solution in the same order.
//!
//! [`pair_round`] pairs a round; [`standings`] is the order before it. Lots and coins are arguments.

mod bye;
mod check;
mod colours;
mod lots;
mod matching;
mod played;
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
pub use table::{MOST_PLAYERS, TableError, WITHOUT_ROUNDS, rounds_for};
pub use walk::{Listed, Reached, Rejected, Rejection, Walk, WalkOutcome, WalkPair, walk};
