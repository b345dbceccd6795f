//! Whole-history rating and Bradley–Terry found again without derivatives: on a few games the posterior is written down from its
//! definition and climbed coordinate by coordinate.

use annals_ratings::{DAY, Game, GameSelection, Outcome, POINTS_PER_NAT, Player, Pool, rate};

/// The log-posterior of strengths, one for each day of each of two players who met so.
type Posterior<'p> = &'p dyn Fn(&[f64]) -> f64;

/// The top of a concave function, by golden sections along each coordinate in turn.
fn top(posterior: Posterior<'_>, dimensions: usize) -> Vec<f64> {
    let mut at = vec![0.0; dimensions];
    let share = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..4_000 {
        for coordinate in 0..dimensions {
            let value = |x: f64| {
                let mut moved = at.clone();
                moved[coordinate] = x;
                posterior(&moved)
            };
            let (mut low, mut high) = (at[coordinate] - 4.0, at[coordinate] + 4.0);
            for _ in 0..60 {
                let (a, b) = (high - share * (high - low), low + share * (high - low));
                if value(a) < value(b) { low = a } else { high = b }
            }
            at[coordinate] = f64::midpoint(low, high);
        }
    }
    at
}

fn log_chance(difference: f64) -> f64 {
    -(-difference).exp().ln_1p()
}

#[test]
fn whole_history_rating_is_the_top_of_the_posterior_by_its_definition() {
    // Anna on days 0, 10 and 30; Bela on days 0 and 30, Cara on day 10.
    let game = |id, day: i64, gold, silver, outcome| Game::rated(id, day * DAY, gold, silver, outcome);
    let pool = Pool {
        players: ["anna", "bela", "cara"].map(Player::named).to_vec(),
        games: vec![
            game(1, 0, 0, 1, Outcome::Gold),
            game(2, 0, 1, 0, Outcome::Draw),
            game(3, 10, 0, 2, Outcome::Silver),
            game(4, 30, 1, 0, Outcome::Gold),
            game(5, 30, 0, 1, Outcome::Gold),
            game(6, 30, 1, 0, Outcome::Gold),
        ],
        belongs: Vec::new(),
    };
    let (w2, prior) = (500.0 / (POINTS_PER_NAT * POINTS_PER_NAT), 1.5);
    let posterior = |x: &[f64]| {
        let [a0, a10, a30, b0, b30, c10] = *x else { panic!("six strengths") };
        let won = |winner: f64, loser: f64| log_chance(winner - loser);
        let drawn = |x: f64, y: f64| 0.5 * (won(x, y) + won(y, x));
        let wander = |from: f64, to: f64, days: f64| -(to - from) * (to - from) / (2.0 * w2 * days);
        won(a0, b0)
            + drawn(a0, b0)
            + won(c10, a10)
            + 2.0 * won(b30, a30)
            + won(a30, b30)
            + prior * (drawn(a0, 0.0) + drawn(b0, 0.0) + drawn(c10, 0.0))
            + wander(a0, a10, 10.0)
            + wander(a10, a30, 20.0)
            + wander(b0, b30, 30.0)
    };
    let found = top(&posterior, 6);
    let ratings =
        rate(&pool, &GameSelection::default(), &"whr w2=500 prior=1.5 anchor=0".parse().unwrap()).unwrap();
    let course = |player: usize| {
        let rated = ratings.players.iter().find(|rated| rated.player == player).unwrap();
        rated.course.iter().map(|point| point.rating).collect::<Vec<_>>()
    };
    let ours: Vec<f64> = (0..3).flat_map(course).collect();
    for (ours, theirs) in ours.iter().zip(&found) {
        assert!((ours - theirs * POINTS_PER_NAT).abs() < 1e-3, "{ours} {}", theirs * POINTS_PER_NAT);
    }
    assert_eq!(ours.len(), 6);
}

#[test]
fn an_estimated_advantage_and_its_error_are_those_of_the_likelihood() {
    // Two players of whom Gold wins 3 of 4 whoever has it: the strengths are equal, and the advantage is ln 3.
    let outcomes = [Outcome::Gold, Outcome::Gold, Outcome::Gold, Outcome::Silver];
    let games: Vec<Game> = (0..80u64)
        .map(|n| {
            let gold = (n % 2) as usize;
            Game::rated(n, n as i64, gold, 1 - gold, outcomes[(n / 2 % 4) as usize])
        })
        .collect();
    let pool = Pool { players: ["a", "b"].map(Player::named).to_vec(), games, belongs: Vec::new() };
    let ratings =
        rate(&pool, &GameSelection::default(), &"bradley-terry prior=0 advantage=on".parse().unwrap())
            .unwrap();
    let advantage = ratings.advantage.unwrap();
    assert!((advantage.value - 3f64.ln() * POINTS_PER_NAT).abs() < 1e-6, "{advantage:?}");
    // The curvature is 80 · 3/4 · 1/4; the strengths do not take part, for each is Gold as often.
    assert!((advantage.error - POINTS_PER_NAT / 15f64.sqrt()).abs() < 1e-6, "{advantage:?}");
    // From their mean each is known half as badly as their difference: sqrt(1/15) / 2.
    let error = ratings.players[0].error.unwrap();
    assert!((error - POINTS_PER_NAT / 15f64.sqrt() / 2.0).abs() < 1e-6, "{error}");
    let history =
        rate(&pool, &GameSelection::default(), &"whr prior=0.001 advantage=on".parse().unwrap()).unwrap();
    assert!((history.advantage.unwrap().value - advantage.value).abs() < 0.1);
}
