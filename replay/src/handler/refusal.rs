//! Why an event is not taken: the rule that it breaks, with the evidence.

use annals_events::bounds::Beyond;
use annals_events::{Micros, StreamName};
use annals_tournaments::verdict::{Compliance, Verdict};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::draft::Draft;
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

/// What the rules say of an event, or why it cannot be accepted at all.
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
