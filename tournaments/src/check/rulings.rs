mod effects;
mod numbers;
mod places;
mod superseded;

pub(crate) use numbers::next_number;
pub(super) use places::{rule_of_place, rules_of_place};

use crate::rulebook::RuleId;
use annals_events::tournament::{AppealDecided, AppealFiled, DisputeFiled, Effect, Evidence, RulingGiven};

use super::grounds::{cited, known};
use super::{Checker, JudgingContext};
use numbers::{exists, number};

/// The rules for an effect, where a rulebook has them.
pub(crate) const fn rules_of(effect: &Effect) -> &'static [RuleId] {
    match effect {
        Effect::Halt { .. } => &[RuleId::RulingHalt, RuleId::RulingCause],
        Effect::Invalidate { .. } => &[RuleId::RulingInvalidate, RuleId::RulingCause],
        Effect::Rematch { .. } => &[RuleId::RulingRematch],
        Effect::SetTerritory { .. } => &[RuleId::Territory],
        Effect::Reinstate { .. } => &[RuleId::ForfeitRemoved],
        Effect::Place { place, .. } => rules_of_place(*place),
        Effect::Read { .. } => &[RuleId::RulingReading],
        _ => &[RuleId::RulingFinal],
    }
}

/// The first round whose result a ruling changes, by its effect or by undoing an earlier one. None if nothing
/// is frozen.
pub(crate) fn first_changed(case: &JudgingContext<'_>, ruling: &RulingGiven) -> Option<u32> {
    case.rulebook.rule(RuleId::RulingFrozen)?;
    let mut rulings = case.tournament.rulings.iter().map(|old| &old.ruling);
    let undone = rulings.find(|old| Some(old.number) == ruling.supersedes);
    let effects = [Some(ruling), undone].into_iter().flatten().map(|ruling| &ruling.effect);
    effects
        .filter_map(|effect| match effect {
            Effect::Invalidate { pairing, .. }
            | Effect::Rematch { pairing, .. }
            | Effect::SetResult { pairing, .. }
            | Effect::Vacate { pairing } => Some(pairing.round),
            _ => None,
        })
        .min()
}

fn evidence(check: &mut Checker<'_>, subject: &str, evidence: &[Evidence]) {
    if evidence.is_empty() {
        check.open(
            RuleId::DisputeEvidence,
            subject,
            "no evidence is recorded that the director could review",
        );
    } else {
        check.compliant(RuleId::DisputeEvidence, subject);
    }
}

pub(super) fn ruling_given(check: &mut Checker<'_>, ruling: &RulingGiven) {
    let subject = format!("ruling {}", ruling.number);
    let tournament = check.case.tournament;
    number(check, &subject, ruling.number, tournament.rulings.len());
    let dispute = tournament.disputes.iter().find(|dispute| Some(dispute.number) == ruling.dispute);
    exists(check, &subject, "dispute", ruling.dispute, dispute.is_some());
    known(check, RuleId::RulingNumber, &subject, &ruling.grounds);
    let undone = superseded::check(check, &subject, ruling);
    let again = tournament
        .rulings
        .iter()
        .find(|old| old.ruling.dispute.is_some() && old.ruling.dispute == ruling.dispute)
        .map(|old| old.ruling.number);
    if let Some(again) = again {
        // A final decision is not repeated; otherwise a later ruling names the one it replaces.
        let replaces = ruling.supersedes == Some(again) && !check.has(RuleId::RulingFinal);
        let rule = check.first_rule(&[RuleId::RulingFinal, RuleId::RulingNumber]);
        check.hold(rule, &subject, replaces, || {
            let expected = "a dispute is decided once";
            (expected, format!("ruling {again} has decided dispute {}", ruling.dispute.unwrap_or(0)))
        });
    }
    if let Some(dispute) = dispute {
        let of_both: Vec<Evidence> = dispute.evidence.iter().chain(&ruling.evidence).cloned().collect();
        evidence(check, &subject, &of_both);
    }
    match &undone {
        // The effect applies after the earlier one is undone.
        Some(undone) => {
            let case = JudgingContext { tournament: undone, ..*check.case };
            let mut after = Checker::new(&case, check.when);
            effects::check(&mut after, &subject, ruling);
            check.adopt(after);
        }
        None => effects::check(check, &subject, ruling),
    }
}

pub(super) fn dispute_filed(check: &mut Checker<'_>, dispute: &DisputeFiled) {
    let subject = format!("dispute {}", dispute.number);
    number(check, &subject, dispute.number, check.case.tournament.disputes.len());
    check.entered(RuleId::RulingNumber, &subject, &dispute.by);
    if let Some(against) = &dispute.against {
        check.entered(RuleId::RulingNumber, &subject, against);
    }
    if let Some(pairing) = dispute.pairing {
        check.paired(RuleId::RulingNumber, &subject, pairing);
    }
    cited(check, &subject, &dispute.grounds, dispute.against.as_ref());
    evidence(check, &subject, &dispute.evidence);
}

pub(super) fn appeal_filed(check: &mut Checker<'_>, appeal: &AppealFiled) {
    let subject = format!("appeal {}", appeal.number);
    let tournament = check.case.tournament;
    number(check, &subject, appeal.number, tournament.appeals.len());
    check.entered(RuleId::RulingNumber, &subject, &appeal.by);
    let ruling = tournament.rulings.iter().any(|old| Some(old.ruling.number) == appeal.ruling);
    exists(check, &subject, "ruling", appeal.ruling, ruling);
    if let Some(pairing) = appeal.pairing {
        check.paired(RuleId::RulingNumber, &subject, pairing);
    }
    if appeal.ruling.is_some() {
        check.hold(RuleId::RulingFinal, &subject, false, || {
            ("the director's decision is final and binding", "an appeal against it")
        });
    }
}

pub(super) fn appeal_decided(check: &mut Checker<'_>, decided: &AppealDecided) {
    let subject = format!("appeal {}", decided.number);
    let filed = check.case.tournament.appeals.iter().find(|(appeal, _)| appeal.fact.number == decided.number);
    exists(check, &subject, "appeal", Some(decided.number), filed.is_some());
    let Some((appeal, answer)) = filed else { return };
    check.hold(RuleId::RulingNumber, &subject, answer.is_none(), || {
        ("an appeal is decided once", "it has been decided")
    });
    check.hold(RuleId::RulingNumber, subject, appeal.fact.by == decided.by, || {
        (format!("`{}` had appealed", appeal.fact.by), format!("`{}` is named", decided.by))
    });
}
