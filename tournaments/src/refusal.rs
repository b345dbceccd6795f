//! Why something is not done: the rule, the obstacle, and what to do next.

use annals_events::BoardId;

use crate::rulebook::{Rule, RuleId};

/// What a director can do next. The program that shows it names its own command for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// What is to be done, in words.
    Words(&'static str),
    /// An event would break a rule: what else can be done depends on the rule.
    Breach(RuleId),
    /// Record a result, of this pairing where one is named.
    Result(Option<BoardId>),
    /// Record a result or a forfeit.
    ResultOrForfeit,
    /// Give a place by a ruling.
    GivePlace,
    Pair,
    /// Pair it with a seed for its coins.
    PairWithSeed,
    Close,
    DeclareRounds,
    /// Draw the lots of a round.
    DrawLots,
    /// Publish the order of the stage.
    Qualify,
    /// Fix when the qualifying period begins and ends.
    QualifyingDates,
    Show,
    Rounds,
    Notices,
}

impl From<&'static str> for Remedy {
    fn from(words: &'static str) -> Remedy {
        Remedy::Words(words)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct Refusal {
    /// The rule; none where the record itself is lacking.
    pub rule: Option<Rule>,
    /// What happened, with the evidence.
    pub what: String,
    pub next: Option<Remedy>,
}

impl Refusal {
    /// A refusal for want of something in the record.
    pub fn lacking(what: impl Into<String>) -> Refusal {
        Refusal { rule: None, what: what.into(), next: None }
    }

    pub fn by(rule: Option<Rule>, what: impl Into<String>) -> Refusal {
        Refusal { rule, what: what.into(), next: None }
    }

    /// With what to do next.
    pub fn hint(mut self, next: impl Into<Remedy>) -> Refusal {
        self.next = Some(next.into());
        self
    }

    fn text(&self) -> String {
        match &self.rule {
            Some(rule) => {
                format!(
                    "{} ({}, {}: {})",
                    self.what,
                    rule.id,
                    rule.paragraph,
                    rule.says.trim_end_matches('.')
                )
            }
            None => self.what.clone(),
        }
    }
}
