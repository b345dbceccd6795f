use std::collections::BTreeSet;

use annals_events::tournament::{AccountGiven, AccountWithdrawn, Milestone, ProgramPublished, Stage};
use annals_events::{Micros, PlayerId};
use serde::Serialize;

use super::Checker;
use super::entries::{known, taking_part};
use crate::fund;
use crate::rulebook::{Rule, RuleId, Rulebook};
use crate::state::calendar::{date, program_due, utc};
use crate::state::{Board, Entrant, Tournament};

pub(super) fn given(check: &mut Checker<'_>, given: &AccountGiven) {
    let tournament = check.case.tournament;
    let subject = format!("the account of {}", given.player);
    if !taking_part(check, &subject, &given.player) {
        return;
    }
    if let Some(login) = &given.login {
        check.said(RuleId::AccountGiven, &subject, "the name of the account, or none", login);
    }
    let Some(entrant) = tournament.entrants.get(&given.player) else { return };
    let due = entrant.seed.is_some() || entrant.invited.is_some();
    check.hold(RuleId::AccountGiven, &subject, due, || {
        ("the developer of a program that qualified or was invited", "it did neither")
    });
    let open = entrant.program.account();
    check.none(RuleId::AccountGiven, format!("{subject}, once"), open, |open| {
        ("one account", format!("one was given at {} (event {})", utc(open.at), open.seq))
    });
    let tested = entrant.program.tested.iter().find(|test| test.fact.passed);
    let ready = tested.map(|test| format!("a test was passed at {} (event {})", utc(test.at), test.seq));
    let begun = || tournament.first_begun().map(|round| format!("round {round} has begun"));
    check.none(RuleId::AccountGiven, format!("{subject}, test"), ready.or_else(begun), |found| {
        ("an account before the program is tested and play begins", found)
    });
    if !due || !entrant.program.accounts_given.is_empty() {
        return;
    }
    let subject = format!("{subject}, date");
    match program_due(tournament, entrant, Milestone::AccountsGiven) {
        Some(due) => check.in_time(RuleId::AccountGiven, subject, due, "given"),
        None => check.open(RuleId::AccountGiven, subject, "the record does not say when accounts are due"),
    }
}

pub(super) fn withdrawn(check: &mut Checker<'_>, withdrawn: &AccountWithdrawn) {
    let subject = format!("the withdrawn account of {}", withdrawn.player);
    if !known(check, &subject, &withdrawn.player) {
        return;
    }
    let Some(entrant) = check.case.tournament.entrants.get(&withdrawn.player) else { return };
    let there = entrant.program.account().is_some();
    check.hold(RuleId::AccountWithdrawn, &subject, there, || ("an account that was given", "none is open"));
    if !there {
        return;
    }
    let subject = format!("{subject}, test");
    let passed = entrant.program.tested.iter().any(|test| test.fact.passed);
    match withdrawn.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) if !passed && entrant.is_in() => {
            let why = format!("no test was passed; the director answers for the reason: {reason}");
            check.open(RuleId::AccountWithdrawn, subject, why);
        }
        _ => check.hold(RuleId::AccountWithdrawn, subject, passed || !entrant.is_in(), || {
            ("a test that was passed, or a reason", "no test was passed, and no reason is given")
        }),
    }
}

pub(super) fn closed_at_the_start(check: &mut Checker<'_>, player: &PlayerId, entrant: &Entrant) {
    let Some(account) = entrant.program.account() else { return };
    let mut tests = entrant.program.tested.iter().filter(|test| test.seq > account.seq);
    let closed = tests.any(|test| test.fact.passed && test.fact.access_closed);
    check.hold(RuleId::AccountWithdrawn, format!("the account of {player} at the start"), closed, || {
        ("an account that is withdrawn before the start", "it is open")
    });
}

pub(super) fn published(check: &mut Checker<'_>, published: &ProgramPublished) {
    let tournament = check.case.tournament;
    let subject = format!("the publication of {}'s program", published.player);
    if !known(check, &subject, &published.player) {
        return;
    }
    let played = finalists(tournament).contains(&published.player);
    check.hold(RuleId::ProgramPublished, &subject, played, || {
        ("a program of the final", format!("`{}` has no game in it", published.player))
    });
    let before = tournament.entrants.get(&published.player);
    let before = before.and_then(|entrant| entrant.program.published.as_ref());
    check.none(RuleId::ProgramPublished, format!("{subject}, once"), before, |before| {
        ("a program is made public once", format!("it was at {} (event {})", utc(before.at), before.seq))
    });
    let subject = format!("{subject}, date");
    if tournament.closed.is_none() {
        let expected = "made public when the championship and the challenge match are over";
        return check.hold(RuleId::ProgramPublished, subject, false, || (expected, "play is not closed"));
    }
    match date(tournament, Milestone::ChallengeEnds) {
        Some(ends) => check.hold(RuleId::ProgramPublished, subject, check.when.at >= ends, || {
            let found = format!("made public at {}", utc(check.when.at));
            (format!("made public when the challenge match is over, at {}", utc(ends)), found)
        }),
        None => check.open(
            RuleId::ProgramPublished,
            subject,
            "the schedule does not say when the challenge match ends",
        ),
    }
}

fn finalists(tournament: &Tournament) -> BTreeSet<&PlayerId> {
    let rounds = tournament.rounds_of(&[Stage::Final, Stage::Continuation]);
    rounds
        .flat_map(|(_, round)| {
            let byes = round.byes.iter().map(|bye| &bye.player);
            round.boards.values().flat_map(Board::players).chain(byes)
        })
        .collect()
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Overdue {
    pub rule: Rule,
    pub player: PlayerId,
    pub what: String,
    pub due: Micros,
}

/// Items overdue at a time; an item without a date is never overdue.
pub fn overdue(tournament: &Tournament, rulebook: &Rulebook, now: Micros) -> Vec<Overdue> {
    let mut overdue = prizes_to_return(tournament, rulebook);
    overdue.extend(programs_to_publish(tournament, rulebook, now));
    overdue
}

/// The prizes of players who may not keep one.
fn prizes_to_return(tournament: &Tournament, rulebook: &Rulebook) -> Vec<Overdue> {
    let held = |player: &PlayerId| {
        let (rule, due) = fund::keeps_no_prize(tournament, rulebook, player)?;
        let cents = Some(fund::held(tournament, player)).filter(|cents| *cents > 0)?;
        let what = format!("`{player}` has not returned {cents} cents of prizes");
        Some(Overdue { rule: rulebook.rule(rule)?, player: player.clone(), what, due })
    };
    tournament.entrants.keys().filter_map(held).collect()
}

fn programs_to_publish(tournament: &Tournament, rulebook: &Rulebook, now: Micros) -> Vec<Overdue> {
    let Some(rule) = rulebook.rule(RuleId::ProgramPublished) else { return Vec::new() };
    let Some(due) = date(tournament, Milestone::ChallengeEnds).filter(|due| *due <= now) else {
        return Vec::new();
    };
    // A stand-in of an earlier year is public already.
    let secret = |player: &&PlayerId| {
        let program = tournament.entrants.get(*player).map(|entrant| &entrant.program);
        program.is_some_and(|program| program.published.is_none() && program.substituted.is_none())
    };
    let missing = finalists(tournament).into_iter().filter(secret).map(|player| Overdue {
        rule,
        player: player.clone(),
        what: format!("the program of {player} is not made public"),
        due,
    });
    missing.collect()
}
