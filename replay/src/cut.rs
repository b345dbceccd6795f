//! A cut through the log: which events count for a question. Three bounds, each of them optional: what was true at a
//! time (`as_of`), what was known at a time (`known_at`), and a position in the log (`seq`).

use annals_events::Micros;
use annals_store::{Log, ReadError};
use serde::Serialize;

use crate::round_end::RoundEnd;
use crate::timeline::EffectiveEvent;

/// The bounds of a question; one that is absent is infinite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Cut {
    /// Only what had happened by then (by `effective_at`, corrections in place).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Micros>,
    /// Only what the log had taken by then (by `recorded_at`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_at: Option<Micros>,
    /// Only the first so many events of the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The round at whose end a tournament is looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_end: Option<RoundEnd>,
}

impl Cut {
    /// Everything, as known today.
    pub const NOW: Cut = Cut { as_of: None, known_at: None, seq: None, round_end: None };

    /// The first `seq` events of the log.
    pub const fn at_seq(seq: u64) -> Cut {
        Cut { seq: Some(seq), ..Cut::NOW }
    }

    /// What had happened by a time, as known today.
    pub const fn as_of(at: Micros) -> Cut {
        Cut { as_of: Some(at), ..Cut::NOW }
    }

    /// Whether an event of this time had happened.
    pub fn has_happened(&self, seq: u64, effective_at: Micros) -> bool {
        let last = self.round_end.and_then(|end| end.last);
        self.as_of
            .is_none_or(|at| effective_at < at || (effective_at == at && last.is_none_or(|last| seq <= last)))
    }

    /// Whether an event as it is counts: it had happened, and is of no round after the one that is looked at.
    pub fn counts(&self, event: &EffectiveEvent<'_>) -> bool {
        self.has_happened(event.seq, event.effective_at)
            && !self.round_end.is_some_and(|end| end.excludes(event))
    }

    /// The same point for other tournaments, whose rounds are others.
    pub fn elsewhere(&self) -> Cut {
        let round_end = self.round_end.map(|end| RoundEnd { round: None, ..end });
        Cut { round_end, ..*self }
    }

    /// Where the prefix that the cut looks at ends: the last event that it keeps, 0 when it keeps none.
    pub fn last_seq(&self, log: &Log) -> Result<u64, ReadError> {
        let known = match self.known_at {
            Some(at) => log.seq_known_at(at)?,
            None => log.last_seq()?,
        };
        Ok(self.seq.map_or(known, |seq| seq.min(known)))
    }
}
