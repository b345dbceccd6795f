//! A round of the Swiss of encounters by the rules one after the other, each keeping the best of all rounds that are
//! possible; and the same with one thing wrong.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::Outcome;
use annals_tournaments::formats::encounters::OpponentByes;
use annals_tournaments::record::{Ending, PlayedGame};

use crate::olympiad::{Before, Encounter};

/// A deliberately wrong program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wrong {
    ByeOnePoint,
    ByeNothing,
    ByeToTheLastWhateverByes,
    ByeToTheHighest,
    OtherByesInTheSum,
    EveryEncounterInTheSum,
    ForfeitsOutsideTheSum,
    TerritoryOfAllWins,
    TerritoryBeforeSums,
    NumberBeforeTerritory,
    RematchesFree,
    FewestRematchesOnly,
    DifferencesNotSquared,
    CutInsteadOfFold,
    FoldAcrossGroups,
    FarOutsideGroups,
    NearestInsideGroups,
    CanonicalFromTheBottom,
    OutStillPaired,
}

/// The round by the rules one after the other, each keeping the best of all rounds that are possible.
pub fn by_filters(
    before: &Before,
    opponent_byes: OpponentByes,
    wrong: Option<Wrong>,
) -> (Vec<(PlayerId, PlayerId)>, Option<PlayerId>) {
    let is = |other| wrong == Some(other);
    let byes_in_the_sum = (opponent_byes == OpponentByes::Included) != is(Wrong::OtherByesInTheSum);
    let encounters: Vec<&Encounter> = before.rounds.iter().flat_map(|round| &round.encounters).collect();
    let games: Vec<&PlayedGame> = encounters.iter().flat_map(|encounter| &encounter.games).collect();
    let byes = |player: &PlayerId| {
        before.rounds.iter().filter(|round| round.bye.as_ref() == Some(player)).count() as i64
    };
    let won = |player: &PlayerId, game: &PlayedGame| match game.outcome {
        Some(Outcome::Gold) => game.gold == *player,
        Some(Outcome::Silver) => game.silver == *player,
        _ => false,
    };
    let of_a_bye = match wrong {
        Some(Wrong::ByeOnePoint) => 2,
        Some(Wrong::ByeNothing) => 0,
        _ => 4,
    };
    let score: BTreeMap<&PlayerId, i64> = before
        .entrants
        .iter()
        .map(|player| {
            let games: i64 = games
                .iter()
                .map(|game| {
                    let drawn =
                        game.outcome == Some(Outcome::Draw) && [&game.gold, &game.silver].contains(&player);
                    2 * i64::from(won(player, game)) + i64::from(drawn)
                })
                .sum();
            (player, games + of_a_bye * byes(player))
        })
        .collect();
    let met = |a: &PlayerId, b: &PlayerId| {
        encounters
            .iter()
            .filter(|one| (&one.pair.0 == a && &one.pair.1 == b) || (&one.pair.0 == b && &one.pair.1 == a))
            .count() as i64
    };
    let sum = |player: &PlayerId| -> i64 {
        before
            .entrants
            .iter()
            .map(|other| {
                let mut times = met(player, other);
                if is(Wrong::ForfeitsOutsideTheSum) {
                    times = encounters
                        .iter()
                        .filter(|one| {
                            [&one.pair.0, &one.pair.1].contains(&player)
                                && [&one.pair.0, &one.pair.1].contains(&other)
                        })
                        .filter(|one| {
                            player != other && one.games.iter().any(|game| game.ending != Ending::Forfeit)
                        })
                        .count() as i64;
                }
                let points = score[other] - if byes_in_the_sum { 0 } else { of_a_bye * byes(other) };
                points * if is(Wrong::EveryEncounterInTheSum) { times } else { times.min(1) }
            })
            .sum()
    };
    let territory = |player: &PlayerId| -> i64 {
        games
            .iter()
            .filter(|game| won(player, game))
            .filter(|game| {
                game.ending == Ending::NoMoves || game.territory_ruled || is(Wrong::TerritoryOfAllWins)
            })
            .map(|game| i64::from(game.territory.unwrap()))
            .sum()
    };
    let mut list: Vec<PlayerId> = before
        .entrants
        .iter()
        .filter(|player| is(Wrong::OutStillPaired) || !before.out.contains(*player))
        .cloned()
        .collect();
    if !is(Wrong::NumberBeforeTerritory) && !is(Wrong::TerritoryBeforeSums) {
        list.sort_by_key(|player| -territory(player));
    }
    list.sort_by_key(|player| -sum(player));
    if is(Wrong::TerritoryBeforeSums) {
        list.sort_by_key(|player| -territory(player));
    }
    list.sort_by_key(|player| -score[player]);
    let mut bye = None;
    if list.len() % 2 == 1 {
        let fewest = list.iter().map(byes).min().unwrap();
        let mut able: Vec<usize> = (0..list.len()).collect();
        if !is(Wrong::ByeToTheLastWhateverByes) {
            able.retain(|&at| byes(&list[at]) == fewest);
        }
        let lowest = able.iter().map(|&at| score[&list[at]]).min().unwrap();
        able.retain(|&at| score[&list[at]] == lowest);
        let at = if is(Wrong::ByeToTheHighest) { able[0] } else { *able.last().unwrap() };
        bye = Some(list.remove(at));
    }
    let mut rounds = Vec::new();
    all_rounds(&mut (0..list.len()).collect(), &mut Vec::new(), &mut rounds);
    let mut keep = |measure: &dyn Fn(usize, usize) -> i64| {
        let value = |round: &Vec<(usize, usize)>| round.iter().map(|&(a, b)| measure(a, b)).sum::<i64>();
        let best = rounds.iter().map(value).min().unwrap();
        rounds.retain(|round| value(round) == best);
    };
    let difference = |a: usize, b: usize| (score[&list[a]] - score[&list[b]]).abs();
    if is(Wrong::FewestRematchesOnly) {
        keep(&|a, b| i64::from(met(&list[a], &list[b]) > 0));
    } else if !is(Wrong::RematchesFree) {
        for times in (1..=4).rev() {
            keep(&|a, b| i64::from(met(&list[a], &list[b]) == times));
        }
    }
    keep(&|a, b| {
        let apart = difference(a, b);
        if is(Wrong::DifferencesNotSquared) { apart } else { apart * apart }
    });
    let rank = |a: usize, b: usize| {
        let apart = a.abs_diff(b) as i64;
        apart * apart
    };
    if is(Wrong::CutInsteadOfFold) {
        keep(&|a, b| {
            let group: Vec<usize> =
                (0..list.len()).filter(|&at| score[&list[at]] == score[&list[a]]).collect();
            let place = a.min(b) - group[0];
            let opposite = group.get(place + group.len() / 2).copied().unwrap_or(usize::MAX);
            i64::from(difference(a, b) == 0 && opposite != a.max(b))
        });
    } else {
        keep(&|a, b| {
            let sign = if is(Wrong::NearestInsideGroups) { 1 } else { -1 };
            if difference(a, b) == 0 || is(Wrong::FoldAcrossGroups) { sign * rank(a, b) } else { 0 }
        });
    }
    keep(&|a, b| {
        let sign = if is(Wrong::FarOutsideGroups) { -1 } else { 1 };
        if difference(a, b) > 0 { sign * rank(a, b) } else { 0 }
    });
    for at in 0..list.len() {
        let at = if is(Wrong::CanonicalFromTheBottom) { list.len() - 1 - at } else { at };
        keep(&|a, b| {
            if a == at {
                -(b as i64)
            } else if b == at && is(Wrong::CanonicalFromTheBottom) {
                a as i64
            } else {
                0
            }
        });
    }
    let mut found = rounds[0].clone();
    found.sort_unstable();
    (found.into_iter().map(|(a, b)| (list[a].clone(), list[b].clone())).collect(), bye)
}

fn all_rounds(left: &mut Vec<usize>, pairs: &mut Vec<(usize, usize)>, rounds: &mut Vec<Vec<(usize, usize)>>) {
    if left.is_empty() {
        return rounds.push(pairs.clone());
    }
    let first = left.remove(0);
    for at in 0..left.len() {
        let other = left.remove(at);
        pairs.push((first, other));
        all_rounds(left, pairs, rounds);
        pairs.pop();
        left.insert(at, other);
    }
    left.insert(0, first);
}
