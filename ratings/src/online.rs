//! Incremental systems: Elo, Glicko-2, the gameroom's formula, and the constant. Each predicts a game before it learns
//! the result.

use crate::game::PlayerIndex;
use crate::rated::{Comparison, Now, Point};
use crate::selection::RatedGame;

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
