//! Availability, appointments, notices.

use crate::rulebook::RuleId;
use crate::subject::Subject;
use annals_events::tournament::{AvailabilityGiven, GameScheduled, Notice, NoticeGiven, Slot};

use super::Checker;
use crate::appointment::{self, Week};
use crate::state::Board;
use crate::state::calendar::utc;

pub(super) fn availability(check: &mut Checker<'_>, given: &AvailabilityGiven) {
    let subject = format!("the times of {}", given.player);
    let tournament = check.case.tournament;
    check.entered(RuleId::AvailabilityWindow, &subject, &given.player);
    let crooked = given.slots.iter().find(|slot| slot.from >= slot.to);
    let words = |slot: &Slot| format!("one is from {} to {}", utc(slot.from), utc(slot.to));
    check.none(RuleId::AvailabilityWindow, &subject, crooked, |slot| {
        ("times that begin before they end", words(slot))
    });
    let Some(round) = given.round else { return };
    // Times for an unpaired round are accepted early.
    let Some(paired) = tournament.rounds.get(&round) else { return };
    let plays = paired.boards.values().any(|board| board.has(&given.player));
    check.hold(RuleId::AvailabilityWindow, &subject, plays, || {
        (format!("a player of round {round}"), format!("`{}` has no game in it", given.player))
    });
    if let Some(within) = check.case.rulebook.availability_within {
        let due =
            appointment::told_at(tournament, round, &given.player).map(|told| told.saturating_add(within));
        let at = check.when.at;
        check.hold(RuleId::AvailabilityWindow, &subject, due.is_none_or(|due| at < due), || {
            let hours = within / crate::rulebook::HOUR;
            let due = utc(due.unwrap_or_default());
            (
                format!("within {hours} hours of the notice, before {due}"),
                format!("it is given at {}", utc(at)),
            )
        });
    }
    let week = Week::after(paired.paired.at);
    let outside = given.slots.iter().find(|slot| slot.from < week.from || slot.to > week.to);
    check.none(RuleId::AvailabilityWindow, subject, outside, |slot| {
        let (from, to) = (utc(week.from), utc(week.to));
        (format!("times between Tuesday and Sunday, from {from} to {to}"), words(slot))
    });
}

pub(super) fn appointed(check: &mut Checker<'_>, scheduled: &GameScheduled) {
    let GameScheduled { pairing, at, reason, .. } = scheduled;
    let subject = Subject::About(format!("the time of {pairing}"), *pairing);
    let tournament = check.case.tournament;
    let rule = check.first_rule(&[RuleId::ScheduleWindow, RuleId::ResultPaired]);
    let Some((round, board)) = check.paired(rule, &subject, *pairing) else { return };
    check.hold(rule, &subject, board.outcome().is_none(), || {
        ("a game that is still to be played", format!("{pairing} has its result"))
    });
    let week = Week::after(round.paired.at);
    check.hold(RuleId::ScheduleWindow, &subject, week.holds(*at), || {
        (
            format!("between Tuesday and Sunday, from {} to {}", utc(week.from), utc(week.to)),
            format!("it is {}", utc(*at)),
        )
    });
    answered(check, &subject, pairing.round, board);
    let Some(choice) = appointment::choose(tournament, check.case.rulebook, *pairing, check.when.at) else {
        return;
    };
    let Some(reason) = reason.as_ref().filter(|_| choice.at != *at) else {
        let wanted = choice.wanted.iter().any(|slot| (slot.from..slot.to).contains(at));
        if choice.at != *at && wanted {
            let why =
                format!("{} is wanted as much as {} is, which is the earliest", utc(*at), utc(choice.at));
            check.open(RuleId::ScheduleSlot, subject, why);
        } else {
            check.hold(RuleId::ScheduleSlot, subject, choice.at == *at, || {
                (format!("{}: {}", utc(choice.at), choice.why), format!("it is {}", utc(*at)))
            });
        }
        return;
    };
    let why = format!("by what the players asked for it would be {}; moved: {reason}", utc(choice.at));
    check.open(RuleId::ScheduleSlot, subject, why);
}

/// A time is fixed only after both players answered, or their time to answer is over.
fn answered(check: &mut Checker<'_>, subject: &Subject, round: u32, board: &Board) {
    let tournament = check.case.tournament;
    let Some(within) = check.case.rulebook.availability_within else { return };
    let at = check.when.at;
    let waiting = board.players().into_iter().find_map(|player| {
        let until = appointment::told_at(tournament, round, player)?.saturating_add(within);
        (at < until && !appointment::has_answered(tournament, round, player)).then_some((player, until))
    });
    check.none(RuleId::ScheduleSlot, subject, waiting, |(player, until)| {
        let expected = format!("each player has {} hours to answer", within / crate::rulebook::HOUR);
        (expected, format!("`{player}` can still answer, until {}", utc(until)))
    });
}

pub(super) fn told(check: &mut Checker<'_>, notice: &NoticeGiven) {
    let rule = match notice.about {
        Notice::GameTime => check.first_rule(&[RuleId::NoticeGameTime, RuleId::RulingNumber]),
        _ => check.first_rule(&[RuleId::NoticePairing, RuleId::RulingNumber]),
    };
    let subject = format!("the notice about {}", notice.about.word());
    let tournament = check.case.tournament;
    let stranger = notice.to.iter().find(|player| !tournament.entrants.contains_key(*player));
    check.hold(rule, &subject, stranger.is_none() && !notice.to.is_empty(), || {
        let found =
            stranger.map_or_else(|| "no player is told".to_owned(), |who| format!("`{who}` never entered"));
        ("players who entered are told", found)
    });
    let Some(pairing) = notice.pairing else { return };
    let Some((_, board)) = check.paired(rule, &subject, pairing) else { return };
    let players = board.players();
    let other = notice.to.iter().find(|told| !players.contains(told));
    check.none(rule, &subject, other, |other| {
        let [one, another] = players;
        (format!("{pairing} concerns {one} and {another}"), format!("`{other}` is told"))
    });
    if notice.about == Notice::GameTime {
        check.hold(rule, subject, board.scheduled_at().is_some(), || {
            ("the time of a game is fixed first", format!("{pairing} has no time"))
        });
    }
}
