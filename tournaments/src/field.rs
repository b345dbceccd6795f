//! The field of an elimination: its players by seed.

use std::collections::BTreeMap;

use annals_events::PlayerId;

/// Why players make no field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    #[error("the field is empty: a tournament needs players")]
    Empty,
    #[error("{player} is in the field twice, as seed {first} and seed {second}")]
    Twice { player: PlayerId, first: usize, second: usize },
    #[error("{player} is not in the field")]
    Stranger { player: PlayerId },
}

/// The players of a tournament in the order of their seeds, the best seed first. The default has no players.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    players: Vec<PlayerId>,
    seeds: BTreeMap<PlayerId, usize>,
}

impl Field {
    /// A field of players, the best seed first.
    ///
    /// # Errors
    /// When it is empty or a player is in it twice.
    pub fn new(players: Vec<PlayerId>) -> Result<Field, FieldError> {
        if players.is_empty() {
            return Err(FieldError::Empty);
        }
        let mut seeds = BTreeMap::new();
        for (second, player) in (1..).zip(&players) {
            if let Some(first) = seeds.insert(player.clone(), second) {
                return Err(FieldError::Twice { player: player.clone(), first, second });
            }
        }
        Ok(Field { players, seeds })
    }

    /// The players, the best seed first.
    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    /// The seed of a player, 1 for the best; none for a stranger.
    pub fn seed(&self, player: &PlayerId) -> Option<usize> {
        self.seeds.get(player).copied()
    }

    /// Of two players the one with the better seed; strangers come last.
    pub fn better<'a>(&self, one: &'a PlayerId, other: &'a PlayerId) -> &'a PlayerId {
        let rank = |player| self.seed(player).unwrap_or(usize::MAX);
        if rank(one) <= rank(other) { one } else { other }
    }
}
