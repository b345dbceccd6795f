//! Incremental systems: Elo, Glicko-2, the gameroom's formula, and the constant. Each predicts a game before it learns
//! the result.

use crate::elo::EloFold;
use crate::game::{Player, PlayerIndex};
use crate::gameroom::GameroomFold;
use crate::glicko2::Glicko2Fold;
use crate::rated::{Comparison, Now, Point, Ratings};
use crate::selection::{Chosen, RatedGame};
use crate::system::System;

/// A fold over games in order of time.
pub(crate) trait Online {
    /// Gold's expected share of points in a game that begins now.
    fn forecast(&mut self, game: &RatedGame) -> f64;

    fn learn(&mut self, game: &RatedGame);

    /// Applies what is pending, as of a time.
    fn finish(&mut self, _as_of: Option<i64>) {}

    /// Also shown games that do not count.
    fn wants_unrated(&self) -> bool {
        false
    }

    fn now(&self, player: PlayerIndex) -> Now;

    /// Can be taken once.
    fn take_courses(&mut self) -> Vec<Vec<Point>>;

    /// Recorded ratings compared.
    fn record(&self) -> Comparison {
        Comparison::default()
    }
}

/// None if the system is not incremental.
pub(crate) fn fold_of(system: &System, players: &[Player]) -> Option<Box<dyn Online>> {
    match system {
        System::Constant => Some(Box::new(ConstantFold::new(players.len()))),
        System::Gameroom(options) => Some(Box::new(GameroomFold::new(options, players))),
        System::Elo(options) => Some(Box::new(EloFold::new(options, players))),
        System::Glicko2(options) => Some(Box::new(Glicko2Fold::new(options, players))),
        System::Whr(_) | System::BradleyTerry(_) => None,
    }
}

pub(crate) fn rate_by(system: &System, mut fold: Box<dyn Online>, chosen: &Chosen) -> Ratings {
    for game in &chosen.games {
        if game.counts || fold.wants_unrated() {
            fold.learn(game);
        }
    }
    fold.finish(chosen.as_of);
    let courses = fold.take_courses();
    let mut ratings = Ratings::gather(system.to_string(), chosen, |player| fold.now(player), courses);
    ratings.record = fold.record();
    ratings
}

/// Gold's share of points, with one win and one loss added, so that it is never 0 or 1.
struct ConstantFold {
    games: f64,
    points: f64,
    courses: Vec<Vec<Point>>,
}

impl ConstantFold {
    fn new(players: usize) -> ConstantFold {
        ConstantFold { games: 2.0, points: 1.0, courses: vec![Vec::new(); players] }
    }
}

impl Online for ConstantFold {
    fn forecast(&mut self, _bout: &RatedGame) -> f64 {
        self.points / self.games
    }

    fn learn(&mut self, game: &RatedGame) {
        self.games += 1.0;
        self.points += game.points;
        for who in [game.gold, game.silver] {
            let at = game.timed.then_some(game.at);
            self.courses[who].push(Point { game: game.id, at, rating: 1500.0, error: None });
        }
    }

    fn now(&self, _player: PlayerIndex) -> Now {
        (1500.0, None, None)
    }

    fn take_courses(&mut self) -> Vec<Vec<Point>> {
        std::mem::take(&mut self.courses)
    }
}
