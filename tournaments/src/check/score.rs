//! The score of a game at its limit before July 2008 (2006 Postal, Tournament Rules 5): by piece points,
//! which no source states. Without announced points the director rules.

use annals_events::tournament::Outcome;
use annals_events::{BoardId, Micros, Termination};
use annals_rules::GameFacts;
use annals_rules::game::Era;
use annals_rules::scoring::{Score, early};

use super::limit::{self, Stated};
use super::{Checker, JudgingContext};
use crate::rulebook::{EarlyScore, RuleId};

const RULE: RuleId = RuleId::GameScore;

pub(crate) enum Due {
    /// Piece points applied to the position.
    Outcome(Outcome),
    /// No points are announced: the director rules.
    Ruling(String),
    Unknown,
}

/// What decides a game that ended by score by `at`; none under the rules of July 2008, which the game's fold
/// applies.
pub(crate) fn due(
    case: &JudgingContext<'_>,
    pairing: BoardId,
    facts: Option<&GameFacts>,
    at: Micros,
) -> Option<Due> {
    case.rulebook.rule(RULE)?;
    if Era::at(Some(began(case, pairing, facts, at))) == Era::Modern {
        return None;
    }
    let Some(points) = case.rulebook.points_in_force() else {
        let why = match case.rulebook.readings.early_score {
            EarlyScore::Ruling => "no source states the piece points (T44)",
            EarlyScore::PiecePoints => "the announcement states no piece points",
        };
        return Some(Due::Ruling(format!("the director rules on a game that ended by score: {why}")));
    };
    let sides = facts.and_then(|facts| facts.early_sides);
    Some(match sides.map(|sides| early(&sides, Some(&points))) {
        Some(Score::Won(side)) => Due::Outcome(side.into()),
        Some(Score::Draw) => Due::Outcome(Outcome::Draw),
        Some(Score::Undecidable(_)) | None => Due::Unknown,
    })
}

/// When a game began, as far as it is known: at the latest when its round began, or `at`.
pub(super) fn began(
    case: &JudgingContext<'_>,
    pairing: BoardId,
    facts: Option<&GameFacts>,
    at: Micros,
) -> Micros {
    let round = case.tournament.rounds.get(&pairing.round).and_then(|round| round.started_at);
    facts.and_then(|facts| facts.started_at).or(round).unwrap_or(at)
}

/// Checks a result against the game limit and what decides by score.
pub(super) fn check(check: &mut Checker<'_>, subject: &str, stated: Stated, facts: Option<&GameFacts>) {
    limit::stated(check, subject, stated, facts);
    let ended = facts.and_then(|facts| facts.ended).map(|end| end.termination).filter(|_| !stated.ruled);
    if ended.or(stated.termination) != Some(Termination::Score) {
        return;
    }
    let Some(due) = due(check.case, stated.pairing, facts, check.when.at) else { return };
    let said = check.outcome(stated.outcome);
    match due {
        Due::Outcome(due) if due == stated.outcome => check.compliant(RULE, subject),
        Due::Outcome(due) => {
            let due = check.outcome(due);
            if stated.ruled {
                let why =
                    format!("the piece points give {due}, and the director gives {said}, which is final");
                return check.open(RULE, subject, why);
            }
            check.hold(RULE, subject, false, || {
                (format!("the piece points give {due}"), format!("it is recorded as {said}"))
            });
        }
        Due::Ruling(why) if stated.ruled => {
            check.open(RULE, subject, format!("{why}; the director gives {said}"));
        }
        Due::Ruling(why) => {
            check.hold(RULE, subject, false, || (why, format!("it is recorded as {said}, without a ruling")));
        }
        Due::Unknown => check.open(RULE, subject, "the log does not hold the last position of the game"),
    }
}
