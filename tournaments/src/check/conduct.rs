//! Penalties and bans.

use annals_events::tournament::{BanLifted, BanRecorded, Milestone, PenaltyPaid, PenaltyRecorded};
use annals_events::{Micros, PlayerKind};

use super::entries::known;
use super::field::invitations::not_uploaded;
use super::{Checker, JudgingContext, grounds};
use crate::context::{lifts, names};
use crate::rulebook::{DAY, RuleId};
use crate::state::calendar::{date, utc, years_later};
use crate::state::{Entrant, Money};
use crate::verdict::Compliance;

/// Whether a player who breaks a rule has to pay the penalty. An invited player who is not set up in time does not
/// (2015 WCC, Penalty and Program Submission).
pub(crate) fn costs_penalty(entrant: &Entrant, rule: RuleId) -> bool {
    rule.is_of_the_qualifier() || rule == RuleId::ProgramDeadline && entrant.invited.is_none()
}

/// The end of the ban of a player who breaks a rule; none if the rule has no ban. Inner none: the text has no
/// end (2015 WCC, Qualifying 3 and Publication).
pub(crate) fn ban_until(case: &JudgingContext<'_>, at: Micros, rule: RuleId) -> Option<Option<Micros>> {
    case.rulebook.rule(RuleId::Ban)?;
    match rule {
        RuleId::QualifierHardware => Some(Some(years_later(at, case.rulebook.ban_years?))),
        RuleId::ProgramUnlimited => Some(None),
        _ => None,
    }
}

pub(super) fn recorded(check: &mut Checker<'_>, penalty: &PenaltyRecorded) {
    let case = check.case;
    let subject = format!("the penalty of {}", penalty.player);
    if !known(check, &subject, &penalty.player) {
        return;
    }
    grounds::known(check, RuleId::Penalty, &subject, &penalty.grounds);
    if let Some(fees) = case.fees() {
        check.hold(RuleId::Penalty, &subject, penalty.amount == fees.penalty, || {
            (format!("{} cents", fees.penalty), format!("{} cents", penalty.amount))
        });
    }
    let Some(entrant) = case.tournament.entrants.get(&penalty.player) else { return };
    let rules = case.rules_in(&penalty.grounds);
    let due = rules.iter().any(|rule| costs_penalty(entrant, *rule));
    if entrant.invited.is_some() && !due {
        let expected = "an invited player who is not set up in time owes nothing";
        let cause = format!("{subject}, cause");
        return check.hold(RuleId::Penalty, cause, false, || (expected, penalty.reason.as_str()));
    }
    let for_the_upload = rules.contains(&RuleId::ProgramDeadline);
    if for_the_upload && case.rulebook.edition > 1 {
        let shown = match not_uploaded(check, entrant) {
            Compliance::Undetermined { why } => {
                Compliance::Undetermined { why: format!("{why}; the director answers for it") }
            }
            shown => shown,
        };
        check.say(RuleId::Penalty, format!("{subject}, upload"), shown);
    } else if let Some(due) = date(case.tournament, Milestone::ProgramsDue).filter(|_| for_the_upload) {
        let at = check.when.at;
        check.hold(RuleId::Penalty, format!("{subject}, date"), at >= due, || {
            (format!("the deadline at {} is over", utc(due)), format!("imposed at {}", utc(at)))
        });
    }
    if case.tournament.penalties.iter().any(|earlier| earlier.fact.player == penalty.player) {
        let why =
            "a penalty of this player is recorded already; the text does not say whether it is due twice";
        check.open(RuleId::Penalty, format!("{subject}, once"), why);
    } else if !due {
        let why = "no rule of the qualifying phase and no deadline is named; the director answers for it";
        check.open(RuleId::Penalty, format!("{subject}, cause"), why);
    }
}

pub(super) fn paid(check: &mut Checker<'_>, payment: &PenaltyPaid) {
    let tournament = check.case.tournament;
    let player = &payment.player;
    let of_the_player = tournament.penalties.iter().filter(|penalty| penalty.fact.player == *player);
    let owed = of_the_player.map(|penalty| penalty.fact.amount).fold(0u64, u64::saturating_add);
    let lines = tournament.ledger.iter().filter(|line| line.what == Money::PenaltyPaid);
    let given = lines.filter(|line| line.who == player.as_str()).map(|line| line.amount);
    let open = owed.saturating_sub(given.fold(0u64, u64::saturating_add));
    let fits = payment.amount > 0 && payment.amount <= open;
    check.hold(RuleId::Penalty, format!("the payment of {player}"), fits, || {
        (format!("{open} cents are owed"), format!("{} cents are paid", payment.amount))
    });
}

pub(super) fn banned(check: &mut Checker<'_>, ban: &BanRecorded) {
    let case = check.case;
    let subject = format!("the ban of {}", ban.player);
    if !known(check, &subject, &ban.player) {
        return;
    }
    developers(check, &subject, ban);
    grounds::known(check, RuleId::Ban, &subject, &ban.grounds);
    let at = check.when.at;
    let rules = case.rules_in(&ban.grounds);
    // A ban without an end counts before one of some years.
    let Some(due) = rules.into_iter().filter_map(|rule| ban_until(case, at, rule)).min() else {
        let why = "neither faster hardware nor a limited program is named; the director answers for it";
        return check.open(RuleId::Ban, subject, why);
    };
    let series = case.series();
    check.hold(RuleId::Ban, format!("{subject}, series"), ban.series.as_deref() == series, || {
        let word =
            |series: Option<&str>| series.map_or("every tournament".to_owned(), |name| format!("`{name}`"));
        (format!("a ban from {}", word(series)), format!("a ban from {}", word(ban.series.as_deref())))
    });
    match (due, ban.until) {
        (None, None) => check.compliant(RuleId::Ban, subject),
        (None, Some(until)) => {
            let why =
                format!("the text says `following years` and no number; this one ends at {}", utc(until));
            check.open(RuleId::Ban, subject, why);
        }
        // A ban to the end of that day has the same number of years.
        (Some(due), until) => {
            let fits = until.is_some_and(|until| (due..=due.saturating_add(DAY)).contains(&until));
            check.hold(RuleId::Ban, subject, fits, || {
                let found = until.map_or("for ever".to_owned(), |until| format!("until {}", utc(until)));
                let years = case.rulebook.ban_years.unwrap_or_default();
                (format!("{years} years, until {}", utc(due)), found)
            });
        }
    }
}

/// A ban of a program binds its developers, or they would enter another one.
fn developers(check: &mut Checker<'_>, subject: &str, ban: &BanRecorded) {
    let Some(entrant) = check.case.tournament.entrants.get(&ban.player) else { return };
    let subject = format!("{subject}, developers");
    let entered = &entrant.entry.fact.developers;
    if entrant.kind == PlayerKind::Bot && entered.is_empty() && ban.developers.is_empty() {
        return check.open(RuleId::Ban, subject, "neither the entry nor the ban names a developer");
    }
    let free: Vec<&str> =
        entered.iter().map(String::as_str).filter(|name| !names(&ban.developers, name)).collect();
    check.hold(RuleId::Ban, subject, free.is_empty(), || {
        (
            format!("a ban of {}, who entered it", entered.join(", ")),
            format!("{} is not named", free.join(", ")),
        )
    });
}

pub(super) fn ban_lifted(check: &mut Checker<'_>, lifted: &BanLifted) {
    let subject = format!("the lifted ban of {}", lifted.player);
    if check.case.context.bans().iter().any(|standing| lifts(lifted, &standing.ban)) {
        check.open(
            RuleId::Ban,
            subject,
            "the text knows no lifting before the time; the director answers for it",
        );
    } else {
        check.hold(RuleId::Ban, subject, false, || {
            ("a ban in force", format!("none of `{}` for this series", lifted.player))
        });
    }
}
