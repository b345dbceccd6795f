//! What must hold of every set of games.

use annals_ratings::{
    DAY, Game, GameSelection, Outcome, POINTS_PER_NAT, Player, Pool, Ratings, RatingsError, rate,
};
use proptest::prelude::*;

const SYSTEMS: [&str; 6] = [
    "gameroom",
    "elo k=24 advantage=30",
    "glicko2 period=7d",
    "whr w2=40 advantage=on",
    "bradley-terry prior=1",
    "bradley-terry prior=0.5 advantage=on",
];

/// Any games among a few players, on different days or the same.
fn games() -> impl Strategy<Value = Pool> {
    let game = (0usize..7, 1usize..7, 0i64..40, 0u8..5);
    proptest::collection::vec(game, 1..60).prop_map(|games| {
        let mut pool =
            Pool { players: (0..7).map(|n| Player::named(format!("p{n}"))).collect(), ..Pool::default() };
        for (id, (gold, other, day, outcome)) in games.into_iter().enumerate() {
            let outcome = [Outcome::Gold, Outcome::Gold, Outcome::Silver, Outcome::Silver, Outcome::Draw]
                [usize::from(outcome)];
            pool.games.push(Game::rated(id as u64, day * DAY, gold, (gold + other) % 7, outcome));
        }
        pool
    })
}

fn by(pool: &Pool, system: &str) -> Ratings {
    rate(pool, &GameSelection::default(), &system.parse().unwrap()).unwrap()
}

fn of(ratings: &Ratings, name: &str) -> (f64, Option<f64>) {
    let rated = ratings.players.iter().find(|rated| rated.name == name).unwrap();
    (rated.rating, rated.error)
}

fn expected(points: f64) -> f64 {
    1.0 / (1.0 + (-points / POINTS_PER_NAT).exp())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn neither_names_nor_the_order_in_which_games_are_given_matter(pool in games()) {
        for system in SYSTEMS {
            let ratings = by(&pool, system);
            // Everybody is somebody else, and the games stand backwards; their order in time is their own.
            let mut turned = pool.clone();
            turned.games.reverse();
            turned.players.reverse();
            for game in &mut turned.games {
                (game.gold, game.silver) = (6 - game.gold, 6 - game.silver);
            }
            let again = by(&turned, system);
            for rated in &ratings.players {
                let (rating, error) = of(&again, &rated.name);
                prop_assert!((rated.rating - rating).abs() < 1e-4, "{system} {} {} {rating}", rated.name, rated.rating);
                let errors = rated.error.unwrap_or(0.0) - error.unwrap_or(0.0);
                prop_assert!(errors.abs() < 1e-4, "{system} {}", rated.name);
            }
        }
    }

    #[test]
    fn every_rating_is_finite_and_every_fit_converges(pool in games()) {
        for system in SYSTEMS {
            let ratings = by(&pool, system);
            prop_assert!(ratings.fit.is_none_or(|fit| fit.converged && fit.gradient < 1e-6), "{:?}", ratings.fit);
            for rated in &ratings.players {
                prop_assert!(rated.rating.is_finite(), "{system} {rated:?}");
                prop_assert!(rated.error.is_none_or(|error| error.is_finite() && error > 0.0), "{system} {rated:?}");
                prop_assert_eq!(rated.games, rated.wins + rated.losses + rated.draws);
            }
        }
    }

    #[test]
    fn elo_gives_what_it_takes(pool in games()) {
        let ratings = by(&pool, "elo k=32 start=1500");
        let sum: f64 = ratings.players.iter().map(|rated| rated.rating - 1500.0).sum();
        prop_assert!(sum.abs() < 1e-9, "{sum}");
    }

    #[test]
    fn at_the_top_everybody_has_the_points_that_bradley_terry_expects(pool in games()) {
        let ratings = by(&pool, "bradley-terry prior=1 anchor=0 advantage=on");
        // Where one colour won every game, none is estimated.
        let advantage = ratings.advantage.map_or(0.0, |advantage| advantage.value);
        let strength = |player: usize| of(&ratings, &pool.players[player].name).0;
        for rated in &ratings.players {
            let mut surplus = 0.5 - expected(rated.rating);
            for game in &pool.games {
                let points = game.outcome.unwrap().gold_points();
                let chance = expected(strength(game.gold) + advantage - strength(game.silver));
                if game.gold == rated.player {
                    surplus += points - chance;
                }
                if game.silver == rated.player {
                    surplus += chance - points;
                }
            }
            prop_assert!(surplus.abs() < 1e-6, "{} {surplus}", rated.name);
        }
    }

    #[test]
    fn without_a_prior_there_is_a_finite_answer_or_a_clear_refusal(pool in games()) {
        match rate(&pool, &GameSelection::default(), &"bradley-terry prior=0".parse().unwrap()) {
            Ok(ratings) => {
                prop_assert!(ratings.fit.unwrap().converged);
                for rated in &ratings.players {
                    prop_assert!(rated.wins + rated.draws > 0 && rated.losses + rated.draws > 0, "{rated:?}");
                }
            }
            Err(error) => {
                prop_assert!(matches!(error, RatingsError::Unbounded { .. }), "{error}");
            }
        }
    }
}

#[test]
fn who_won_everything_is_named_where_the_likelihood_has_no_top() {
    let game = |id, gold, silver, outcome| Game::rated(id, id as i64, gold, silver, outcome);
    let pool = Pool {
        players: ["anna", "bela", "cara"].map(Player::named).to_vec(),
        games: vec![
            game(1, 0, 1, Outcome::Gold),
            game(2, 2, 0, Outcome::Silver),
            game(3, 1, 2, Outcome::Draw),
        ],
        belongs: Vec::new(),
    };
    let refused =
        rate(&pool, &GameSelection::default(), &"bradley-terry prior=0".parse().unwrap()).unwrap_err();
    let said = refused.to_string();
    assert!(said.contains("bela, cara lost every game") || said.contains("anna won every game"), "{said}");
    assert!(refused.hints()[0].contains("prior=1"));
    // A held player beside one who only won is no better; one who holds both ends is.
    assert!(
        rate(&pool, &GameSelection::default(), &"bradley-terry prior=0 fixed=bela@1500".parse().unwrap())
            .is_err()
    );
    let held = "bradley-terry prior=0 fixed=anna@1900 fixed=bela@1500 fixed=cara@1400".parse().unwrap();
    let ratings = rate(&pool, &GameSelection::default(), &held).unwrap();
    assert_eq!(
        ratings.players.iter().map(|p| (p.rating, p.error)).collect::<Vec<_>>()[0],
        (1900.0, Some(0.0))
    );
}

#[test]
fn a_bot_of_fixed_strength_has_one_rating_for_all_time_and_others_wander_around_it() {
    let mut pool = super::made::made(6, 300, 9);
    pool.players[0].name = "bot_zero".to_owned();
    let ratings = by(&pool, "whr w2=100 fixed=bot_*");
    let bot = ratings.players.iter().find(|rated| rated.name == "bot_zero").unwrap();
    assert_eq!(bot.course.len(), 1);
    assert!(
        ratings.players.iter().filter(|rated| rated.name != "bot_zero").all(|rated| rated.course.len() > 20)
    );
    let held = by(&pool, "whr w2=100 fixed=bot_*@1000");
    assert_eq!(of(&held, "bot_zero"), (1000.0, Some(0.0)));
    assert!(of(&held, "1").0 < of(&ratings, "1").0, "all others are measured by the bot");
}

#[test]
fn a_later_date_widens_the_interval_and_knows_more() {
    let pool = super::made::made(6, 100, 9);
    let system = "whr w2=100".parse().unwrap();
    let at = |as_of| {
        rate(&pool, &GameSelection { as_of: Some(as_of), ..GameSelection::default() }, &system).unwrap()
    };
    let end = pool.games.last().unwrap().at.unwrap();
    let (now, later) = (at(end), at(end + 1_000 * DAY));
    let (of_now, of_later) = (of(&now, "0"), of(&later, "0"));
    assert!((of_now.0 - of_later.0).abs() < 1e-9);
    // The process adds 100 points² a day, since the player's last game.
    let grown = of_later.1.unwrap().powi(2) - of_now.1.unwrap().powi(2);
    assert!((grown - 100_000.0).abs() < 1e-3, "{grown}");
    assert!(at(end / 2).games < now.games);
}

#[test]
fn players_who_never_met_are_told_apart() {
    let mut pool = super::made::made(4, 40, 3);
    pool.players.extend(["x", "y"].map(Player::named));
    pool.games.push(Game::rated(99, 0, 4, 5, Outcome::Draw));
    for system in SYSTEMS {
        let ratings = by(&pool, system);
        assert!(
            ratings.notes.iter().any(|note| note.contains("2 groups") && note.contains("(x, y)")),
            "{system}"
        );
        assert_eq!(ratings.players.iter().filter(|rated| rated.group == 1).count(), 2);
    }
    let maximum = by(&pool, "bradley-terry prior=0 anchor=1500");
    assert!((of(&maximum, "x").0 - 1500.0).abs() < 1e-9, "each group has its own average");
}

#[test]
fn an_iteration_that_is_cut_short_says_so() {
    let pool = super::made::made(6, 300, 9);
    let ratings = by(&pool, "whr steps=1 tolerance=0.000000001");
    assert!(!ratings.fit.unwrap().converged);
    assert!(ratings.notes.iter().any(|note| note.contains("after 1 steps")), "{:?}", ratings.notes);
}

#[test]
fn where_one_colour_won_every_game_no_advantage_is_estimated_and_that_is_said() {
    let players = ["anna", "bela"].map(|name| Player::named(name.to_owned())).to_vec();
    let game = |id, gold| Game::rated(id, 0, gold, 1 - gold, Outcome::Gold);
    let mut pool = Pool { players, games: vec![game(0, 0), game(1, 1)], ..Pool::default() };
    let alone = by(&pool, "bradley-terry prior=0.5 advantage=on");
    assert!(alone.advantage.is_none() && alone.notes.iter().any(|note| note.contains("no advantage")));
    assert!(alone.fit.is_some_and(|fit| fit.converged));
    pool.games.push(Game::rated(2, 0, 0, 1, Outcome::Silver));
    assert!(by(&pool, "bradley-terry prior=0.5 advantage=on").advantage.is_some());
}
