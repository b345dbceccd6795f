//! Floating elimination: no player has a fixed place in a bracket. All play until they have lost so many times, and
//! each round is paired again as the best one by the constraints of the rulebook, in their order
//! ([`pairing`](crate::pairing)).
//!
//! * [`Rules`] is a rulebook's constraints as a value: which, in what order, by which paragraphs, and what follows once the
//!   first place is decided. The final of 2015 has four lives and a continuation for second place; that of 2009 has
//!   two lives and playoffs for second and third.
//! * [`Elimination`] is the fold of what is recorded: rounds and withdrawals. It accepts rounds that were paired otherwise
//!   than by the rules; an audit compares them.
//! * [`RoundPairing`] is a round with its proof: ranking, ratings, criteria, the best pairing.

mod check;
mod continuation;
pub(crate) mod course;
mod explain;
pub(crate) mod finalists;
pub(crate) mod places;
mod playoffs;
pub(crate) mod propose;
mod ranking;
mod reading;
mod round;
mod rules;
pub(crate) mod stage;
mod state;

pub use crate::formats::RoundPairing;
pub use continuation::Phase;
pub use playoffs::Playoff;
pub use propose::FinalRound;
pub use reading::{
    ColourSelector, EliminationReadings, FinalsHistory, ForfeiterPlace, GamesWon, LastForSecond, Occurrence,
    RanksOfRound, RemovedInContinuation, SecondPlace, SeedOrder, ThirdPlaceWins,
};
pub use round::pair_round;
pub use rules::{ColourRules, Constraint, Demand, Ranking, Rules, Ties, UnequalLosses};
pub use state::{Conclusion, Elimination, EliminationError, RulingNeeded};
