//! Floating elimination: no bracket. All play until they have a number of losses, and each round is paired as
//! the best one by the rulebook's constraints in order ([`pairing`](crate::pairing)).
//!
//! * [`Rules`]: a rulebook's constraints as a value. The final of 2015 has four lives and a continuation for
//!   second place; that of 2009 two lives and playoffs.
//! * [`Elimination`]: the fold of recorded rounds and withdrawals. It accepts any round; an audit compares it
//!   with the rules.
//! * [`RoundPairing`]: a round with its proof.

mod check;
mod conclusion;
mod continuation;
pub(crate) mod course;
mod error;
mod explain;
mod final_round;
pub(crate) mod finalists;
mod phase;
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
pub use conclusion::{Conclusion, Playoff, RulingNeeded};
pub use error::EliminationError;
pub use final_round::FinalRound;
pub use phase::Phase;
pub use reading::{
    ColourSelector, EliminationReadings, FinalsHistory, ForfeiterPlace, GamesWon, LastForSecond, LeaverPlace,
    Occurrence, RanksOfRound, RemovedInContinuation, SecondPlace, SeedOrder, ThirdPlaceWins,
};
pub use round::pair_round;
pub use rules::{ColourRules, Constraint, Demand, Ranking, Rules, Ties, UnequalLosses};
pub use state::Elimination;
