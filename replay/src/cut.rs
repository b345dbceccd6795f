//! A cut through the log: three optional bounds of the events that count: what was true at a time (`as_of`), what was
//! recorded by a time (`known_at`), and a position (`seq`).

use annals_events::{Micros, StatedPeriod};
use annals_store::{Log, ReadError};
use serde::Serialize;

use crate::event_round::last_round;
use crate::timeline::EffectiveEvent;

/// An absent bound is infinite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Cut {
    /// By `effective_at`, corrections in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Micros>,
    /// By `recorded_at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_at: Option<Micros>,
    /// The number of first events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The end of a tournament's round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_end: Option<RoundEnd>,
}

impl Cut {
    /// No bounds.
    pub const NOW: Cut = Cut { as_of: None, known_at: None, seq: None, round_end: None };

    pub const fn at_seq(seq: u64) -> Cut {
        Cut { seq: Some(seq), ..Cut::NOW }
    }

    pub const fn as_of(at: Micros) -> Cut {
        Cut { as_of: Some(at), ..Cut::NOW }
    }

    /// Whether an event at this time had happened.
    pub fn has_happened(&self, seq: u64, effective_at: Micros) -> bool {
        let last = self.round_end.and_then(|end| end.last);
        self.as_of
            .is_none_or(|at| effective_at < at || (effective_at == at && last.is_none_or(|last| seq <= last)))
    }

    /// Whether an event counts: it had happened, and is not of a later round.
    pub fn counts(&self, event: &EffectiveEvent<'_>) -> bool {
        self.has_happened(event.seq, event.effective_at)
            && !self.round_end.is_some_and(|end| end.excludes(event))
    }

    /// The same point for other tournaments, whose rounds differ.
    pub fn elsewhere(&self) -> Cut {
        let round_end = self.round_end.map(|end| RoundEnd { round: None, ..end });
        Cut { round_end, ..*self }
    }

    /// The last event of the cut's prefix; 0 if none.
    pub fn last_seq(&self, log: &Log) -> Result<u64, ReadError> {
        let known = match self.known_at {
            Some(at) => log.seq_known_at(at)?,
            None => log.last_seq()?,
        };
        Ok(self.seq.map_or(known, |seq| seq.min(known)))
    }
}

/// The end of a tournament's round: events of later rounds do not count, whenever they happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct RoundEnd {
    /// None for another tournament.
    pub round: Option<u32>,
    /// The event after which it was over: later events of the same instant do not count. None while the round is not
    /// over; then everything counts.
    pub last: Option<u64>,
    /// Of that event, if no more is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated: Option<StatedPeriod>,
}

impl RoundEnd {
    /// Whether an event is of a later round.
    fn excludes(&self, event: &EffectiveEvent<'_>) -> bool {
        let Some(end) = self.round.filter(|_| event.stream.starts_with("tournament/")) else { return false };
        let (Ok(entry), Ok(stream)) = (event.decode(), event.stream.parse()) else { return false };
        last_round(&stream, &entry.event).is_some_and(|round| round > end)
    }
}
