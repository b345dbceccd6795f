//! The Swiss preliminary by plain search, with its own bookkeeping: the first complete solution in the order of the rule,
//! found by trying. And the same with one thing wrong.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::Outcome;
use annals_tournaments::record::{Ending, PlayedGame};

use crate::swiss::{Before, Made};

/// A deliberately wrong program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wrong {
    NoLookAhead,
    UpperHalfLarger,
    UpBeforeDown,
    UpFromTheTop,
    NextGroupFromItsBottom,
    AlwaysFromTheTopOfTheBottomHalf,
    FoldInsteadOfCut,
    ByeWorthNothing,
    ByeToTheFirst,
    NoSecondBye,
    ForfeitsAddNothingToTheSums,
    TheByeAddsToTheSum,
    RatingBeforeSums,
    HighLotFirst,
    WithdrawnStayIn,
    WithdrawnLeaveTheSums,
    GoldToTheUpper,
    OppositeOfTheLastColour,
    RematchesAllowed,
}

/// The round by plain search, with its own bookkeeping; none where the search comes to an end without a pairing.
pub fn by_plain_search(before: &Before, wrong: Option<Wrong>) -> Option<Made> {
    let is = |other| wrong == Some(other);
    let names: Vec<PlayerId> = before.players.iter().map(|player| player.player.clone()).collect();
    let games: Vec<&PlayedGame> = before.rounds.iter().flat_map(|round| &round.games).collect();
    let points: BTreeMap<&PlayerId, u32> = names
        .iter()
        .map(|name| {
            let byes = before.rounds.iter().filter(|round| round.byes.contains(name)).count();
            let won = games
                .iter()
                .filter(|game| match game.outcome {
                    Some(Outcome::Gold) => game.gold == *name,
                    Some(Outcome::Silver) => game.silver == *name,
                    _ => false,
                })
                .count();
            (name, (won + if is(Wrong::ByeWorthNothing) { 0 } else { byes }) as u32)
        })
        .collect();
    let sum = |name: &PlayerId| -> u32 {
        let mut sum = 0;
        for game in &games {
            if is(Wrong::ForfeitsAddNothingToTheSums) && game.ending == Ending::Forfeit {
                continue;
            }
            let other = match (game.gold == *name, game.silver == *name) {
                (true, _) => &game.silver,
                (_, true) => &game.gold,
                _ => continue,
            };
            if !(is(Wrong::WithdrawnLeaveTheSums) && before.out.contains(other)) {
                sum += points[other];
            }
        }
        if is(Wrong::TheByeAddsToTheSum) {
            let byes = before.rounds.iter().filter(|round| round.byes.contains(name)).count();
            sum += byes as u32 * points[name];
        }
        sum
    };
    let mut order = names.clone();
    let rating: BTreeMap<&PlayerId, Option<i64>> =
        before.players.iter().map(|player| (&player.player, player.rating)).collect();
    order.sort_by_key(|name| {
        let lot = i64::from(before.lots[name]);
        std::cmp::Reverse(if is(Wrong::HighLotFirst) { lot } else { -lot })
    });
    if is(Wrong::RatingBeforeSums) {
        order.sort_by_key(|name| std::cmp::Reverse(sum(name)));
        order.sort_by_key(|name| std::cmp::Reverse(rating[name]));
    } else {
        order.sort_by_key(|name| std::cmp::Reverse(rating[name]));
        order.sort_by_key(|name| std::cmp::Reverse(sum(name)));
    }
    order.sort_by_key(|name| std::cmp::Reverse(points[name]));
    let mut list: Vec<PlayerId> = order
        .iter()
        .filter(|name| is(Wrong::WithdrawnStayIn) || !before.out.contains(*name))
        .cloned()
        .collect();
    let mut bye = None;
    if list.len() % 2 == 1 {
        let had = |name: &PlayerId| before.rounds.iter().filter(|round| round.byes.contains(name)).count();
        let at = if is(Wrong::ByeToTheFirst) {
            0
        } else if is(Wrong::NoSecondBye) {
            let fewest = list.iter().map(had).min().unwrap();
            list.iter().rposition(|name| had(name) == fewest).unwrap()
        } else {
            list.len() - 1
        };
        bye = Some(list.remove(at));
    }
    let met = |a: usize, b: usize| {
        games.iter().any(|game| {
            (game.gold == list[a] && game.silver == list[b])
                || (game.gold == list[b] && game.silver == list[a])
        })
    };
    let scores: Vec<u32> = list.iter().map(|name| points[name]).collect();
    // Without a solution, one more rematch is allowed, and so on.
    let limit = if is(Wrong::NoLookAhead) { 0 } else { list.len() / 2 };
    let found = (0..=limit).find_map(|rematches| {
        let mut paired = vec![false; list.len()];
        search(&scores, &mut paired, &met, rematches, wrong).map(|mut pairs| {
            pairs.reverse();
            pairs
        })
    })?;
    let gold = found
        .iter()
        .map(|&(upper, lower)| {
            let balance = |at: usize| {
                let gold = games.iter().filter(|game| game.gold == list[at]).count() as i64;
                gold - games.iter().filter(|game| game.silver == list[at]).count() as i64
            };
            let last_was_gold = |at: usize| {
                games
                    .iter()
                    .rev()
                    .find(|game| game.gold == list[at] || game.silver == list[at])
                    .map(|game| game.gold == list[at])
            };
            match wrong {
                Some(Wrong::GoldToTheUpper) => Some(list[upper].clone()),
                Some(Wrong::OppositeOfTheLastColour) => match (last_was_gold(upper), last_was_gold(lower)) {
                    (Some(true), Some(false)) => Some(list[lower].clone()),
                    (Some(false), Some(true)) => Some(list[upper].clone()),
                    _ => None,
                },
                _ => match balance(upper).cmp(&balance(lower)) {
                    std::cmp::Ordering::Less => Some(list[upper].clone()),
                    std::cmp::Ordering::Greater => Some(list[lower].clone()),
                    std::cmp::Ordering::Equal => None,
                },
            }
        })
        .collect();
    Some(Made {
        order: order.iter().map(|name| (name.clone(), points[name], sum(name))).collect(),
        bye,
        pairs: found.iter().map(|&(upper, lower)| (list[upper].clone(), list[lower].clone())).collect(),
        gold,
    })
}

/// Depth first: the first unpaired player tries all candidates in the order of the rule. The pairs come last first.
fn search(
    scores: &[u32],
    paired: &mut [bool],
    met: &impl Fn(usize, usize) -> bool,
    rematches: usize,
    wrong: Option<Wrong>,
) -> Option<Vec<(usize, usize)>> {
    let Some(at) = paired.iter().position(|paired| !paired) else { return Some(Vec::new()) };
    let candidates = plain_candidates(scores, at, wrong);
    for again in [false, true] {
        if again && rematches == 0 {
            break;
        }
        for &other in &candidates {
            if other == at
                || paired[other]
                || (met(at, other) != again && wrong != Some(Wrong::RematchesAllowed))
            {
                continue;
            }
            (paired[at], paired[other]) = (true, true);
            let found = search(scores, paired, met, rematches - usize::from(again), wrong);
            if let Some(mut pairs) = found {
                pairs.push((at, other));
                return Some(pairs);
            }
            if wrong == Some(Wrong::NoLookAhead) {
                return None;
            }
            (paired[at], paired[other]) = (false, false);
        }
    }
    None
}

fn plain_candidates(scores: &[u32], at: usize, wrong: Option<Wrong>) -> Vec<usize> {
    let is = |other| wrong == Some(other);
    let first = scores.iter().position(|score| *score == scores[at]).unwrap();
    let size = scores.iter().filter(|score| **score == scores[at]).count();
    let half = if is(Wrong::UpperHalfLarger) { size.div_ceil(2) } else { size / 2 };
    let place = at - first;
    if place >= half {
        return (at + 1..scores.len()).collect();
    }
    let start = match wrong {
        Some(Wrong::AlwaysFromTheTopOfTheBottomHalf) => half,
        Some(Wrong::FoldInsteadOfCut) => size - 1 - place,
        _ => half + place,
    };
    let down: Vec<usize> = (start..size).map(|place| first + place).collect();
    let mut up: Vec<usize> = (0..start).rev().map(|place| first + place).collect();
    if is(Wrong::UpFromTheTop) {
        up.reverse();
    }
    let mut next: Vec<usize> = (first + size..scores.len()).collect();
    if is(Wrong::NextGroupFromItsBottom)
        && let Some(score) = next.first().map(|&at| scores[at])
    {
        let group = next.iter().filter(|&&at| scores[at] == score).count();
        next[..group].reverse();
    }
    if is(Wrong::UpBeforeDown) { [up, down, next].concat() } else { [down, up, next].concat() }
}
