//! Pairing as an exact optimum. A round is a perfect matching of the players (and of a bye, where their number is
//! odd), and a rulebook weighs every candidate pair by a vector of whole numbers, its *criteria*, the most important
//! first. Vectors are added over the pairs of a round and compared lexicographically; the best round is the least
//! one. So "first of all as few third meetings as possible, then …" is meant to the letter: no amount of a later
//! criterion ever makes up for the least bit of an earlier one.
//!
//! * [`PairingProblem`] holds the criteria and every candidate's values: what a rulebook supplies.
//! * [`PairingProblem::best`] finds the best round by a primal-dual matching, and checks the dual certificate of its
//!   own answer before it returns it: an answer is proven, or it is an error.
//! * Among equals it is *canonical* up to [`CANONICAL_PLAYERS`] players: the first player gets the last partner that
//!   an optimum allows, then the next player who is still unpaired, and so on.
//! * [`PairingProblem::optima`] returns how many rounds are as good; [`PairingProblem::why_not`] what is lost with a
//!   certain pair, and by which criterion.
//!
//! It has no rulebook, no history and no names: players are `0..n` in the order of their ranking.

mod blossom;
mod certificate;
mod criteria;
mod limbs;
mod problem;
mod solve;
mod subsets;
mod weight;
mod why_not;

pub use criteria::{Criteria, Criterion};
pub use problem::{Bar, Candidate, MOST_PLAYERS, PairingError, PairingProblem};
pub use solve::{CANONICAL_PLAYERS, Matching, Optima};
pub use subsets::COUNTED_PLAYERS;
pub use why_not::{WhyNot, WhyNotVerdict};
