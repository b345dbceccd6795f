use annals_events::tournament::Ground;
use annals_events::{PlayerId, PlayerKind};

use super::Checker;
use crate::rulebook::{RuleId, Rulebook};

pub(super) fn cited(check: &mut Checker<'_>, subject: &str, grounds: &[Ground], player: Option<&PlayerId>) {
    let case = check.case;
    let kind = player.and_then(|player| Some(case.tournament.entrants.get(player)?.kind));
    if !check.has(RuleId::GroundCited) {
        return known(check, RuleId::RulingNumber, subject, grounds);
    }
    for ground in grounds {
        let rule = case.rulebook.rule_named(&ground.rule);
        check.hold(RuleId::GroundCited, subject, rule.is_some(), || none(case.rulebook, ground));
        let Some((rule, bound)) = rule.and_then(|rule| Some((rule.id, rule.id.binds()?))) else { continue };
        let binds = match bound {
            PlayerKind::Human => format!("{rule} binds human players"),
            PlayerKind::Bot => format!("{rule} binds programs"),
        };
        match kind {
            Some(kind) => check.hold(RuleId::GroundCited, subject, kind == bound, || {
                (binds, format!("the player is a {}", kind.word()))
            }),
            None => check.open(RuleId::GroundCited, subject, format!("{binds}, and no player is named")),
        }
    }
}

/// Checks that the rulebook has each rule that is cited. A known one has no verdict; edition 1 has no such check.
pub(super) fn known(check: &mut Checker<'_>, rule: RuleId, subject: &str, grounds: &[Ground]) {
    let rulebook = check.case.rulebook;
    let unknown = grounds.iter().find(|ground| rulebook.rule_named(&ground.rule).is_none());
    if let Some(unknown) = unknown.filter(|_| rulebook.edition > 1) {
        check.hold(rule, subject, false, || none(rulebook, unknown));
    }
}

fn none(rulebook: &Rulebook, ground: &Ground) -> (String, String) {
    (format!("a rule of {}", rulebook.name), format!("`{}` is none", ground.rule))
}
