//! Availability, appointments, notices.

use crate::rulebook::RuleId;
use annals_events::tournament::{AvailabilityGiven, GameScheduled, Notice, NoticeGiven};
use annals_events::{Micros, Pairing, TournamentEvent};

use super::Bench;
use super::results::first_rule;
use crate::appointment::{self, Week};
use crate::state::Tournament;
use crate::state::calendar::utc;

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::AvailabilityGiven(given) => availability(bench, given),
        TournamentEvent::GameScheduled(scheduled) => appointed(bench, scheduled),
        TournamentEvent::NoticeGiven(notice) => told(bench, notice),
        _ => {}
    }
}

fn availability(bench: &mut Bench<'_>, given: &AvailabilityGiven) {
    let subject = format!("the times of {}", given.player);
    let tournament = bench.case.tournament;
    let known = tournament.entrants.contains_key(&given.player);
    bench.hold(RuleId::AvailabilityWindow, subject.as_str(), known, || {
        ("a player who entered".to_owned(), format!("`{}` never entered", given.player))
    });
    let crooked = given.slots.iter().find(|slot| slot.from >= slot.to);
    bench.hold(RuleId::AvailabilityWindow, subject.as_str(), crooked.is_none(), || {
        let found = crooked
            .map_or_else(String::new, |slot| format!("one is from {} to {}", utc(slot.from), utc(slot.to)));
        ("times that begin before they end".to_owned(), found)
    });
    let Some(round) = given.round else { return };
    // Times for a round that is still to be paired are given early, and used.
    let Some(paired) = tournament.rounds.get(&round) else { return };
    let plays = paired.boards.values().any(|board| board.has(&given.player));
    bench.hold(RuleId::AvailabilityWindow, subject.as_str(), plays, || {
        (format!("a player of round {round}"), format!("`{}` has no game in it", given.player))
    });
    if let Some(within) = bench.case.rulebook.availability_within {
        let due =
            appointment::told_at(tournament, round, &given.player).map(|told| told.saturating_add(within));
        let at = bench.when.at;
        bench.hold(RuleId::AvailabilityWindow, subject.as_str(), due.is_none_or(|due| at < due), || {
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
    bench.hold(RuleId::AvailabilityWindow, subject, outside.is_none(), || {
        let found = outside
            .map_or_else(String::new, |slot| format!("one is from {} to {}", utc(slot.from), utc(slot.to)));
        (format!("times between Tuesday and Sunday, from {} to {}", utc(week.from), utc(week.to)), found)
    });
}

fn appointed(bench: &mut Bench<'_>, scheduled: &GameScheduled) {
    let GameScheduled { pairing, at, reason, .. } = scheduled;
    let subject = format!("the time of {pairing}");
    let tournament = bench.case.tournament;
    let board = tournament.rounds.get(&pairing.round).and_then(|round| {
        let board = round.boards.get(&pairing.board)?;
        Some((round, board))
    });
    let rule = first_rule(bench, &[RuleId::ScheduleWindow, RuleId::ResultPaired]);
    bench.hold(rule, subject.as_str(), board.is_some(), || {
        ("a pairing that stands".to_owned(), format!("{pairing} was never paired, or was revoked"))
    });
    let Some((round, board)) = board else { return };
    bench.hold(rule, subject.as_str(), board.outcome().is_none(), || {
        ("a game that is still to be played".to_owned(), format!("{pairing} has its result"))
    });
    let week = Week::after(round.paired.at);
    bench.hold(RuleId::ScheduleWindow, subject.as_str(), week.holds(*at), || {
        (
            format!("between Tuesday and Sunday, from {} to {}", utc(week.from), utc(week.to)),
            format!("it is {}", utc(*at)),
        )
    });
    answered(bench, &subject, *pairing);
    let Some(choice) = appointment::choose(tournament, bench.case.rulebook, *pairing) else { return };
    let Some(reason) = reason.as_ref().filter(|_| choice.at != *at) else {
        let wanted = choice.wanted.iter().any(|slot| (slot.from..slot.to).contains(at));
        if choice.at != *at && wanted {
            let why =
                format!("{} is wanted as much as {} is, which is the earliest", utc(*at), utc(choice.at));
            bench.open(RuleId::ScheduleSlot, subject, why);
        } else {
            bench.hold(RuleId::ScheduleSlot, subject, choice.at == *at, || {
                (format!("{}: {}", utc(choice.at), choice.why), format!("it is {}", utc(*at)))
            });
        }
        return;
    };
    let why = format!("by what the players asked for it would be {}; moved: {reason}", utc(choice.at));
    bench.open(RuleId::ScheduleSlot, subject, why);
}

/// A time is not fixed before both have answered, or their hours are over.
fn answered(bench: &mut Bench<'_>, subject: &str, pairing: Pairing) {
    let tournament = bench.case.tournament;
    let Some(within) = bench.case.rulebook.availability_within else { return };
    let at = bench.when.at;
    let waiting = appointment::players(tournament, pairing).into_iter().find(|player| {
        let due =
            appointment::told_at(tournament, pairing.round, player).map(|told| told.saturating_add(within));
        due.is_some_and(|due| at < due) && !appointment::has_answered(tournament, pairing.round, player)
    });
    bench.hold(RuleId::ScheduleSlot, subject, waiting.is_none(), || {
        let expected = format!("each player has {} hours to answer", within / crate::rulebook::HOUR);
        (expected, waiting.map_or_else(String::new, |player| format!("`{player}` can still answer")))
    });
}

fn told(bench: &mut Bench<'_>, notice: &NoticeGiven) {
    let rule = match notice.about {
        Notice::GameTime => first_rule(bench, &[RuleId::NoticeGameTime, RuleId::RulingNumber]),
        _ => first_rule(bench, &[RuleId::NoticePairing, RuleId::RulingNumber]),
    };
    let subject = format!("the notice about {}", notice.about.word());
    let tournament = bench.case.tournament;
    let stranger = notice.to.iter().find(|player| !tournament.entrants.contains_key(*player));
    bench.hold(rule, subject.as_str(), stranger.is_none() && !notice.to.is_empty(), || {
        let found =
            stranger.map_or_else(|| "nobody is told".to_owned(), |who| format!("`{who}` never entered"));
        ("players who entered are told".to_owned(), found)
    });
    let Some(pairing) = notice.pairing else { return };
    let players = appointment::players(tournament, pairing);
    bench.hold(rule, subject.as_str(), !players.is_empty(), || {
        ("a pairing that stands".to_owned(), format!("{pairing} was never paired, or was revoked"))
    });
    let other = notice.to.iter().find(|told| !players.contains(told));
    bench.hold(rule, subject.as_str(), players.is_empty() || other.is_none(), || {
        let names: Vec<&str> = players.iter().map(|player| player.as_str()).collect();
        let found = other.map_or_else(String::new, |other| format!("`{other}` is told"));
        (format!("{pairing} concerns {}", names.join(" and ")), found)
    });
    if notice.about == Notice::GameTime {
        let time = time_of(tournament, pairing);
        bench.hold(rule, subject, time.is_some(), || {
            ("the time of a game is fixed first".to_owned(), format!("{pairing} has no time"))
        });
    }
}

fn time_of(tournament: &Tournament, pairing: Pairing) -> Option<Micros> {
    tournament.rounds.get(&pairing.round)?.boards.get(&pairing.board)?.scheduled_at()
}
