use annals_events::tournament::Ground;
use annals_events::{PlayerId, PlayerKind};

use super::Checker;
use crate::rulebook::RuleId;

pub(super) fn cited(check: &mut Checker<'_>, subject: &str, grounds: &[Ground], player: Option<&PlayerId>) {
    let case = check.case;
    let kind = player.and_then(|player| Some(case.tournament.entrants.get(player)?.kind));
    for ground in grounds {
        let rule = case.rulebook.rule_named(&ground.rule);
        check.hold(RuleId::GroundCited, subject, rule.is_some(), || {
            let expected = format!("a rule of {}", case.rulebook.name);
            (expected, format!("`{}` is none", ground.rule))
        });
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
