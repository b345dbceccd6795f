//! Why something is not done: the rule, what stands in the way, and what to do next.

use crate::rulebook::Rule;

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct Refusal {
    /// The rule; none where the record itself is lacking.
    pub rule: Option<Rule>,
    /// What happened, with the evidence.
    pub what: String,
    /// What to do next.
    pub next: Option<String>,
}

impl Refusal {
    /// A refusal for want of something in the record.
    #[must_use]
    pub fn lacking(what: impl Into<String>) -> Refusal {
        Refusal { rule: None, what: what.into(), next: None }
    }

    /// A refusal by a rule.
    #[must_use]
    pub fn by(rule: Option<Rule>, what: impl Into<String>) -> Refusal {
        Refusal { rule, what: what.into(), next: None }
    }

    /// With what to do next.
    #[must_use]
    pub fn hint(mut self, next: impl Into<String>) -> Refusal {
        self.next = Some(next.into());
        self
    }

    fn text(&self) -> String {
        match &self.rule {
            Some(rule) => {
                // The parts name their own paragraph; the rule's is the one that is told.
                let source = rule.paragraph.split(',').next().unwrap_or_default();
                let own = self.what.rsplit_once(" (").filter(|(_, end)| end.ends_with(')'));
                let what =
                    own.filter(|(_, end)| end.starts_with(source)).map_or(&*self.what, |(what, _)| what);
                format!("{} ({}, {}: {})", what, rule.id, rule.paragraph, rule.says.trim_end_matches('.'))
            }
            None => self.what.clone(),
        }
    }
}
