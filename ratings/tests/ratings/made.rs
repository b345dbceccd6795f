//! Games that anybody can make again: a linear congruential generator s ← (1103515245·s + 12345) mod 2³¹ from 20080930, of which
//! s / 65536 is used. For each game in turn: Gold; Silver among the others; days since the last game; and whether Gold wins, of a hundred
//! cases 50 and 8 more for each place by which Gold's number is smaller.

use std::fmt::Write as _;

use annals_ratings::{DAY, Game, Outcome, Player, Pool};

/// Games in the order of time.
pub fn made(players: u64, games: u64, days: u64) -> Pool {
    let mut state = 20_080_930u64;
    let mut next = || {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        state >> 16
    };
    let mut day = 0;
    let mut pool =
        Pool { players: (0..players).map(|n| Player::named(n.to_string())).collect(), ..Pool::default() };
    for id in 0..games {
        let gold = next() % players;
        let silver = (gold + 1 + next() % (players - 1)) % players;
        day += next() % days;
        let wins = (next() % 100) as i64;
        let outcome =
            if wins < 50 + 8 * (silver as i64 - gold as i64) { Outcome::Gold } else { Outcome::Silver };
        pool.games.push(Game::rated(id, day as i64 * DAY, gold as usize, silver as usize, outcome));
    }
    pool
}

/// The games as the other implementations read them.
pub fn lines(pool: &Pool) -> String {
    let mut lines = String::new();
    for game in &pool.games {
        let result = match game.outcome {
            Some(Outcome::Gold) => "g",
            Some(Outcome::Silver) => "s",
            _ => "d",
        };
        let _ = writeln!(lines, "{} {} {result} {}", game.gold, game.silver, game.at.unwrap_or(0) / DAY);
    }
    lines
}
