//! What ratings are made of: players, games, who is who, and which games count, as plain values. They come out of a dataset
//! or a log; this crate reads neither.

use annals_events::PlayerKind;
use annals_rules::rating::Rating;

/// A player by the place in [`Pool::players`].
pub type PlayerIndex = usize;

/// Microseconds of a day.
pub const DAY: i64 = 86_400_000_000;

/// How a game ended, as ratings see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Gold won.
    Gold,
    /// Silver won.
    Silver,
    Draw,
}

impl Outcome {
    /// What Gold has of it: 1, 1/2 or 0.
    #[must_use]
    pub const fn gold_points(self) -> f64 {
        match self {
            Outcome::Gold => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Silver => 0.0,
        }
    }
}

/// A player, by the name that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub name: String,
    /// Human or program, where it is known.
    pub kind: Option<PlayerKind>,
}

impl Player {
    /// A player of whom only the name is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Player {
        Player { name: name.into(), kind: None }
    }
}

/// A ruling that makes a game rated or unrated. It holds from when it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedChange {
    /// When it was given, in microseconds since 1970.
    pub at: i64,
    /// Whether the game is rated from then on.
    pub rated: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    pub id: u64,
    /// When it began, in microseconds since 1970, where that is known.
    pub began: Option<i64>,
    /// When it was over, where that is known; ratings change then.
    pub at: Option<i64>,
    pub gold: PlayerIndex,
    pub silver: PlayerIndex,
    /// The result; none where it is not known.
    pub outcome: Option<Outcome>,
    /// Whether it began as a rated game. A correction of the record changes this, and so it holds from the start.
    pub rated: bool,
    /// The rulings that changed that, in the order in which they were given.
    pub rated_changes: Vec<RatedChange>,
    /// What the record states of Gold's and Silver's rating before the game.
    pub stated: [Option<Rating>; 2],
}

impl Game {
    /// A rated game of which only who met, when, and the result are known.
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

    /// Whether the game counts by the rulings that were given up to a moment, or by all.
    #[must_use]
    pub fn is_rated(&self, as_of: Option<i64>) -> bool {
        let given = |change: &&RatedChange| as_of.is_none_or(|as_of| change.at <= as_of);
        self.rated_changes.iter().rfind(given).map_or(self.rated, |change| change.rated)
    }
}

/// From a moment on a player means a person: an alias that was declared, identities that were merged, or parted again (then
/// the player means himself). The persons are resolved: a person means nobody else at the same moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Belongs {
    pub at: i64,
    pub player: PlayerIndex,
    /// Whom that means.
    pub person: PlayerIndex,
}

/// Games with their players, as the record has them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pool {
    pub players: Vec<Player>,
    /// The games, in any order.
    pub games: Vec<Game>,
    /// Who is who, in the order in which it became known.
    pub belongs: Vec<Belongs>,
}

impl Pool {
    /// Whom every player means at a moment, or by all that is known.
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
