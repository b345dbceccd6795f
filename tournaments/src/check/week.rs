//! The week of the 2009 championship (2009 WC, Time of games): pairings are published on Sunday from 8pm EST, times are fixed on
//! Monday from 8pm, games are played from Tuesday to Sunday, one a week. "At 8pm" is from then to the end of that evening.

use annals_events::tournament::{GameScheduled, Milestone, RoundPaired};
use annals_events::{Micros, Pairing};

use super::Checker;
use crate::appointment::{EST, Week};
use crate::rulebook::{DAY, HOUR, MINUTE, RuleId};
use crate::state::Board;
use crate::state::calendar::{date, utc};

/// From 8pm to the end of the day.
const EVENING: Micros = 4 * HOUR;

/// Pairings are published on the evening of the week that the announcement names for the first, and a player has one game a
/// week. Nothing is asked where the announcement names no such evening.
pub(super) fn published(check: &mut Checker<'_>, paired: &RoundPaired) {
    let tournament = check.case.tournament;
    let Some(first) = date(tournament, Milestone::PairingPublished) else { return };
    let subject = format!("round {}, its publication", paired.round);
    let at = check.when.at;
    let weeks = at.saturating_sub(first).div_euclid(7 * DAY).max(0);
    let from = first.saturating_add(weeks.saturating_mul(7 * DAY));
    evening(check, RuleId::RoundWeekly, &subject, from, at >= from);
    let week = Week::after(at);
    let others = tournament.rounds.iter().filter(|(number, _)| **number != paired.round);
    let same_week = others.filter(|(_, round)| Week::after(round.paired.at) == week);
    let boards: Vec<&Board> = same_week.flat_map(|(_, round)| round.boards.values()).collect();
    let mut players = paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
    let twice = players.find(|player| boards.iter().any(|board| board.has(player)));
    check.none(RuleId::RoundWeekly, format!("round {}, its week", paired.round), twice, |player| {
        ("one game a week", format!("`{player}` has another game in the week from {}", utc(week.from)))
    });
}

/// The time of a game is fixed on the evening of the Monday after its pairing, and lies after the announced beginning.
pub(super) fn fixed(check: &mut Checker<'_>, scheduled: &GameScheduled) {
    let pairing = scheduled.pairing;
    let Some((round, board)) = check.case.board(pairing) else { return };
    let subject = format!("the fixing of {pairing}");
    let week = Week::after(round.paired.at);
    let (from, at) = (week.from.saturating_sub(EVENING), check.when.at);
    if at < week.from {
        evening(check, RuleId::ScheduleFixed, &subject, from, at >= from);
    } else {
        let what = if board.scheduled_at().is_some() { "moved" } else { "fixed" };
        let why = format!("the time is {what} at {}, after the Monday evening from {}", utc(at), utc(from));
        check.open(RuleId::ScheduleFixed, &subject, why);
    }
    let early = date(check.case.tournament, Milestone::PlayBegins).filter(|begins| scheduled.at < *begins);
    check.none(RuleId::ScheduleFixed, subject, early, |begins| {
        (format!("a time from {} on", utc(begins)), format!("it is {}", utc(scheduled.at)))
    });
}

/// The first game of a pairing begins in its week, at the time that was fixed. A player may wait for the opponent, so a later
/// beginning is left to the director. Nothing is asked where the announcement names no evening of publication.
pub(super) fn begun(check: &mut Checker<'_>, pairing: Pairing) {
    let tournament = check.case.tournament;
    if date(tournament, Milestone::PairingPublished).is_none() {
        return;
    }
    let Some((round, board)) = check.case.board(pairing) else { return };
    let (subject, at) = (format!("the beginning of {pairing}"), check.when.at);
    let week = Week::after(round.paired.at);
    let from = date(tournament, Milestone::PlayBegins).map_or(week.from, |begins| begins.max(week.from));
    check.hold(RuleId::ScheduleBegin, &subject, (from..week.to).contains(&at), || {
        (format!("between {} and {}", utc(from), utc(week.to)), format!("at {}", utc(at)))
    });
    let Some(scheduled) = board.scheduled_at() else {
        return check.open(RuleId::ScheduleBegin, subject, "no event fixes its time");
    };
    let tolerance = check.case.rulebook.lateness.unwrap_or(0);
    if at > scheduled.saturating_add(tolerance) {
        let why = format!(
            "it was fixed for {} and begins at {}; the player who came may have waited",
            utc(scheduled),
            utc(at)
        );
        return check.open(RuleId::ScheduleBegin, subject, why);
    }
    check.hold(RuleId::ScheduleBegin, subject, at >= scheduled.saturating_sub(tolerance), || {
        let minutes = tolerance / MINUTE;
        (format!("at {}, give or take {minutes} minutes", utc(scheduled)), format!("at {}", utc(at)))
    });
}

/// Checks that something is done on an evening that begins then.
fn evening(check: &mut Checker<'_>, rule: RuleId, subject: &str, from: Micros, begun: bool) {
    let to = end_of_day(from);
    if begun && check.is_dated_back(to) {
        return check.dated_back(rule, subject, to);
    }
    let at = check.when.at;
    check.hold(rule, subject, begun && at < to, || {
        (format!("from {} to {}", utc(from), utc(to)), format!("at {}", utc(at)))
    });
}

/// The end of a day in Eastern Standard Time.
fn end_of_day(at: Micros) -> Micros {
    at.saturating_sub(EST).div_euclid(DAY).saturating_add(1).saturating_mul(DAY).saturating_add(EST)
}
