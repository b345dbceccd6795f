//! Rating systems over any set of games: ratings with errors of estimation from results, and a comparison by prediction.
//! No file and no SQL.
//!
//! A [`Pool`] has players, games and identities; a [`GameSelection`] selects among them, as of a time; a [`System`] is
//! parsed from a text such as `whr w2=14`. [`rate`] combines the three:
//!
//! ```
//! use annals_ratings::{Game, GameSelection, Outcome, Player, Pool, rate};
//!
//! let pool = Pool {
//!     players: vec![Player::named("anna"), Player::named("bela")],
//!     games: vec![Game::rated(1, 0, 0, 1, Outcome::Gold)],
//!     belongs: Vec::new(),
//! };
//! let ratings = rate(&pool, &GameSelection::default(), &"elo k=20".parse()?)?;
//! assert_eq!(ratings.players[0].name, "anna");
//! assert_eq!(ratings.players[0].rating, 1510.0);
//! # Ok::<(), annals_ratings::RatingsError>(())
//! ```
//!
//! [`compare`] compares systems, [`mismatches`] checks recorded ratings against the gameroom's formula, [`history`]
//! explains a player's ratings across rulings and merges.

mod calibration;
mod compare;
mod elo;
mod error;
mod fixed;
mod game;
mod gameroom;
mod glicko2;
mod history;
mod knowledge;
mod left_out;
mod mismatches;
mod network;
mod online;
mod online_fold;
mod predict;
mod rated;
mod selection;
mod several_comparisons;
mod system;
mod unbounded;
mod whr;
mod wilson;

pub use calibration::calibration_error;
pub use compare::{Bin, Compared, Judged, Mean, Terms, compare};
pub use error::RatingsError;
pub use fixed::Fixed;
pub use game::{Belongs, DAY, Game, Outcome, Player, PlayerIndex, Pool, RatedChange, Stated};
pub use history::{Rulings, history};
pub use left_out::LeftOut;
pub use mismatches::{Found, Mismatch, Mismatches, mismatches, mismatches_among};
pub use rated::{Comparison, Estimate, Fit, INTERVAL, POINTS_PER_NAT, Point, Rated, Ratings};
pub use selection::{Chosen, GameSelection, RatedGame, UNKNOWN_END};
pub use system::{Advantage, BradleyTerry, Effort, Elo, Gameroom, Glicko2, Start, System, Whr, duration};
pub use wilson::wilson;

/// # Errors
/// If there is nothing to rate, a player is alone, or Bradley–Terry without a prior has no finite answer.
pub fn rate(pool: &Pool, choice: &GameSelection, system: &System) -> Result<Ratings, RatingsError> {
    rate_chosen(&Chosen::of(pool, choice)?, system)
}

/// Rates chosen games.
///
/// # Errors
/// If Bradley–Terry without a prior has no finite answer.
pub fn rate_chosen(chosen: &Chosen, system: &System) -> Result<Ratings, RatingsError> {
    match (online_fold::fold_of(system, &chosen.players), whr::Model::of(system)) {
        (None, Some(model)) => model.rate(system, chosen),
        (Some(fold), _) => Ok(online_fold::rate_by(system, fold, chosen)),
        (None, None) => Err(RatingsError::UnknownSystem { found: system.to_string() }),
    }
}
