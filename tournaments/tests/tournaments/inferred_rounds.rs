//! Rounds inferred from games: made-up tournaments whose rounds are known give them back, played in order, late,
//! overlapping, or with players who stay away; and whatever the games are, nobody plays twice in a round.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::Micros;
use annals_tournaments::infer::{DatedGame, InferredRound, rounds};
use proptest::prelude::*;

const DAY: Micros = 24 * 3_600 * 1_000_000;

/// How the games of a made-up tournament are spread over the days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dates {
    /// A round a week, its games within two days.
    Weekly,
    /// As soon as both players are free, after a wait that differs from game to game: rounds overlap.
    AsSoonAsFree,
}

/// A tournament of `field` players over `length` rounds with its true rounds; pairs come from `picks`. With `away`, that
/// many are left out of each round, one otherwise where the number is odd.
fn played(
    field: usize,
    length: usize,
    away: usize,
    dates: Dates,
    picks: &[u32],
) -> (Vec<DatedGame<usize>>, Vec<usize>) {
    let mut picks = picks.iter().copied().cycle();
    let mut pick = |below: usize| picks.next().map_or(0, |pick| pick as usize % below.max(1));
    let mut free_at: BTreeMap<usize, Micros> = BTreeMap::new();
    let (mut games, mut truth) = (Vec::new(), Vec::new());
    for round in 0..length {
        let mut players: Vec<usize> = (0..field).collect();
        for _ in 0..away {
            // The first two play always, so that there is a chain through all rounds.
            let place = 2 + pick(players.len() - 2);
            players.remove(place.min(players.len() - 1));
        }
        let mut rest: Vec<usize> = players.clone();
        if away > 0 {
            rest.drain(..2);
            games.push((round, [0, 1]));
        }
        while rest.len() > 1 {
            let first = rest.remove(pick(rest.len()));
            let second = rest.remove(pick(rest.len()));
            games.push((round, [first, second]));
        }
    }
    let mut dated = Vec::new();
    for (round, players) in games {
        let began = match dates {
            Dates::Weekly => round as Micros * 7 * DAY + pick(1_000) as Micros * DAY / 500,
            Dates::AsSoonAsFree => {
                let free =
                    players.iter().filter_map(|player| free_at.get(player)).max().copied().unwrap_or(0);
                free + DAY + pick(1_000) as Micros * DAY / 400
            }
        };
        for player in players {
            free_at.insert(player, began);
        }
        dated.push(DatedGame { players, began });
        truth.push(round);
    }
    (dated, truth)
}

/// The round of each game, from 0.
fn placed(games: usize, rounds: &[InferredRound]) -> Vec<usize> {
    let mut of = vec![usize::MAX; games];
    for (number, round) in rounds.iter().enumerate() {
        for placed in &round.games {
            assert_eq!(of[placed.game], usize::MAX, "game {} stands in two rounds", placed.game);
            of[placed.game] = number;
        }
    }
    of
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn weekly_rounds_are_found_again_with_at_most_one_bye(
        field in 2..14usize, length in 1..9usize, picks in prop::collection::vec(any::<u32>(), 40..80)
    ) {
        let (games, truth) = played(field, length, 0, Dates::Weekly, &picks);
        prop_assert_eq!(placed(games.len(), &rounds(&games)), truth);
    }

    #[test]
    fn weekly_rounds_are_found_again_where_many_stay_away(
        half in 2..8usize, length in 1..9usize, away in 0..3usize, picks in prop::collection::vec(any::<u32>(), 40..80)
    ) {
        let (games, truth) = played(2 * half + 4, length, 2 * away, Dates::Weekly, &picks);
        prop_assert_eq!(placed(games.len(), &rounds(&games)), truth);
    }

    #[test]
    fn rounds_that_overlap_keep_every_game_that_the_order_makes_firm(
        half in 1..7usize, length in 1..9usize, picks in prop::collection::vec(any::<u32>(), 40..80)
    ) {
        let (games, truth) = played(2 * half, length, 0, Dates::AsSoonAsFree, &picks);
        // Everybody plays every round: each game is firm in the true one, however far the rounds run into each other.
        let found = rounds(&games);
        prop_assert!(found.iter().flat_map(|round| &round.games).all(|placed| placed.is_firm()));
        prop_assert_eq!(placed(games.len(), &found), truth);
    }

    #[test]
    fn nobody_plays_twice_in_a_round_and_everybody_plays_them_in_order(
        games in prop::collection::vec((0..6u8, 1..6u8, any::<i64>()), 0..60)
    ) {
        let games: Vec<DatedGame<u8>> =
            games.into_iter().map(|(a, d, began)| DatedGame { players: [a, (a + d) % 6], began }).collect();
        let found = rounds(&games);
        let of = placed(games.len(), &found);
        prop_assert!(!of.contains(&usize::MAX), "a game was lost");
        for round in &found {
            let seats: Vec<u8> = round.games.iter().flat_map(|placed| games[placed.game].players).collect();
            prop_assert!(!seats.is_empty());
            prop_assert_eq!(seats.iter().collect::<BTreeSet<_>>().len(), seats.len());
            for placed in &round.games {
                prop_assert!((placed.earliest..=placed.latest).contains(&(of[placed.game] + 1)));
            }
        }
        for (i, a) in games.iter().enumerate() {
            for (j, b) in games.iter().enumerate() {
                if a.players.iter().any(|player| b.players.contains(player)) && (a.began, i) < (b.began, j) {
                    prop_assert!(of[i] < of[j], "game {} is not before game {}", i, j);
                }
            }
        }
        // No fewer rounds would do: some chain of games needs them all.
        let longest = (0..games.len()).map(|game| chain(&games, game)).max().unwrap_or(0);
        prop_assert_eq!(found.len(), longest);
    }
}

/// The longest chain of games, each with a player of the one before and begun after it, that ends with a game.
fn chain(games: &[DatedGame<u8>], last: usize) -> usize {
    fn length(games: &[DatedGame<u8>], last: usize, known: &mut BTreeMap<usize, usize>) -> usize {
        if let Some(found) = known.get(&last) {
            return *found;
        }
        let mut best = 0;
        for (other, game) in games.iter().enumerate() {
            let shares = game.players.iter().any(|player| games[last].players.contains(player));
            if shares && (game.began, other) < (games[last].began, last) {
                best = best.max(length(games, other, known));
            }
        }
        known.insert(last, best + 1);
        best + 1
    }
    length(games, last, &mut BTreeMap::new())
}
