//! Programs: deadlines, tests, what may change and when, stand-ins.

use annals_events::tournament::{
    Effect, Milestone, ProgramSubmitted, ProgramSubstituted, ProgramTested, ProgramUpdated, RoundStarted,
    Stage,
};
use annals_events::{Micros, PlayerId, PlayerKind};

use super::Checker;
use super::accounts::closed_at_the_start;
use super::entries::{known, taking_part};
use crate::rulebook::{MINUTE, RuleId, Rulebook};
use crate::state::calendar::{date, program_due, utc};
use crate::state::{Board, Decision, Entrant, Tournament};

/// What closed a program to changes by hand.
fn frozen_by(tournament: &Tournament, entrant: &Entrant) -> Option<String> {
    if let Some(test) = entrant.program.tested.iter().find(|test| test.fact.passed) {
        return Some(format!("it passed its test at {}", utc(test.at)));
    }
    if let Some(substituted) = &entrant.program.substituted {
        return Some(format!("{} plays in its place", substituted.fact.stand_in));
    }
    tournament.first_begun().map(|round| format!("round {round} has begun"))
}

pub(super) fn program_submitted(check: &mut Checker<'_>, submitted: &ProgramSubmitted) {
    let tournament = check.case.tournament;
    let subject = format!("the program of {}", submitted.player);
    if !taking_part(check, &subject, &submitted.player) {
        return;
    }
    let Some(entrant) = tournament.entrants.get(&submitted.player) else { return };
    let at = check.when.at;
    match program_due(tournament, entrant, Milestone::ProgramsDue) {
        Some(due) => check.in_time(RuleId::ProgramDeadline, &subject, due, "uploaded"),
        None => {
            check.open(RuleId::ProgramDeadline, &subject, "the record does not say when programs are due")
        }
    }
    let frozen = frozen_by(tournament, entrant);
    check.none(RuleId::ProgramFrozen, &subject, frozen, |frozen| {
        let found = format!("{} is handed in at {}", submitted.digest, utc(at));
        (format!("no change by hand, since {frozen}"), found)
    });
}

pub(super) fn program_tested(check: &mut Checker<'_>, tested: &ProgramTested) {
    let tournament = check.case.tournament;
    let subject = format!("the test of {}", tested.player);
    if !taking_part(check, &subject, &tested.player) {
        return;
    }
    let Some(entrant) = tournament.entrants.get(&tested.player) else { return };
    match entrant.program.digest() {
        Some(digest) => check.hold(RuleId::ProgramTested, &subject, digest == tested.digest, || {
            (format!("a test of {digest}"), format!("a test of {}", tested.digest))
        }),
        None if entrant.program.substituted.is_some() => {
            check.open(
                RuleId::ProgramTested,
                &subject,
                "the digest of the program that stands in is not recorded",
            );
        }
        None => check
            .hold(RuleId::ProgramTested, &subject, false, || ("a program that was handed in", "none was")),
    }
    if tested.passed {
        check.hold(RuleId::ProgramTested, format!("{subject}, access"), tested.access_closed, || {
            ("access is closed after a test that was passed", "it stays open")
        });
    }
    // The invited developer, whose days may be over, did not set up a stand-in.
    if let Some(due) = program_due(tournament, entrant, Milestone::TestsDue)
        && entrant.program.substituted.is_none()
    {
        check.in_time(RuleId::ProgramTested, format!("{subject}, date"), due, "tested");
    }
}

pub(super) fn program_updated(check: &mut Checker<'_>, updated: &ProgramUpdated) {
    let tournament = check.case.tournament;
    let subject = format!("the change of {}'s program", updated.player);
    if !taking_part(check, &subject, &updated.player) {
        return;
    }
    check.hold(RuleId::ProgramFrozen, &subject, updated.automated, || {
        ("an automated run", "a change by hand")
    });
    let digest = tournament.entrants.get(&updated.player).and_then(|entrant| entrant.program.digest());
    same_digest(check, &format!("{subject}, digest"), digest, &updated.before);
    if let Some(longest) = check.case.rulebook.program_run {
        let took = updated.ended_at.saturating_sub(updated.started_at);
        let earlier = run_before(tournament, updated);
        let fits = took >= 0 && earlier.saturating_add(took) <= longest;
        check.hold(RuleId::ProgramRun, format!("{subject}, length"), fits, || {
            let before = if earlier > 0 {
                format!(", after {} minutes of earlier runs", earlier / MINUTE)
            } else {
                String::new()
            };
            let expected = format!("runs of at most {} minutes after a round", longest / MINUTE);
            (expected, format!("{} minutes{before}", took / MINUTE))
        });
        let at = check.when.at;
        let running = (updated.ended_at > at).then(|| {
            format!("the run is said to end at {}, and it is recorded at {}", utc(updated.ended_at), utc(at))
        });
        let not_between = not_between(tournament, updated).or(running);
        check.none(RuleId::ProgramRun, format!("{subject}, time"), not_between, |why| {
            ("a run between one round and the next", why)
        });
    }
}

fn same_digest(check: &mut Checker<'_>, subject: &str, recorded: Option<&str>, found: &str) {
    match recorded {
        Some(digest) => check.hold(RuleId::ProgramFrozen, subject, digest == found, || {
            (format!("the program {digest}"), format!("the program {found}"))
        }),
        None => check.open(RuleId::ProgramFrozen, subject, "the record holds no digest to compare with"),
    }
}

/// Duration of earlier automated runs of the program after the round.
fn run_before(tournament: &Tournament, updated: &ProgramUpdated) -> Micros {
    let earlier =
        tournament.entrants.get(&updated.player).into_iter().flat_map(|entrant| &entrant.program.updated);
    earlier
        .map(|earlier| &earlier.fact)
        .filter(|earlier| earlier.automated && earlier.after_round == updated.after_round)
        .map(|earlier| earlier.ended_at.saturating_sub(earlier.started_at).max(0))
        .fold(0, Micros::saturating_add)
}

/// Why a run was not between two rounds; none if it was.
fn not_between(tournament: &Tournament, updated: &ProgramUpdated) -> Option<String> {
    let Some((number, round)) = tournament.rounds.iter().rev().find(|(_, round)| round.is_started()) else {
        return Some("no round has been played".to_owned());
    };
    if updated.after_round != *number {
        return Some(format!(
            "the last round was {number}, the run is said to be after {}",
            updated.after_round
        ));
    }
    if let Some(board) = round.boards.iter().find(|(_, board)| board.outcome().is_none()) {
        return Some(format!("r{number}.{} was still being played", board.0));
    }
    // A ruling that takes a result away may be superseded by one that restores it.
    let taken = |number: u32| match tournament
        .rulings
        .iter()
        .find(|old| old.ruling.number == number)?
        .ruling
        .effect
    {
        Effect::Invalidate { pairing, .. } | Effect::Rematch { pairing, .. } => Some(pairing.round),
        _ => None,
    };
    let rulings = tournament.rulings.iter();
    let back = rulings.filter(|given| given.ruling.supersedes.and_then(taken) == Some(*number));
    let results = round.boards.values().filter_map(|board| board.decision().map(Decision::at));
    results
        .chain(back.map(|given| given.at))
        .max()
        .or(round.started_at)
        .filter(|over| updated.started_at < *over)
        .map(|over| {
            format!("round {number} was over at {}, the run began at {}", utc(over), utc(updated.started_at))
        })
}

pub(super) fn stand_in(check: &mut Checker<'_>, substituted: &ProgramSubstituted) {
    let case = check.case;
    let player = &substituted.player;
    let subject = format!("the stand-in for {player}");
    if !taking_part(check, &subject, player) {
        return;
    }
    let Some(entrant) = case.tournament.entrants.get(player) else { return };
    let announced = case.tournament.announced.as_ref();
    let year = announced.and_then(|announced| announced.year).filter(|year| substituted.year >= *year);
    let wrong = not_replaceable(case.tournament, entrant)
        .map(|why| ("a stand-in for an invited program that could not be set up in time".to_owned(), why))
        .or_else(|| {
            let found = format!("a program of {}", substituted.year);
            Some((format!("a program of a year before {}", year?), found))
        });
    if let Some(wrong) = wrong {
        return check.hold(RuleId::ProgramStandIn, &subject, false, || wrong);
    }
    before_the_days_are_over(check, entrant, substituted);
    let name = announced.and_then(|announced| announced.previous.as_deref());
    let previous = name.and_then(|name| name.parse().ok()).and_then(|name| case.context.tournament(&name));
    let Some((name, previous)) = name.zip(previous) else {
        let why = "the log does not hold the tournament in which it was submitted";
        return check.open(RuleId::ProgramStandIn, subject, why);
    };
    let mut boards = previous.rounds.values().flat_map(|round| round.boards.values());
    let there = previous.entrants.get(&substituted.stand_in).is_some_and(|earlier| {
        let handed_in = !earlier.program.submitted.is_empty() || earlier.seed.is_some();
        handed_in || boards.any(|board| board.has(&substituted.stand_in))
    });
    let year = previous.announced.as_ref().and_then(|announced| announced.year);
    let of_that_year = year.is_none_or(|year| year == substituted.year);
    if there || of_that_year {
        check.hold(RuleId::ProgramStandIn, subject, there, || {
            let found = format!("`{}` was not", substituted.stand_in);
            (format!("a program that was submitted for {name}"), found)
        });
    } else {
        let why = format!("it is said to be of {}, and {name} is of another year", substituted.year);
        check.open(RuleId::ProgramStandIn, subject, why);
    }
}

/// A stand-in is allowed once the invited program's days are over, or if the director states why it cannot be
/// set up.
fn before_the_days_are_over(check: &mut Checker<'_>, entrant: &Entrant, substituted: &ProgramSubstituted) {
    let (rule, at) = (RuleId::ProgramStandInTime, check.when.at);
    let subject = format!("the stand-in for {}, date", substituted.player);
    let Some(due) = entrant.invited.as_ref().and_then(|invited| invited.fact.due) else {
        return check.open(
            rule,
            subject,
            "the record does not say until when the invited program could be set up",
        );
    };
    match substituted.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) if at < due => {
            let why =
                format!("its days run until {}; the director answers for the reason: {reason}", utc(due));
            check.open(rule, subject, why);
        }
        _ => check.hold(rule, subject, at >= due, || {
            let expected = format!("a stand-in at {} or later, or a reason before", utc(due));
            (expected, format!("it stands in at {}, and no reason is given", utc(at)))
        }),
    }
}

/// Why no stand-in is allowed; none if it is.
fn not_replaceable(tournament: &Tournament, entrant: &Entrant) -> Option<String> {
    if entrant.invited.is_none() {
        return Some("it was not invited: it qualified itself, or is out".to_owned());
    }
    if let Some(test) = entrant.program.tested.iter().find(|test| test.fact.passed) {
        return Some(format!("it passed its test at {}", utc(test.at)));
    }
    tournament.first_begun().map(|round| format!("round {round} has begun"))
}

pub(super) fn round_started(check: &mut Checker<'_>, started: &RoundStarted) {
    let tournament = check.case.tournament;
    for program in &started.programs {
        let subject = format!("the program of {} in round {}", program.player, started.round);
        if !known(check, &subject, &program.player) {
            continue;
        }
        let digest = tournament.entrants.get(&program.player).and_then(|entrant| entrant.program.digest());
        same_digest(check, &subject, digest, &program.digest);
    }
    let Some(round) = tournament.rounds.get(&started.round) else { return };
    if tournament.first_begun().is_some() {
        return;
    }
    if let Some(begins) = date(tournament, Milestone::PlayBegins) {
        let at = check.when.at;
        check.hold(RuleId::RoundDates, format!("the start of round {}", started.round), at >= begins, || {
            (format!("a start at {} or later", utc(begins)), format!("it began at {}", utc(at)))
        });
    }
    // Edition 1 did not check a player with the bye.
    let byes = round.byes.iter().map(|bye| &bye.player).filter(|_| check.case.rulebook.edition > 1);
    let players: Vec<&PlayerId> = round.boards.values().flat_map(Board::players).chain(byes).collect();
    for player in players {
        let Some(entrant) = tournament.entrants.get(player) else { continue };
        if entrant.kind != PlayerKind::Bot {
            continue;
        }
        let declared = !entrant.hardware.is_empty();
        let subject = format!("the hardware of {player}");
        check.hold(RuleId::HardwareDeclared, subject, declared, || {
            ("hardware declared before the start", "none is declared")
        });
        if round.stage == Stage::Final && entrant.program.substituted.is_none() {
            set_up(check, player, entrant);
        }
    }
    for (player, entrant) in tournament.entrants.iter().filter(|_| round.stage == Stage::Final) {
        closed_at_the_start(check, player, entrant);
    }
}

/// The programs of the players of a round that are not uploaded or have passed no test, where the rulebook has them tested; none once
/// play has begun.
pub fn untested<'t>(
    tournament: &'t Tournament,
    rulebook: &Rulebook,
    players: impl IntoIterator<Item = &'t PlayerId>,
) -> usize {
    if rulebook.rule(RuleId::ProgramTested).is_none() || tournament.first_begun().is_some() {
        return 0;
    }
    let entrants = players.into_iter().filter_map(|player| tournament.entrants.get(player));
    let lacks = |entrant: &&Entrant| {
        let program = &entrant.program;
        let passed = program.tested.last().is_some_and(|test| test.fact.passed);
        entrant.kind == PlayerKind::Bot
            && program.substituted.is_none()
            && (program.submitted.is_empty() || !passed)
    };
    entrants.filter(lacks).count()
}

fn set_up(check: &mut Checker<'_>, player: &PlayerId, entrant: &Entrant) {
    if entrant.program.submitted.is_empty() {
        let subject = format!("the program of {player} at the start");
        return check.open(RuleId::ProgramDeadline, subject, "the record holds no program");
    }
    if entrant.program.accounts_given.is_empty() {
        let subject = format!("the account of {player} at the start");
        check.open(RuleId::AccountGiven, subject, "the record holds no account");
    }
    let why = match entrant.program.tested.last() {
        None => "no test is recorded".to_owned(),
        Some(test) if !test.fact.passed => format!("its last test, at {}, failed", utc(test.at)),
        Some(_) => return,
    };
    check.open(RuleId::ProgramTested, format!("the test of {player} at the start"), why);
}
