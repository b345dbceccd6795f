//! Checks of encounters: format, two games with reversed colours, pairings by the least vector, bye, first
//! White.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Bye, Pair, RoundPaired, RoundsDeclared, Stage};
use annals_events::{PlayerId, Side};

use super::played::{played, rounds_in, stage_of};
use crate::check::checker::Checker;
use crate::formats::meetings::{Two, in_words, meetings, two};
use crate::formats::{Decided, StageState, Value, Worse};
use crate::rulebook::{RuleId, Rulebook};

/// As in a sentence.
fn words(stage: Stage) -> String {
    stage.word().replace('_', " ")
}

pub(super) fn rounds_declared(check: &mut Checker<'_>, declared: &RoundsDeclared) {
    let played = played(check.case.tournament);
    let (stage, rounds) = (stage_of(&played), rounds_in(&played));
    let holds = stage == Some(declared.stage) && declared.rounds == rounds;
    check.hold(
        RuleId::EncounterFormat,
        format!("the rounds of the {}", words(declared.stage)),
        holds,
        || {
            let players = played.players.len();
            let expected = match stage {
                Some(stage) => format!("{rounds} rounds of {} for {players} entrants", words(stage)),
                None => format!("no rounds for {players} entrants"),
            };
            (expected, format!("{} rounds of {}", declared.rounds, words(declared.stage)))
        },
    );
}

/// Games of each encounter by board.
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
pub(super) fn two_games_each(check: &mut Checker<'_>, paired: &RoundPaired) {
    for ((_, both), games) in encounters(paired) {
        let golds: Vec<Option<&PlayerId>> = games.iter().map(|pair| pair.player(Side::Gold)).collect();
        let holds = matches!(golds[..], [Some(first), Some(second)] if first != second);
        check.hold(
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

/// The value of an all-play-all round: everyone meets once, in any order; as many as possible play.
pub(super) fn value_of_all(state: &StageState<'_>, next: &RoundPaired, paired: &RoundPaired) -> Value {
    let record = played(state.tournament);
    let met: BTreeSet<Two> = record
        .rounds
        .iter()
        .flat_map(|round| &round.games)
        .map(|game| two(&game.gold, &game.silver))
        .collect();
    let made = meetings(&paired.pairs);
    let players: BTreeSet<&PlayerId> = record.players.iter().map(|one| &one.player).collect();
    let mut busy = BTreeSet::new();
    let fault = made.iter().find_map(|both| {
        let (one, other) = both;
        if met.contains(both) {
            return Some(format!("{one}-{other} for the second time"));
        }
        [one, other].into_iter().find_map(|player| {
            if !players.contains(player) {
                Some(format!("{player}, who is not entered"))
            } else if !busy.insert(player) {
                Some(format!("{player} in two encounters"))
            } else {
                None
            }
        })
    });
    let rest: Vec<&PlayerId> = players.into_iter().filter(|player| !busy.contains(player)).collect();
    let unpaired = rest.iter().enumerate().find_map(|(at, one)| {
        let other = rest.get(at + 1..)?.iter().find(|other| !met.contains(&two(one, other)))?;
        Some(format!("no encounter of {one} and {other}, who have not met and both rest"))
    });
    let fault = fault.or(unpaired).or_else(|| wrong_rest(&rest, &paired.byes));
    let worse = fault.map(|found| {
        let such = in_words(&meetings(&next.pairs));
        let expected = format!("encounters that are still to be played, such as {such}");
        Worse { criterion: None, expected, found }
    });
    Value { measures: None, worse }
}

/// Why the byes are not those of the resting players.
fn wrong_rest(rest: &[&PlayerId], byes: &[Bye]) -> Option<String> {
    let mut resting = BTreeSet::new();
    let wrong = byes.iter().find_map(|bye| {
        let Bye { player, half_points, .. } = bye;
        if !rest.contains(&player) {
            Some(format!("a bye of {player}, who does not rest"))
        } else if !resting.insert(player) {
            Some(format!("two byes of {player}"))
        } else {
            half_points
                .filter(|points| *points > 0)
                .map(|points| format!("{points} half points for {player}, who rests"))
        }
    });
    let missing = || rest.iter().find(|player| !byes.iter().any(|bye| bye.player == ***player));
    wrong.or_else(|| missing().map(|player| format!("no bye of {player}, who rests")))
}

/// The higher ranked has White in the first game of each encounter.
pub(super) fn colours<'a>(
    rulebook: &Rulebook,
    next: &RoundPaired,
    paired: &'a RoundPaired,
) -> Vec<(&'a Pair, Decided)> {
    let ranks: BTreeMap<&PlayerId, u32> = next.order.iter().map(|line| (&line.player, line.rank)).collect();
    let first = |((_, both), games): ((Option<u32>, Two), Vec<&'a Pair>)| {
        let (one, other) = (ranks.get(&both.0)?, ranks.get(&both.1)?);
        let higher = if one < other { both.0 } else { both.1 };
        let finding = format!("{higher} ranks higher and has White in the first game");
        let ground = rulebook.ground(RuleId::EncounterColour, finding);
        Some((*games.first()?, Decided { gold: Some(higher), ground, arbitrary: false }))
    };
    encounters(paired).into_iter().filter_map(first).collect()
}
