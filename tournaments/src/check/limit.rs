//! The limit of a game's length (G): whether it had been reached at the recorded end (reading T45), by the
//! game's clock; without the game in the log, by the start of its round.

use annals_events::tournament::Outcome;
use annals_events::{BoardId, Termination};
use annals_rules::GameFacts;
use annals_rules::clock::{GameLimit, TimeControl};
use annals_rules::game::LimitCheck;

use super::Checker;
use super::findings::rule_of;
use crate::rulebook::RuleId;
use crate::state::calendar::utc;

const RULE: RuleId = RuleId::GameLimit;
pub(super) const AT_THE_LIMIT: &str =
    "a game ends by score at the instant when it reaches its limit, and not before";
const UNKNOWN: &str = "the log does not tell whether the game had reached its limit";

pub(super) fn finished(check: &mut Checker<'_>, subject: &str, facts: &GameFacts) {
    if !check.case.rulebook.checks_limit() {
        return;
    }
    let of_the_limit = |code| rule_of(check.case.rulebook, code) == Some(RULE);
    let violation = facts.violations.iter().find(|violation| of_the_limit(violation.code));
    let end = facts.length.zip(facts.ended);
    let found = end.map(|(length, end)| length.check(Some(end.at), end.termination));
    if violation.is_none() && found == Some(LimitCheck::Unknown) {
        return check.open(RULE, subject, UNKNOWN);
    }
    check.none(RULE, subject, violation, |violation| {
        (AT_THE_LIMIT, format!("event {}: {}", violation.seq, violation.message))
    });
}

/// A result as recorded or ruled.
#[derive(Clone, Copy)]
pub(super) struct Stated {
    pub pairing: BoardId,
    pub outcome: Outcome,
    pub termination: Option<Termination>,
    pub ruled: bool,
}

pub(super) fn stated(check: &mut Checker<'_>, subject: &str, stated: Stated, facts: Option<&GameFacts>) {
    let ended = facts.and_then(|facts| facts.ended);
    let Some(how) = stated.termination.filter(|_| stated.ruled || ended.is_none()) else { return };
    if !check.case.rulebook.checks_limit() {
        return;
    }
    let by_score = how == Termination::Score;
    let Some(facts) = facts else {
        if by_score {
            without_game(check, subject, stated);
        }
        return;
    };
    let at = ended.map_or(check.when.at, |end| end.at);
    match facts.length.map(|length| length.check_by(Some(at), how)) {
        Some(LimitCheck::Fault(fault)) => {
            check.hold(RULE, subject, false, || (AT_THE_LIMIT, fault.to_string()));
        }
        Some(LimitCheck::Fits) if by_score => check.compliant(RULE, subject),
        Some(LimitCheck::Fits) => {}
        None if !by_score => {}
        Some(LimitCheck::Unknown) | None => check.open(RULE, subject, UNKNOWN),
    }
}

/// Checks an end by score of a game missing in the log: it is not longer than the time since its round began.
fn without_game(check: &mut Checker<'_>, subject: &str, Stated { pairing, ruled, .. }: Stated) {
    let control = check.case.time_control(pairing.round);
    let length = control.and_then(|control| TimeControl::parse(&control).ok()?.game_limit());
    let Some(length) = length else { return };
    let round = check.case.tournament.rounds.get(&pairing.round);
    let began = round.filter(|round| !round.inferred).and_then(|round| round.started_at);
    let earliest = match (length, began) {
        (GameLimit::Seconds(seconds), Some(began)) => began.checked_add(i64::from(seconds) * 1_000_000),
        _ => None,
    };
    let at = check.when.at;
    match earliest.filter(|earliest| at < *earliest && !ruled) {
        Some(earliest) => check.hold(RULE, subject, false, || {
            let found = format!(
                "round {} has begun so late that no game reaches it before {}",
                pairing.round,
                utc(earliest)
            );
            (AT_THE_LIMIT, found)
        }),
        None => check.open(RULE, subject, UNKNOWN),
    }
}
