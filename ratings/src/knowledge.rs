//! What was known at each moment: which games were over, which of them counted by the rulings given until then, and who was who by
//! the aliases and merges declared until then. A comparison asks it, so that nothing that came later helps to foretell.

use crate::error::RatingsError;
use crate::game::{PlayerIndex, Pool};
use crate::history::changes;
use crate::selection::{Chosen, GameSelection, RatedGame};

/// The games of a choice, as they were known over time.
pub(crate) struct Knowledge<'p> {
    pool: &'p Pool,
    choice: &'p GameSelection,
    /// The moments at which what counts, or who is who, changed.
    changes: Vec<i64>,
}

/// What was known between two changes.
pub(crate) struct Stage {
    /// The games that counted, in the order in which they were known to be over; those of which that is never known are not there.
    games: Vec<RatedGame>,
    /// Whom every player meant.
    persons: Vec<PlayerIndex>,
}

impl<'p> Knowledge<'p> {
    pub(crate) fn of(pool: &'p Pool, choice: &'p GameSelection) -> Knowledge<'p> {
        Knowledge { pool, choice, changes: changes(pool, choice.as_of) }
    }

    /// The number of the stage that holds before a moment. What was said in the very moment is not known to it.
    pub(crate) fn number_before(&self, moment: i64) -> usize {
        self.changes.partition_point(|change| *change < moment)
    }

    /// A stage; 0 is before all changes.
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
    /// The games that were over before a moment. A game that was over in the very moment is not known to it: records that hold only
    /// days tell nothing of the order within one.
    pub(crate) fn over_before(&self, moment: i64) -> &[RatedGame] {
        &self.games[..self.games.partition_point(|game| game.known < Some(moment))]
    }

    /// Who was known to play a game, Gold first.
    pub(crate) fn seen(&self, game: &RatedGame) -> [PlayerIndex; 2] {
        game.accounts.map(|account| self.persons.get(account).copied().unwrap_or(account))
    }
}
