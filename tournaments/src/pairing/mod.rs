//! Pairing as an exact optimum. A round is a perfect matching of the players (and of a bye if their number is
//! odd). A rulebook gives each candidate pair a vector of integers, the *criteria* by priority. Vectors are
//! added over a round and compared lexicographically, and the least is best: no amount of a later criterion
//! outweighs an earlier one.
//!
//! * [`PairingProblem`] has the criteria and every candidate's values.
//! * [`PairingProblem::best`] finds the best round by a primal-dual matching and checks its dual certificate:
//!   an answer is proven, or an error.
//! * Among equals it is *canonical* up to [`CANONICAL_PLAYERS`] players: the first player gets the last
//!   partner that an optimum allows, then the next unpaired player.
//! * [`PairingProblem::optima`] counts the equivalent rounds; [`PairingProblem::why_not`] gives the loss with
//!   a certain pair, and on which criterion.
//!
//! There are no rulebooks or names: players are `0..n` in ranking order.

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
