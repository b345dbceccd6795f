//! Rulings, disputes, appeals.

mod effects;
mod places;
mod superseded;

pub(super) use places::rule_of_place;

use crate::rulebook::RuleId;
use annals_events::tournament::{AppealDecided, AppealFiled, Clocks, DisputeFiled, Evidence, RulingGiven};
use annals_events::{Pairing, PlayerId, Side, TournamentEvent};
use annals_rules::ClockFacts;

use super::{Bench, Case, attempts};

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::RulingGiven(ruling) => ruling_given(bench, ruling),
        TournamentEvent::DisputeFiled(dispute) => dispute_filed(bench, dispute),
        TournamentEvent::AppealFiled(appeal) => appeal_filed(bench, appeal),
        TournamentEvent::AppealDecided(decided) => appeal_decided(bench, decided),
        _ => {}
    }
}

/// Numbers count from 1 without gaps.
fn number(bench: &mut Bench<'_>, subject: &str, number: u32, before: usize) {
    let due = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
    bench.hold(RuleId::RulingNumber, subject, number == due, || {
        (format!("the next number is {due}"), format!("it bears {number}"))
    });
}

fn exists(bench: &mut Bench<'_>, subject: &str, what: &str, number: Option<u32>, known: bool) {
    let Some(number) = number else { return };
    bench.hold(RuleId::RulingNumber, subject, known, || {
        (format!("a {what} that the record knows"), format!("there is no {what} {number}"))
    });
}

fn player(bench: &mut Bench<'_>, subject: &str, player: &PlayerId) {
    let known = bench.case.tournament.entrants.contains_key(player);
    bench.hold(RuleId::RulingNumber, subject, known, || {
        ("a player who entered".to_owned(), format!("`{player}` never entered"))
    });
}

fn pairing(bench: &mut Bench<'_>, subject: &str, pairing: Option<Pairing>) {
    let Some(pairing) = pairing else { return };
    let rounds = &bench.case.tournament.rounds;
    let known = rounds.get(&pairing.round).is_some_and(|round| round.boards.contains_key(&pairing.board));
    bench.hold(RuleId::RulingNumber, subject, known, || {
        ("a pairing that stands".to_owned(), format!("{pairing} was never paired, or was revoked"))
    });
}

fn evidence(bench: &mut Bench<'_>, subject: &str, evidence: &[Evidence]) {
    if evidence.is_empty() {
        bench.open(
            RuleId::DisputeEvidence,
            subject,
            "no evidence is recorded that the director could review",
        );
    } else {
        bench.hold(RuleId::DisputeEvidence, subject, true, Default::default);
    }
}

fn ruling_given(bench: &mut Bench<'_>, ruling: &RulingGiven) {
    let subject = format!("ruling {}", ruling.number);
    let tournament = bench.case.tournament;
    number(bench, &subject, ruling.number, tournament.rulings.len());
    let dispute = tournament.disputes.iter().find(|dispute| Some(dispute.number) == ruling.dispute);
    exists(bench, &subject, "dispute", ruling.dispute, dispute.is_some());
    let undone = superseded::judge(bench, &subject, ruling);
    let again = tournament
        .rulings
        .iter()
        .find(|old| old.ruling.dispute.is_some() && old.ruling.dispute == ruling.dispute)
        .map(|old| old.ruling.number);
    if let Some(again) = again {
        // A decision that is final is not taken twice; elsewhere a later ruling has to say whose place it takes.
        let replaces = ruling.supersedes == Some(again) && !bench.has(RuleId::RulingFinal);
        let rule = super::results::first_rule(bench, &[RuleId::RulingFinal, RuleId::RulingNumber]);
        bench.hold(rule, subject.as_str(), replaces, || {
            let expected = "a dispute is decided once".to_owned();
            (expected, format!("ruling {again} has decided dispute {}", ruling.dispute.unwrap_or(0)))
        });
    }
    if let Some(dispute) = dispute {
        let of_both: Vec<Evidence> = dispute.evidence.iter().chain(&ruling.evidence).cloned().collect();
        evidence(bench, &subject, &of_both);
    }
    match &undone {
        // What the ruling does is done after the earlier one is undone.
        Some(undone) => {
            let case = Case { tournament: undone, ..*bench.case };
            let mut after = Bench::new(&case, bench.when);
            effects::judge(&mut after, &subject, ruling);
            bench.adopt(after);
        }
        None => effects::judge(bench, &subject, ruling),
    }
}

/// Nothing of a round changes once a later one has begun.
fn not_frozen(bench: &mut Bench<'_>, subject: &str, pairing: Pairing) {
    bench.allowed(RuleId::RulingFrozen, subject, attempts::not_frozen(bench.case, pairing.round));
}

fn dispute_filed(bench: &mut Bench<'_>, dispute: &DisputeFiled) {
    let subject = format!("dispute {}", dispute.number);
    number(bench, &subject, dispute.number, bench.case.tournament.disputes.len());
    player(bench, &subject, &dispute.by);
    if let Some(against) = &dispute.against {
        player(bench, &subject, against);
    }
    pairing(bench, &subject, dispute.pairing);
    evidence(bench, &subject, &dispute.evidence);
}

fn appeal_filed(bench: &mut Bench<'_>, appeal: &AppealFiled) {
    let subject = format!("appeal {}", appeal.number);
    let tournament = bench.case.tournament;
    number(bench, &subject, appeal.number, tournament.appeals.len());
    player(bench, &subject, &appeal.by);
    let ruling = tournament.rulings.iter().any(|old| Some(old.ruling.number) == appeal.ruling);
    exists(bench, &subject, "ruling", appeal.ruling, ruling);
    pairing(bench, &subject, appeal.pairing);
    if appeal.ruling.is_some() {
        bench.hold(RuleId::RulingFinal, subject.as_str(), false, || {
            ("the director's decision is final and binding".to_owned(), "an appeal against it".to_owned())
        });
    }
}

fn appeal_decided(bench: &mut Bench<'_>, decided: &AppealDecided) {
    let subject = format!("appeal {}", decided.number);
    let known = bench.case.tournament.appeals.iter().find(|(appeal, _)| appeal.fact.number == decided.number);
    exists(bench, &subject, "appeal", Some(decided.number), known.is_some());
    let Some((appeal, answer)) = known else { return };
    bench.hold(RuleId::RulingNumber, subject.as_str(), answer.is_none(), || {
        ("an appeal is decided once".to_owned(), "it has been decided".to_owned())
    });
    bench.hold(RuleId::RulingNumber, subject, appeal.fact.by == decided.by, || {
        (format!("`{}` had appealed", appeal.fact.by), format!("`{}` is named", decided.by))
    });
}

/// Ruled clocks in the form in which a game tells its own.
pub(crate) fn as_facts(clocks: Clocks) -> ClockFacts {
    ClockFacts {
        gold_reserve: Some(clocks.gold_reserve),
        silver_reserve: Some(clocks.silver_reserve),
        game_time: clocks.game_time,
    }
}

/// Clocks are restored as closely as possible: where they differ, the director weighs how closely that is.
pub(crate) fn compare_clocks(bench: &mut Bench<'_>, subject: &str, due: ClockFacts, found: ClockFacts) {
    let as_wide = |time: Option<u64>| time.map(|time| i64::try_from(time).unwrap_or(i64::MAX));
    let [gold, silver] = Side::BOTH.map(|side| format!("{}'s reserve", bench.side(side)));
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
        bench.open(RuleId::RulingClocks, subject, differences.join("; "));
    } else if known {
        bench.hold(RuleId::RulingClocks, subject, true, Default::default);
    } else {
        bench.open(RuleId::RulingClocks, subject, "the record does not tell the clocks at that ply");
    }
}
