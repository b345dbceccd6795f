//! What a check finds of one event: by which rule, and whether the event is compliant.

use std::fmt;

use annals_events::tournament::Equals;
use serde::Serialize;

use crate::rulebook::Rule;
use crate::subject::Subject;

/// Whether something complies with the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compliance {
    /// It does, and nothing else would.
    Compliant,
    /// It does, and others would as well: this many are equally good, itself counted.
    OneOf(Equals),
    Violation {
        /// What the rule asks for.
        expected: String,
        found: String,
    },
    /// The rule leaves it to the director, or the record does not hold what would be needed to tell.
    Undetermined {
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
    pub holds: Compliance,
    /// The criterion on which a round is worse than it could be, from 0; none where no criterion decides.
    #[serde(skip)]
    pub criterion: Option<usize>,
}

impl Verdict {
    /// Whether the event violates the rule.
    pub fn is_violation(&self) -> bool {
        matches!(self.holds, Compliance::Violation { .. })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, paragraph) = (self.rule.id.name(), self.rule.paragraph);
        write!(f, "{}: {} [{name}, {paragraph}]", self.subject, self.holds.word())?;
        match &self.holds {
            Compliance::Undetermined { why } => write!(f, ": {why}"),
            Compliance::Violation { expected, found } => write!(f, ": expected {expected}; found: {found}"),
            Compliance::Compliant | Compliance::OneOf(_) => Ok(()),
        }
    }
}

impl Compliance {
    /// The word for it: `compliant`, `compliant (1 of N equivalent)`, `violation`, `undetermined`.
    pub fn word(&self) -> String {
        match self {
            Compliance::Compliant => "compliant".to_owned(),
            Compliance::OneOf(Equals::Exactly(equals)) => format!("compliant (1 of {equals} equivalent)"),
            Compliance::OneOf(Equals::AtLeast(equals)) => {
                format!("compliant (1 of at least {equals} equivalent)")
            }
            Compliance::Violation { .. } => "violation".to_owned(),
            Compliance::Undetermined { .. } => "undetermined".to_owned(),
        }
    }
}
