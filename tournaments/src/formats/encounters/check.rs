//! Rounds of encounters held against the rules: which format so many play, two games with reversed colours, who meets
//! whom by the least vector, the bye, and who has White first.

use crate::rulebook::RuleId;
use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Equals, Pair, Ranked, RoundPaired, RoundsDeclared, Stage};
use annals_events::{PlayerId, Side, TournamentEvent};

use super::propose::{next_round, played, rounds_in, stage_of};
use crate::check::Bench;
use crate::formats::encounters::Reasons;
use crate::formats::{NextRound, Proof};
use crate::pairing::Pairing;
use crate::round_check::course;
use crate::round_check::published::{
    Line, Two, cannot_follow, in_words, meetings, same_byes, same_order, same_values, two,
};
use crate::state::Tournament;

const PAIRING: RuleId = RuleId::EncounterPairing;
const COLOUR: RuleId = RuleId::EncounterColour;

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::RoundsDeclared(declared) => rounds_declared(bench, declared),
        TournamentEvent::RoundPaired(paired) => round_paired(bench, paired),
        TournamentEvent::PairingRevoked(revoked) => course::revocation(bench, revoked),
        TournamentEvent::RoundStarted(started) => course::start(bench, started),
        TournamentEvent::ColourDrawn(drawn) => by_rank(bench, drawn.pairing, "a coin"),
        TournamentEvent::ColourChosen(chosen) => by_rank(bench, chosen.pairing, "a choice"),
        _ => {}
    }
}

fn by_rank(bench: &mut Bench<'_>, pairing: annals_events::Pairing, found: &str) {
    bench.hold(COLOUR, format!("the colours of {pairing}"), false, || {
        ("two games with reversed colours, White first for the higher ranked".to_owned(), found.to_owned())
    });
}

fn rounds_declared(bench: &mut Bench<'_>, declared: &RoundsDeclared) {
    let tournament = bench.case.tournament;
    let played = played(tournament);
    let (stage, rounds) = (stage_of(tournament), rounds_in(played.format, played.entrants.len()));
    let holds = stage == Some(declared.stage) && declared.rounds == rounds;
    bench.hold(RuleId::EncounterFormat, format!("the rounds of the {}", declared.stage), holds, || {
        let players = played.entrants.len();
        let expected = match stage {
            Some(stage) => format!("{rounds} rounds of {stage} for {players} entrants"),
            None => format!("no rounds for {players} entrants"),
        };
        (expected, format!("{} rounds of {}", declared.rounds, declared.stage))
    });
}

fn ranked(line: &Ranked) -> Line<'_> {
    (line.rank, &line.player, &line.measures)
}

fn round_paired(bench: &mut Bench<'_>, paired: &RoundPaired) {
    let subject = course::round(paired.round);
    if paired.inferred {
        let why = "the round was inferred from its games, and what it rested on is not known";
        return bench.open(PAIRING, subject, why);
    }
    two_games_each(bench, paired);
    if !course::in_order(bench, paired) {
        return;
    }
    let tournament = bench.case.tournament;
    let next = match next_round(tournament, bench.case.rulebook, paired.stage) {
        Ok(next) => next,
        Err(refusal) => return cannot_follow(bench, PAIRING, &subject, refusal),
    };
    bench.hold(RuleId::EncounterFormat, subject.as_str(), true, Default::default);
    if paired.stage == Stage::RoundRobin {
        everyone_meets(bench, tournament, paired, &next);
        return;
    }
    same_order(
        bench,
        RuleId::PlaceOrder,
        &format!("the order before {subject}"),
        next.paired.order.iter().map(ranked),
        paired.order.iter().map(ranked),
    );
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
fn everyone_meets(bench: &mut Bench<'_>, tournament: &Tournament, paired: &RoundPaired, next: &NextRound) {
    let subject = format!("round {}", paired.round);
    let record = played(tournament);
    let met: BTreeSet<Two> = record
        .rounds
        .iter()
        .flat_map(|round| &round.encounters)
        .map(|encounter| two(&encounter.pair.0, &encounter.pair.1))
        .collect();
    let made = meetings(&paired.pairs);
    let mut busy = BTreeSet::new();
    let fault = made.iter().find_map(|both| {
        let (one, other) = both;
        if met.contains(both) {
            return Some(format!("{one}-{other} for the second time"));
        }
        [one, other].into_iter().find_map(|player| {
            if !record.entrants.contains(player) {
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
fn least_vector(bench: &mut Bench<'_>, subject: &str, paired: &RoundPaired, next: &NextRound) -> bool {
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
            Reasons::NoContext | Reasons::Walk(_) => None,
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
fn white_first(bench: &mut Bench<'_>, paired: &RoundPaired, next: &NextRound) {
    let rank = |player: &PlayerId| {
        next.paired.order.iter().find(|line| line.player == *player).map(|line| line.rank)
    };
    for ((_, both), games) in encounters(paired) {
        let (Some(one), Some(other), Some(first)) = (rank(&both.0), rank(&both.1), games.first()) else {
            continue;
        };
        let higher = if one < other { &both.0 } else { &both.1 };
        let found = first.player(Side::Gold);
        let subject = format!("the colours of r{}.{}", paired.round, first.board);
        bench.hold(COLOUR, subject, found == Some(higher), || {
            let found = found.map_or("nobody".to_owned(), ToString::to_string);
            (format!("White for {higher}, who ranks higher"), format!("White for {found}"))
        });
    }
}
