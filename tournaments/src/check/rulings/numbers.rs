use crate::check::checker::Checker;
use crate::rulebook::RuleId;

/// Numbers count from 1 without gaps.
pub(crate) fn next_number(before: usize) -> u32 {
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

pub(super) fn number(check: &mut Checker<'_>, subject: &str, number: u32, before: usize) {
    let due = next_number(before);
    check.hold(RuleId::RulingNumber, subject, number == due, || {
        (format!("the next number is {due}"), format!("it has the number {number}"))
    });
}

pub(super) fn exists(check: &mut Checker<'_>, subject: &str, what: &str, number: Option<u32>, known: bool) {
    let Some(number) = number else { return };
    check.hold(RuleId::RulingNumber, subject, known, || {
        (format!("a {what} that the record knows"), format!("there is no {what} {number}"))
    });
}
