//! Rounds of encounters checked: which format so many play, two games with reversed colours, who meets whom by the least
//! vector, the bye, and who has White first.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Equals, Pair, RoundPaired, RoundsDeclared, Stage};
use annals_events::{PlayerId, Side};

use super::Reasons;
use super::propose::{Encounters, played, rounds_in, stage_of};
use crate::check::Bench;
use crate::formats::{Proof, Proposal};
use crate::pairing::Pairing;
use crate::round_check::published::{self, Two, in_words, meetings, same_byes, same_values, two};
use crate::round_check::{self, round};
use crate::rulebook::RuleId;
use crate::subject::Subject;

const PAIRING: RuleId = RuleId::EncounterPairing;
const COLOUR: RuleId = RuleId::EncounterColour;

/// Checks a coin or a choice, which encounters do not have.
pub(super) fn no_decision(bench: &mut Bench<'_>, pairing: annals_events::Pairing, found: &str) {
    let expected = "two games with reversed colours, White first for the higher ranked";
    round_check::no_decision(bench, COLOUR, pairing, expected, found);
}

/// Checks the number of rounds.
pub(super) fn rounds_declared(bench: &mut Bench<'_>, declared: &RoundsDeclared) {
    let played = played(bench.case.tournament);
    let (stage, rounds) = (stage_of(&played), rounds_in(&played));
    let holds = stage == Some(declared.stage) && declared.rounds == rounds;
    bench.hold(RuleId::EncounterFormat, format!("the rounds of the {}", declared.stage), holds, || {
        let players = played.players.len();
        let expected = match stage {
            Some(stage) => format!("{rounds} rounds of {stage} for {players} entrants"),
            None => format!("no rounds for {players} entrants"),
        };
        (expected, format!("{} rounds of {}", declared.rounds, declared.stage))
    });
}

/// Checks a published round.
pub(super) fn round_paired(encounters: &Encounters, bench: &mut Bench<'_>, paired: &RoundPaired) {
    if !paired.inferred {
        two_games_each(bench, paired);
    }
    let Some(next) = round_check::proposal(encounters, PAIRING, bench, paired) else { return };
    let subject = round(paired.round);
    bench.hold(RuleId::EncounterFormat, &subject, true, Default::default);
    if paired.stage == Stage::RoundRobin {
        return everyone_meets(bench, paired, &next);
    }
    let before = format!("the order before {subject}").into();
    published::same_order(bench, RuleId::PlaceOrder, &before, &next.paired.order, &paired.order);
    same_byes(bench, RuleId::EncounterBye, &subject, &next.paired.byes, &paired.byes);
    if least_vector(bench, &subject, paired, &next) {
        same_values(bench, PAIRING, &subject, &next.paired, paired);
    }
    white_first(bench, paired, &next);
}

/// The encounters of a round: the games of each by board.
fn encounters(paired: &RoundPaired) -> BTreeMap<(Option<u32>, Two), Vec<&Pair>> {
    let mut encounters: BTreeMap<(Option<u32>, Two), Vec<&Pair>> = BTreeMap::new();
    for pair in &paired.pairs {
        encounters.entry((pair.encounter, two(&pair.upper, &pair.lower))).or_default().push(pair);
    }
    for games in encounters.values_mut() {
        games.sort_by_key(|pair| pair.board);
    }
    encounters
}

/// An encounter is two games with reversed colours (Olympiad 2000, Tournament Rules 1).
fn two_games_each(bench: &mut Bench<'_>, paired: &RoundPaired) {
    for ((_, both), games) in encounters(paired) {
        let golds: Vec<Option<&PlayerId>> = games.iter().map(|pair| pair.player(Side::Gold)).collect();
        let holds = matches!(golds[..], [Some(first), Some(second)] if first != second);
        bench.hold(
            RuleId::EncounterGames,
            format!("round {}, {}", paired.round, in_words([&both])),
            holds,
            || {
                let found: Vec<String> = golds
                    .iter()
                    .map(|gold| match gold {
                        Some(gold) => format!("White for {gold}"),
                        None => "no colours".to_owned(),
                    })
                    .collect();
                (
                    "two games, one with each colour".to_owned(),
                    format!("{} games: {}", golds.len(), found.join(", ")),
                )
            },
        );
    }
}

/// Everyone meets everyone once. In which order the encounters are played the text leaves free.
fn everyone_meets(bench: &mut Bench<'_>, paired: &RoundPaired, next: &Proposal) {
    let subject = round(paired.round);
    let record = played(bench.case.tournament);
    let met: BTreeSet<Two> = record
        .rounds
        .iter()
        .flat_map(|round| &round.games)
        .map(|game| two(&game.gold, &game.silver))
        .collect();
    let made = meetings(&paired.pairs);
    let mut busy = BTreeSet::new();
    let fault = made.iter().find_map(|both| {
        let (one, other) = both;
        if met.contains(both) {
            return Some(format!("{one}-{other} for the second time"));
        }
        [one, other].into_iter().find_map(|player| {
            if !record.players.iter().any(|one| one.player == *player) {
                Some(format!("{player}, who is not entered"))
            } else if !busy.insert(player.clone()) {
                Some(format!("{player} in two encounters"))
            } else {
                None
            }
        })
    });
    let none = made.is_empty().then(|| "no encounter".to_owned());
    let fault = fault.or(none);
    bench.hold(PAIRING, subject, fault.is_none(), || {
        (
            format!(
                "encounters that are still to be played, such as {}",
                in_words(&meetings(&next.paired.pairs))
            ),
            fault.unwrap_or_default(),
        )
    });
}

/// Whether a round of the Swiss is one of those with the least vector.
fn least_vector(bench: &mut Bench<'_>, subject: &Subject, paired: &RoundPaired, next: &Proposal) -> bool {
    let (wanted, made) = (meetings(&next.paired.pairs), meetings(&paired.pairs));
    let values = match &next.proof {
        Proof::Encounters(proof) => match &proof.reasons {
            Reasons::LeastVector { list, problem, pairing } => {
                let position = |player: &PlayerId| list.iter().position(|other| other == player);
                let pairs: Option<Vec<(usize, usize)>> =
                    made.iter().map(|(one, other)| Some((position(one)?, position(other)?))).collect();
                let found = pairs.and_then(|pairs| Pairing::of(problem, &pairs, None).ok());
                found.map(|found| (problem, pairing, found))
            }
            Reasons::Alone | Reasons::Walk(_) => None,
        },
        _ => None,
    };
    let Some((problem, best, found)) = values else {
        let same = wanted == made;
        bench.hold(PAIRING, subject, same, || (in_words(&wanted), in_words(&made)));
        return same;
    };
    match found.value.first_difference(&best.value) {
        None => {
            bench.one_of(PAIRING, subject, next.paired.equals.unwrap_or(Equals::AtLeast(1)));
            true
        }
        Some(at) => {
            let criterion = problem.criteria().get(at).map_or("the vector", |one| one.counts.as_str());
            let value = |pairing: &Pairing| pairing.value.values().get(at).copied().unwrap_or_default();
            bench.hold(PAIRING, subject, false, || {
                (
                    format!("{criterion}: {} at best, by {}", value(best), in_words(&wanted)),
                    format!("{} by {}", value(&found), in_words(&made)),
                )
            });
            false
        }
    }
}

/// The higher ranked has White in the first game of an encounter.
fn white_first(bench: &mut Bench<'_>, paired: &RoundPaired, next: &Proposal) {
    let rank = |player: &PlayerId| {
        next.paired.order.iter().find(|line| line.player == *player).map(|line| line.rank)
    };
    for ((_, both), games) in encounters(paired) {
        let (Some(one), Some(other), Some(first)) = (rank(&both.0), rank(&both.1), games.first()) else {
            continue;
        };
        let higher = if one < other { &both.0 } else { &both.1 };
        let found = first.player(Side::Gold);
        let subject = Subject::Colours(annals_events::Pairing { round: paired.round, board: first.board });
        bench.hold(COLOUR, subject, found == Some(higher), || {
            let found = found.map_or("nobody".to_owned(), ToString::to_string);
            (format!("White for {higher}, who ranks higher"), format!("White for {found}"))
        });
    }
}
