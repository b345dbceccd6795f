//! Input of ratings as plain values: players, games, identities, rulings. Independent of datasets and logs.

use annals_events::PlayerKind;
use annals_rules::rating::Rating;

/// Index in [`Pool::players`].
pub type PlayerIndex = usize;

/// In microseconds.
pub const DAY: i64 = 86_400_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Gold,
    Silver,
    Draw,
}

impl Outcome {
    /// 1, 1/2 or 0.
    #[must_use]
    pub const fn gold_points(self) -> f64 {
        match self {
            Outcome::Gold => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Silver => 0.0,
        }
    }
}

/// By display name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub name: String,
    /// If known.
    pub kind: Option<PlayerKind>,
}

impl Player {
    /// Only the name is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Player {
        Player { name: name.into(), kind: None }
    }
}

/// A ruling, in force from when it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedChange {
    /// Microseconds since 1970.
    pub at: i64,
    /// From then on.
    pub rated: bool,
}

/// A recorded rating. K may be missing, as in the oldest records of unrated games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stated {
    pub rating: i32,
    pub k: Option<u32>,
}

impl Stated {
    /// With K; none without.
    #[must_use]
    pub fn complete(self) -> Option<Rating> {
        Some(Rating { rating: self.rating, k: self.k? })
    }
}

impl From<Rating> for Stated {
    fn from(rating: Rating) -> Stated {
        Stated { rating: rating.rating, k: Some(rating.k) }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    pub id: u64,
    /// Microseconds since 1970, if known.
    pub began: Option<i64>,
    /// The end, if known, at which ratings change.
    pub at: Option<i64>,
    pub gold: PlayerIndex,
    pub silver: PlayerIndex,
    /// If known.
    pub outcome: Option<Outcome>,
    /// At its beginning. Corrections change this from the start.
    pub rated: bool,
    /// By rulings, in order.
    pub rated_changes: Vec<RatedChange>,
    /// Recorded before the game, Gold's and Silver's.
    pub stated: [Option<Stated>; 2],
}

impl Game {
    /// Only players, time and result are known.
    #[must_use]
    pub fn rated(id: u64, at: i64, gold: PlayerIndex, silver: PlayerIndex, outcome: Outcome) -> Game {
        Game {
            id,
            began: None,
            at: Some(at),
            gold,
            silver,
            outcome: Some(outcome),
            rated: true,
            rated_changes: Vec::new(),
            stated: [None, None],
        }
    }

    /// By the rulings up to a time, or by all.
    #[must_use]
    pub fn is_rated(&self, as_of: Option<i64>) -> bool {
        let given = |change: &&RatedChange| as_of.is_none_or(|as_of| change.at <= as_of);
        self.rated_changes.iter().rfind(given).map_or(self.rated, |change| change.rated)
    }
}

/// From a time on a player is a person: by a declared alias, or merged identities; parted again, the player is their
/// own. Persons are resolved: they are not aliases themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Belongs {
    pub at: i64,
    pub player: PlayerIndex,
    /// The person.
    pub person: PlayerIndex,
}

/// As recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pool {
    pub players: Vec<Player>,
    /// In any order.
    pub games: Vec<Game>,
    /// In the order in which it became known.
    pub belongs: Vec<Belongs>,
}

impl Pool {
    /// The person of each player, as of a time or by all that is known.
    #[must_use]
    pub fn persons(&self, as_of: Option<i64>) -> Vec<PlayerIndex> {
        let mut persons: Vec<PlayerIndex> = (0..self.players.len()).collect();
        for belongs in self.belongs.iter().filter(|belongs| as_of.is_none_or(|as_of| belongs.at <= as_of)) {
            if let Some(person) = persons.get_mut(belongs.player)
                && belongs.person < self.players.len()
            {
                *person = belongs.person;
            }
        }
        persons
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruling_takes_a_game_out_from_its_date_on_and_another_brings_it_back() {
        let mut game = Game::rated(1, 10, 0, 1, Outcome::Gold);
        game.rated_changes = vec![RatedChange { at: 20, rated: false }, RatedChange { at: 30, rated: true }];
        let rated = [Some(19), Some(20), Some(29), Some(30), None].map(|as_of| game.is_rated(as_of));
        assert_eq!(rated, [true, false, false, true, true]);
        game.rated = false;
        assert!(!game.is_rated(Some(19)), "a correction holds from the start");
    }

    #[test]
    fn a_merge_holds_from_its_date_until_it_is_undone() {
        let mut pool = Pool { players: ["a", "b"].map(Player::named).to_vec(), ..Pool::default() };
        pool.belongs = vec![
            Belongs { at: 5, player: 1, person: 0 },
            Belongs { at: 9, player: 1, person: 1 },
            Belongs { at: 9, player: 7, person: 0 },
            Belongs { at: 9, player: 0, person: 7 },
        ];
        assert_eq!(pool.persons(Some(4)), [0, 1]);
        assert_eq!(pool.persons(Some(5)), [0, 0]);
        assert_eq!(pool.persons(None), [0, 1]);
    }
}
