//! The reasons of a proposed round.

use std::collections::BTreeSet;

use annals_events::Side;
use annals_events::TournamentEvent as E;
use annals_events::tournament::{Equals, Pair};
use annals_tournaments::check::check;
use annals_tournaments::formats::next_round;
use annals_tournaments::rulebook::RuleId;

use super::world::World;

/// A proposal gives a reason for every pair, bye and colour, and another optimal round wherever there is one.
pub fn are_complete(world: &World) {
    let Ok(next) = next_round(&world.tournament, &world.rulebook) else { return };
    let (paired, reasons) = (&next.paired, &next.reasons);
    let meetings = |pairs: &[Pair]| {
        let two = |pair: &Pair| {
            [pair.upper.clone().min(pair.lower.clone()), pair.upper.clone().max(pair.lower.clone())]
        };
        pairs.iter().map(two).collect::<BTreeSet<_>>()
    };
    let found = meetings(&paired.pairs);
    assert_eq!((reasons.pairs.len(), reasons.colours.len()), (found.len(), found.len()), "{paired:#?}");
    assert_eq!(reasons.byes.len(), paired.byes.len());
    let explained =
        reasons.pairs.iter().chain(&reasons.byes).chain(reasons.colours.iter().map(|one| &one.reason));
    assert!(explained.into_iter().all(|one| !one.because.is_empty() && !one.paragraph.is_empty()));
    let several = match reasons.equals {
        Some(Equals::Exactly(rounds)) => rounds > 1,
        Some(Equals::AtLeast(rounds)) => rounds > 1,
        None => false,
    };
    assert_eq!(reasons.another.is_some(), several, "{:?}", reasons.equals);
    let Some(another) = &reasons.another else { return };
    let mut other = paired.clone();
    other.pairs = (0..)
        .zip(another)
        .flat_map(|(at, (upper, lower))| {
            let games = if paired.pairs[0].encounter.is_some() { 2 } else { 1 };
            (0..games).map(move |game| Pair {
                board: at * games + game + 1,
                upper: upper.clone(),
                lower: lower.clone(),
                upper_side: Some(if game == 0 { Side::Gold } else { Side::Silver }),
                colour: None,
                encounter: (games == 2).then_some(at + 1),
            })
        })
        .collect();
    assert_ne!(meetings(&other.pairs), found, "another round is another one");
    let players: BTreeSet<_> = meetings(&other.pairs).into_iter().flatten().collect();
    if players != found.into_iter().flatten().collect() {
        // The bye is another one as well, which is not told.
        return;
    }
    let (case, when) = world.case();
    for verdict in check(&case, &when, &E::RoundPaired(other)) {
        let pairing = matches!(verdict.rule.id, RuleId::PairingBest | RuleId::EncounterPairing);
        assert!(!pairing || !verdict.is_violation(), "{verdict:#?}");
    }
}
