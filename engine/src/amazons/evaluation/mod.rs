//! What a position of the Amazons is worth without looking ahead: evaluators by name. Worths are in hundredths of a
//! square, which is as much as a move in hand.

mod annals;
mod counts;
mod registry;

pub use annals::Annals;
pub use counts::{Mobility, Queens, Territory};
pub use registry::Registry;

use annals_events::Side;
use annals_rules::amazons::Position;

use crate::evaluation::{Explanation, Term};

/// Says what a position of the Amazons is worth. The same position always gives the same worth; it is the same for both
/// colours exchanged, and for the board turned or mirrored.
pub trait Evaluator: Send + Sync {
    /// The name by which it is asked for: lower case, digits and hyphens.
    fn name(&self) -> &str;

    /// One line on what it is.
    fn about(&self) -> &str;

    /// The worth in hundredths of a square for the side to move, which can move.
    fn evaluate(&self, position: &Position) -> i32;

    /// The worth of a position with its parts; White's share of each stands in `gold`, Black's in `silver`.
    fn explain(&self, position: &Position) -> Explanation {
        let worth = self.evaluate(position);
        Explanation { evaluator: self.name().to_owned(), worth, terms: Vec::new() }
    }
}

/// What both sides have of something.
type Shares = [i32; 2];

/// What shares come to for a side.
#[inline]
fn worth_for(side: Side, shares: Shares) -> i32 {
    shares[side.index()] - shares[side.other().index()]
}

/// What the side to move has more of: the squares that both reach equally soon will be more often its own.
#[inline]
fn for_the_mover(side: Side, worth: i32) -> Shares {
    let mut shares = [0; 2];
    shares[side.index()] = worth;
    shares
}

/// An explanation of named shares.
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
