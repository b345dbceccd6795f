//! Hardware: its price and speed, and when it is declared.

use std::collections::BTreeSet;

use annals_events::tournament::{Computer, HardwareDeclared, HardwareSpecified, Milestone};

use super::Checker;
use super::entries::taking_part;
use crate::rulebook::RuleId;
use crate::state::calendar::{date, utc};

pub(super) fn specified(check: &mut Checker<'_>, specified: &HardwareSpecified) {
    let rulebook = check.case.rulebook;
    let subject = "the specified hardware";
    if let Some(limit) = rulebook.hardware_price {
        price(check, subject, specified.price_limit, limit);
    }
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
        match declared.speed {
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
