//! The announcement and changes of its dates: whether the rulebook is named and its terms are kept.

use std::collections::BTreeSet;

use annals_events::Micros;
use annals_events::tournament::{Announced, Deadline, Disqualification, Milestone, ScheduleChanged};
use annals_rules::clock::TimeControl;

use super::Bench;
use super::entries::{dated_back, late_entry};
use crate::rulebook::{RuleId, Rulebook, option_key};
use crate::state::calendar::{date, utc};

/// Judges the announcement.
pub(crate) fn announced(bench: &mut Bench<'_>, announced: &Announced) {
    let case = bench.case;
    let rulebook = case.rulebook;
    let before = case.tournament;
    let first = before.announced.is_none() && before.events == 0;
    bench.hold(RuleId::AnnouncementFirst, "the announcement", first, || {
        let found = match &before.announced {
            Some(earlier) => format!("`{}` is announced already", earlier.name),
            None => format!("{} events stand before it", before.events),
        };
        ("the announcement is the first event, and the only one of its kind".to_owned(), found)
    });
    let named = announced.rulebook == rulebook.name && announced.edition == rulebook.edition;
    bench.hold(RuleId::AnnouncementRulebook, "the announcement", named, || {
        (
            format!("`{}`, edition {}", rulebook.name, rulebook.edition),
            format!("`{}`, edition {}", announced.rulebook, announced.edition),
        )
    });
    readings(bench, announced);
    terms(bench, announced);
    dates(bench, "the announced schedule", &announced.schedule, &announced.schedule);
}

fn readings(bench: &mut Bench<'_>, announced: &Announced) {
    let rulebook = bench.case.rulebook;
    let missing: Vec<&str> = rulebook
        .ambiguous
        .iter()
        .copied()
        .filter(|number| !announced.options.contains_key(&option_key(number)))
        .collect();
    let mut wrong = None;
    let mut read = rulebook.clone();
    for (name, value) in &announced.options {
        if let Err(error) = read.read(name, value) {
            wrong.get_or_insert(format!("option `{name}`: {error}"));
        }
    }
    let holds = missing.is_empty() && wrong.is_none();
    bench.hold(RuleId::AnnouncementReadings, "the announcement", holds, || {
        let found = wrong.unwrap_or_else(|| format!("nothing is said of {}", missing.join(", ")));
        (format!("a reading of each of {}", rulebook.ambiguous.join(", ")), found)
    });
}

fn terms(bench: &mut Bench<'_>, announced: &Announced) {
    let rulebook = bench.case.rulebook;
    let departure = departing_term(rulebook, announced);
    bench.hold(RuleId::AnnouncementTerms, "the announcement", departure.is_none(), || {
        departure.unwrap_or_default()
    });
}

/// The first term that is not the rulebook's: what is expected, and what was found.
fn departing_term(rulebook: &Rulebook, announced: &Announced) -> Option<(String, String)> {
    let differ = |expected: String, found: String| Some((expected, found));
    if announced.game != rulebook.game {
        return differ(format!("the game {}", rulebook.game), format!("the game {}", announced.game));
    }
    if let Some(fees) = &rulebook.fees
        && announced.fees.as_ref() != Some(fees)
    {
        let words = |fees: &annals_events::tournament::Fees| {
            format!(
                "a fee of {} cents, {} of them refundable, and a penalty of {}",
                fees.registration, fees.refundable, fees.penalty
            )
        };
        return differ(words(fees), announced.fees.as_ref().map_or("no fees".to_owned(), words));
    }
    if let Some(currency) = rulebook.currency
        && announced.currency.as_deref() != Some(currency)
    {
        let found = announced.currency.as_deref().unwrap_or("no currency");
        return differ(format!("amounts in {currency}"), found.to_owned());
    }
    if let (Some(series), Some(found)) = (rulebook.series, &announced.series)
        && series != found
    {
        return differ(format!("the series `{series}`"), format!("the series `{found}`"));
    }
    let mut from = 0;
    for plan in &announced.stages {
        let Some(at) = rulebook.stages.iter().skip(from).position(|rules| rules.stage == plan.stage) else {
            let order: Vec<&str> = rulebook.stages.iter().map(|rules| rules.stage.word()).collect();
            return differ(
                format!("the stages {}, in this order", order.join(", ")),
                format!("{} there", plan.stage),
            );
        };
        from += at + 1;
        let Some(rules) = rulebook.stage(plan.stage) else { continue };
        if let Some(control) = rules.time_control
            && !is_as_ruled(control, plan.time_control.as_deref())
        {
            let found = plan.time_control.as_deref().unwrap_or("none");
            return differ(
                format!("{} is played with {control}", plan.stage),
                format!("the time control {found}"),
            );
        }
        if rules.places.is_some() && plan.places != rules.places {
            let words = |places: Option<u32>| places.map_or("none".to_owned(), |places| places.to_string());
            return differ(
                format!("{} go on from {}", words(rules.places), plan.stage),
                format!("{} go on", words(plan.places)),
            );
        }
    }
    let left_out = rulebook
        .stages
        .iter()
        .find(|rules| !rules.if_needed && announced.stages.iter().all(|plan| plan.stage != rules.stage));
    left_out.and_then(|rules| differ(format!("the stage {}", rules.stage), "it is not announced".to_owned()))
}

/// The pairs of dates of which the first comes before the second.
const IN_ORDER: [(Milestone, Milestone); 6] = [
    (Milestone::RegistrationOpens, Milestone::RegistrationCloses),
    (Milestone::QualifyingOpens, Milestone::QualifyingCloses),
    (Milestone::RegistrationCloses, Milestone::PlayBegins),
    (Milestone::QualifyingCloses, Milestone::ProgramsDue),
    (Milestone::ProgramsDue, Milestone::PlayBegins),
    (Milestone::PlayBegins, Milestone::PlayEnds),
];

/// Whether dates are named once each and stand in their order, by the schedule as it is then.
fn dates(bench: &mut Bench<'_>, subject: &str, named: &[Deadline], then: &[Deadline]) {
    let mut seen = BTreeSet::new();
    let twice = named.iter().find(|deadline| !seen.insert(deadline.milestone));
    let at = |milestone| -> Option<Micros> {
        then.iter().rev().find(|deadline| deadline.milestone == milestone).map(|deadline| deadline.at)
    };
    let reversed = IN_ORDER.into_iter().find_map(|(first, second)| {
        let (before, after) = (at(first)?, at(second)?);
        (before >= after).then_some((first, before, second, after))
    });
    bench.hold(
        RuleId::AnnouncementSchedule,
        subject,
        twice.is_none() && reversed.is_none(),
        || match reversed {
            Some((first, before, second, after)) => (
                format!("{first} before {second}"),
                format!("{first} at {}, {second} at {}", utc(before), utc(after)),
            ),
            None => {
                let milestone = twice.map_or("a date", |deadline| deadline.milestone.word());
                ("each date once".to_owned(), format!("{milestone} is given twice"))
            }
        },
    );
}

/// Judges a change of dates.
pub(crate) fn schedule_changed(bench: &mut Bench<'_>, changed: &ScheduleChanged) {
    let before = bench.case.tournament;
    let Some(announced) = &before.announced else {
        bench.hold(RuleId::AnnouncementFirst, "the change of dates", false, || {
            ("a tournament that is announced".to_owned(), "nothing is announced".to_owned())
        });
        return;
    };
    let mut then = announced.schedule.clone();
    then.extend(changed.schedule.iter().cloned());
    dates(bench, "the change of dates", &changed.schedule, &then);
    for deadline in &changed.schedule {
        let word = deadline.milestone.word();
        let subject = format!("the date {word}");
        if let Some(use_of_it) = rested_on(bench, deadline.milestone) {
            bench.hold(RuleId::AnnouncementSchedule, subject, false, || {
                (format!("{word} stays, since {use_of_it}"), format!("it is moved to {}", utc(deadline.at)))
            });
        } else if let Some(old) = date(before, deadline.milestone) {
            if old <= bench.when.at {
                let old = utc(old);
                let why =
                    format!("{word} had passed at {old}; the text does not say whether it may still move");
                bench.open(RuleId::AnnouncementSchedule, subject, why);
            } else if dated_back(bench, old) {
                bench.open(RuleId::AnnouncementSchedule, subject, late_entry(bench, old));
            }
        }
    }
}

/// What of the record rests on a date, so that it cannot move any more.
fn rested_on(bench: &Bench<'_>, milestone: Milestone) -> Option<&'static str> {
    use Milestone as M;
    let record = bench.case.tournament;
    let published = !record.qualified.is_empty();
    let paired = !record.rounds.is_empty();
    let begun = record.rounds.values().any(|round| round.started_at.is_some());
    let missed = || {
        record.entrants.values().any(|entrant| {
            let out = entrant.disqualified.as_ref();
            out.is_some_and(|out| out.fact.cause == Disqualification::NotUploaded)
        })
    };
    match milestone {
        M::RegistrationOpens | M::RegistrationCloses if paired => Some("a round is paired"),
        M::QualifyingOpens | M::QualifyingCloses | M::QualifiersNamed if published => {
            Some("the order of the qualifier is published")
        }
        M::ProgramsDue | M::TestsDue | M::HardwareDue | M::PlayBegins if begun => Some("a round has begun"),
        M::ProgramsDue | M::TestsDue if missed() => Some("somebody was disqualified for having missed it"),
        _ => None,
    }
}

/// Whether a stage is announced with the time control of the rulebook. Where that is one fixed time for a game, how long it is
/// was left to the organisers (Olympiad 2000, Operational Rules 2): any other will do, and the rulebook's own where none is
/// announced.
fn is_as_ruled(ruled: &str, announced: Option<&str>) -> bool {
    let fixed = |text: &str| text.parse::<TimeControl>().is_ok_and(|control| control.whole_game().is_some());
    announced == Some(ruled) || fixed(ruled) && announced.is_none_or(fixed)
}
