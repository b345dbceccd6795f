//! The online fold of a system, and the ratings that it gives.

use crate::elo::EloFold;
use crate::game::{Player, PlayerIndex};
use crate::gameroom::GameroomFold;
use crate::glicko2::Glicko2Fold;
use crate::online::Online;
use crate::rated::{Now, Point, Ratings};
use crate::selection::{Chosen, RatedGame};
use crate::system::System;

/// The fold of a system; none where it is no fold.
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

/// The share of points that Gold has had, with one game won and one lost added, so that it is never 0 or 1.
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
