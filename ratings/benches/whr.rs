//! Whole-history rating: how long it takes until no rating moves by more than a millionth of a point, beside the two
//! implementations from PyPI on the same games (they make a fixed number of passes over everybody), and beside a bare pass over the
//! games, which no method can do without. Run by hand; without the Pythons it measures ours and the floor alone.

use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use annals_ratings::{Chosen, DAY, Game, GameSelection, Outcome, Player, Pool, rate_chosen};

/// Passes that the others make: after them their ratings still move by about a hundredth of a point.
const PASSES: &str = "50";

/// Games like a gameroom's: ten years, some players with many games, most with few.
fn games(count: u64) -> Pool {
    let players = count / 40;
    let mut state = 88_172_645_463_325_252u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % below
    };
    let mut pool =
        Pool { players: (0..players).map(|n| Player::named(n.to_string())).collect(), ..Pool::default() };
    for id in 0..count {
        // The smaller the number the more often it plays: the product of two even numbers lies near nothing.
        let mut one = || next(players) * (next(players) + 1) / players;
        let (gold, mut silver) = (one(), one());
        if silver == gold {
            silver = (gold + 1) % players;
        }
        let day = id * 3_650 / count;
        let strength = |player: u64| (player * 7_919 % 1_000) as f64 / 200.0;
        let chance = 1.0 / (1.0 + (strength(silver) - strength(gold)).exp());
        let outcome = if (next(10_000) as f64) < chance * 10_000.0 { Outcome::Gold } else { Outcome::Silver };
        pool.games.push(Game::rated(id, day as i64 * DAY, gold as usize, silver as usize, outcome));
    }
    pool
}

/// Seconds that another implementation takes, in its own words.
fn peer(system: &str, lines: &str) -> Option<f64> {
    let python = std::env::var_os("ANNALS_RATING_PEERS")?;
    if system == "compiled" {
        std::env::var_os("ANNALS_RATING_COMPILED")?;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ratings/peers.py");
    let mut child = Command::new(python)
        .args([script, system, "14", "2", PASSES])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(lines.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    String::from_utf8_lossy(&output.stderr).lines().last()?.trim().parse().ok()
}

fn main() {
    for (count, others) in [(20_000u64, &["pure", "compiled"][..]), (400_000, &["compiled"])] {
        let pool = games(count);
        let begun = Instant::now();
        let sum: f64 = black_box(&pool.games)
            .iter()
            .map(|game| 1.0 / (1.0 + (game.gold as f64 - game.silver as f64).exp()))
            .sum();
        black_box(sum);
        let floor = begun.elapsed().as_secs_f64();
        let chosen = Chosen::of(&pool, &GameSelection::default()).expect("there are games");
        let system = "whr w2=14 prior=2".parse().expect("a system");
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let begun = Instant::now();
            let ratings = rate_chosen(&chosen, &system).expect("ratings");
            best = best.min(begun.elapsed().as_secs_f64());
            if best.is_finite()
                && let Some(fit) = ratings.fit
            {
                println!("{count} games: {:.3} s, {fit:?}", begun.elapsed().as_secs_f64());
            }
        }
        println!("{count} games: ours {best:.3} s (best of 3), a bare pass {:.4} s", floor);
        let lines: String = pool
            .games
            .iter()
            .map(|game| {
                let result = if game.outcome == Some(Outcome::Gold) { "g" } else { "s" };
                format!("{} {} {result} {}\n", game.gold, game.silver, game.at.unwrap_or(0) / DAY)
            })
            .collect();
        for other in others {
            match peer(other, &lines) {
                Some(seconds) => {
                    println!("{count} games: {other} {seconds:.2} s, {:.1} times ours", seconds / best)
                }
                None => println!(
                    "{count} games: {other} not measured; see tests/ratings/peers.rs for the variables"
                ),
            }
        }
    }
}
