//! The rules that findings of a game concern.

use annals_rules::GameViolation;
use annals_rules::game::LimitFault;

use crate::rulebook::{RuleId, Rulebook, SetupTime};

/// Findings in a game that concern its clock.
const OF_THE_CLOCK: &[&str] = &[
    "bad_time_control",
    "no_clock",
    "out_of_time",
    "clock_disagrees",
    GameViolation::SETUP_TIME_ADDED,
    GameViolation::CLOCK_STOOD,
];

/// The rule that a finding concerns; none if the rulebook, as read, does not forbid it.
pub(crate) fn rule_of(rulebook: &Rulebook, code: &str) -> Option<RuleId> {
    let added = rulebook.readings.setup_time == SetupTime::Added;
    match code {
        GameViolation::SETUP_TIME_ADDED if added => None,
        GameViolation::CLOCK_STOOD if rulebook.edition == 1 => None,
        _ if LimitFault::has_code(code) => rulebook.checks_limit().then_some(RuleId::GameLimit),
        _ if OF_THE_CLOCK.contains(&code) => Some(RuleId::GameClock),
        _ => Some(RuleId::GameRules),
    }
}
