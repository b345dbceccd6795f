//! Our ratings beside those of implementations from PyPI on the same games. `ANNALS_RATING_PEERS` names a Python that has
//! `whole-history-rating` and `choix`; `ANNALS_RATING_COMPILED` the folder into which `pip install --target` put `whr`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use annals_ratings::{GameSelection, Outcome, Pool, Ratings, rate};

use super::made::{lines, made};

/// What another implementation makes of games: player, day, rating, error.
fn peer(system: &str, w2: f64, prior: f64, pool: &Pool) -> Option<Vec<(usize, i64, f64, f64)>> {
    let Some(python) = std::env::var_os("ANNALS_RATING_PEERS") else {
        eprintln!("skipped: ANNALS_RATING_PEERS names no Python with whole-history-rating and choix");
        return None;
    };
    if system == "compiled" && std::env::var_os("ANNALS_RATING_COMPILED").is_none() {
        eprintln!("skipped: ANNALS_RATING_COMPILED names no folder with whr");
        return None;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ratings/peers.py");
    let mut child = Command::new(python)
        .args([script, system, &w2.to_string(), &prior.to_string(), "400"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines(pool).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{system} failed");
    let line = |line: &str| {
        let mut words = line.split(' ');
        let mut next = || words.next().unwrap();
        (next().parse().unwrap(), next().parse().unwrap(), next().parse().unwrap(), next().parse().unwrap())
    };
    Some(String::from_utf8(output.stdout).unwrap().lines().map(line).collect())
}

/// Ours at a player's day: days are the midnights of the made games.
fn ours(ratings: &Ratings, player: usize, day: i64) -> (f64, f64) {
    let rated = ratings.players.iter().find(|rated| rated.player == player).unwrap();
    let at = Some(day * annals_ratings::DAY);
    let point = rated.course.iter().find(|point| point.at == at).unwrap();
    (point.rating, point.error.unwrap())
}

#[test]
fn whole_history_ratings_are_those_of_the_pure_python_implementation() {
    let pool = made(12, 400, 6);
    for (w2, prior) in [(14.0, 2.0), (300.0, 1.0)] {
        let Some(peer) = peer("pure", w2, prior, &pool) else { return };
        let system = format!("whr w2={w2} prior={prior} anchor=0").parse().unwrap();
        let ratings = rate(&pool, &GameSelection::default(), &system).unwrap();
        assert_eq!(ratings.players.iter().map(|p| p.course.len()).sum::<usize>(), peer.len());
        for (player, day, rating, error) in peer {
            let (our_rating, our_error) = ours(&ratings, player, day);
            assert!((our_rating - rating).abs() < 1e-3, "{player} {day}: {our_rating} {rating}");
            assert!((our_error - error).abs() < 1e-3, "{player} {day}: {our_error} {error}");
        }
    }
}

#[test]
fn whole_history_ratings_are_those_of_the_compiled_implementation() {
    let pool = made(12, 400, 6);
    let Some(peer) = peer("compiled", 14.0, 2.0, &pool) else { return };
    let ratings = rate(&pool, &GameSelection::default(), &"whr anchor=0".parse().unwrap()).unwrap();
    for (player, day, rating, error) in peer {
        let (our_rating, our_error) = ours(&ratings, player, day);
        assert!((our_rating - rating).abs() < 1e-2, "{player} {day}: {our_rating} {rating}");
        // Its curvature has a damping of 0.001 in it.
        assert!((our_error - error).abs() < 0.01 * error, "{player} {day}: {our_error} {error}");
    }
}

#[test]
fn bradley_terry_is_that_of_choix_with_draws_as_two_halves() {
    let mut pool = made(12, 400, 6);
    pool.games.iter_mut().step_by(9).for_each(|game| game.outcome = Some(Outcome::Draw));
    let Some(peer) = peer("choix", 0.0, 0.0, &pool) else { return };
    let system = "bradley-terry prior=0 anchor=0".parse().unwrap();
    let ratings = rate(&pool, &GameSelection::default(), &system).unwrap();
    assert_eq!(peer.len(), ratings.players.len());
    for (player, _, rating, _) in peer {
        let found = ratings.players.iter().find(|rated| rated.player == player).unwrap().rating;
        assert!((found - rating).abs() < 1e-3, "{player}: {found} {rating}");
    }
}
