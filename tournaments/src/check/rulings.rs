mod effects;
mod places;
mod superseded;

pub(super) use places::{rule_of_place, rules_of_place};

use crate::rulebook::RuleId;
use annals_events::tournament::{
    AppealDecided, AppealFiled, Clocks, DisputeFiled, Effect, Evidence, RulingGiven,
};
use annals_events::{BoardId, Side};
use annals_rules::ClockFacts;

use super::conduct::cited;
use super::{Checker, JudgingContext, attempts};

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

/// Numbers count from 1 without gaps.
pub(crate) fn next_number(before: usize) -> u32 {
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

fn number(check: &mut Checker<'_>, subject: &str, number: u32, before: usize) {
    let due = next_number(before);
    check.hold(RuleId::RulingNumber, subject, number == due, || {
        (format!("the next number is {due}"), format!("it has the number {number}"))
    });
}

fn exists(check: &mut Checker<'_>, subject: &str, what: &str, number: Option<u32>, known: bool) {
    let Some(number) = number else { return };
    check.hold(RuleId::RulingNumber, subject, known, || {
        (format!("a {what} that the record knows"), format!("there is no {what} {number}"))
    });
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
    let undone = superseded::check(check, &subject, ruling);
    let again = tournament
        .rulings
        .iter()
        .find(|old| old.ruling.dispute.is_some() && old.ruling.dispute == ruling.dispute)
        .map(|old| old.ruling.number);
    if let Some(again) = again {
        // A final decision is not repeated; otherwise a later ruling names the one it replaces.
        let replaces = ruling.supersedes == Some(again) && !check.has(RuleId::RulingFinal);
        let rule = super::results::first_rule(check, &[RuleId::RulingFinal, RuleId::RulingNumber]);
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

/// Once a later round has begun, no earlier one changes.
fn not_frozen(check: &mut Checker<'_>, subject: &str, pairing: BoardId) {
    check.allowed(RuleId::RulingFrozen, subject, attempts::not_frozen(check.case, pairing.round));
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
    let known = check.case.tournament.appeals.iter().find(|(appeal, _)| appeal.fact.number == decided.number);
    exists(check, &subject, "appeal", Some(decided.number), known.is_some());
    let Some((appeal, answer)) = known else { return };
    check.hold(RuleId::RulingNumber, &subject, answer.is_none(), || {
        ("an appeal is decided once", "it has been decided")
    });
    check.hold(RuleId::RulingNumber, subject, appeal.fact.by == decided.by, || {
        (format!("`{}` had appealed", appeal.fact.by), format!("`{}` is named", decided.by))
    });
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
pub(crate) fn compare_clocks(check: &mut Checker<'_>, subject: &str, due: ClockFacts, found: ClockFacts) {
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
