//! Elo's system with one K: what one gains the other loses.

use crate::fixed::fixed_for;
use crate::game::{Player, PlayerIndex};
use crate::online::Online;
use crate::rated::{Now, POINTS_PER_NAT, Point};
use crate::selection::RatedGame;
use crate::system::Elo;

/// By the difference in points.
pub(crate) fn expected(points: f64) -> f64 {
    1.0 / (1.0 + (-points / POINTS_PER_NAT).exp())
}

pub(crate) struct EloFold {
    k: f64,
    advantage: f64,
    ratings: Vec<f64>,
    held: Vec<bool>,
    courses: Vec<Vec<Point>>,
}

impl EloFold {
    pub(crate) fn new(options: &Elo, players: &[Player]) -> EloFold {
        let held: Vec<Option<f64>> =
            players.iter().map(|player| fixed_for(&options.fixed, player)?.rating).collect();
        EloFold {
            k: options.k,
            advantage: options.advantage,
            ratings: held.iter().map(|held| held.unwrap_or(options.start)).collect(),
            held: held.iter().map(Option::is_some).collect(),
            courses: vec![Vec::new(); players.len()],
        }
    }
}

impl Online for EloFold {
    fn forecast(&mut self, game: &RatedGame) -> f64 {
        expected(self.ratings[game.gold] + self.advantage - self.ratings[game.silver])
    }

    fn learn(&mut self, game: &RatedGame) {
        let change = self.k * (game.points - self.forecast(game));
        for (who, change) in [(game.gold, change), (game.silver, -change)] {
            if !self.held[who] {
                self.ratings[who] += change;
            }
            let at = game.timed.then_some(game.at);
            self.courses[who].push(Point { game: game.id, at, rating: self.ratings[who], error: None });
        }
    }

    fn now(&self, player: PlayerIndex) -> Now {
        (self.ratings[player], self.held[player].then_some(0.0), None)
    }

    fn take_courses(&mut self) -> Vec<Vec<Point>> {
        std::mem::take(&mut self.courses)
    }
}
