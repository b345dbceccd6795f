use std::fmt;

use annals_events::tournament::Equals;
use serde::Serialize;

use crate::rulebook::Rule;
use crate::subject::Subject;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compliance {
    /// And nothing else would be.
    Compliant,
    /// One of this many equivalents, itself counted.
    OneOf(Equals),
    Violation {
        expected: String,
        found: String,
    },
    /// The rule leaves it to the director, or the record is incomplete.
    Undetermined {
        why: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    pub seq: u64,
    pub subject: Subject,
    pub rule: Rule,
    pub holds: Compliance,
    /// The criterion on which a round is worse, from 0; none if no criterion decides.
    #[serde(skip)]
    pub criterion: Option<usize>,
}

impl Verdict {
    pub fn is_violation(&self) -> bool {
        matches!(self.holds, Compliance::Violation { .. })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, paragraph) = (self.rule.id.name(), self.rule.paragraph);
        write!(f, "{}: {} [{name}, {paragraph}]", self.subject, self.holds.word())?;
        self.holds.why().map_or(Ok(()), |why| write!(f, ": {why}"))
    }
}

impl Compliance {
    /// `compliant`, `one of several`, `violation` or `undetermined`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Compliance::Compliant => "compliant",
            Compliance::OneOf(_) => "one of several",
            Compliance::Violation { .. } => "violation",
            Compliance::Undetermined { .. } => "undetermined",
        }
    }

    /// Why it is not compliant.
    pub fn why(&self) -> Option<String> {
        match self {
            Compliance::Undetermined { why } => Some(why.clone()),
            Compliance::Violation { expected, found } => Some(format!("expected {expected}; found: {found}")),
            Compliance::Compliant | Compliance::OneOf(_) => None,
        }
    }

    /// `compliant`, `compliant (1 of N equivalent)`, `violation` or `undetermined`.
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
