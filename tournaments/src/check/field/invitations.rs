//! Invitations, and disqualifications that make room for them.

use annals_events::PlayerKind;
use annals_events::tournament::{Disqualification, Disqualified, InvitationLapsed, Invited, Milestone};

use super::super::Checker;
use super::super::computers;
use super::super::entries::{known, taking_part};
use super::super::grounds::cited;
use super::super::hardware;
use crate::formats::qualifier::propose as qualifier;
use crate::rulebook::{DAY, RuleId};
use crate::state::Entrant;
use crate::state::calendar::{date, program_due, utc};
use crate::verdict::Compliance;

pub(crate) fn invited(check: &mut Checker<'_>, invited: &Invited) {
    let case = check.case;
    let subject = format!("the invitation of {}", invited.player);
    if !taking_part(check, &subject, &invited.player) {
        return;
    }
    if case.rulebook.invitation.is_none() {
        return check.hold(RuleId::RegistrationStanding, &subject, false, || {
            ("no player is invited: all who entered are in", "an invitation")
        });
    }
    let vacant = qualifier::vacancies(case.tournament, case.rulebook);
    let fits = match &invited.replaces {
        Some(player) => vacant.contains(player),
        None => !vacant.is_empty(),
    };
    let begun = case.tournament.rounds.keys().next();
    check.hold(RuleId::InvitationVacancy, &subject, fits && begun.is_none(), || {
        if let Some(round) = begun {
            return ("an invitation before the final".to_owned(), format!("round {round} is paired"));
        }
        let words: Vec<String> = vacant.iter().map(|player| format!("`{player}`")).collect();
        let expected = if words.is_empty() { "no place is vacant".to_owned() } else { words.join(" or ") };
        let found =
            invited.replaces.as_ref().map_or("no player is named".to_owned(), |player| format!("`{player}`"));
        (format!("the vacant place of: {expected}"), format!("in place of: {found}"))
    });
    match qualifier::next_invited(case.tournament, case.rulebook) {
        Ok(next) => {
            let right =
                next.as_ref().is_some_and(|next| next.player == invited.player && next.rank == invited.rank);
            check.hold(RuleId::InvitationNext, &subject, right, || {
                let expected = next
                    .map_or("no player: no place falls to any player in the order".to_owned(), |next| {
                        format!("`{}` from place {}", next.player, next.rank)
                    });
                (expected, format!("`{}` from place {}", invited.player, invited.rank))
            });
        }
        Err(refusal) => check.open(RuleId::InvitationNext, &subject, refusal.to_string()),
    }
    if let Some(days) = case.rulebook.invitation {
        let due = check.when.at.saturating_add(days);
        match invited.due {
            None => check.open(RuleId::InvitationDays, &subject, "the record does not say until when"),
            // The days may be counted to the end of the last of them.
            Some(found) => check.hold(
                RuleId::InvitationDays,
                &subject,
                (due..=due.saturating_add(DAY)).contains(&found),
                || (format!("{} days, until {}", days / DAY, utc(due)), format!("until {}", utc(found))),
            ),
        }
    }
    check.hold(RuleId::InvitationFee, &subject, !invited.fee_at_risk, || {
        ("no fee at risk", "the fee is at risk")
    });
}

pub(crate) fn lapsed(check: &mut Checker<'_>, lapsed: &InvitationLapsed) {
    let subject = format!("the lapsed invitation of {}", lapsed.player);
    if !taking_part(check, &subject, &lapsed.player) {
        return;
    }
    let tournament = check.case.tournament;
    let Some(entrant) = tournament.entrants.get(&lapsed.player) else { return };
    let why = if entrant.invited.is_none() {
        Some("never invited".to_owned())
    } else if let Some(substituted) = &entrant.program.substituted {
        Some(format!("{} plays in its place", substituted.fact.stand_in))
    } else {
        tournament.rounds.keys().next().map(|round| format!("round {round} is paired"))
    };
    // Without invitations, no invitation lapses.
    let rule = if check.has(RuleId::InvitationLapsed) {
        RuleId::InvitationLapsed
    } else {
        RuleId::RegistrationStanding
    };
    let wrongly = why.is_some();
    check.hold(rule, &subject, !wrongly, || {
        ("a player who was invited and has no program in the final", why.unwrap_or_default())
    });
    let due = entrant.invited.as_ref().and_then(|invited| invited.fact.due);
    let Some(due) = due.filter(|due| !wrongly && check.when.at < *due) else { return };
    let subject = format!("{subject}, date");
    match lapsed.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) => {
            let why = format!("it runs until {}; the director answers for the reason: {reason}", utc(due));
            check.open(rule, subject, why);
        }
        None => {
            let at = check.when.at;
            check.hold(rule, subject, false, || {
                (
                    format!("lapsed at {} or later, or a reason before", utc(due)),
                    format!("lapsed at {}, and no reason is given", utc(at)),
                )
            });
        }
    }
}

pub(crate) fn disqualified(check: &mut Checker<'_>, out: &Disqualified) {
    let case = check.case;
    let subject = format!("the disqualification of {}", out.player);
    // A cause that costs a prize and later years is recorded of a player who is out, too.
    let outlasts = matches!(out.cause, Disqualification::LimitedProgram | Disqualification::FasterHardware);
    let may_be_out = outlasts && case.rulebook.edition > 1;
    let known = if may_be_out {
        known(check, &subject, &out.player)
    } else {
        taking_part(check, &subject, &out.player)
    };
    let Some(entrant) = case.tournament.entrants.get(&out.player).filter(|_| known) else { return };
    if may_be_out {
        let before = entrant.disqualified_for(out.cause).filter(|_| !entrant.is_in());
        check.none(RuleId::DisqualificationCause, format!("{subject}, once"), before, |before| {
            let found = format!("it was at {} (event {})", utc(before.at), before.seq);
            ("a cause that is recorded once", found)
        });
    }
    let holds = match shown(check, entrant, out.cause) {
        Compliance::Undetermined { why } => {
            Compliance::Undetermined { why: format!("{}: {why}; the director answers for it", out.cause) }
        }
        holds => holds,
    };
    check.say(RuleId::DisqualificationCause, &subject, holds);
    cited(check, &subject, &out.grounds, Some(&out.player));
    let human = |rule: &RuleId| rule.binds() == Some(PlayerKind::Human);
    for rule in case.rules_in(&out.grounds).into_iter().filter(human) {
        check.open(rule, &subject, "the record cannot show it; the director answers for it");
    }
}

/// What the record contains for a cause.
fn shown(check: &Checker<'_>, entrant: &Entrant, cause: Disqualification) -> Compliance {
    let program = &entrant.program;
    let shown_or = |shown: bool, why: &str| if shown { Compliance::Compliant } else { open(why) };
    match cause {
        Disqualification::NotUploaded => not_uploaded(check, entrant),
        Disqualification::ProgramChanged => {
            let tested = program.tested.iter().find(|test| test.fact.passed);
            let after_the_test =
                tested.is_some_and(|test| program.submitted.iter().any(|handed| handed.seq > test.seq));
            let by_hand = program.updated.iter().any(|updated| !updated.fact.automated);
            shown_or(after_the_test || by_hand, "the record shows no change by hand")
        }
        Disqualification::HardwareChanged => {
            let declared = || entrant.hardware.iter().map(|declared| &declared.fact);
            let named = || declared().filter(|declared| !declared.computers.is_empty());
            let changed = declared().zip(declared().skip(1)).any(|(a, b)| a.hardware != b.hardware)
                || named().zip(named().skip(1)).any(|(a, b)| computers::differ(&a.computers, &b.computers));
            shown_or(changed, "the record shows one machine at most")
        }
        Disqualification::FasterHardware => {
            let why = "the declared hardware does not show it";
            let Some(limit) = hardware::speed_limit(check.case) else { return open(why) };
            if let Some(unknown) = limit.unknown {
                return open(unknown);
            }
            let faster = |speed: u64| speed > limit.most;
            let shown = entrant.hardware.iter().any(|declared| declared.fact.speed.is_some_and(faster));
            shown_or(shown, why)
        }
        Disqualification::QualifyingRules
        | Disqualification::LimitedProgram
        | Disqualification::OutsideHelp
        | Disqualification::Other => open("the record cannot show it"),
    }
}

fn open(why: &str) -> Compliance {
    Compliance::Undetermined { why: why.to_owned() }
}

/// Whether the record shows that a program was not set up in time.
pub(crate) fn not_uploaded(check: &Checker<'_>, entrant: &Entrant) -> Compliance {
    let tournament = check.case.tournament;
    let contradicted =
        |expected: &str, found: String| Compliance::Violation { expected: expected.to_owned(), found };
    if entrant.seed.is_none() && entrant.invited.is_none() {
        return contradicted("a program that qualified or was invited", "it did neither".to_owned());
    }
    let Some(due) = program_due(tournament, entrant, Milestone::ProgramsDue) else {
        return open("the record does not say when programs are due");
    };
    if check.when.at < due {
        return contradicted(
            "a deadline that is over",
            format!("programs are due at {}, and it is {}", utc(due), utc(check.when.at)),
        );
    }
    let program = &entrant.program;
    if let Some(substituted) = &program.substituted {
        return contradicted("no program", format!("{} stands in", substituted.fact.stand_in));
    }
    let Some(handed_in) = program.submitted.iter().find(|handed| handed.at < due) else {
        return Compliance::Compliant;
    };
    let tests_due = match entrant.invited {
        Some(_) => Some(due),
        None => date(tournament, Milestone::TestsDue),
    };
    let passed = program.tested.iter().find(|test| test.fact.passed);
    if let Some(passed) = passed.filter(|passed| tests_due.is_none_or(|due| passed.at < due)) {
        return contradicted(
            "no program in time",
            format!("uploaded at {}, test passed at {}", utc(handed_in.at), utc(passed.at)),
        );
    }
    if program.tested.last().is_some_and(|test| !test.fact.passed) {
        return Compliance::Compliant;
    }
    open(&format!("it was uploaded at {}, and no test tells whether it was set up", utc(handed_in.at)))
}
