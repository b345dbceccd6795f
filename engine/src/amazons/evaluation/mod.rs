//! Static evaluators of the Amazons by name, in hundredths of a square, which is one move.

mod annals;
mod counts;
mod registry;

pub use annals::{Annals, AnnalsWith, Parameters, Weight};
pub use counts::{Mobility, Queens, Territory};
pub use registry::Registry;

use annals_events::Side;
use annals_rules::amazons::Position;

use crate::evaluation::{Explanation, Term};

/// Evaluates a position of the Amazons: deterministic, and invariant under exchange of colours, rotation and
/// reflection.
pub trait Evaluator: Send + Sync {
    /// Lower case, digits and hyphens.
    fn name(&self) -> &str;

    /// One line.
    fn about(&self) -> &str;

    /// In hundredths of a square for the side to move, which can move.
    fn evaluate(&self, position: &Position) -> i32;

    /// With parts: White's share in `gold`, Black's in `silver`.
    fn explain(&self, position: &Position) -> Explanation {
        let worth = self.evaluate(position);
        Explanation { evaluator: self.name().to_owned(), worth, terms: Vec::new() }
    }
}

/// Shares of both sides.
type Shares = [i32; 2];

/// The value of shares for a side.
#[inline]
fn worth_for(side: Side, shares: Shares) -> i32 {
    shares[side.index()] - shares[side.other().index()]
}

/// A value for the side to move: equally distant squares will more often be its own.
#[inline]
fn for_the_mover(side: Side, worth: i32) -> Shares {
    let mut shares = [0; 2];
    shares[side.index()] = worth;
    shares
}

fn explanation(
    name: &str,
    position: &Position,
    parts: impl IntoIterator<Item = (&'static str, Shares, Vec<String>)>,
) -> Explanation {
    let terms: Vec<Term> = parts
        .into_iter()
        .map(|(name, [gold, silver], because)| Term { name, gold, silver, because })
        .collect();
    let worth = terms.iter().map(|term| worth_for(position.to_move(), [term.gold, term.silver])).sum();
    Explanation { evaluator: name.to_owned(), worth, terms }
}
