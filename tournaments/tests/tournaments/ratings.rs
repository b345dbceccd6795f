//! Tournament performance ratings: the stored values, a second method (Hunter's minorisation), and games that would have
//! no finite rating without the virtual draw.

use annals_events::PlayerId;
use annals_events::tournament::Outcome;
use annals_tournaments::tpr::{RatingError, Ratings, VirtualDraw};
use proptest::prelude::*;

use super::numbered::p;
use super::swiss::{game, round};
use super::vectors::vectors;

fn rated(players: u32, games: &[(u32, u32, Outcome)], draw: VirtualDraw) -> Ratings {
    let games = games.iter().map(|&(gold, silver, result)| game(p(gold), p(silver), result, false)).collect();
    let all: Vec<PlayerId> = (0..players).map(|number| p(number).clone()).collect();
    Ratings::of(&all, &[round(games, None)], draw).expect("ratings")
}

/// Hunter's minorisation with the dummy's strength at 1: strengths in natural units. Slow and simple.
pub fn by_minorisation(players: usize, games: &[(usize, usize, f64)], virtual_weight: f64) -> Vec<f64> {
    let mut won = vec![virtual_weight / 2.0; players];
    let mut played = vec![vec![0.0; players]; players];
    for &(winner, loser, weight) in games {
        won[winner] += weight;
        played[winner][loser] += weight;
        played[loser][winner] += weight;
    }
    let mut strengths = vec![1.0_f64; players];
    for _ in 0..1_000_000 {
        let mut change = 0.0_f64;
        for player in 0..players {
            let mut divisor = virtual_weight / (strengths[player] + 1.0);
            for (other, games) in played[player].iter().enumerate().filter(|(_, games)| **games > 0.0) {
                divisor += games / (strengths[player] + strengths[other]);
            }
            let next = won[player] / divisor;
            change = change.max((next / strengths[player]).ln().abs());
            strengths[player] = next;
        }
        if change < 1e-15 {
            break;
        }
    }
    strengths.into_iter().map(f64::ln).collect()
}

#[test]
fn the_stored_ratings_are_found_to_twelve_digits() {
    let Some(file) = vectors("bt_tpr.json") else { return };
    for (name, case) in file.as_object().expect("cases") {
        let pairs = |key: &str| -> Vec<(u32, u32)> {
            let list = case[key].as_array().expect("games").iter();
            list.map(|game| {
                (game[0].as_u64().expect("a player") as u32, game[1].as_u64().expect("a player") as u32)
            })
            .collect()
        };
        let mut games: Vec<_> = pairs("wins").into_iter().map(|(w, l)| (w, l, Outcome::Gold)).collect();
        games.extend(pairs("draws").into_iter().map(|(a, b)| (a, b, Outcome::Draw)));
        let ratings = rated(case["n"].as_u64().expect("players") as u32, &games, VirtualDraw::HalfOfADraw);
        for (number, (theta, elo)) in
            case["theta"].as_array().expect("θ").iter().zip(case["elo"].as_array().expect("Elo")).enumerate()
        {
            let player = p(number as u32);
            let theta: f64 = theta.as_str().expect("digits").parse().expect("a number");
            let strength = ratings.strength(player).expect("rated");
            assert!((strength - theta).abs() < 1e-12, "{name}: {player} has {strength}, not {theta}");
            assert!(
                (ratings.elo(player).expect("rated") - elo.as_f64().expect("Elo")).abs() < 1e-8,
                "{name}"
            );
        }
    }
}

#[test]
fn a_circle_of_wins_makes_one_class_and_a_chain_makes_three() {
    use Outcome::Gold;
    let circle = rated(3, &[(0, 1, Gold), (1, 2, Gold), (2, 0, Gold)], VirtualDraw::default());
    assert!((0..3).all(|player| circle.class(p(player)) == Some(0)));
    let chain = rated(3, &[(0, 1, Gold), (0, 2, Gold), (1, 2, Gold)], VirtualDraw::default());
    assert!((0..3).all(|player| chain.class(p(player)) == Some(player as usize)));
}

#[test]
fn a_double_forfeit_is_no_game_and_the_idle_stand_at_the_dummy() {
    let ratings = rated(3, &[(0, 1, Outcome::DoubleLoss)], VirtualDraw::default());
    assert!((0..3).all(|player| ratings.elo(p(player)) == Some(1500.0)));
}

#[test]
fn a_game_of_a_stranger_is_refused() {
    let rounds = [round(vec![game(p(1), p(9), Outcome::Gold, false)], None)];
    let refused = Ratings::of(&[p(1).clone()], &rounds, VirtualDraw::default());
    assert_eq!(refused, Err(RatingError::Stranger { player: p(9).clone() }));
}

#[test]
fn unbroken_wins_against_everybody_still_have_a_finite_rating() {
    let games: Vec<_> = (1..200).flat_map(|loser| (0..20).map(move |_| (0, loser, Outcome::Gold))).collect();
    let ratings = rated(200, &games, VirtualDraw::default());
    assert_eq!(ratings.class(p(0)), Some(0));
    assert!((1..200).all(|player| ratings.class(p(player)) == Some(1)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(super::vectors::cases(60, 2_000) as u32))]

    #[test]
    fn a_second_method_finds_the_same_ratings(
        players in 2_u32..10,
        games in prop::collection::vec((0_u32..10, 0_u32..10, 0_u8..10), 0..40),
        whole: bool,
    ) {
        let draw = if whole { VirtualDraw::WholeDraw } else { VirtualDraw::HalfOfADraw };
        let games: Vec<(u32, u32, Outcome)> = games
            .into_iter()
            .map(|(a, b, lot)| (a % players, b % players, if lot == 0 { Outcome::Draw } else { Outcome::Gold }))
            .filter(|(a, b, _)| a != b)
            .collect();
        let weighed: Vec<(usize, usize, f64)> = games
            .iter()
            .flat_map(|&(a, b, result)| match result {
                Outcome::Draw => vec![(a as usize, b as usize, 0.5), (b as usize, a as usize, 0.5)],
                _ => vec![(a as usize, b as usize, 1.0)],
            })
            .collect();
        let expected = by_minorisation(players as usize, &weighed, draw.weight());
        let found = rated(players, &games, draw);
        for (player, expected) in expected.iter().enumerate() {
            let found = found.strength(p(player as u32)).expect("rated");
            prop_assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }
}
