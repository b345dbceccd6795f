//! The computer on which a program plays at its owner's (2006 Postal, Special Rules for Bots): one, of
//! limited price, declared before the start and unchanged afterwards.

use annals_events::tournament::{Computer, HardwareDeclared, Milestone};

use super::Checker;
use crate::rulebook::RuleId;
use crate::state::calendar::{date, utc};
use crate::state::{Entrant, Noted};

pub(super) fn declared(check: &mut Checker<'_>, subject: &str, declared: &HardwareDeclared) {
    let tournament = check.case.tournament;
    let specified = tournament.hardware.as_ref().and_then(|noted| noted.fact.price_limit);
    if let Some(limit) = specified.or(check.case.rulebook.hardware_price) {
        price(check, subject, cost(declared), limit);
    }
    match declared.computers.as_slice() {
        [] => check.open(RuleId::HardwareSingle, subject, "its computers are not recorded"),
        computers => check.hold(RuleId::HardwareSingle, subject, computers.len() == 1, || {
            let names: Vec<&str> = computers.iter().map(|computer| computer.name.as_str()).collect();
            ("one computer", format!("{} computers: {}", names.len(), names.join(", ")))
        }),
    }
    if let Some(round) = tournament.first_begun() {
        return after_the_start(check, subject, declared, round);
    }
    let dates = [Milestone::HardwareDue, Milestone::PlayBegins].into_iter();
    match dates.filter_map(|milestone| date(tournament, milestone)).min() {
        Some(due) => check.in_time(RuleId::HardwareDeclared, subject, due, "declared"),
        None => check.compliant(RuleId::HardwareDeclared, subject),
    }
}

pub(super) fn price(check: &mut Checker<'_>, subject: &str, price: Option<u64>, limit: u64) {
    match price {
        None => check.open(RuleId::HardwareLimit, subject, "no price is recorded"),
        Some(price) => check.hold(RuleId::HardwareLimit, subject, price <= limit, || {
            (format!("at most {limit} cents"), format!("{price} cents"))
        }),
    }
}

/// Compares a declaration with the last one before the start, and its computers with the last that were named by then.
fn after_the_start(check: &mut Checker<'_>, subject: &str, declared: &HardwareDeclared, round: u32) {
    let tournament = check.case.tournament;
    let entrant = tournament.entrants.get(&declared.player);
    let start = tournament.index.begun.unwrap_or(u64::MAX);
    let earlier = |entrant: &Entrant| entrant.hardware.iter().rfind(|earlier| earlier.seq < start).cloned();
    let Some(before) = entrant.and_then(earlier) else {
        return check.hold(RuleId::HardwareDeclared, subject, false, || {
            ("declared before the start", format!("declared after round {round} began"))
        });
    };
    let named = entrant.and_then(|entrant| named_by(entrant, start));
    let computers = named.map_or(&[][..], |named| named.fact.computers.as_slice());
    let by = utc(named.map_or(before.at, |named| named.at.max(before.at)));
    let (old, new) = (&before.fact, declared);
    let costs = [cost(old).or_else(|| cost_of(computers)), cost(new)];
    let same = old.hardware == new.hardware
        && old.system == new.system
        && !matches!(costs, [Some(old), Some(new)] if old != new)
        && !differ(computers, &new.computers);
    let (old, found) = (in_words(old, computers), in_words(new, &new.computers));
    let [priced_before, priced_now] = costs.map(|cost| cost.is_some());
    if same && (computers.is_empty() != new.computers.is_empty() || priced_before != priced_now) {
        let why = format!("not all of it can be compared: {old}, as declared by {by}, and {found} now");
        return check.open(RuleId::HardwareUnchanged, subject, why);
    }
    check.hold(RuleId::HardwareUnchanged, subject, same, || {
        (format!("{old}, as declared by {by}"), format!("{found} after round {round} began"))
    });
}

/// The last declaration before the start that names computers, else the first after it.
fn named_by(entrant: &Entrant, start: u64) -> Option<&Noted<HardwareDeclared>> {
    let mut naming = entrant.hardware.iter().filter(|declared| !declared.fact.computers.is_empty());
    let before = naming.clone().rfind(|declared| declared.seq < start);
    before.or_else(|| naming.next())
}

/// At least the sum of the prices of its computers. None if a price is not recorded.
fn cost(declared: &HardwareDeclared) -> Option<u64> {
    declared.price.max(cost_of(&declared.computers))
}

fn cost_of(computers: &[Computer]) -> Option<u64> {
    let mut prices = computers.iter().map(|computer| computer.price);
    let first = prices.next()??;
    prices.try_fold(first, |sum, price| sum.checked_add(price?))
}

pub(super) fn differ(before: &[Computer], after: &[Computer]) -> bool {
    let [mut old, mut new] = [before, after].map(|computers| computers.iter().collect::<Vec<_>>());
    for computers in [&mut old, &mut new] {
        computers.sort_by(|a, b| a.name.cmp(&b.name).then(a.price.cmp(&b.price)));
    }
    let other = |(a, b): (&&Computer, &&Computer)| {
        a.name != b.name || matches!((a.price, b.price), (Some(a), Some(b)) if a != b)
    };
    !old.is_empty() && !new.is_empty() && (old.len() != new.len() || old.iter().zip(&new).any(other))
}

fn in_words(declared: &HardwareDeclared, computers: &[Computer]) -> String {
    let cents = |price: Option<u64>| price.map_or(String::new(), |price| format!(" for {price} cents"));
    let system = declared.system.as_ref().map_or(String::new(), |system| format!(" under {system}"));
    let of = if computers.is_empty() {
        "no computer is named".to_owned()
    } else {
        let one = |computer: &Computer| format!("{}{}", computer.name, cents(computer.price));
        computers.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    format!("{}{system}{} ({of})", declared.hardware, cents(declared.price))
}
