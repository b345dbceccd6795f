//! What the systems share that take one game after the other: Elo, Glicko-2, the gameroom's formula, and the constant that
//! knows no players. Each can be asked what it expects of a game before it is told how the game ended.

use crate::game::PlayerIndex;
use crate::rated::{Comparison, Now, Point};
use crate::selection::RatedGame;

/// A fold over games in the order of time.
pub(crate) trait Online {
    /// What Gold may expect of a game that begins now: the share of points, by what was learnt so far.
    fn forecast(&mut self, game: &RatedGame) -> f64;

    /// Takes in how a game ended.
    fn learn(&mut self, game: &RatedGame);

    /// Takes in what waits, as of a moment.
    fn finish(&mut self, _as_of: Option<i64>) {}

    /// Whether games that do not count are to be shown as well.
    fn wants_unrated(&self) -> bool {
        false
    }

    /// A player's rating.
    fn now(&self, player: PlayerIndex) -> Now;

    /// The courses of all players; they can be taken once.
    fn take_courses(&mut self) -> Vec<Vec<Point>>;

    /// Statements of the record beside the ratings.
    fn record(&self) -> Comparison {
        Comparison::default()
    }
}
