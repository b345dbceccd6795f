use annals_events::Side;
use annals_events::tournament::Clocks;
use annals_rules::{ClockFacts, GameFacts};

use super::Checker;
use crate::rulebook::RuleId;

/// The clocks after a ply, if the log has them.
pub(crate) fn clocks_at(facts: &GameFacts, ply: u32) -> Option<ClockFacts> {
    facts.clocks.get(usize::try_from(ply).ok()?).copied()
}

/// Ruled clocks in the form of a game's clocks.
pub(crate) fn as_facts(clocks: Clocks) -> ClockFacts {
    ClockFacts {
        gold_reserve: Some(clocks.gold_reserve),
        silver_reserve: Some(clocks.silver_reserve),
        game_time: clocks.game_time,
    }
}

/// Clocks are restored as closely as possible; the director decides how closely.
pub(crate) fn compare(check: &mut Checker<'_>, subject: &str, due: ClockFacts, found: ClockFacts) {
    let as_wide = |time: Option<u64>| time.map(|time| i64::try_from(time).unwrap_or(i64::MAX));
    let [gold, silver] = Side::BOTH.map(|side| format!("{}'s reserve", check.side(side)));
    let parts = [
        (gold.as_str(), due.gold_reserve, found.gold_reserve),
        (silver.as_str(), due.silver_reserve, found.silver_reserve),
        ("the length of the game", as_wide(due.game_time), as_wide(found.game_time)),
    ];
    let mut known = false;
    let mut differences = Vec::new();
    for (what, due, found) in parts {
        let Some((due, found)) = due.zip(found) else { continue };
        known = true;
        if due != found {
            let more = i128::from(found) - i128::from(due);
            differences.push(format!("{what} is {found} s and was {due} s ({more:+} s)"));
        }
    }
    if !differences.is_empty() {
        check.open(RuleId::RulingClocks, subject, differences.join("; "));
    } else if known {
        check.compliant(RuleId::RulingClocks, subject);
    } else {
        check.open(RuleId::RulingClocks, subject, "the record does not tell the clocks at that ply");
    }
}
