//! Glicko-2 by rating periods: games of a period count together, by the ratings at its beginning. The library computes
//! a period; this module assigns games and grows the deviation over idle periods. Periods count from the epoch,
//! independent of the chosen games.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2_rating_period};

use crate::fixed::fixed_for;
use crate::game::{Player, PlayerIndex};
use crate::online::Online;
use crate::rated::{Now, Point};
use crate::selection::RatedGame;
use crate::system::Glicko2;

/// Rating points per internal unit.
const SCALE: f64 = 173.7178;

pub(crate) struct Glicko2Fold {
    options: Glicko2,
    /// Each at the beginning of its period in `since`.
    ratings: Vec<Glicko2Rating>,
    since: Vec<i64>,
    held: Vec<bool>,
    /// The present period with its games.
    period: Option<i64>,
    waiting: Vec<RatedGame>,
    courses: Vec<Vec<Point>>,
}

impl Glicko2Fold {
    pub(crate) fn new(options: &Glicko2, players: &[Player]) -> Glicko2Fold {
        let [rating, deviation, volatility] = options.start;
        let held: Vec<Option<f64>> =
            players.iter().map(|player| fixed_for(&options.fixed, player)?.rating).collect();
        let begin = |held: &Option<f64>| match held {
            Some(rating) => Glicko2Rating { rating: *rating, deviation: 0.0, volatility },
            None => Glicko2Rating { rating, deviation, volatility },
        };
        Glicko2Fold {
            options: options.clone(),
            ratings: held.iter().map(begin).collect(),
            since: vec![i64::MIN; players.len()],
            held: held.iter().map(Option::is_some).collect(),
            period: None,
            waiting: Vec::new(),
            courses: vec![Vec::new(); players.len()],
        }
    }

    /// At the beginning of a period: the deviation grows with idle periods, up to a newcomer's.
    fn at(&self, player: PlayerIndex, period: i64) -> Glicko2Rating {
        let rating = self.ratings[player];
        let since = self.since[player];
        if self.held[player] || since == i64::MIN || period <= since {
            return rating;
        }
        let periods = period.saturating_sub(since) as f64;
        let grown = rating.deviation.hypot(rating.volatility * SCALE * periods.sqrt());
        Glicko2Rating { deviation: grown.min(self.options.start[1].max(rating.deviation)), ..rating }
    }

    /// Ends the present period if another has begun.
    fn reach(&mut self, at: i64) {
        let now = at.div_euclid(self.options.period);
        if self.period.is_some_and(|period| period < now) {
            self.end_period();
        }
        self.period = self.period.max(Some(now));
    }

    fn end_period(&mut self) {
        let Some(period) = self.period else { return };
        let waiting = std::mem::take(&mut self.waiting);
        let mut results: Vec<(PlayerIndex, usize, f64)> = Vec::with_capacity(2 * waiting.len());
        for (place, game) in waiting.iter().enumerate() {
            results.push((game.gold, place, game.points));
            results.push((game.silver, place, 1.0 - game.points));
        }
        results.sort_by_key(|(player, place, _)| (*player, *place));
        let config = Glicko2Config { tau: self.options.tau, convergence_tolerance: 1e-6 };
        let mut after: Vec<(PlayerIndex, Glicko2Rating, usize)> = Vec::new();
        for games in results.chunk_by(|a, b| a.0 == b.0) {
            let Some((player, last, _)) = games.last().copied() else { continue };
            let own = self.at(player, period);
            let met: Vec<(Glicko2Rating, Outcomes)> = games
                .iter()
                .map(|(_, place, points)| {
                    let game = &waiting[*place];
                    let gold = game.gold == player;
                    let opponent = self.at(if gold { game.silver } else { game.gold }, period);
                    // Gold's advantage is a weaker opponent.
                    let shift = if gold { -self.options.advantage } else { self.options.advantage };
                    let result = match *points {
                        1.0 => Outcomes::WIN,
                        0.0 => Outcomes::LOSS,
                        _ => Outcomes::DRAW,
                    };
                    (Glicko2Rating { rating: opponent.rating + shift, ..opponent }, result)
                })
                .collect();
            let new = if self.held[player] { own } else { glicko2_rating_period(&own, &met, &config) };
            // Differences of thousands of points divide by zero; then nothing is learned.
            let sound = new.rating.is_finite() && new.deviation.is_finite() && new.volatility.is_finite();
            after.push((player, if sound { new } else { own }, last));
        }
        for (player, rating, last) in after {
            self.ratings[player] = rating;
            // The formulas of a period include its growth.
            self.since[player] = period + 1;
            let game = &waiting[last];
            self.courses[player].push(Point {
                game: game.id,
                at: game.timed.then_some(game.at),
                rating: rating.rating,
                error: Some(rating.deviation),
            });
        }
    }

    fn running(&self) -> i64 {
        self.period.unwrap_or(i64::MIN)
    }
}

impl Online for Glicko2Fold {
    fn forecast(&mut self, game: &RatedGame) -> f64 {
        self.reach(game.began);
        let gold = self.at(game.gold, self.running());
        let gold = Glicko2Rating { rating: gold.rating + self.options.advantage, ..gold };
        expected_score(&gold, &self.at(game.silver, self.running())).0
    }

    fn learn(&mut self, game: &RatedGame) {
        self.reach(game.at);
        self.waiting.push(game.clone());
    }

    fn finish(&mut self, as_of: Option<i64>) {
        if let Some(as_of) = as_of {
            self.reach(as_of);
        }
        self.end_period();
    }

    fn now(&self, player: PlayerIndex) -> Now {
        let rating = self.at(player, self.running());
        (rating.rating, Some(rating.deviation), None)
    }

    fn take_courses(&mut self) -> Vec<Vec<Point>> {
        std::mem::take(&mut self.courses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::System;

    fn fold(text: &str, players: usize) -> Glicko2Fold {
        let Ok(System::Glicko2(options)) = text.parse::<System>() else { panic!("{text}") };
        let players: Vec<Player> = (0..players).map(|n| Player::named(n.to_string())).collect();
        Glicko2Fold::new(&options, &players)
    }

    fn game(id: u64, at: i64, players: [PlayerIndex; 2], points: f64) -> RatedGame {
        let [gold, silver] = players;
        RatedGame {
            id,
            began: at,
            at,
            timed: true,
            known: Some(at),
            gold,
            silver,
            accounts: players,
            points,
            counts: true,
            stated: [None; 2],
        }
    }

    #[test]
    fn the_published_example_comes_out() {
        let mut fold = fold("glicko2 tau=0.5 period=30d", 4);
        let given = [(1500.0, 200.0), (1400.0, 30.0), (1550.0, 100.0), (1700.0, 300.0)];
        for (rating, (points, deviation)) in fold.ratings.iter_mut().zip(given) {
            *rating = Glicko2Rating { rating: points, deviation, volatility: 0.06 };
        }
        for (id, points) in [(1, 1.0), (2, 0.0), (3, 0.0)] {
            fold.learn(&game(id as u64, 5, [0, id], points));
        }
        fold.finish(None);
        let new = fold.ratings[0];
        assert!((new.rating - 1464.06).abs() < 0.01, "{new:?}");
        assert!((new.deviation - 151.52).abs() < 0.01, "{new:?}");
        assert!((new.volatility - 0.05999).abs() < 0.00001, "{new:?}");
        assert_eq!(fold.courses[0].len(), 1, "one point for the period");
    }

    #[test]
    fn a_period_without_games_widens_the_deviation_and_no_further_than_a_newcomers() {
        let day = crate::game::DAY;
        let mut fold = fold("glicko2 period=1d", 2);
        fold.learn(&game(1, 10, [0, 1], 1.0));
        let before = fold.forecast(&game(2, day, [0, 1], 1.0));
        assert!(before > 0.5);
        let narrow = fold.at(0, 1).deviation;
        let later = fold.at(0, 101).deviation;
        assert!((later - narrow.hypot(0.06 * SCALE * 10.0)).abs() < 0.1, "{narrow} {later}");
        assert_eq!(fold.at(0, 10_000_000).deviation, 350.0);
        fold.finish(Some(100_000_000 * day));
        assert_eq!(fold.now(1).1, Some(350.0));
    }

    #[test]
    fn opponents_worlds_apart_leave_finite_ratings() {
        let mut fold = fold("glicko2 fixed=1@100000", 2);
        for id in 0..50 {
            fold.learn(&game(id, 10, [0, 1], 1.0));
        }
        fold.finish(None);
        assert!(fold.now(0).0.is_finite() && fold.now(0).1.is_some_and(f64::is_finite));
        assert_eq!(fold.now(1), (100_000.0, Some(0.0), None));
    }
}
