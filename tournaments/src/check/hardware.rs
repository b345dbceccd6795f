use annals_events::tournament::{
    HardwareDeclared, HardwareSpecified, Machine, MachinesAssigned, ReferenceHardwareRecorded, RoundStarted,
};
use annals_events::{BoardId, PlayerId};

use super::entries::taking_part;
use super::{Checker, JudgingContext, computers};
use crate::rulebook::{HardwareReference, RuleId};
use crate::state::Board;
use crate::state::calendar::utc;

pub(super) fn specified(check: &mut Checker<'_>, specified: &HardwareSpecified) {
    let rulebook = check.case.rulebook;
    let subject = "the specified hardware";
    check.said(RuleId::HardwareSpecified, subject, "the name of a machine", &specified.hardware);
    if let Some(limit) = rulebook.hardware_price {
        computers::price(check, subject, specified.price_limit, limit);
    }
    let begun = check.case.tournament.first_begun();
    check.none(RuleId::HardwareSpecified, subject, begun, |round| {
        ("specified before the tournament begins", format!("specified after round {round} began"))
    });
    if let (Some(limit), Some(speed)) = (rulebook.hardware_speed, specified.speed_limit) {
        if speed <= limit {
            check.compliant(RuleId::QualifierHardware, subject);
        } else {
            let why = format!(
                "the text says approximately {} times; {} times is for the director to answer for",
                times(limit),
                times(speed)
            );
            check.open(RuleId::QualifierHardware, subject, why);
        }
    }
}

fn times(thousandths: u64) -> String {
    let (whole, rest) = (thousandths / 1000, thousandths % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

pub(super) fn declared(check: &mut Checker<'_>, declared: &HardwareDeclared) {
    let subject = format!("the hardware of {}", declared.player);
    if !taking_part(check, &subject, &declared.player) {
        return;
    }
    speed(check, &subject, declared.speed);
    // The price limits the player's own machine if games are played on it, else the organiser's.
    if check.has(RuleId::HardwareDeclared) {
        computers::declared(check, &subject, declared);
    }
}

/// How fast a player's machine may be relative to the machine that the readings name (T46).
pub(super) struct SpeedLimit {
    pub most: u64,
    /// Why the speed of the other machine is unknown.
    pub unknown: Option<&'static str>,
    of_last_year: bool,
}

pub(super) fn speed_limit(case: &JudgingContext<'_>) -> Option<SpeedLimit> {
    let (tournament, rulebook) = (case.tournament, case.rulebook);
    let of_last_year = rulebook.readings.hardware_reference == HardwareReference::PreviousYear
        && rulebook.hardware_speed.is_some();
    let specified = tournament.hardware.as_ref().filter(|_| !of_last_year);
    let most = specified.and_then(|known| known.fact.speed_limit).or(rulebook.hardware_speed)?;
    let unknown = if of_last_year {
        let why = "the machine of the previous year's challenge match is not recorded";
        tournament.reference_hardware.is_none().then_some(why)
    } else {
        tournament.hardware.is_none().then_some("no machine is specified")
    };
    Some(SpeedLimit { most, unknown: unknown.filter(|_| rulebook.edition > 1), of_last_year })
}

fn speed(check: &mut Checker<'_>, subject: &str, speed: Option<u64>) {
    let Some(SpeedLimit { most, unknown, .. }) = speed_limit(check.case) else { return };
    match (speed, unknown) {
        (None, _) => check.open(RuleId::QualifierHardware, subject, "its speed is not recorded"),
        (Some(_), Some(why)) => check.open(RuleId::QualifierHardware, subject, why),
        (Some(speed), None) => check.hold(RuleId::QualifierHardware, subject, speed <= most, || {
            (format!("at most {} times as fast", times(most)), format!("{} times as fast", times(speed)))
        }),
    }
}

/// Compares earlier declarations with the reference machine when it is recorded. The director acts on a
/// faster machine.
fn declared_before(check: &mut Checker<'_>) {
    let tournament = check.case.tournament;
    let Some(limit) = speed_limit(check.case).filter(|limit| limit.of_last_year) else { return };
    for (player, entrant) in tournament.entrants.iter().filter(|(_, entrant)| entrant.is_in()) {
        let subject = format!("the hardware of {player}");
        let Some(speed) = entrant.hardware.iter().filter_map(|declared| declared.fact.speed).max() else {
            continue;
        };
        if speed <= limit.most {
            check.compliant(RuleId::QualifierHardware, subject);
        } else {
            let [found, most] = [speed, limit.most].map(times);
            let why = format!(
                "declared before as {found} times as fast, and at most {most} times is allowed; whether `{player}` is \
                 disqualified for faster hardware the director answers for"
            );
            check.open(RuleId::QualifierHardware, subject, why);
        }
    }
}

/// Checks the machine of last year's challenge match: recorded once, of the year before, equal to the one in
/// the log.
pub(super) fn reference(check: &mut Checker<'_>, recorded: &ReferenceHardwareRecorded) {
    let subject = "the reference hardware";
    check.said(RuleId::HardwareReference, subject, "the name of a machine", &recorded.hardware);
    let tournament = check.case.tournament;
    let before = tournament.reference_hardware.as_ref();
    check.none(RuleId::HardwareReference, format!("{subject}, once"), before, |before| {
        (
            "one machine",
            format!("{} was recorded at {} (event {})", before.fact.hardware, utc(before.at), before.seq),
        )
    });
    let previous =
        tournament.announced.as_ref().and_then(|announced| announced.previous.as_ref()?.parse().ok());
    let previous = previous.and_then(|name| check.case.context.tournament(&name));
    if let Some(known) = previous.and_then(|previous| previous.hardware.as_ref()) {
        let right = known.fact.hardware == recorded.hardware;
        check.hold(RuleId::HardwareReference, format!("{subject}, machine"), right, || {
            (known.fact.hardware.clone(), recorded.hardware.clone())
        });
    }
    declared_before(check);
    let year = tournament.announced.as_ref().and_then(|announced| announced.year);
    let (Some(year), Some(found)) = (year, recorded.year) else {
        return check.open(RuleId::HardwareReference, subject, "the record does not say of which year it is");
    };
    let expected = year.saturating_sub(1);
    check.hold(RuleId::HardwareReference, subject, found == expected, || {
        (format!("the machine of {expected}"), format!("that of {found}"))
    });
}

/// Checks computers assigned in a round: each player plays in it, and both computers of a pairing are equal.
pub(super) fn assigned(check: &mut Checker<'_>, assigned: &MachinesAssigned) {
    let tournament = check.case.tournament;
    let subject = format!("the computers of round {}", assigned.round);
    let Some(round) = tournament.rounds.get(&assigned.round) else {
        return check.hold(RuleId::HardwareSame, subject, false, || {
            ("a round that is paired", format!("round {} is not", assigned.round))
        });
    };
    let plays = |player: &PlayerId| round.boards.values().any(|board| board.has(player));
    let stranger = assigned.machines.iter().find(|machine| !plays(&machine.player));
    check.none(RuleId::HardwareSame, &subject, stranger, |stranger| {
        ("players of the round", format!("`{}` has no game in it", stranger.player))
    });
    if round.has_begun() {
        let why = "the round had begun; what was changed during it is for the director to answer for";
        check.open(RuleId::HardwareSame, &subject, why);
    }
    for machine in &assigned.machines {
        check.said(RuleId::HardwareSame, &subject, "the name of a machine", &machine.hardware);
    }
    as_specified(check, &subject, &assigned.machines);
    let before = tournament.machines.get(&assigned.round);
    let machine = |player: &PlayerId| {
        let named = assigned.machines.iter().rev().find(|machine| machine.player == *player);
        named.or_else(|| before?.get(player))
    };
    for (&board, pair) in &round.boards {
        let pairing = BoardId { round: assigned.round, board };
        let named = |player: &&PlayerId| assigned.machines.iter().any(|machine| machine.player == **player);
        if let ([Some(one), Some(other)], true) =
            (pair.players().map(machine), pair.players().iter().any(named))
        {
            both(check, pairing, one, other);
        }
    }
}

/// Compares computers with the specified machine, if there is one.
fn as_specified<'a>(check: &mut Checker<'_>, subject: &str, machines: impl IntoIterator<Item = &'a Machine>) {
    let Some(specified) = &check.case.tournament.hardware else { return };
    let right = (specified.fact.hardware.as_str(), specified.fact.system.as_deref());
    let other = machines.into_iter().find(|machine| {
        let same = |system: &str| machine.system.as_deref().is_none_or(|found| found == system);
        machine.hardware != right.0 || !right.1.is_none_or(same)
    });
    check.none(RuleId::HardwareSame, format!("{subject}, specification"), other, |other| {
        (kind(right), format!("{} for {}", kind(of(other)), other.player))
    });
}

/// What is compared of a machine: its kind and system.
fn of(machine: &Machine) -> (&str, Option<&str>) {
    (&machine.hardware, machine.system.as_deref())
}

fn kind((hardware, system): (&str, Option<&str>)) -> String {
    system.map_or_else(|| hardware.to_owned(), |system| format!("{hardware} under {system}"))
}

/// The two computers of a pairing: distinct, of one kind and system.
fn both(check: &mut Checker<'_>, pairing: BoardId, one: &Machine, other: &Machine) {
    let subject = format!("the computers of {pairing}");
    let shared = one.computer.as_ref().filter(|name| other.computer.as_ref() == Some(name));
    check.none(RuleId::HardwareSame, format!("{subject}, two"), shared, |name| {
        ("a computer for each program", format!("both run on {name}"))
    });
    if one.hardware == other.hardware && (one.system.is_none() || other.system.is_none()) {
        return check.open(RuleId::HardwareSame, subject, "the record does not name both systems");
    }
    check.hold(RuleId::HardwareSame, subject, of(one) == of(other), || {
        let found = format!("{} for {}, {} for {}", kind(of(one)), one.player, kind(of(other)), other.player);
        ("the same hardware and system for both", found)
    });
}

/// Whether the first round starts on a machine specified with its system.
fn specified_at_the_start(check: &mut Checker<'_>) {
    let why = match &check.case.tournament.hardware {
        None => "no machine is specified",
        Some(known) if known.fact.system.is_none() => "its system is not specified",
        Some(_) => return,
    };
    check.open(RuleId::HardwareSpecified, "the specified hardware at the start", why);
}

/// Whether the computers are recorded at the start of a round: each one, or the one specified machine.
pub(super) fn round_started(check: &mut Checker<'_>, started: &RoundStarted) {
    let tournament = check.case.tournament;
    let Some(round) = tournament.rounds.get(&started.round) else { return };
    if tournament.first_begun().is_none() {
        specified_at_the_start(check);
    }
    let specified = tournament.hardware.as_ref().is_some_and(|known| known.fact.system.is_some());
    let machines = tournament.machines.get(&started.round);
    let known = |player: &PlayerId| specified || machines.is_some_and(|known| known.contains_key(player));
    let unknown = round.boards.values().flat_map(Board::players).find(|player| !known(player));
    let subject = format!("the computers of round {} at the start", started.round);
    if check.case.rulebook.edition > 1 {
        let players = round.boards.values().flat_map(Board::players);
        as_specified(check, &subject, players.filter_map(|player| machines?.get(player)));
    }
    for (&board, pair) in &round.boards {
        let machine = |player: &PlayerId| machines.and_then(|known| known.get(player));
        if let [Some(one), Some(other)] = pair.players().map(machine) {
            both(check, BoardId { round: started.round, board }, one, other);
        }
    }
    match unknown {
        None => check.compliant(RuleId::HardwareSame, subject),
        Some(player) => {
            let why = format!("the record does not say on what {player} plays");
            check.open(RuleId::HardwareSame, subject, why);
        }
    }
}
