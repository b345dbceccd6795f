//! Where verdicts are collected: each names a rule of the rulebook. What the rulebook does not list is not asked.

use annals_events::tournament::{Equals, Outcome};
use annals_events::{BoardId, Micros, PlayerId, Side};

use super::{EventMeta, JudgingContext};
use crate::rulebook::RuleId;
use crate::state::calendar::utc;
use crate::state::{Board, Round};
use crate::subject::Subject;
use crate::verdict::{Compliance, Verdict};

/// Rules about what a record of games does not hold.
const BEYOND_GAMES: [RuleId; 2] = [RuleId::SwissDeclared, RuleId::SwissLots];

/// The verdicts on one event.
pub(crate) struct Checker<'a> {
    pub case: &'a JudgingContext<'a>,
    pub when: &'a EventMeta,
    verdicts: Vec<Verdict>,
}

impl<'a> Checker<'a> {
    pub fn new(case: &'a JudgingContext<'a>, when: &'a EventMeta) -> Checker<'a> {
        Checker { case, when, verdicts: Vec::new() }
    }

    /// Whether the rulebook has a rule.
    pub fn has(&self, rule: RuleId) -> bool {
        self.case.rulebook.rule(rule).is_some()
    }

    /// Checks that a player entered, by a rule.
    pub fn entered(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        player: &PlayerId,
    ) -> bool {
        let known = self.case.tournament.entrants.contains_key(player);
        self.hold(rule, subject, known, || ("a player who entered", format!("`{player}` never entered")));
        known
    }

    /// Checks that a pairing was published and not revoked, by a rule.
    pub fn paired(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        pairing: BoardId,
    ) -> Option<(&'a Round, &'a Board)> {
        let board = self.case.board(pairing);
        self.hold(rule, subject, board.is_some(), || {
            ("a pairing in force", format!("{pairing} was never paired, or was revoked"))
        });
        board
    }

    /// Whether something that was due is recorded too late and dated in time. The time of recording of an import is not
    /// considered.
    pub fn is_dated_back(&self, due: Micros) -> bool {
        !self.when.imported && self.when.at < due && self.when.recorded_at >= due
    }

    /// Records as undetermined what is dated back.
    pub fn dated_back(&mut self, rule: RuleId, subject: impl Into<Subject>, due: Micros) {
        let (at, recorded_at) = (utc(self.when.at), utc(self.when.recorded_at));
        let due = utc(due);
        let why = format!("it is dated {at} and was recorded at {recorded_at}, after the deadline at {due}");
        self.open(rule, subject, why);
    }

    /// Checks that something was done before it was due.
    pub fn in_time(&mut self, rule: RuleId, subject: impl Into<Subject>, due: Micros, done: &str) {
        if self.is_dated_back(due) {
            return self.dated_back(rule, subject, due);
        }
        let at = self.when.at;
        self.hold(rule, subject, at < due, || {
            (format!("{done} before {}", utc(due)), format!("{done} at {}", utc(at)))
        });
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

    /// Checks a rule, if the rulebook has it. Where the event violates it, `otherwise` gives what is expected and what is found.
    pub fn hold<E: Into<String>, F: Into<String>>(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        holds: bool,
        otherwise: impl FnOnce() -> (E, F),
    ) {
        self.none(rule, subject, (!holds).then_some(()), |()| otherwise());
    }

    /// Checks that nothing violates a rule, if the rulebook has it. For what does, `words` gives what is expected and what is
    /// found.
    pub fn none<T, E: Into<String>, F: Into<String>>(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        violating: Option<T>,
        words: impl FnOnce(T) -> (E, F),
    ) {
        let holds = violating.map_or(Compliance::Compliant, |violating| {
            let (expected, found) = words(violating);
            Compliance::Violation { expected: expected.into(), found: found.into() }
        });
        self.say(rule, subject, holds);
    }

    /// Checks that a text says something. A text that does has no verdict. Edition 1 does not ask.
    pub fn said(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        expected: &str,
        text: &str,
    ) {
        if text.trim().is_empty() && self.case.rulebook.edition > 1 {
            self.hold(rule, subject, false, || (expected, "an empty text"));
        }
    }

    /// Records that the event is compliant with a rule.
    pub fn compliant(&mut self, rule: impl Into<Option<RuleId>>, subject: impl Into<Subject>) {
        self.say(rule, subject, Compliance::Compliant);
    }

    /// Says that it is one of several that the rule makes equal.
    pub fn one_of(&mut self, rule: impl Into<Option<RuleId>>, subject: impl Into<Subject>, equals: Equals) {
        let holds =
            if equals == Equals::Exactly(1) { Compliance::Compliant } else { Compliance::OneOf(equals) };
        self.say(rule, subject, holds);
    }

    /// Says that the record or the rule leaves it open.
    pub fn open(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        why: impl Into<String>,
    ) {
        self.say(rule, subject, Compliance::Undetermined { why: why.into() });
    }

    /// Says that a round is worse than it could be, and on which criterion.
    pub fn worse(
        &mut self,
        rule: RuleId,
        subject: impl Into<Subject>,
        criterion: Option<usize>,
        (expected, found): (String, String),
    ) {
        self.record(rule, subject, Compliance::Violation { expected, found }, criterion);
    }

    /// Records a verdict by a rule, if the rulebook has it.
    pub fn say(&mut self, rule: impl Into<Option<RuleId>>, subject: impl Into<Subject>, holds: Compliance) {
        self.record(rule, subject, holds, None);
    }

    fn record(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        holds: Compliance,
        criterion: Option<usize>,
    ) {
        if let Some(rule) = rule.into().and_then(|rule| self.case.rulebook.rule(rule)) {
            let (seq, subject) = (self.when.seq, subject.into());
            let holds = match holds {
                Compliance::Violation { found, .. }
                    if self.case.rulebook.games_only && BEYOND_GAMES.contains(&rule.id) =>
                {
                    Compliance::Undetermined { why: format!("{found}; the record holds games only") }
                }
                holds => holds,
            };
            self.verdicts.push(Verdict { seq, subject, rule, holds, criterion });
        }
    }

    /// Takes over the verdicts on another state.
    pub fn adopt(&mut self, other: Checker<'_>) {
        self.verdicts.extend(other.verdicts);
    }

    pub fn verdicts(self) -> Vec<Verdict> {
        self.verdicts
    }
}
