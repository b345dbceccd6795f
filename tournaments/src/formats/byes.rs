use annals_events::tournament::{Bye, RoundPaired};

use crate::check::checker::Checker;
use crate::rulebook::RuleId;
use crate::subject::Subject;

/// The bye, and its points if published.
pub(crate) fn same_byes(check: &mut Checker<'_>, rule: RuleId, due: &RoundPaired, paired: &RoundPaired) {
    let (expected, found) = (&due.byes, &paired.byes);
    if expected.is_empty() && found.is_empty() {
        return;
    }
    let show = |byes: &[Bye]| {
        let byes: Vec<String> = byes
            .iter()
            .map(|bye| match bye.half_points {
                Some(half_points) => format!("the bye for {} with {half_points} half points", bye.player),
                None => format!("the bye for {}", bye.player),
            })
            .collect();
        if byes.is_empty() { "no bye".to_owned() } else { byes.join(", ") }
    };
    let same = expected.len() == found.len()
        && found.iter().all(|bye| {
            expected.iter().any(|wanted| {
                wanted.player == bye.player
                    && (bye.half_points.is_none() || bye.half_points == wanted.half_points)
            })
        });
    check.hold(rule, Subject::Round(paired.round), same, || (show(expected), show(found)));
}
