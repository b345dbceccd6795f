//! Random tournaments of every rulebook: they run to their end, audit clean, and are the same state at every prefix; and
//! what is recorded wrongly is found, on the rule that it breaks.

mod played;
mod reasons;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use annals_events::{GameEvent, Termination, TournamentEvent as E};
use annals_tournaments::Tournament;
use annals_tournaments::verdict::Verdict;

use crate::driver::corrupt::{self, Kind, Record};
use crate::driver::numbers::{Numbers, cases};
use crate::driver::record::Entry;
use crate::driver::{RULEBOOKS, Wildness, play};
use world::{World, audit};

#[test]
fn random_tournaments_of_every_rulebook_run_to_the_end_and_audit_clean() {
    let mut met = BTreeMap::new();
    for case in 0..cases(200, 5_000) {
        let rulebook = RULEBOOKS[usize::try_from(case % 4).expect("small")];
        let world = play(rulebook, &mut Numbers::new(case), Wildness::default(), World::announced);
        for word in what_happened(&world) {
            *met.entry(word).or_insert(0) += 1;
        }
        let (tournament, verdicts) = audit(&world.rulebook, &world.entries);
        let violations: Vec<_> = verdicts.iter().filter(|verdict| verdict.is_violation()).collect();
        assert!(violations.is_empty(), "{rulebook} {case}: {violations:#?}");
        assert_eq!(tournament, world.tournament, "{rulebook} {case}");
        assert!(tournament.findings.is_empty(), "{rulebook} {case}: {:?}", tournament.findings);
    }
    for word in [
        "bye",
        "forfeit",
        "double forfeit",
        "withdrawal",
        "halt",
        "invalidation",
        "revocation",
        "coin",
        "continuation",
        "playoff",
        "choice of colour",
        "ruled place",
        "invitation",
        "disqualification",
        "prize",
        "refund",
        "correction",
        "superseded halt",
        "superseded invalidation",
        "superseded result",
        "strike",
        "score",
        "scored by a ruling",
        "time",
        "resignation",
        "end on the board",
    ] {
        assert!(met.contains_key(word), "no tournament had a {word}: {met:?}");
    }
}

/// What a tournament had of what makes tournaments hard.
fn what_happened(world: &World) -> BTreeSet<&'static str> {
    use annals_events::tournament::{Effect, Outcome, Stage, Withdrawal};
    let word = |entry: &Entry| {
        let event = match entry {
            Entry::Event(_, _, event) => event,
            Entry::Correction(_, Some(_)) => return Some("correction"),
            Entry::Correction(_, None) => return Some("strike"),
            Entry::Game(_, _, event) => return ending(event),
            _ => return None,
        };
        Some(match &**event {
            E::RoundPaired(paired) if paired.stage == Stage::Continuation => "continuation",
            E::RoundPaired(paired) if matches!(paired.stage, Stage::SecondPlayoff | Stage::ThirdPlayoff) => {
                "playoff"
            }
            E::RoundPaired(paired) if !paired.byes.is_empty() => "bye",
            E::ResultRecorded(result) if result.outcome == Outcome::DoubleLoss => "double forfeit",
            E::ResultRecorded(result) if result.termination == Some(Termination::Forfeit) => "forfeit",
            E::PlayerWithdrawn(left) if left.how == Withdrawal::Own => "withdrawal",
            E::RulingGiven(ruling) if ruling.supersedes.is_some() => match ruling.effect {
                Effect::Halt { .. } => "superseded halt",
                Effect::Invalidate { .. } => "superseded invalidation",
                _ => "superseded result",
            },
            E::RulingGiven(ruling) => match ruling.effect {
                Effect::Halt { .. } => "halt",
                Effect::Invalidate { .. } => "invalidation",
                Effect::Place { .. } => "ruled place",
                Effect::SetResult { termination: Some(Termination::Score), .. } => "scored by a ruling",
                _ => return None,
            },
            E::PairingRevoked(_) => "revocation",
            E::ColourDrawn(_) => "coin",
            E::ColourChosen(_) => "choice of colour",
            E::Invited(_) => "invitation",
            E::Disqualified(_) => "disqualification",
            E::PrizeAwarded(_) => "prize",
            E::RefundRecorded(_) => "refund",
            _ => return None,
        })
    };
    world.entries.iter().filter_map(word).collect()
}

/// How a game ended of which every turn is recorded.
fn ending(event: &GameEvent<'_>) -> Option<&'static str> {
    let GameEvent::Ended(ended) = event else { return None };
    Some(match ended.termination? {
        Termination::Score => "score",
        Termination::Time => "time",
        Termination::Resignation => "resignation",
        _ => "end on the board",
    })
}

#[test]
fn a_tournament_replays_to_the_same_state_at_every_prefix() {
    for case in 0..cases(12, 200) {
        let rulebook = RULEBOOKS[usize::try_from(case % 4).expect("small")];
        let world = play(rulebook, &mut Numbers::new(900_000 + case), Wildness::default(), World::announced);
        let events: Vec<_> = (1..)
            .zip(&world.entries)
            .filter_map(|(seq, entry)| match entry {
                Entry::Event(at, _, event) => Some((seq, *at, event)),
                _ => None,
            })
            .collect();
        let mut running = Tournament::default();
        for (count, (seq, at, event)) in (1..).zip(&events) {
            running.evolve(*seq, *at, event);
            let mut anew = Tournament::default();
            for (seq, at, event) in &events[..count] {
                anew.evolve(*seq, *at, event);
            }
            assert_eq!(running, anew, "{rulebook} {case} after {count} events");
        }
    }
}

#[test]
fn a_record_that_was_altered_is_found_on_the_rule_that_it_breaks() {
    let mut found = BTreeMap::new();
    for case in 0..cases(50, 1_000) {
        let kind = corrupt::KINDS[usize::try_from(case).expect("small") % corrupt::KINDS.len()];
        let rules = found_on(kind, &mut Numbers::new(5_000_000 + case));
        *found.entry((kind, rules)).or_insert(0) += 1;
    }
    println!("{found:#?}");
    let kinds: BTreeSet<_> = found.keys().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds.len(), corrupt::KINDS.len());
}

/// Plays tournaments until one offers an occasion, alters it, audits it, and gives the rule on which the alteration is found.
fn found_on(kind: Kind, numbers: &mut Numbers) -> &'static str {
    let wild = Wildness { recorded: 15, ..Wildness::default() };
    for _ in 0..400 {
        let name = corrupt::rulebook_for(kind, numbers);
        let world = play(name, numbers, wild, World::announced);
        let audit = |entries: &[Entry]| audit(&world.rulebook, entries).1;
        let record = Record { entries: &world.entries, audit: &audit };
        let Some((seq, entries)) = corrupt::alter(kind, &record, numbers) else { continue };
        let verdicts = audit(&entries);
        let is_violation: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.is_violation()).collect();
        let right = is_violation
            .iter()
            .find(|verdict| verdict.seq == seq && corrupt::expected(kind).contains(&verdict.rule.id.name()));
        let Some(right) = right else {
            let found: Vec<_> =
                is_violation.iter().map(|one| (one.seq, one.rule.id.name(), &one.holds)).collect();
            panic!("{kind:?} in {name} at {seq} is not found on {:?}: {found:?}", corrupt::expected(kind))
        };
        return right.rule.id.name();
    }
    panic!("{kind:?}: no tournament offered an occasion");
}
