//! What a search for qualifying games reads of a tournament: the period, and players by all their names and accounts.

use annals_events::tournament::Milestone;
use annals_events::{Micros, PlayerId};

use crate::state::Tournament;
use crate::state::calendar::date;

/// A qualifying period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub opens: Micros,
    pub closes: Micros,
}

/// A player by what the games of the gameroom name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPlayer {
    pub player: PlayerId,
    pub names: Vec<String>,
    pub accounts: Vec<u64>,
}

impl Tournament {
    /// The qualifying period by the schedule.
    ///
    /// # Errors
    /// The date that the schedule lacks.
    pub fn qualifying_period(&self) -> Result<Period, Milestone> {
        let date = |milestone| date(self, milestone).ok_or(milestone);
        Ok(Period { opens: date(Milestone::QualifyingOpens)?, closes: date(Milestone::QualifyingCloses)? })
    }
}
