//! What a position is worth without looking ahead: evaluators by name. Search, `annals engine evaluate` and charts take any of them;
//! evaluators of other crates are registered beside our own.

mod annals;
mod material;
pub(crate) mod position_report;
mod registry;
mod vocabulary;

pub use annals::{Annals, PartOfAnnals, UnknownTerm};
pub use material::Material;
pub use position_report::{PositionReport, PositionReportError};
pub use registry::{Evaluators, Registry, UnknownEvaluator};
pub use vocabulary::{InWords, Vocabulary};

use annals_rules::arimaa::{Position, Steps};

/// One named part of an evaluation, in hundredths of a rabbit. Both sides' shares are given from Gold's view: what counts for
/// Gold is positive in `gold`, what counts for Silver is positive in `silver`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Term {
    /// Its name, in `snake_case`.
    pub name: &'static str,
    pub gold: i32,
    pub silver: i32,
    /// Where it comes from, in words: which pieces, which squares. Empty where there is nothing to say.
    pub because: Vec<String>,
}

/// An evaluation with its parts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Explanation {
    pub evaluator: String,
    /// The whole for the side to move, in hundredths of a rabbit: what [`Evaluator::evaluate`] says.
    pub worth: i32,
    /// The parts; the sum of `gold - silver`, seen from the side to move, is `worth`. Empty where an evaluator has no parts.
    pub terms: Vec<Term>,
}

/// Says what a position is worth. The same position always gives the same worth.
pub trait Evaluator: Send + Sync {
    /// The name by which it is asked for: lower case, digits and hyphens.
    fn name(&self) -> &str;

    /// One line on what it is.
    fn about(&self) -> &str;

    /// The worth in hundredths of a rabbit for the side whose turn it is, which may be in the middle of the turn. Nobody has
    /// won on the board.
    fn evaluate(&self, steps: &Steps) -> i32;

    /// The worth of a position with its parts.
    fn explain(&self, position: &Position) -> Explanation {
        Explanation {
            evaluator: self.name().to_owned(),
            worth: self.evaluate(&Steps::begin(position)),
            terms: Vec::new(),
        }
    }
}
