//! What a check finds of one event: by which rule, and whether the event is compliant.

use annals_events::tournament::Equals;
use serde::Serialize;

use crate::rulebook::Rule;
use crate::subject::Subject;

/// Whether something follows from the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// It does, and nothing else would.
    Follows,
    /// It does, and others would as well: this many are equally good, itself counted.
    OneOf(Equals),
    Departs {
        /// What the rule asks for.
        expected: String,
        found: String,
    },
    /// The rule leaves it to the director, or the record does not hold what would be needed to tell.
    Open {
        /// Why it cannot be told.
        why: String,
    },
}

/// One event compared with one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    pub seq: u64,
    pub subject: Subject,
    pub rule: Rule,
    pub holds: Holds,
    /// The criterion on which a round is worse than it could be, from 0; none where no criterion decides.
    #[serde(skip)]
    pub criterion: Option<usize>,
}

impl Verdict {
    /// Whether the event violates the rule.
    pub fn departs(&self) -> bool {
        matches!(self.holds, Holds::Departs { .. })
    }
}

impl Holds {
    /// The word for it: `follows`, `one of N equals`, `departs`, `open`.
    pub fn word(&self) -> String {
        match self {
            Holds::Follows => "follows".to_owned(),
            Holds::OneOf(Equals::Exactly(equals)) => format!("one of {equals} equals"),
            Holds::OneOf(Equals::AtLeast(equals)) => format!("one of at least {equals} equals"),
            Holds::Departs { .. } => "departs".to_owned(),
            Holds::Open { .. } => "open".to_owned(),
        }
    }
}
