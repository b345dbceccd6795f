//! The week of the 2009 championship (2009 WC, Time of games): pairings on Sunday from 8pm EST, times fixed
//! on Monday from 8pm, one game from Tuesday to Sunday. "At 8pm" lasts until the end of the day. The text
//! states no consequence of lateness, so it is undetermined.

use annals_events::tournament::{GameScheduled, Milestone, Notice, NoticeGiven, ResultRecorded, RoundPaired};
use annals_events::{BoardId, Micros, PlayerId};

use super::Checker;
use crate::appointment::{self, EST, Week};
use crate::rulebook::{DAY, HOUR, MINUTE, RuleId};
use crate::state::Board;
use crate::state::calendar::{date, utc};

/// From 8pm to the end of the day.
const EVENING: Micros = 4 * HOUR;

const GAMES_ONLY: &str = "the record holds games only, and does not say when anything was published or fixed";

/// A round is published on its Sunday evening; one game per player and week. Without announced evenings,
/// calendar Sundays count, and other days are undetermined.
pub(super) fn published(check: &mut Checker<'_>, paired: &RoundPaired) {
    let subject = format!("round {}, its publication", paired.round);
    if check.case.rulebook.games_only {
        return check.open(RuleId::RoundWeekly, subject, GAMES_ONLY);
    }
    let tournament = check.case.tournament;
    let week = Week::after(check.when.at);
    let others = || tournament.rounds.iter().filter(|(number, _)| **number != paired.round);
    let weeks = others().map(|(_, round)| Week::after(round.paired.at));
    let last = weeks.filter(|other| other.from < week.from).max_by_key(|other| other.from);
    publication(check, &subject, week, last);
    let same_week = others().filter(|(_, round)| Week::after(round.paired.at) == week);
    let boards: Vec<&Board> = same_week.flat_map(|(_, round)| round.boards.values()).collect();
    let mut players = paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
    let twice = players.find(|player| boards.iter().any(|board| board.has(player)));
    let subject = format!("round {}, its week", paired.round);
    let words = |player: &PlayerId| {
        ("one game a week", format!("`{player}` has another game in the week from {}", utc(week.from)))
    };
    match twice.filter(|_| date(tournament, Milestone::PairingPublished).is_none()) {
        Some(player) => check.open(RuleId::RoundWeekly, subject, words(player).1),
        None => check.none(RuleId::RoundWeekly, subject, twice, words),
    }
}

/// The first round is due on the announced evening, later ones on the first such evening after the previous
/// week.
fn publication(check: &mut Checker<'_>, subject: &str, week: Week, last: Option<Week>) {
    let rule = RuleId::RoundWeekly;
    let named = date(check.case.tournament, Milestone::PairingPublished);
    let sunday =
        last.map_or(week.from, |last| last.from.saturating_add(7 * DAY)).saturating_sub(DAY + EVENING);
    let first = named.unwrap_or(sunday);
    let between = |last: Week| last.from.saturating_sub(Week::after(first).from).div_euclid(7 * DAY);
    let weeks = last.map_or(0, |last| between(last).saturating_add(1)).max(0);
    let from = first.saturating_add(weeks.saturating_mul(7 * DAY));
    let (to, at) = (end_of_day(from), check.when.at);
    if at >= to {
        let why = format!("it was due from {} to {}, and is published at {}", utc(from), utc(to), utc(at));
        check.open(rule, subject, why);
    } else if at < from && named.is_none() {
        let why = format!(
            "the announcement names no evening of publication; the next Sunday evening is from {}, and it is published at {}",
            utc(from),
            utc(at)
        );
        check.open(rule, subject, why);
    } else {
        evening(check, rule, subject, from, at >= from);
    }
}

/// A time is fixed on the Monday evening after the pairing; it is in the future and after the announced
/// beginning.
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
    let begins = date(check.case.tournament, Milestone::PlayBegins).map_or(at, |begins| begins.max(at));
    check.hold(RuleId::ScheduleFixed, subject, scheduled.at >= begins, || {
        (format!("a time from {} on", utc(begins)), format!("it is {}", utc(scheduled.at)))
    });
}

/// Opponents are notified on Sunday evening, times on Monday evening; late publications on their own day.
pub(super) fn told(check: &mut Checker<'_>, notice: &NoticeGiven) {
    let tournament = check.case.tournament;
    let round_of = |said: &NoticeGiven| said.round.or_else(|| said.pairing.map(|pairing| pairing.round));
    let Some(number) = round_of(notice) else { return };
    let Some(round) = tournament.rounds.get(&number).filter(|_| check.has(RuleId::RoundWeekly)) else {
        return;
    };
    let week = Week::after(round.paired.at);
    let board = notice.pairing.and_then(|pairing| round.boards.get(&pairing.board));
    let fixed = board.and_then(|board| board.scheduled.as_ref());
    let (rule, evening, done, since) = match notice.about {
        Notice::Pairing => {
            (RuleId::NoticePairing, week.from.saturating_sub(DAY), round.paired.at, round.paired.seq)
        }
        Notice::GameTime => {
            let Some(fixed) = fixed else { return };
            (RuleId::NoticeGameTime, week.from, fixed.at, fixed.seq)
        }
        _ => return,
    };
    let same = |said: &NoticeGiven| match said.about {
        Notice::Pairing => round_of(said) == Some(number),
        _ => said.pairing == notice.pairing,
    };
    let told = |player: &PlayerId| appointment::told(tournament, since, notice.about, player, same).is_some();
    let (due, at) = (evening.max(end_of_day(done)), check.when.at);
    if at >= due && !notice.to.iter().all(told) {
        let why = format!("it was due before {}, and is given at {}", utc(due), utc(at));
        check.open(
            rule,
            format!("the notice about {} of round {number}, its evening", notice.about.word()),
            why,
        );
    }
}

/// The first game begins at its fixed time. A later beginning is the director's decision: the opponent may
/// wait.
pub(super) fn begun(check: &mut Checker<'_>, pairing: BoardId) {
    let tournament = check.case.tournament;
    let Some((round, board)) = check.case.board(pairing) else { return };
    let (subject, at) = (format!("the beginning of {pairing}"), check.when.at);
    if check.case.rulebook.games_only {
        return check.open(RuleId::ScheduleBegin, subject, GAMES_ONLY);
    }
    let week = Week::after(round.paired.at);
    let from = date(tournament, Milestone::PlayBegins).map_or(week.from, |begins| begins.max(week.from));
    let within = (from..week.to).contains(&at);
    if !within && date(tournament, Milestone::PairingPublished).is_none() {
        let why = format!(
            "the announcement names no evening of publication; the week of the round is from {} to {}, and it begins at {}",
            utc(from),
            utc(week.to),
            utc(at)
        );
        return check.open(RuleId::ScheduleBegin, subject, why);
    }
    check.hold(RuleId::ScheduleBegin, &subject, within, || {
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

/// The result of a game without a recorded beginning is not before its fixed time or week.
pub(super) fn ended(check: &mut Checker<'_>, result: &ResultRecorded) {
    let Some((round, board)) = check.case.board(result.pairing) else { return };
    let rulebook = check.case.rulebook;
    let is_known = board.is_forfeit_by(result) || board.last_attempt() > 0 || rulebook.games_only;
    if is_known || rulebook.edition < 2 {
        return;
    }
    let from = match board.scheduled_at() {
        Some(scheduled) => scheduled.saturating_sub(check.case.rulebook.lateness.unwrap_or(0)),
        None if date(check.case.tournament, Milestone::PairingPublished).is_some() => {
            Week::after(round.paired.at).from
        }
        None => return,
    };
    let at = check.when.at;
    check.hold(RuleId::ScheduleBegin, format!("the result of {}", result.pairing), at >= from, || {
        (format!("a game from {} on", utc(from)), format!("it is over at {}", utc(at)))
    });
}

/// Checks that something is done on the evening that begins at `from`.
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
