//! The announced end of play (2015 WCC, Tournament ends).

use annals_events::tournament::{Milestone, ResultRecorded, RoundStarted};

use super::Checker;
use crate::rulebook::RuleId;
use crate::state::calendar::{date, utc};

pub(super) fn round_started(check: &mut Checker<'_>, started: &RoundStarted) {
    if let Some(ends) = date(check.case.tournament, Milestone::PlayEnds) {
        check.in_time(RuleId::PlayEnds, format!("the date of round {}", started.round), ends, "begun");
    }
}

/// A game that was under way at the end of play: the text does not say what becomes of it. One that began later is late by its
/// start.
pub(super) fn result_recorded(check: &mut Checker<'_>, result: &ResultRecorded) {
    let tournament = check.case.tournament;
    let Some(ends) = date(tournament, Milestone::PlayEnds).filter(|ends| check.when.at >= *ends) else {
        return;
    };
    let round = tournament.rounds.get(&result.pairing.round);
    let under_way = round.and_then(|round| round.started_at).is_some_and(|started| started < ends);
    if under_way {
        let why = format!("{} was under way when play was to end, at {}", result.pairing, utc(ends));
        check.open(RuleId::PlayEnds, format!("the date of {}", result.pairing), why);
    }
}
