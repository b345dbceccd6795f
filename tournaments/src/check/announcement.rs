use std::collections::BTreeSet;

use annals_events::tournament::{Announced, Deadline, Disqualification, Fees, Milestone, ScheduleChanged};
use annals_events::{BoardId, Micros};
use annals_rules::clock::TimeControl;

use super::Checker;
use crate::rulebook::{EarlyScore, PIECE_POINTS, RuleId, Rulebook, StageRules, option_key};
use crate::state::Tournament;
use crate::state::calendar::{date, utc};

pub(crate) fn announced(check: &mut Checker<'_>, announced: &Announced) {
    let case = check.case;
    let rulebook = case.rulebook;
    let before = case.tournament;
    let first = before.announced.is_none() && before.events == 0;
    check.hold(RuleId::AnnouncementFirst, "the announcement", first, || {
        let found = match &before.announced {
            Some(earlier) => format!("`{}` is announced already", earlier.name),
            None => format!("{} events are before it", before.events),
        };
        ("the announcement is the first event, and the only one of its kind".to_owned(), found)
    });
    let named = announced.rulebook == rulebook.name && announced.edition == rulebook.edition;
    check.hold(RuleId::AnnouncementRulebook, "the announcement", named, || {
        (
            format!("`{}`, edition {}", rulebook.name, rulebook.edition),
            format!("`{}`, edition {}", announced.rulebook, announced.edition),
        )
    });
    readings(check, announced);
    terms(check, announced);
    dates(check, "the announced schedule", &announced.schedule, &announced.schedule);
}

fn readings(check: &mut Checker<'_>, announced: &Announced) {
    let rulebook = check.case.rulebook;
    let mut missing = rulebook.recorded();
    missing.retain(|number| !announced.options.contains_key(&option_key(number)));
    let mut wrong = None;
    let mut read = rulebook.clone();
    for (name, value) in &announced.options {
        if let Err(error) = read.choose(name, value) {
            wrong.get_or_insert(format!("option `{name}`: {error}"));
        }
    }
    if wrong.is_none() && rulebook.rule(RuleId::GameScore).is_some() {
        let stated = announced.options.contains_key(PIECE_POINTS);
        let wanted = read.readings.early_score == EarlyScore::PiecePoints;
        if stated != wanted {
            let words = if stated { "points are stated" } else { "no points are stated" };
            wrong = Some(format!(
                "T44 is read as {}, and {words} as `{PIECE_POINTS}`",
                read.readings.early_score
            ));
        }
    }
    let holds = missing.is_empty() && wrong.is_none();
    check.hold(RuleId::AnnouncementReadings, "the announcement", holds, || {
        let found = wrong.unwrap_or_else(|| format!("nothing is said of {}", missing.join(", ")));
        (format!("a reading of each of {}", rulebook.recorded().join(", ")), found)
    });
}

fn terms(check: &mut Checker<'_>, announced: &Announced) {
    let rulebook = check.case.rulebook;
    let directed = rulebook.games_only && !check.when.imported;
    let directed = directed.then(|| {
        ("a record of the whole tournament".to_owned(), "one that is to hold games only".to_owned())
    });
    let violated = directed.or_else(|| violated_term(rulebook, announced));
    if violated.is_none() && untold(rulebook, &rulebook.fees, &announced.fees) {
        let why = "the record holds games only, and does not say what it cost to enter";
        return check.open(RuleId::AnnouncementTerms, "the announcement", why);
    }
    check.none(RuleId::AnnouncementTerms, "the announcement", violated, |violated| violated);
}

fn untold<T, U>(rulebook: &Rulebook, ruled: &Option<T>, announced: &Option<U>) -> bool {
    rulebook.games_only && ruled.is_some() && announced.is_none()
}

/// The first term that differs from the rulebook: expected, found.
fn violated_term(rulebook: &Rulebook, announced: &Announced) -> Option<(String, String)> {
    if announced.game != rulebook.game {
        return Some((format!("the game {}", rulebook.game), format!("the game {}", announced.game)));
    }
    if rulebook.fees.is_some()
        && announced.fees != rulebook.fees
        && !untold(rulebook, &rulebook.fees, &announced.fees)
    {
        let words = |fees: &Option<Fees>| match fees {
            None => "no fees".to_owned(),
            Some(Fees { registration, refundable, penalty }) => format!(
                "a fee of {registration} cents, {refundable} of them refundable, and a penalty of {penalty}"
            ),
        };
        return Some((words(&rulebook.fees), words(&announced.fees)));
    }
    if let Some(currency) =
        rulebook.currency.filter(|currency| announced.currency.as_deref() != Some(currency))
        && !untold(rulebook, &rulebook.currency, &announced.currency)
    {
        let found = announced.currency.as_deref().unwrap_or("no currency");
        return Some((format!("amounts in {currency}"), found.to_owned()));
    }
    if let (Some(series), Some(found)) = (rulebook.series, &announced.series)
        && series != found
    {
        return Some((format!("the series `{series}`"), format!("the series `{found}`")));
    }
    let mut stages = rulebook.stages.iter();
    for plan in &announced.stages {
        let Some(rules) = stages.find(|rules| rules.stage == plan.stage) else {
            let order: Vec<&str> = rulebook.stages.iter().map(|rules| rules.stage.word()).collect();
            let expected = format!("the stages {}, in this order", order.join(", "));
            return Some((expected, format!("{} there", plan.stage)));
        };
        if let Some(control) = rules.time_control
            && !is_as_ruled(control, plan.time_control.as_deref())
        {
            let found = plan.time_control.as_deref().unwrap_or("none");
            let expected = format!("{} is played with {control}", plan.stage);
            return Some((expected, format!("the time control {found}")));
        }
        if rules.places.is_some() && plan.places != rules.places {
            let words = |places: Option<u32>| places.map_or("none".to_owned(), |places| places.to_string());
            let expected = format!("{} go on from {}", words(rules.places), plan.stage);
            return Some((expected, format!("{} go on", words(plan.places))));
        }
    }
    let announced = |rules: &&StageRules| announced.stages.iter().any(|plan| plan.stage == rules.stage);
    let left_out = rulebook.stages.iter().find(|rules| !rules.if_needed && !announced(rules))?;
    Some((format!("the stage {}", left_out.stage), "it is not announced".to_owned()))
}

/// Pairs of dates of which the first comes before the second.
const IN_ORDER: [(Milestone, Milestone); 6] = [
    (Milestone::RegistrationOpens, Milestone::RegistrationCloses),
    (Milestone::QualifyingOpens, Milestone::QualifyingCloses),
    (Milestone::RegistrationCloses, Milestone::PlayBegins),
    (Milestone::QualifyingCloses, Milestone::ProgramsDue),
    (Milestone::ProgramsDue, Milestone::PlayBegins),
    (Milestone::PlayBegins, Milestone::PlayEnds),
];

/// Pairs that edition 1 did not compare.
const IN_ORDER_SINCE_EDITION_2: [(Milestone, Milestone); 6] = [
    (Milestone::QualifyingCloses, Milestone::QualifiersNamed),
    (Milestone::QualifiersNamed, Milestone::AccountsGiven),
    (Milestone::AccountsGiven, Milestone::ProgramsDue),
    (Milestone::ProgramsDue, Milestone::TestsDue),
    (Milestone::PlayBegins, Milestone::ChallengeEnds),
    (Milestone::PlayEnds, Milestone::ChallengeEnds),
];

fn dates(check: &mut Checker<'_>, subject: &str, named: &[Deadline], then: &[Deadline]) {
    let mut seen = BTreeSet::new();
    let twice = named.iter().find(|deadline| !seen.insert(deadline.milestone));
    let at = |milestone| -> Option<Micros> {
        then.iter().rev().find(|deadline| deadline.milestone == milestone).map(|deadline| deadline.at)
    };
    let since: &[_] = if check.case.rulebook.edition > 1 { &IN_ORDER_SINCE_EDITION_2 } else { &[] };
    let reversed = IN_ORDER.iter().chain(since).find_map(|&(first, second)| {
        let (before, after) = (at(first)?, at(second)?);
        let found = || format!("{first} at {}, {second} at {}", utc(before), utc(after));
        (before >= after).then(|| (format!("{first} before {second}"), found()))
    });
    let wrong = reversed.or_else(|| {
        Some(("each date once".to_owned(), format!("{} is given twice", twice?.milestone.word())))
    });
    check.none(RuleId::AnnouncementSchedule, subject, wrong, |wrong| wrong);
}

pub(crate) fn schedule_changed(check: &mut Checker<'_>, changed: &ScheduleChanged) {
    let before = check.case.tournament;
    let Some(announced) = &before.announced else {
        check.hold(RuleId::AnnouncementFirst, "the change of dates", false, || {
            ("a tournament that is announced", "nothing is announced")
        });
        return;
    };
    let mut then = announced.schedule.clone();
    then.extend(changed.schedule.iter().cloned());
    dates(check, "the change of dates", &changed.schedule, &then);
    for deadline in &changed.schedule {
        let word = deadline.milestone.word().replace('_', " ");
        let subject = format!("the date {word}");
        if let Some(use_of_it) = rested_on(check, deadline) {
            check.hold(RuleId::AnnouncementSchedule, subject, false, || {
                (format!("{word} stays, since {use_of_it}"), format!("it is moved to {}", utc(deadline.at)))
            });
        } else if let Some(old) = date(before, deadline.milestone) {
            if old <= check.when.at {
                let old = utc(old);
                let why =
                    format!("{word} had passed at {old}; the text does not say whether it may still move");
                check.open(RuleId::AnnouncementSchedule, subject, why);
            } else if check.is_dated_back(old) {
                check.dated_back(RuleId::AnnouncementSchedule, subject, old);
            }
        }
    }
}

/// What in the record depends on a date, so that the date is fixed.
fn rested_on(check: &Checker<'_>, moved: &Deadline) -> Option<String> {
    use Milestone as M;
    let record = check.case.tournament;
    let published = !record.qualified.is_empty();
    let paired = !record.rounds.is_empty();
    let begun = record.first_begun().is_some();
    let given = record.entrants.values().any(|entrant| !entrant.program.accounts_given.is_empty());
    let missed = || {
        record
            .entrants
            .values()
            .any(|entrant| entrant.disqualified_for(Disqualification::NotUploaded).is_some())
    };
    let since_edition_2 = check.case.rulebook.edition > 1;
    if let Some((pairing, at)) = outside(record, moved).filter(|_| since_edition_2) {
        return Some(format!("{pairing} is fixed for {}", utc(at)));
    }
    let what = match moved.milestone {
        M::RegistrationOpens | M::RegistrationCloses if paired => "a round is paired",
        M::QualifyingOpens | M::QualifyingCloses | M::QualifiersNamed if published => {
            "the order of the qualifier is published"
        }
        M::ProgramsDue | M::TestsDue | M::HardwareDue | M::PlayBegins if begun => "a round has begun",
        M::PairingPublished if paired && since_edition_2 => "a round is published",
        // The week of a published round does not begin before this date.
        M::PlayBegins if paired && since_edition_2 && check.has(RuleId::RoundWeekly) => {
            "a round is published"
        }
        M::AccountsGiven if given && since_edition_2 => "an account is given",
        M::PlayEnds if record.closed.is_some() => "the tournament is closed",
        M::ChallengeEnds if record.entrants.values().any(|entrant| entrant.program.published.is_some()) => {
            "a program is made public"
        }
        M::ProgramsDue | M::TestsDue if missed() => "a player was disqualified for having missed it",
        _ => return None,
    };
    Some(what.to_owned())
}

/// A game without a result whose fixed time a new begin or end of play excludes.
fn outside(record: &Tournament, moved: &Deadline) -> Option<(BoardId, Micros)> {
    let boards = record.rounds.iter().flat_map(|(&round, paired)| {
        paired.boards.iter().map(move |(&board, state)| (BoardId { round, board }, state))
    });
    let fixed = boards.filter(|(_, board)| board.outcome().is_none());
    let mut fixed = fixed.filter_map(|(pairing, board)| Some((pairing, board.scheduled_at()?)));
    let is_excluded = |at: Micros| match moved.milestone {
        Milestone::PlayBegins => at < moved.at,
        Milestone::PlayEnds => at >= moved.at,
        _ => false,
    };
    fixed.find(|(_, at)| is_excluded(*at))
}

/// Whether a stage is announced with the time control of the rulebook. A fixed time for a whole game leaves
/// its length to the organisers (Olympiad 2000, Operational Rules 2).
fn is_as_ruled(ruled: &str, announced: Option<&str>) -> bool {
    let fixed = |text: &str| text.parse::<TimeControl>().is_ok_and(|control| control.whole_game().is_some());
    announced == Some(ruled) || fixed(ruled) && announced.is_none_or(fixed)
}
