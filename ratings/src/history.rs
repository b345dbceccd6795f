//! A player's ratings over time, with rulings and merges applied from the start (as known today) or from their dates
//! (as known at each time).

use crate::error::RatingsError;
use crate::game::{PlayerIndex, Pool};
use crate::rate;
use crate::rated::Point;
use crate::selection::GameSelection;
use crate::system::System;

/// When rulings and merges apply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rulings {
    /// From the start: as known at the choice's time.
    #[default]
    FromStart,
    /// From their date: as known at each time.
    FromDate,
}

/// # Errors
/// As [`rate`]; never `NoSuchPlayer`: a player without games has an empty history.
pub fn history(
    pool: &Pool,
    choice: &GameSelection,
    system: &System,
    player: PlayerIndex,
    rulings: Rulings,
) -> Result<Vec<Point>, RatingsError> {
    let course = |as_of: Option<i64>| -> Result<Vec<Point>, RatingsError> {
        let choice = GameSelection { as_of, ..choice.clone() };
        let person = pool.persons(as_of).get(player).copied();
        let ratings = rate(pool, &choice, system)?;
        Ok(ratings
            .players
            .into_iter()
            .find(|rated| Some(rated.player) == person)
            .map_or(Vec::new(), |r| r.course))
    };
    let whole = course(choice.as_of)?;
    if rulings == Rulings::FromStart {
        return Ok(whole);
    }
    let mut points = Vec::new();
    let mut from = i64::MIN;
    for change in changes(pool, choice.as_of) {
        // The record just before the change; empty if nothing was rated yet.
        let before = match course(Some(change - 1)) {
            Ok(before) => before,
            Err(RatingsError::Empty(_) | RatingsError::OnePlayer { .. }) => Vec::new(),
            Err(error) => return Err(error),
        };
        points.extend(before.into_iter().filter(|point| point.at.unwrap_or(i64::MIN) >= from));
        from = change;
    }
    points.extend(whole.into_iter().filter(|point| point.at.unwrap_or(i64::MIN) >= from));
    Ok(points)
}

/// The times at which counting games or identities changed, in order.
pub(crate) fn changes(pool: &Pool, as_of: Option<i64>) -> Vec<i64> {
    let rulings = pool.games.iter().flat_map(|game| &game.rated_changes).map(|change| change.at);
    let merges = pool.belongs.iter().map(|belongs| belongs.at);
    let mut changes: Vec<i64> =
        rulings.chain(merges).filter(|at| *at > i64::MIN && as_of.is_none_or(|as_of| *at <= as_of)).collect();
    changes.sort_unstable();
    changes.dedup();
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Belongs, Game, Outcome, Player, RatedChange};

    fn ratings(points: &[Point]) -> Vec<(u64, f64)> {
        points.iter().map(|point| (point.game, point.rating.round())).collect()
    }

    #[test]
    fn a_ruling_is_in_the_history_from_its_date_or_from_the_start() {
        let mut games: Vec<Game> =
            (1..=3).map(|n| Game::rated(n, n as i64 * 100, 0, 1, Outcome::Gold)).collect();
        games[0].rated_changes = vec![RatedChange { at: 250, rated: false }];
        let pool = Pool { players: ["a", "b"].map(Player::named).to_vec(), games, belongs: Vec::new() };
        let elo: System = "elo k=20".parse().unwrap();
        let told = |rulings| ratings(&history(&pool, &GameSelection::default(), &elo, 0, rulings).unwrap());
        assert_eq!(told(Rulings::FromStart), [(2, 1510.0), (3, 1519.0)]);
        assert_eq!(told(Rulings::FromDate), [(1, 1510.0), (2, 1519.0), (3, 1519.0)]);
        let before = GameSelection { as_of: Some(249), ..GameSelection::default() };
        let then = history(&pool, &before, &elo, 0, Rulings::FromStart).unwrap();
        assert_eq!(ratings(&then), [(1, 1510.0), (2, 1519.0)]);
    }

    #[test]
    fn a_merge_brings_the_games_of_the_other_from_its_date_or_from_the_start() {
        let games = vec![
            Game::rated(1, 100, 0, 1, Outcome::Gold),
            Game::rated(2, 200, 2, 1, Outcome::Gold),
            Game::rated(3, 300, 0, 1, Outcome::Gold),
        ];
        let players = ["a", "b", "a2"].map(Player::named).to_vec();
        let pool = Pool { players, games, belongs: vec![Belongs { at: 250, player: 2, person: 0 }] };
        let elo: System = "elo k=20".parse().unwrap();
        let told = |player, rulings| {
            let points = history(&pool, &GameSelection::default(), &elo, player, rulings).unwrap();
            points.iter().map(|point| point.game).collect::<Vec<_>>()
        };
        assert_eq!(told(0, Rulings::FromStart), [1, 2, 3]);
        assert_eq!(told(2, Rulings::FromStart), [1, 2, 3], "the other means the same person");
        assert_eq!(told(0, Rulings::FromDate), [1, 3]);
        assert_eq!(told(2, Rulings::FromDate), [2, 3]);
    }
}
