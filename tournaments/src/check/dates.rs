//! The announced begin and end of play (2015 WCC, Tournament begins, Tournament ends).

use annals_events::tournament::{GameAttached, Milestone, ResultRecorded, RoundStarted};

use super::Checker;
use crate::rulebook::RuleId;
use crate::state::calendar::{date, utc};

pub(super) fn round_started(check: &mut Checker<'_>, started: &RoundStarted) {
    if let Some(ends) = date(check.case.tournament, Milestone::PlayEnds) {
        check.in_time(RuleId::PlayEnds, format!("the date of round {}", started.round), ends, "begun");
    }
}

/// A game that begins. The text does not cover a broken-off game that resumes after the end of play.
pub(super) fn game_attached(check: &mut Checker<'_>, attached: &GameAttached) {
    let Some(ends) = date(check.case.tournament, Milestone::PlayEnds) else { return };
    let subject = format!("the begin of {}, attempt {}", attached.pairing, attached.attempt);
    if attached.attempt == 1 {
        check.in_time(RuleId::PlayEnds, subject, ends, "begun");
    } else if check.when.at >= ends {
        check.open(
            RuleId::PlayEnds,
            subject,
            format!("a further attempt after play was to end, at {}", utc(ends)),
        );
    }
}

/// A game decided before play begins, or ending after it: the text does not state the consequence.
pub(super) fn result_recorded(check: &mut Checker<'_>, result: &ResultRecorded) {
    let tournament = check.case.tournament;
    let begins = date(tournament, Milestone::PlayBegins).filter(|_| check.case.rulebook.edition > 1);
    if let Some(begins) = begins.filter(|_| check.has(RuleId::RoundDates)) {
        let at = check.when.at;
        check.hold(RuleId::RoundDates, format!("the date of {}", result.pairing), at >= begins, || {
            (format!("a result at {} or later", utc(begins)), format!("it is decided at {}", utc(at)))
        });
    }
    let Some(ends) = date(tournament, Milestone::PlayEnds).filter(|ends| check.when.at >= *ends) else {
        return;
    };
    let why = format!("{} ended after play was to end, at {}", result.pairing, utc(ends));
    check.open(RuleId::PlayEnds, format!("the date of {}", result.pairing), why);
}
