//! What was known at each time: finished games, rulings, identities, so that predictions use nothing later.

use crate::error::RatingsError;
use crate::game::{PlayerIndex, Pool};
use crate::history::changes;
use crate::selection::{Chosen, GameSelection, RatedGame};

/// The games of a choice as known over time.
pub(crate) struct Knowledge<'p> {
    pool: &'p Pool,
    choice: &'p GameSelection,
    /// Times at which counting games or identities changed.
    changes: Vec<i64>,
}

/// The knowledge between two changes.
pub(crate) struct Stage {
    /// Counting games by when their end became known; without those never known.
    games: Vec<RatedGame>,
    /// Of every player.
    persons: Vec<PlayerIndex>,
}

impl<'p> Knowledge<'p> {
    pub(crate) fn of(pool: &'p Pool, choice: &'p GameSelection) -> Knowledge<'p> {
        Knowledge { pool, choice, changes: changes(pool, choice.as_of) }
    }

    /// The stage before a time, exclusive.
    pub(crate) fn number_before(&self, moment: i64) -> usize {
        self.changes.partition_point(|change| *change < moment)
    }

    /// 0 is before all changes.
    pub(crate) fn stage(&self, number: usize) -> Result<Stage, RatingsError> {
        let since = number.checked_sub(1).and_then(|last| self.changes.get(last)).copied();
        let chosen = Chosen::gather(self.pool, self.choice, Some(since.unwrap_or(i64::MIN)))?;
        let mut games: Vec<RatedGame> =
            chosen.games.into_iter().filter(|game| game.counts && game.known.is_some()).collect();
        games.sort_by_key(|game| (game.known, game.id));
        Ok(Stage { games, persons: chosen.persons })
    }
}

impl Stage {
    /// Games over before a time, exclusive: records with dates only have no order within a day.
    pub(crate) fn over_before(&self, moment: i64) -> &[RatedGame] {
        &self.games[..self.games.partition_point(|game| game.known < Some(moment))]
    }

    /// The known players of a game, Gold first.
    pub(crate) fn seen(&self, game: &RatedGame) -> [PlayerIndex; 2] {
        game.accounts.map(|account| self.persons.get(account).copied().unwrap_or(account))
    }
}
