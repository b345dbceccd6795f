//! Why an event is refused: the violated rule, with the evidence.

use annals_events::bounds::Beyond;
use annals_events::{Micros, StreamName};
use annals_tournaments::verdict::{Compliance, Verdict};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::draft::Draft;
use crate::finding::{IN_THE_FUTURE, OUT_OF_BOUNDS};
use crate::point::show;

/// A refused event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{event_type} for `{stream}` (event {} of the input) is refused: {reason}", index + 1)]
pub struct DraftRefusal {
    /// Its place in the input, from 0.
    pub index: usize,
    /// Its stream.
    pub stream: StreamName,
    pub event_type: String,
    pub reason: Reason,
}

/// Why an event is refused.
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
        /// A stable code of the rule.
        code: String,
        /// The rule, and how it is violated.
        message: String,
    },
    /// Its time is before that of an event on which it depends.
    #[error(
        "its time is {}, but event {cause}, on which it depends, happened {}: expected that time or a later one",
        show(*effective_at, &TimeZone::UTC),
        show(*floor, &TimeZone::UTC)
    )]
    BeforeCause {
        effective_at: Micros,
        /// The earliest possible time.
        floor: Micros,
        /// The event on which it depends.
        cause: u64,
    },
    /// Its time is before that at which a person entered the record.
    #[error(
        "its time is {}, but a person whom it names entered the record {}, by event {cause}: expected that time or a later one",
        show(*effective_at, &TimeZone::UTC),
        show(*floor, &TimeZone::UTC)
    )]
    BeforeKnown {
        effective_at: Micros,
        /// The earliest possible time.
        floor: Micros,
        /// The event by which the person entered the record.
        cause: u64,
    },
    /// Its time is in the future.
    #[error(
        "its time is {}, but the clock of the log shows {}: expected a time that is past",
        show(*effective_at, &TimeZone::UTC),
        show(*now, &TimeZone::UTC)
    )]
    InTheFuture { effective_at: Micros, now: Micros },
    #[error("it names event {named}, but {why}")]
    NoSuchEvent { named: u64, why: String },
    /// A correction of an event on which a later event depends.
    #[error("event {corrects} cannot be corrected so, because event {resting} depends on it: {why}")]
    OthersRest {
        /// The event that was to be corrected.
        corrects: u64,
        resting: u64,
        why: String,
    },
}

impl Reason {
    /// A stable code; for a violated rule that of the rule.
    pub fn code(&self) -> &str {
        match self {
            Reason::NoEvent { .. } => "no_event",
            Reason::OutOfBounds { .. } => OUT_OF_BOUNDS,
            Reason::Illegal { code, .. } => code,
            Reason::BeforeCause { .. } | Reason::BeforeKnown { .. } => "before_its_cause",
            Reason::InTheFuture { .. } => IN_THE_FUTURE,
            Reason::NoSuchEvent { .. } => "no_such_event",
            Reason::OthersRest { .. } => "others_rest_on_it",
        }
    }
}

/// The verdicts on an event, or why it cannot be accepted.
pub(super) type Checked = Result<Vec<Verdict>, Stop>;

/// Why an event is not accepted.
pub(super) enum Stop {
    /// A rule of the tournament's rulebook.
    Rule(Verdict),
    Reason(Reason),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::Reason(reason)
    }
}

impl Stop {
    /// The same as the refusal of a draft.
    pub fn refusal(self, index: usize, draft: &Draft) -> DraftRefusal {
        let reason = match self {
            Stop::Rule(verdict) => violation(&verdict),
            Stop::Reason(reason) => reason,
        };
        DraftRefusal { index, stream: draft.stream.clone(), event_type: draft.event_type.clone(), reason }
    }
}

/// A verdict against an event as the reason why it is not accepted.
pub(super) fn violation(verdict: &Verdict) -> Reason {
    let (expected, found) = match &verdict.holds {
        Compliance::Violation { expected, found } => (expected.as_str(), found.as_str()),
        _ => ("", ""),
    };
    let rule = &verdict.rule;
    let says = rule.says.trim_end_matches('.');
    let message =
        format!("{}: expected {expected}; found: {found} ({}: {says})", verdict.subject, rule.paragraph);
    Reason::Illegal { code: rule.id.name().to_owned(), message }
}
