//! Floating elimination: nobody has a fixed place in a bracket. Everyone plays until they have lost so many times, and
//! each round is paired anew as the best one by the constraints of the rulebook, in their order
//! ([`pairing`](crate::pairing)).
//!
//! * [`Rules`] is a rulebook's constraints as a value: which, in what order, by which paragraphs.
//! * [`RoundPairing`] is a round with its proof: ranking, ratings, criteria, the best pairing.
//! * [`QuadrupleElimination`] is the final of the 2015 championship: four lives, the continuation for second place.
//! * [`DoubleElimination`] is the final of the 2009 championship: two lives, playoffs for second and third.
//!
//! The state of either is the fold of what is recorded: rounds and withdrawals. They accept rounds that were paired
//! otherwise than by the rules; whether a round follows is the question of an audit.

mod check;
mod contest;
pub(crate) mod course;
mod double;
mod explain;
pub(crate) mod finalists;
pub(crate) mod places;
pub(crate) mod propose;
mod quadruple;
mod ranking;
pub(crate) mod roster;
mod round;
mod rules;
pub(crate) mod stage;

pub use contest::EliminationError;
pub use double::{
    Conclusion, DoubleElimination, FinalsHistory, Playoff, PlayoffGame, PlayoffPlace, RulingNeeded,
};
pub use quadruple::{Phase, Places, QuadrupleElimination, Readings2015, SecondPlace, ThirdPlaceWins};
pub use round::{RoundPairing, pair_round};
pub use rules::{Constraint, Demand, Ranking, Rules, UnequalLosses};
