//! Hardware: its price and speed, and when it is declared.

use std::collections::BTreeSet;

use annals_events::tournament::{
    Computer, HardwareDeclared, HardwareSpecified, Machine, MachinesAssigned, Milestone,
    ReferenceHardwareRecorded, RoundStarted,
};
use annals_events::{Pairing, PlayerId};

use super::Checker;
use super::entries::taking_part;
use crate::rulebook::{HardwareReference, RuleId};
use crate::state::calendar::{date, utc};
use crate::state::{Board, Tournament};

pub(super) fn specified(check: &mut Checker<'_>, specified: &HardwareSpecified) {
    let rulebook = check.case.rulebook;
    let subject = "the specified hardware";
    if let Some(limit) = rulebook.hardware_price {
        price(check, subject, specified.price_limit, limit);
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

fn price(check: &mut Checker<'_>, subject: &str, price: Option<u64>, limit: u64) {
    match price {
        None => check.open(RuleId::HardwareLimit, subject, "no price is recorded"),
        Some(price) => check.hold(RuleId::HardwareLimit, subject, price <= limit, || {
            (format!("at most {limit} cents"), format!("{price} cents"))
        }),
    }
}

/// What some computers cost together; none where a price is not recorded.
fn price_of_all(computers: &[Computer]) -> Option<u64> {
    let mut prices = computers.iter().map(|computer| computer.price);
    let first = prices.next()??;
    prices.try_fold(first, |sum, price| sum.checked_add(price?))
}

/// Whether two declarations are of the same computers. They are compared where both name them.
pub(super) fn same_computers(before: &HardwareDeclared, after: &HardwareDeclared) -> bool {
    let names = |declared: &HardwareDeclared| -> BTreeSet<String> {
        declared.computers.iter().map(|computer| computer.name.clone()).collect()
    };
    let (old, new) = (names(before), names(after));
    old.is_empty() || new.is_empty() || old == new
}

/// Thousandths as a number of times.
fn times(thousandths: u64) -> String {
    let (whole, rest) = (thousandths / 1000, thousandths % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

pub(super) fn declared(check: &mut Checker<'_>, declared: &HardwareDeclared) {
    let case = check.case;
    let subject = format!("the hardware of {}", declared.player);
    if !taking_part(check, &subject, &declared.player) {
        return;
    }
    let specified = case.tournament.hardware.as_ref().map(|noted| &noted.fact);
    if let Some(limit) = specified.and_then(|known| known.speed_limit).or(case.rulebook.hardware_speed) {
        let by_last_year = case.rulebook.readings.hardware_reference == HardwareReference::PreviousYear;
        match declared.speed {
            Some(_)
                if by_last_year
                    && case.rulebook.hardware_speed.is_some()
                    && no_reference(case.tournament) =>
            {
                let why = "the machine of the previous year's challenge match is not recorded";
                check.open(RuleId::QualifierHardware, &subject, why);
            }
            None => check.open(RuleId::QualifierHardware, &subject, "its speed is not recorded"),
            Some(speed) => check.hold(RuleId::QualifierHardware, &subject, speed <= limit, || {
                (format!("at most {} times as fast", times(limit)), format!("{} times as fast", times(speed)))
            }),
        }
    }
    // The price binds a player's own machine where games are played on it; else that of the organiser.
    if !check.has(RuleId::HardwareDeclared) {
        return;
    }
    if let Some(limit) = specified.and_then(|known| known.price_limit).or(case.rulebook.hardware_price) {
        price(check, &subject, declared.price.or_else(|| price_of_all(&declared.computers)), limit);
    }
    match declared.computers.len() {
        0 => check.open(RuleId::HardwareSingle, &subject, "its computers are not recorded"),
        computers => check.hold(RuleId::HardwareSingle, &subject, computers == 1, || {
            let names: Vec<&str> = declared.computers.iter().map(|computer| computer.name.as_str()).collect();
            ("one computer", format!("{computers} computers: {}", names.join(", ")))
        }),
    }
    let entrant = case.tournament.entrants.get(&declared.player);
    let before = entrant.and_then(|entrant| entrant.hardware.last());
    match (before, case.tournament.first_begun()) {
        (Some(before), Some(round)) => {
            let same = before.fact.hardware == declared.hardware
                && before.fact.system == declared.system
                && same_computers(&before.fact, declared);
            check.hold(RuleId::HardwareUnchanged, &subject, same, || {
                (
                    format!("{}, as declared at {}", before.fact.hardware, utc(before.at)),
                    format!("{} after round {round} began", declared.hardware),
                )
            });
        }
        (None, Some(round)) => check.hold(RuleId::HardwareDeclared, &subject, false, || {
            ("declared before the start", format!("declared after round {round} began"))
        }),
        (_, None) => {
            let due = [Milestone::HardwareDue, Milestone::PlayBegins]
                .into_iter()
                .filter_map(|milestone| date(case.tournament, milestone))
                .min();
            match due {
                Some(due) => check.in_time(RuleId::HardwareDeclared, &subject, due, "declared"),
                None => check.compliant(RuleId::HardwareDeclared, &subject),
            }
        }
    }
}

fn no_reference(tournament: &Tournament) -> bool {
    tournament.reference_hardware.is_none()
}

/// Checks the machine of last year's challenge match.
pub(super) fn reference(check: &mut Checker<'_>, recorded: &ReferenceHardwareRecorded) {
    let subject = "the reference hardware";
    let year = check.case.tournament.announced.as_ref().and_then(|announced| announced.year);
    let (Some(year), Some(found)) = (year, recorded.year) else {
        return check.open(RuleId::HardwareReference, subject, "the record does not say of which year it is");
    };
    let expected = year.saturating_sub(1);
    check.hold(RuleId::HardwareReference, subject, found == expected, || {
        (format!("the machine of {expected}"), format!("that of {found}"))
    });
}

/// Checks the computers that are assigned to players of a round: each plays in it, and the two of a pairing are equal.
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
    if let Some(specified) = &tournament.hardware {
        let right = (specified.fact.hardware.as_str(), specified.fact.system.as_deref());
        let other = assigned.machines.iter().find(|machine| {
            let same = |system: &str| machine.system.as_deref().is_none_or(|found| found == system);
            machine.hardware != right.0 || !right.1.is_none_or(same)
        });
        check.none(RuleId::HardwareSame, format!("{subject}, specification"), other, |other| {
            (kind(right), format!("{} for {}", kind(of(other)), other.player))
        });
    }
    let before = tournament.machines.get(&assigned.round);
    let machine = |player: &PlayerId| {
        let named = assigned.machines.iter().rev().find(|machine| machine.player == *player);
        named.or_else(|| before?.get(player))
    };
    for (&board, pair) in &round.boards {
        let pairing = Pairing { round: assigned.round, board };
        let named = |player: &&PlayerId| assigned.machines.iter().any(|machine| machine.player == **player);
        if let ([Some(one), Some(other)], true) =
            (pair.players().map(machine), pair.players().iter().any(named))
        {
            both(check, pairing, one, other);
        }
    }
}

/// A machine as it is compared: its kind and its system.
fn of(machine: &Machine) -> (&str, Option<&str>) {
    (&machine.hardware, machine.system.as_deref())
}

fn kind((hardware, system): (&str, Option<&str>)) -> String {
    system.map_or_else(|| hardware.to_owned(), |system| format!("{hardware} under {system}"))
}

/// The two computers of a pairing: of one kind, under one system, and two.
fn both(check: &mut Checker<'_>, pairing: Pairing, one: &Machine, other: &Machine) {
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

/// Whether the record says at the start of a round on what it is played: each computer, or the one machine that was specified
/// with its system.
pub(super) fn round_started(check: &mut Checker<'_>, started: &RoundStarted) {
    let tournament = check.case.tournament;
    let Some(round) = tournament.rounds.get(&started.round) else { return };
    let specified = tournament.hardware.as_ref().is_some_and(|known| known.fact.system.is_some());
    let machines = tournament.machines.get(&started.round);
    let known = |player: &PlayerId| specified || machines.is_some_and(|known| known.contains_key(player));
    let unknown = round.boards.values().flat_map(Board::players).find(|player| !known(player));
    let subject = format!("the computers of round {} at the start", started.round);
    match unknown {
        None => check.compliant(RuleId::HardwareSame, subject),
        Some(player) => {
            let why = format!("the record does not say on what {player} plays");
            check.open(RuleId::HardwareSame, subject, why);
        }
    }
}
