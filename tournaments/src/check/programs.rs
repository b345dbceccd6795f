//! Programs and hardware: deadlines, tests, what may change and when, stand-ins.

use annals_events::tournament::{
    HardwareDeclared, HardwareSpecified, Milestone, ProgramSubmitted, ProgramSubstituted, ProgramTested,
    ProgramUpdated, RoundStarted, Stage,
};
use annals_events::{Micros, PlayerId, PlayerKind, TournamentEvent};

use super::Bench;
use super::entries::{dated_back, known, late_entry, taking_part};
use crate::rulebook::{MINUTE, RuleId};
use crate::state::calendar::{date, utc};
use crate::state::{Entrant, Tournament};

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::HardwareSpecified(specified) => hardware_specified(bench, specified),
        TournamentEvent::HardwareDeclared(declared) => hardware_declared(bench, declared),
        TournamentEvent::ProgramSubmitted(submitted) => program_submitted(bench, submitted),
        TournamentEvent::ProgramTested(tested) => program_tested(bench, tested),
        TournamentEvent::ProgramUpdated(updated) => program_updated(bench, updated),
        TournamentEvent::ProgramSubstituted(substituted) => stand_in(bench, substituted),
        TournamentEvent::RoundStarted(started) => round_started(bench, started),
        _ => {}
    }
}

/// The first round that has begun.
fn begun(tournament: &Tournament) -> Option<(u32, Option<Micros>)> {
    tournament
        .rounds
        .iter()
        .find(|(_, round)| round.started_at.is_some())
        .map(|(number, round)| (*number, round.started_at))
}

fn hardware_specified(bench: &mut Bench<'_>, specified: &HardwareSpecified) {
    let rulebook = bench.case.rulebook;
    let subject = "the specified hardware";
    if let Some(limit) = rulebook.hardware_price {
        match specified.price_limit {
            None => bench.open(RuleId::HardwareLimit, subject, "no price is recorded"),
            Some(price) => bench.hold(RuleId::HardwareLimit, subject, price <= limit, || {
                (format!("at most {limit} cents"), format!("{price} cents"))
            }),
        }
    }
    if let (Some(limit), Some(speed)) = (rulebook.hardware_speed, specified.speed_limit) {
        if speed <= limit {
            bench.hold(RuleId::QualifierHardware, subject, true, Default::default);
        } else {
            let why = format!(
                "the text says approximately {} times; {} times is for the director to answer for",
                times(limit),
                times(speed)
            );
            bench.open(RuleId::QualifierHardware, subject, why);
        }
    }
}

/// Thousandths as a number of times.
fn times(thousandths: u64) -> String {
    let (whole, rest) = (thousandths / 1000, thousandths % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

fn hardware_declared(bench: &mut Bench<'_>, declared: &HardwareDeclared) {
    let case = bench.case;
    let subject = format!("the hardware of {}", declared.player);
    if !taking_part(bench, &subject, &declared.player) {
        return;
    }
    let specified = case.tournament.hardware.as_ref().map(|noted| &noted.fact);
    if let Some(limit) = specified.and_then(|known| known.speed_limit).or(case.rulebook.hardware_speed) {
        match declared.speed {
            None => bench.open(RuleId::QualifierHardware, &subject, "its speed is not recorded"),
            Some(speed) => bench.hold(RuleId::QualifierHardware, &subject, speed <= limit, || {
                (format!("at most {} times as fast", times(limit)), format!("{} times as fast", times(speed)))
            }),
        }
    }
    // The price binds a player's own machine where games are played on it; else that of the organiser.
    if !bench.has(RuleId::HardwareDeclared) {
        return;
    }
    if let Some(limit) = specified.and_then(|known| known.price_limit).or(case.rulebook.hardware_price) {
        match declared.price {
            None => bench.open(RuleId::HardwareLimit, &subject, "its price is not recorded"),
            Some(price) => bench.hold(RuleId::HardwareLimit, &subject, price <= limit, || {
                (format!("at most {limit} cents"), format!("{price} cents"))
            }),
        }
    }
    let entrant = case.tournament.entrants.get(&declared.player);
    let before = entrant.and_then(|entrant| entrant.hardware.last());
    let start = begun(case.tournament);
    match (before, start) {
        (Some(before), Some((round, _))) => {
            let same = before.fact.hardware == declared.hardware && before.fact.system == declared.system;
            bench.hold(RuleId::HardwareUnchanged, &subject, same, || {
                (
                    format!("{}, as declared at {}", before.fact.hardware, utc(before.at)),
                    format!("{} after round {round} began", declared.hardware),
                )
            });
        }
        (None, Some((round, _))) => bench.hold(RuleId::HardwareDeclared, &subject, false, || {
            ("declared before the start".to_owned(), format!("declared after round {round} began"))
        }),
        (_, None) => {
            let due = [Milestone::HardwareDue, Milestone::PlayBegins]
                .into_iter()
                .filter_map(|milestone| date(case.tournament, milestone))
                .min();
            if let Some(due) = due.filter(|due| dated_back(bench, *due)) {
                return bench.open(RuleId::HardwareDeclared, &subject, late_entry(bench, due));
            }
            let at = bench.when.at;
            bench.hold(RuleId::HardwareDeclared, &subject, due.is_none_or(|due| at < due), || {
                (
                    format!("declared before {}", due.map_or(String::new(), utc)),
                    format!("declared at {}", utc(at)),
                )
            });
        }
    }
}

/// By when the program of a player is due: as invited, or as announced.
pub(crate) fn program_due(
    tournament: &Tournament,
    entrant: &Entrant,
    milestone: Milestone,
) -> Option<Micros> {
    match &entrant.invited {
        Some(invited) => invited.fact.due,
        None => date(tournament, milestone),
    }
}

/// What closed a program to changes by hand, in words.
fn frozen_by(tournament: &Tournament, entrant: &Entrant) -> Option<String> {
    if let Some(test) = entrant.program.tested.iter().find(|test| test.fact.passed) {
        return Some(format!("it passed its test at {}", utc(test.at)));
    }
    if let Some(substituted) = &entrant.program.substituted {
        return Some(format!("{} plays in its place", substituted.fact.stand_in));
    }
    begun(tournament).map(|(round, _)| format!("round {round} has begun"))
}

fn program_submitted(bench: &mut Bench<'_>, submitted: &ProgramSubmitted) {
    let tournament = bench.case.tournament;
    let subject = format!("the program of {}", submitted.player);
    if !taking_part(bench, &subject, &submitted.player) {
        return;
    }
    let Some(entrant) = tournament.entrants.get(&submitted.player) else { return };
    let at = bench.when.at;
    match program_due(tournament, entrant, Milestone::ProgramsDue) {
        Some(due) if dated_back(bench, due) => {
            bench.open(RuleId::ProgramDeadline, &subject, late_entry(bench, due));
        }
        Some(due) => bench.hold(RuleId::ProgramDeadline, &subject, at < due, || {
            (format!("uploaded before {}", utc(due)), format!("uploaded at {}", utc(at)))
        }),
        None => {
            bench.open(RuleId::ProgramDeadline, &subject, "the record does not say when programs are due")
        }
    }
    let frozen = frozen_by(tournament, entrant);
    bench.hold(RuleId::ProgramFrozen, &subject, frozen.is_none(), || {
        (
            format!("no change by hand, since {}", frozen.unwrap_or_default()),
            format!("{} is handed in at {}", submitted.digest, utc(at)),
        )
    });
}

fn program_tested(bench: &mut Bench<'_>, tested: &ProgramTested) {
    let tournament = bench.case.tournament;
    let subject = format!("the test of {}", tested.player);
    if !taking_part(bench, &subject, &tested.player) {
        return;
    }
    let Some(entrant) = tournament.entrants.get(&tested.player) else { return };
    match entrant.program.digest() {
        Some(digest) => bench.hold(RuleId::ProgramTested, &subject, digest == tested.digest, || {
            (format!("a test of {digest}"), format!("a test of {}", tested.digest))
        }),
        None if entrant.program.substituted.is_some() => {
            bench.open(
                RuleId::ProgramTested,
                &subject,
                "the digest of the program that stands in is not recorded",
            );
        }
        None => bench.hold(RuleId::ProgramTested, &subject, false, || {
            ("a program that was handed in".to_owned(), "none was".to_owned())
        }),
    }
    if tested.passed {
        bench.hold(RuleId::ProgramTested, format!("{subject}, access"), tested.access_closed, || {
            ("access is closed after a test that was passed".to_owned(), "it stays open".to_owned())
        });
    }
    let at = bench.when.at;
    // A program that stands in was not set up by the one who was invited, whose days may be over.
    if let Some(due) = program_due(tournament, entrant, Milestone::TestsDue)
        && entrant.program.substituted.is_none()
    {
        let subject = format!("{subject}, date");
        if dated_back(bench, due) {
            bench.open(RuleId::ProgramTested, subject, late_entry(bench, due));
        } else {
            bench.hold(RuleId::ProgramTested, subject, at < due, || {
                (format!("tested before {}", utc(due)), format!("tested at {}", utc(at)))
            });
        }
    }
}

fn program_updated(bench: &mut Bench<'_>, updated: &ProgramUpdated) {
    let tournament = bench.case.tournament;
    let subject = format!("the change of {}'s program", updated.player);
    if !taking_part(bench, &subject, &updated.player) {
        return;
    }
    bench.hold(RuleId::ProgramFrozen, &subject, updated.automated, || {
        ("an automated run".to_owned(), "a change by hand".to_owned())
    });
    let digest = tournament.entrants.get(&updated.player).and_then(|entrant| entrant.program.digest());
    same_digest(bench, &format!("{subject}, digest"), digest, &updated.before);
    if let Some(longest) = bench.case.rulebook.program_run {
        let took = updated.ended_at.saturating_sub(updated.started_at);
        let earlier = run_before(tournament, updated);
        let fits = took >= 0 && earlier.saturating_add(took) <= longest;
        bench.hold(RuleId::ProgramRun, format!("{subject}, length"), fits, || {
            let before = if earlier > 0 {
                format!(", after {} minutes of earlier runs", earlier / MINUTE)
            } else {
                String::new()
            };
            let expected = format!("runs of at most {} minutes after a round", longest / MINUTE);
            (expected, format!("{} minutes{before}", took / MINUTE))
        });
        let at = bench.when.at;
        let running = (updated.ended_at > at).then(|| {
            format!("the run is said to end at {}, and it is recorded at {}", utc(updated.ended_at), utc(at))
        });
        let between = not_between(tournament, updated).or(running);
        bench.hold(RuleId::ProgramRun, format!("{subject}, time"), between.is_none(), || {
            ("a run between one round and the next".to_owned(), between.unwrap_or_default())
        });
    }
}

fn same_digest(bench: &mut Bench<'_>, subject: &str, recorded: Option<&str>, found: &str) {
    match recorded {
        Some(digest) => bench.hold(RuleId::ProgramFrozen, subject, digest == found, || {
            (format!("the program {digest}"), format!("the program {found}"))
        }),
        None => bench.open(RuleId::ProgramFrozen, subject, "the record holds no digest to compare with"),
    }
}

/// How long the automated runs of the same program after the same round took so far.
fn run_before(tournament: &Tournament, updated: &ProgramUpdated) -> Micros {
    let earlier =
        tournament.entrants.get(&updated.player).into_iter().flat_map(|entrant| &entrant.program.updated);
    earlier
        .map(|earlier| &earlier.fact)
        .filter(|earlier| earlier.automated && earlier.after_round == updated.after_round)
        .map(|earlier| earlier.ended_at.saturating_sub(earlier.started_at).max(0))
        .fold(0, Micros::saturating_add)
}

/// Why a run did not lie between one round and the next; none where it did.
fn not_between(tournament: &Tournament, updated: &ProgramUpdated) -> Option<String> {
    let started = |round: &crate::Round| round.started_at.is_some() || round.inferred;
    let Some((number, round)) = tournament.rounds.iter().rev().find(|(_, round)| started(round)) else {
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
    let over = round.boards.values().filter_map(|board| board.result().map(|result| result.at)).max();
    over.or(round.started_at).filter(|over| updated.started_at < *over).map(|over| {
        format!("round {number} was over at {}, the run began at {}", utc(over), utc(updated.started_at))
    })
}

fn stand_in(bench: &mut Bench<'_>, substituted: &ProgramSubstituted) {
    let case = bench.case;
    let player = &substituted.player;
    let subject = format!("the stand-in for {player}");
    if !taking_part(bench, &subject, player) {
        return;
    }
    let Some(entrant) = case.tournament.entrants.get(player) else { return };
    if let Some(why) = not_replaceable(case.tournament, entrant) {
        bench.hold(RuleId::ProgramStandIn, &subject, false, || {
            ("a stand-in for an invited program that could not be set up in time".to_owned(), why)
        });
        return;
    }
    let announced = case.tournament.announced.as_ref();
    let year = announced.and_then(|announced| announced.year);
    if let Some(year) = year.filter(|year| substituted.year >= *year) {
        bench.hold(RuleId::ProgramStandIn, &subject, false, || {
            (format!("a program of a year before {year}"), format!("a program of {}", substituted.year))
        });
        return;
    }
    let name = announced.and_then(|announced| announced.previous.as_deref());
    let previous = name.and_then(|name| name.parse().ok()).and_then(|name| case.around.tournament(&name));
    let Some((name, previous)) = name.zip(previous) else {
        let why = "the log does not hold the tournament in which it was submitted";
        return bench.open(RuleId::ProgramStandIn, subject, why);
    };
    let there = previous.entrants.get(&substituted.stand_in).is_some_and(|earlier| {
        let program = &earlier.program;
        !program.submitted.is_empty() || earlier.seed.is_some() || played(previous, &substituted.stand_in)
    });
    let of_that_year = previous
        .announced
        .as_ref()
        .and_then(|announced| announced.year)
        .is_none_or(|year| year == substituted.year);
    if there || of_that_year {
        bench.hold(RuleId::ProgramStandIn, subject, there, || {
            (
                format!("a program that was submitted for {name}"),
                format!("`{}` was not", substituted.stand_in),
            )
        });
    } else {
        let why = format!("it is said to be of {}, and {name} is of another year", substituted.year);
        bench.open(RuleId::ProgramStandIn, subject, why);
    }
}

fn played(tournament: &Tournament, player: &PlayerId) -> bool {
    let boards = || tournament.rounds.values().flat_map(|round| round.boards.values());
    boards().any(|board| board.has(player))
}

/// Why no earlier program may stand in; none where it may.
fn not_replaceable(tournament: &Tournament, entrant: &Entrant) -> Option<String> {
    if entrant.invited.is_none() {
        return Some("it was not invited: it qualified itself, or is out".to_owned());
    }
    if let Some(test) = entrant.program.tested.iter().find(|test| test.fact.passed) {
        return Some(format!("it passed its test at {}", utc(test.at)));
    }
    begun(tournament).map(|(round, _)| format!("round {round} has begun"))
}

fn round_started(bench: &mut Bench<'_>, started: &RoundStarted) {
    let tournament = bench.case.tournament;
    for program in &started.programs {
        let subject = format!("the program of {} in round {}", program.player, started.round);
        if !known(bench, &subject, &program.player) {
            continue;
        }
        let digest = tournament.entrants.get(&program.player).and_then(|entrant| entrant.program.digest());
        same_digest(bench, &subject, digest, &program.digest);
    }
    let Some(round) = tournament.rounds.get(&started.round) else { return };
    let first = begun(tournament).is_none();
    if !first {
        return;
    }
    if let Some(begins) = date(tournament, Milestone::PlayBegins) {
        let at = bench.when.at;
        bench.hold(RuleId::RoundDates, format!("the start of round {}", started.round), at >= begins, || {
            (format!("a start at {} or later", utc(begins)), format!("it began at {}", utc(at)))
        });
    }
    for board in round.boards.values() {
        for player in board.players() {
            let Some(entrant) = tournament.entrants.get(player) else { continue };
            if entrant.kind != PlayerKind::Bot {
                continue;
            }
            let declared = !entrant.hardware.is_empty();
            let subject = format!("the hardware of {player}");
            bench.hold(RuleId::HardwareDeclared, subject, declared, || {
                ("hardware declared before the start".to_owned(), "none is declared".to_owned())
            });
            if round.stage == Stage::Final && entrant.program.substituted.is_none() {
                set_up(bench, player, entrant);
            }
        }
    }
}

/// Whether the program of a finalist was handed in, and the last word on it is a test that it passed.
fn set_up(bench: &mut Bench<'_>, player: &PlayerId, entrant: &Entrant) {
    if entrant.program.submitted.is_empty() {
        let subject = format!("the program of {player} at the start");
        return bench.open(RuleId::ProgramDeadline, subject, "the record holds no program");
    }
    let why = match entrant.program.tested.last() {
        None => "no test is recorded".to_owned(),
        Some(test) if !test.fact.passed => format!("its last test, at {}, failed", utc(test.at)),
        Some(_) => return,
    };
    bench.open(RuleId::ProgramTested, format!("the test of {player} at the start"), why);
}
