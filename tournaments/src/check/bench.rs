//! Where verdicts are collected: each names a rule of the rulebook. What the rulebook does not list is not asked.

use annals_events::Side;
use annals_events::tournament::{Equals, Outcome};

use super::{Case, When};
use crate::rulebook::RuleId;
use crate::subject::Subject;
use crate::verdict::{Holds, Verdict};

/// The verdicts on one event.
pub(crate) struct Bench<'a> {
    /// What is judged, and by what.
    pub case: &'a Case<'a>,
    pub when: &'a When,
    verdicts: Vec<Verdict>,
}

impl<'a> Bench<'a> {
    pub fn new(case: &'a Case<'a>, when: &'a When) -> Bench<'a> {
        Bench { case, when, verdicts: Vec::new() }
    }

    /// Whether the rulebook has a rule.
    pub fn has(&self, rule: RuleId) -> bool {
        self.case.rulebook.rule(rule).is_some()
    }

    /// What the rulebook's game calls a side.
    pub fn side(&self, side: Side) -> &'static str {
        side.name_in(self.case.rulebook.game)
    }

    /// What the rulebook's game calls a side, within a sentence.
    pub fn side_word(&self, side: Side) -> &'static str {
        Outcome::from(side).word_in(self.case.rulebook.game)
    }

    /// How a game came out, in the words of the rulebook's game.
    pub fn outcome(&self, outcome: Outcome) -> &'static str {
        outcome.word_in(self.case.rulebook.game)
    }

    /// Says whether a rule holds, if there is one; `otherwise` tells what it asks for and what is recorded.
    pub fn hold(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        holds: bool,
        otherwise: impl FnOnce() -> (String, String),
    ) {
        let holds = if holds {
            Holds::Follows
        } else {
            let (expected, found) = otherwise();
            Holds::Departs { expected, found }
        };
        self.say(rule, subject, holds);
    }

    /// Says that it is one of several that the rule makes equal.
    pub fn one_of(&mut self, rule: impl Into<Option<RuleId>>, subject: impl Into<Subject>, equals: Equals) {
        let holds = if equals == Equals::Exactly(1) { Holds::Follows } else { Holds::OneOf(equals) };
        self.say(rule, subject, holds);
    }

    /// Says that the record or the rule leaves it open.
    pub fn open(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        why: impl Into<String>,
    ) {
        self.say(rule, subject, Holds::Open { why: why.into() });
    }

    /// Says that a round is worse than it could be, and on which criterion.
    pub fn worse(
        &mut self,
        rule: RuleId,
        subject: impl Into<Subject>,
        criterion: Option<usize>,
        (expected, found): (String, String),
    ) {
        let Some(rule) = self.case.rulebook.rule(rule) else { return };
        let holds = Holds::Departs { expected, found };
        let (seq, subject) = (self.when.seq, subject.into());
        self.verdicts.push(Verdict { seq, subject, rule, holds, criterion });
    }

    fn say(&mut self, rule: impl Into<Option<RuleId>>, subject: impl Into<Subject>, holds: Holds) {
        let Some(rule) = rule.into().and_then(|rule| self.case.rulebook.rule(rule)) else { return };
        self.verdicts.push(Verdict {
            seq: self.when.seq,
            subject: subject.into(),
            rule,
            holds,
            criterion: None,
        });
    }

    /// Takes over what was said on another state.
    pub fn adopt(&mut self, other: Bench<'_>) {
        self.verdicts.extend(other.verdicts);
    }

    pub fn verdicts(self) -> Vec<Verdict> {
        self.verdicts
    }
}
