//! Random tournaments of every rulebook: they run to their end, audit clean, and are the same state at every prefix; and
//! what is recorded wrongly is found, on the rule that it breaks.

mod corrupt;
mod course;
mod world;

use annals_tournaments::Tournament;

use crate::vectors::{Numbers, cases};
use course::{RULEBOOKS, Wildness, play};
use world::{Entry, audit};

#[test]
fn random_tournaments_of_every_rulebook_run_to_the_end_and_audit_clean() {
    for case in 0..cases(200, 5_000) {
        let rulebook = RULEBOOKS[usize::try_from(case % 4).expect("small")];
        let world = play(rulebook, &mut Numbers::new(case), Wildness::default());
        let (tournament, verdicts) = audit(&world.rulebook, &world.entries);
        let departures: Vec<_> = verdicts.iter().filter(|verdict| verdict.departs()).collect();
        assert!(departures.is_empty(), "{rulebook} {case}: {departures:#?}");
        assert_eq!(tournament, world.tournament, "{rulebook} {case}");
        assert!(tournament.findings.is_empty(), "{rulebook} {case}: {:?}", tournament.findings);
    }
}

#[test]
fn a_tournament_replays_to_the_same_state_at_every_prefix() {
    for case in 0..cases(12, 200) {
        let rulebook = RULEBOOKS[usize::try_from(case % 4).expect("small")];
        let world = play(rulebook, &mut Numbers::new(900_000 + case), Wildness::default());
        let events: Vec<_> = (1..)
            .zip(&world.entries)
            .filter_map(|(seq, entry)| match entry {
                Entry::Event(at, _, event) => Some((seq, *at, event)),
                Entry::Game(..) => None,
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
    let mut found = std::collections::BTreeMap::new();
    for case in 0..cases(50, 1_000) {
        let kind = corrupt::KINDS[usize::try_from(case).expect("small") % corrupt::KINDS.len()];
        let rules = corrupt::find(kind, &mut Numbers::new(5_000_000 + case));
        *found.entry((kind, rules)).or_insert(0) += 1;
    }
    let kinds: std::collections::BTreeSet<_> = found.keys().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds.len(), corrupt::KINDS.len(), "{found:#?}");
}
