//! Why an event is not taken: the rule that it breaks, with the evidence.

use annals_events::bounds::Beyond;
use annals_events::{Micros, StreamName};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::finding::OUT_OF_BOUNDS;
use crate::point::show;

/// An event that is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{event_type} for `{stream}` (event {} of the input) is refused: {reason}", index + 1)]
pub struct DraftRefusal {
    /// Its place in what was handed in, from 0.
    pub index: usize,
    /// The stream it was meant for.
    pub stream: StreamName,
    pub event_type: String,
    pub reason: Reason,
}

/// Why an event is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    #[error("{message}")]
    NoEvent { message: String },
    #[error("{beyond}")]
    OutOfBounds {
        /// Which number, and its bound.
        beyond: Beyond,
    },
    #[error("{message} [{code}]")]
    Illegal {
        /// A short stable word for the rule.
        code: String,
        /// The rule, and how it is broken.
        message: String,
    },
    /// It is said to have happened before something that it rests on.
    #[error(
        "its time is {}, but event {cause}, on which it depends, happened {}: expected that time or a later one",
        show(*effective_at, &TimeZone::UTC),
        show(*floor, &TimeZone::UTC)
    )]
    BeforeCause {
        effective_at: Micros,
        /// The earliest time that is possible.
        floor: Micros,
        /// The event that it rests on.
        cause: u64,
    },
    /// It is said to happen later than now.
    #[error(
        "its time is {}, but the clock of the log shows {}: expected a time that is past",
        show(*effective_at, &TimeZone::UTC),
        show(*now, &TimeZone::UTC)
    )]
    InTheFuture { effective_at: Micros, now: Micros },
    #[error("it names event {named}, but {why}")]
    NoSuchEvent { named: u64, why: String },
    /// A correction that would pull the ground from under a later event.
    #[error("event {corrects} cannot be corrected so, because event {resting} depends on it: {why}")]
    OthersRest {
        /// The event that was to be corrected.
        corrects: u64,
        resting: u64,
        why: String,
    },
}

impl Reason {
    /// A short stable word: of a broken rule that rule's own.
    pub fn code(&self) -> &str {
        match self {
            Reason::NoEvent { .. } => "no_event",
            Reason::OutOfBounds { .. } => OUT_OF_BOUNDS,
            Reason::Illegal { code, .. } => code,
            Reason::BeforeCause { .. } => "before_its_cause",
            Reason::InTheFuture { .. } => "in_the_future",
            Reason::NoSuchEvent { .. } => "no_such_event",
            Reason::OthersRest { .. } => "others_rest_on_it",
        }
    }
}
