//! Penalties and bans.

use annals_events::tournament::{BanLifted, BanRecorded, Ground, Milestone, PenaltyPaid, PenaltyRecorded};
use annals_events::{PlayerKind, TournamentEvent};

use super::Bench;
use super::entries::{folded, known};
use crate::context::lifts;
use crate::rulebook::{DAY, RuleId};
use crate::state::Money;
use crate::state::calendar::{date, utc, years_later};

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::PenaltyRecorded(penalty) => recorded(bench, penalty),
        TournamentEvent::PenaltyPaid(payment) => paid(bench, payment),
        TournamentEvent::BanRecorded(ban) => banned(bench, ban),
        TournamentEvent::BanLifted(lifted) => ban_lifted(bench, lifted),
        _ => {}
    }
}

/// Whether a rule of the qualifying phase is among the grounds.
fn of_the_qualifying_phase(grounds: &[Ground]) -> bool {
    grounds.iter().any(|ground| ground.rule.starts_with("qualifier."))
}

fn recorded(bench: &mut Bench<'_>, penalty: &PenaltyRecorded) {
    let case = bench.case;
    let subject = format!("the penalty of {}", penalty.player);
    if !known(bench, &subject, &penalty.player) {
        return;
    }
    let announced = case.tournament.announced.as_ref();
    let fees = announced.and_then(|announced| announced.fees.as_ref()).or(case.rulebook.fees.as_ref());
    if let Some(fees) = fees {
        bench.hold(RuleId::Penalty, &subject, penalty.amount == fees.penalty, || {
            (format!("{} cents", fees.penalty), format!("{} cents", penalty.amount))
        });
    }
    let for_the_upload = penalty.grounds.iter().any(|ground| ground.rule == RuleId::ProgramDeadline.name());
    let qualifying = of_the_qualifying_phase(&penalty.grounds);
    let entrant = case.tournament.entrants.get(&penalty.player);
    if entrant.is_some_and(|entrant| entrant.invited.is_some()) && !qualifying {
        bench.hold(RuleId::Penalty, format!("{subject}, cause"), false, || {
            let expected = "an invited player who is not set up in time owes nothing".to_owned();
            (expected, penalty.reason.clone())
        });
        return;
    }
    if let Some(due) = date(case.tournament, Milestone::ProgramsDue).filter(|_| for_the_upload) {
        let at = bench.when.at;
        bench.hold(RuleId::Penalty, format!("{subject}, date"), at >= due, || {
            (format!("the deadline at {} is over", utc(due)), format!("imposed at {}", utc(at)))
        });
    }
    if case.tournament.penalties.iter().any(|earlier| earlier.fact.player == penalty.player) {
        let why = "a penalty of this player stands already; the text does not say whether it is due twice";
        bench.open(RuleId::Penalty, format!("{subject}, once"), why);
    } else if !for_the_upload && !qualifying {
        let why = "no rule of the qualifying phase and no deadline is named; the director answers for it";
        bench.open(RuleId::Penalty, format!("{subject}, cause"), why);
    }
}

fn paid(bench: &mut Bench<'_>, payment: &PenaltyPaid) {
    let tournament = bench.case.tournament;
    let player = &payment.player;
    let of_the_player = tournament.penalties.iter().filter(|penalty| penalty.fact.player == *player);
    let owed = of_the_player.map(|penalty| penalty.fact.amount).fold(0u64, u64::saturating_add);
    let lines = tournament.ledger.iter().filter(|line| line.what == Money::PenaltyPaid);
    let given = lines.filter(|line| line.who == player.as_str()).map(|line| line.amount);
    let open = owed.saturating_sub(given.fold(0u64, u64::saturating_add));
    let fits = payment.amount > 0 && payment.amount <= open;
    bench.hold(RuleId::Penalty, format!("the payment of {player}"), fits, || {
        (format!("{open} cents are owed"), format!("{} cents are paid", payment.amount))
    });
}

fn banned(bench: &mut Bench<'_>, ban: &BanRecorded) {
    let case = bench.case;
    let subject = format!("the ban of {}", ban.player);
    if !known(bench, &subject, &ban.player) {
        return;
    }
    developers(bench, &subject, ban);
    let named = |rule: RuleId| ban.grounds.iter().any(|ground| ground.rule == rule.name());
    let (faster, limited) = (named(RuleId::QualifierHardware), named(RuleId::ProgramUnlimited));
    if !faster && !limited {
        let why = "neither faster hardware nor a limited program is named; the director answers for it";
        return bench.open(RuleId::Ban, subject, why);
    }
    let series = case.tournament.announced.as_ref().and_then(|announced| announced.series.as_deref());
    let series = series.or(case.rulebook.series);
    bench.hold(RuleId::Ban, format!("{subject}, series"), ban.series.as_deref() == series, || {
        let word =
            |series: Option<&str>| series.map_or("every tournament".to_owned(), |name| format!("`{name}`"));
        (format!("a ban from {}", word(series)), format!("a ban from {}", word(ban.series.as_deref())))
    });
    if limited {
        match ban.until {
            None => bench.hold(RuleId::Ban, subject, true, Default::default),
            Some(until) => {
                let why =
                    format!("the text says `following years` and no number; this one ends at {}", utc(until));
                bench.open(RuleId::Ban, subject, why);
            }
        }
        return;
    }
    let Some(years) = case.rulebook.ban_years else { return };
    let due = years_later(bench.when.at, years);
    // A ban to the end of that day is one of as many years.
    let fits = ban.until.is_some_and(|until| (due..=due.saturating_add(DAY)).contains(&until));
    bench.hold(RuleId::Ban, subject, fits, || {
        let found = ban.until.map_or("for ever".to_owned(), |until| format!("until {}", utc(until)));
        (format!("{years} years, until {}", utc(due)), found)
    });
}

/// A ban of a program binds its developers, or they would enter another one.
fn developers(bench: &mut Bench<'_>, subject: &str, ban: &BanRecorded) {
    let Some(entrant) = bench.case.tournament.entrants.get(&ban.player) else { return };
    let subject = format!("{subject}, developers");
    let entered = &entrant.entry.fact.developers;
    if entrant.kind == PlayerKind::Bot && entered.is_empty() && ban.developers.is_empty() {
        return bench.open(RuleId::Ban, subject, "neither the entry nor the ban names a developer");
    }
    let bound: Vec<String> = ban.developers.iter().map(|name| folded(name)).collect();
    let free: Vec<&str> =
        entered.iter().map(String::as_str).filter(|name| !bound.contains(&folded(name))).collect();
    bench.hold(RuleId::Ban, subject, free.is_empty(), || {
        (
            format!("a ban of {}, who entered it", entered.join(", ")),
            format!("{} is not named", free.join(", ")),
        )
    });
}

fn ban_lifted(bench: &mut Bench<'_>, lifted: &BanLifted) {
    let subject = format!("the lifted ban of {}", lifted.player);
    let case = bench.case;
    let elsewhere = case.around.bans().iter().map(|standing| &standing.ban);
    if case.tournament.bans.iter().chain(elsewhere).any(|ban| lifts(lifted, ban)) {
        bench.open(
            RuleId::Ban,
            subject,
            "the text knows no lifting before the time; the director answers for it",
        );
    } else {
        bench.hold(RuleId::Ban, subject, false, || {
            ("a ban that stands".to_owned(), format!("none of `{}` for this series", lifted.player))
        });
    }
}
