use annals_events::tournament::{Measure, RoundPaired};

use super::meetings::{in_words, meetings};

/// A published round compared with the proposed one.
pub(crate) struct Value {
    /// As published; none if unknown.
    pub measures: Option<Vec<Measure>>,
    /// None for the proposed round or an equivalent one.
    pub worse: Option<Worse>,
}

/// How a published round is worse than the proposed one.
pub(crate) struct Worse {
    /// The criterion, from 0; none if no criterion decides.
    pub criterion: Option<usize>,
    pub expected: String,
    pub found: String,
}

impl Value {
    /// Compares with the only possible round.
    pub(crate) fn of_the_only_round(due: &RoundPaired, paired: &RoundPaired) -> Value {
        let (wanted, made) = (meetings(&due.pairs), meetings(&paired.pairs));
        // A pair listed twice is an error even if the sets are equal.
        if wanted == made && due.pairs.len() == paired.pairs.len() {
            return Value { measures: Some(due.measures.clone()), worse: None };
        }
        let (expected, found) = if wanted == made {
            (format!("{} pairs, each once", due.pairs.len()), format!("{} pairs", paired.pairs.len()))
        } else {
            (in_words(wanted.difference(&made)), in_words(made.difference(&wanted)))
        };
        Value { measures: None, worse: Some(Worse { criterion: None, expected, found }) }
    }
}
