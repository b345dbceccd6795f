use std::collections::BTreeMap;

use annals_events::PlayerId;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    #[error("the field is empty: a tournament needs players")]
    Empty,
    #[error("{player} is in the field twice, as seed {first} and seed {second}")]
    Twice { player: PlayerId, first: usize, second: usize },
    #[error("{player} is not in the field")]
    Stranger { player: PlayerId },
}

/// The players by seed, the best first. The default has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    players: Vec<PlayerId>,
    seeds: BTreeMap<PlayerId, usize>,
}

impl Field {
    /// # Errors
    /// If it is empty or has a player twice.
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

    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    /// From 1; none for other players.
    pub fn seed(&self, player: &PlayerId) -> Option<usize> {
        self.seeds.get(player).copied()
    }

    /// The player with the better seed; others come last.
    pub fn better<'a>(&self, one: &'a PlayerId, other: &'a PlayerId) -> &'a PlayerId {
        let rank = |player| self.seed(player).unwrap_or(usize::MAX);
        if rank(one) <= rank(other) { one } else { other }
    }
}
