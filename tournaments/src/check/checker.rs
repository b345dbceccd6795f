//! Collects verdicts, each by a rule of the rulebook. Rules that the rulebook does not have are skipped.

use annals_events::tournament::{Equals, Outcome};
use annals_events::{BoardId, Micros, PlayerId, Side};

use super::judging::{EventMeta, JudgingContext};
use crate::formats::meetings::listed;
use crate::rulebook::RuleId;
use crate::state::calendar::utc;
use crate::state::{Board, Round};
use crate::subject::Subject;
use crate::verdict::{Compliance, Verdict};

/// Rules about facts that a record of games does not contain.
const BEYOND_GAMES: [RuleId; 2] = [RuleId::SwissDeclared, RuleId::SwissLots];

pub(crate) struct Checker<'a> {
    pub case: &'a JudgingContext<'a>,
    pub when: &'a EventMeta,
    verdicts: Vec<Verdict>,
}

impl<'a> Checker<'a> {
    pub fn new(case: &'a JudgingContext<'a>, when: &'a EventMeta) -> Checker<'a> {
        Checker { case, when, verdicts: Vec::new() }
    }

    pub fn has(&self, rule: RuleId) -> bool {
        self.case.rulebook.rule(rule).is_some()
    }

    /// The first rule that the rulebook has: an older text may lack the finer one.
    pub fn first_rule(&self, rules: &[RuleId]) -> Option<RuleId> {
        rules.iter().copied().find(|rule| self.has(*rule))
    }

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

    /// The board of a game or result; a violation if the pairing was not published or was revoked.
    pub fn board(&mut self, pairing: BoardId, subject: &str) -> Option<&'a Board> {
        let board = self.case.board(pairing).map(|(_, board)| board);
        if board.is_none() {
            let known = match self.case.tournament.rounds.get(&pairing.round) {
                None => format!("round {} is not paired", pairing.round),
                Some(round) => {
                    let boards: Vec<u32> = round.boards.keys().copied().collect();
                    format!("round {} has the boards {}", pairing.round, listed(&boards))
                }
            };
            self.hold(RuleId::ResultPaired, subject, false, || {
                ("a pairing in force", format!("{pairing} was never paired, or was revoked: {known}"))
            });
        }
        board
    }

    /// Whether the event was recorded after its due time but dated before it. Imports are not considered.
    pub fn is_dated_back(&self, due: Micros) -> bool {
        !self.when.imported && self.when.at < due && self.when.recorded_at >= due
    }

    /// Records a backdated event as undetermined.
    pub fn dated_back(&mut self, rule: RuleId, subject: impl Into<Subject>, due: Micros) {
        let (at, recorded_at) = (utc(self.when.at), utc(self.when.recorded_at));
        let due = utc(due);
        let why = format!("it is dated {at} and was recorded at {recorded_at}, after the deadline at {due}");
        self.open(rule, subject, why);
    }

    pub fn in_time(&mut self, rule: RuleId, subject: impl Into<Subject>, due: Micros, done: &str) {
        if self.is_dated_back(due) {
            return self.dated_back(rule, subject, due);
        }
        let at = self.when.at;
        self.hold(rule, subject, at < due, || {
            (format!("{done} before {}", utc(due)), format!("{done} at {}", utc(at)))
        });
    }

    /// The name of a side in the rulebook's game.
    pub fn side(&self, side: Side) -> &'static str {
        side.name_in(self.case.rulebook.game)
    }

    /// The same within a sentence.
    pub fn side_word(&self, side: Side) -> &'static str {
        Outcome::from(side).word_in(self.case.rulebook.game)
    }

    pub fn outcome(&self, outcome: Outcome) -> &'static str {
        outcome.word_in(self.case.rulebook.game)
    }

    /// Checks a rule, if the rulebook has it. `otherwise` gives what is expected and found on a violation.
    pub fn hold<E: Into<String>, F: Into<String>>(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        holds: bool,
        otherwise: impl FnOnce() -> (E, F),
    ) {
        self.none(rule, subject, (!holds).then_some(()), |()| otherwise());
    }

    /// Checks that nothing violates a rule, if the rulebook has it. `words` gives what is expected and found
    /// for a violator.
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

    /// Checks that a text is not blank; a text that is not has no verdict. Edition 1 has no such check.
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

    /// Records compliance.
    pub fn compliant(&mut self, rule: impl Into<Option<RuleId>>, subject: impl Into<Subject>) {
        self.say(rule, subject, Compliance::Compliant);
    }

    /// Records that the event is one of several that the rule makes equal.
    pub fn one_of(&mut self, rule: impl Into<Option<RuleId>>, subject: impl Into<Subject>, equals: Equals) {
        let holds =
            if equals == Equals::Exactly(1) { Compliance::Compliant } else { Compliance::OneOf(equals) };
        self.say(rule, subject, holds);
    }

    /// Records that the rule or the record leaves it undetermined.
    pub fn open(
        &mut self,
        rule: impl Into<Option<RuleId>>,
        subject: impl Into<Subject>,
        why: impl Into<String>,
    ) {
        self.say(rule, subject, Compliance::Undetermined { why: why.into() });
    }

    pub fn worse(
        &mut self,
        rule: RuleId,
        subject: impl Into<Subject>,
        criterion: Option<usize>,
        (expected, found): (String, String),
    ) {
        self.record(rule, subject, Compliance::Violation { expected, found }, criterion);
    }

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

    /// Adds the verdicts on another state.
    pub fn adopt(&mut self, other: Checker<'_>) {
        self.verdicts.extend(other.verdicts);
    }

    pub fn verdicts(self) -> Vec<Verdict> {
        self.verdicts
    }
}
