//! The colour rules, each where it alone decides.

use annals_events::tournament::Outcome;
use annals_tournaments::colours::{
    NoGames, PlayoffColour, championship_2015, world_championship_2009, world_championship_2009_playoff,
};
use annals_tournaments::record::{PlayedRound, Tally};

use super::numbered::{number, p};
use super::swiss::{game, round};

/// A tally of rounds, each a list of (gold, silver).
fn tally(rounds: &[&[(u32, u32)]]) -> Tally {
    let won = |&(gold, silver): &(u32, u32)| game(p(gold), p(silver), Outcome::Gold, false);
    let rounds: Vec<PlayedRound> =
        rounds.iter().map(|games| round(games.iter().map(won).collect(), None)).collect();
    Tally::of(&rounds)
}

/// Gold and the rule of 2015 for players 1 and 2, whoever is named first.
fn of_2015(rounds: &[&[(u32, u32)]]) -> (u32, u8) {
    let tally = tally(rounds);
    let one = championship_2015(&tally, (p(1), p(2)), p(1));
    let other = championship_2015(&tally, (p(2), p(1)), p(1));
    assert_eq!((one.gold, one.silver, one.rule), (other.gold, other.silver, other.rule));
    (number(one.gold), one.rule)
}

#[test]
fn the_six_rules_of_2015_decide_in_strict_priority() {
    assert_eq!(of_2015(&[&[(1, 3), (4, 2)]]), (2, 1));
    // Level, but 1 had Gold when they met; the other games even it out.
    assert_eq!(of_2015(&[&[(1, 2)], &[(3, 1), (2, 4)]]), (2, 2));
    // Level, never met, last colours differ.
    assert_eq!(of_2015(&[&[(1, 3), (4, 2)], &[(3, 1), (2, 4)]]), (1, 3));
    // Level, the same last colour, streaks of two and of one.
    let streaks: &[&[(u32, u32)]] =
        &[&[(1, 3)], &[(1, 4), (2, 4)], &[(3, 1), (5, 2)], &[(4, 1)], &[(2, 6)], &[(6, 2)]];
    assert_eq!(of_2015(streaks), (1, 4));
    // Level, each had Gold once against the other, the same last colour, equal streaks: as last time, reversed.
    let met_twice: &[&[(u32, u32)]] =
        &[&[(1, 2)], &[(2, 1)], &[(1, 3), (4, 2)], &[(2, 3), (4, 1)], &[(1, 3), (2, 4)], &[(3, 1), (4, 2)]];
    assert_eq!(of_2015(met_twice), (1, 5));
    assert_eq!(of_2015(&[]), (1, 6));
}

#[test]
fn a_player_without_games_counts_as_level_and_without_a_streak() {
    // 1 has played twice and is level; 2 has not played: the longer streak changes.
    assert_eq!(of_2015(&[&[(1, 3)], &[(3, 1)]]), (1, 4));
    assert_eq!(of_2015(&[&[(3, 1)], &[(1, 3)]]), (2, 4));
}

#[test]
fn a_decision_names_its_paragraph_and_what_it_compared() {
    let decision = championship_2015(&tally(&[&[(1, 3)]]), (p(1), p(2)), p(1));
    assert_eq!(decision.paragraph, "2015 WCC, Color Assignment 1");
    assert_eq!(decision.because, "Gold minus Silver so far: p001 +1, p002 +0");
}

#[test]
fn the_final_of_2009_looks_at_the_two_then_at_the_share_of_gold_then_at_the_lot() {
    let decide = |rounds: &[&[(u32, u32)]], no_games| {
        let colours = world_championship_2009(&tally(rounds), (p(1), p(2)), no_games, p(1));
        (number(colours.gold), colours.rule)
    };
    assert_eq!(decide(&[&[(1, 2)]], NoGames::Half), (2, 1));
    // 1 had Gold in one of three, 2 in one of two.
    let shares: &[&[(u32, u32)]] = &[&[(1, 3), (2, 3)], &[(3, 1), (3, 2)], &[(4, 1)]];
    assert_eq!(decide(shares, NoGames::Half), (1, 2));
    assert_eq!(decide(&[], NoGames::Half), (1, 3));
    // 1 had Gold in one of two; 2 has not played.
    let idle: &[&[(u32, u32)]] = &[&[(1, 3)], &[(3, 1)]];
    assert_eq!(decide(idle, NoGames::Half), (1, 3));
    assert_eq!(decide(idle, NoGames::Nothing), (2, 2));
    // Of a player without games no count is named that the record does not have.
    let because = |no_games| {
        let tally = tally(&[&[(1, 3)]]);
        world_championship_2009(&tally, (p(1), p(2)), no_games, p(1)).because
    };
    assert_eq!(
        because(NoGames::Half),
        "Gold so far: p001 1 of 1, p002 no game, which counts as one half (T15)"
    );
    assert_eq!(
        because(NoGames::Nothing),
        "Gold so far: p001 1 of 1, p002 no game, which counts as nothing (T15)"
    );
}

#[test]
fn in_a_playoff_the_rarer_gold_or_the_worse_seed_chooses() {
    let colour = |balance: [i64; 2]| {
        world_championship_2009_playoff(p(3), p(5), |player| balance[usize::from(player == p(5))])
    };
    assert_eq!(colour([-1, 0]), PlayoffColour::Gold(p(3)));
    assert_eq!(colour([2, 0]), PlayoffColour::Gold(p(5)));
    assert_eq!(colour([1, 1]), PlayoffColour::Chooses(p(5)));
}
