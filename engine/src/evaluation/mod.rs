//! Static evaluators by name, for search, `annals engine evaluate` and charts; other crates can register theirs.

mod annals;
mod material;
pub(crate) mod position_report;
mod registry;
mod vocabulary;

pub use annals::{Annals, AnnalsWith, Parameters, PartOfAnnals, UnknownTerm};
pub use material::Material;
pub use position_report::{PositionReport, PositionReportError};
pub use registry::{Evaluators, Registry, UnknownEvaluator};
pub use vocabulary::{InWords, Vocabulary};

use annals_rules::arimaa::{Position, Steps};

/// A named part of an evaluation, in hundredths of a rabbit. `gold` and `silver` are each positive for their side.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Term {
    /// In `snake_case`.
    pub name: &'static str,
    pub gold: i32,
    pub silver: i32,
    /// The pieces and squares that give it; may be empty.
    pub because: Vec<String>,
}

/// An evaluation with its parts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Explanation {
    pub evaluator: String,
    /// For the side to move, in hundredths of a rabbit: as [`Evaluator::evaluate`].
    pub worth: i32,
    /// The sum of `gold - silver` for the side to move is `worth`. Empty if the evaluator has no parts.
    pub terms: Vec<Term>,
}

/// Evaluates a position, deterministically.
pub trait Evaluator: Send + Sync {
    /// Lower case, digits and hyphens.
    fn name(&self) -> &str;

    /// One line.
    fn about(&self) -> &str;

    /// In hundredths of a rabbit for the side to move, perhaps in mid-turn. The game is not decided on the board.
    fn evaluate(&self, steps: &Steps) -> i32;

    /// With parts.
    fn explain(&self, position: &Position) -> Explanation {
        Explanation {
            evaluator: self.name().to_owned(),
            worth: self.evaluate(&Steps::begin(position)),
            terms: Vec::new(),
        }
    }
}
