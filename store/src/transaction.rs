//! Append requests, results and errors.

use annals_events::narrative::utc;
use annals_events::{EventId, Micros, StreamName};

use crate::fault::Fault;
use crate::head::Head;
use crate::new_event::NewEvent;

/// Per transaction.
pub const MAX_EVENTS: usize = 1_000_000;

/// A caller's assumption about a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// It has no events.
    NoStream,
    /// Its last version.
    Version(u64),
    /// It has no event after this `seq`.
    UnchangedSince(u64),
    /// No stream of its family has an event after this `seq`: for decisions about a whole family, such as whether an
    /// alias is free.
    FamilyUnchangedSince(u64),
}

/// Events appended together or not at all. Each gets the next version of its stream; all have one `recorded_at`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transaction {
    /// About streams written to or read for the decision.
    pub expected: Vec<(StreamName, Expected)>,
    pub events: Vec<NewEvent>,
}

impl Transaction {
    #[must_use]
    pub fn of(events: Vec<NewEvent>) -> Transaction {
        Transaction { expected: Vec::new(), events }
    }

    #[must_use]
    pub fn expecting(mut self, stream: StreamName, expected: Expected) -> Transaction {
        self.expected.push((stream, expected));
        self
    }
}

/// A stored and durable transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// Of its first event.
    pub first_seq: u64,
    /// Of its last event.
    pub last_seq: u64,
    pub recorded_at: Micros,
    /// Stored by an earlier append of the same.
    pub repeated: bool,
    /// An acknowledged head that covers it: the receipt.
    pub head: Head,
}

/// Why a transaction was rejected. Nothing of it is stored, unless the variant states it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("the log was opened for reading")]
    ReadOnly,
    #[error("the transaction holds no event")]
    Empty,
    #[error("the transaction holds {found} events, expected at most {MAX_EVENTS}")]
    TooMany { found: usize },
    /// A stream is not as expected.
    #[error(
        "stream `{stream}` is not as expected: {}",
        expectation(*expected, *version, *last_seq)
    )]
    Conflict {
        stream: StreamName,
        expected: Expected,
        /// 0 without events.
        version: u64,
        /// Of the stream, or of the family if that was expected; 0 if none.
        last_seq: u64,
    },
    /// An event id that another event has.
    #[error("event id {id} is used already, by event {seq}, whose {differs} is another")]
    IdReused {
        id: EventId,
        seq: u64,
        /// The first difference.
        differs: &'static str,
    },
    /// Only some of the events are stored, or not consecutively.
    #[error(
        "{known} of the {of} events of the transaction are in the log already (the first is event {first_known}), \
         the others are not, so it does not repeat an earlier transaction"
    )]
    PartlyRecorded {
        known: usize,
        of: usize,
        /// The `seq` of the first that is.
        first_known: u64,
    },
    #[error("event id {id} is used twice in one transaction")]
    IdTwice { id: EventId },
    /// The clock is well before the last event.
    #[error(
        "the clock shows {}, but the last event was recorded at {}, {} seconds later",
        utc(*now), utc(*last), last.saturating_sub(*now) / 1_000_000
    )]
    ClockBehind {
        /// Microseconds since the epoch.
        now: Micros,
        last: Micros,
    },
    /// The clock is long after the last event.
    #[error(
        "the clock shows {}, but the last event was recorded at {}, {} days earlier",
        utc(*now), utc(*last), now.saturating_sub(*last) / 86_400_000_000
    )]
    ClockAhead {
        /// Microseconds since the epoch.
        now: Micros,
        last: Micros,
    },
    /// The end of the log is not what it was, or not what a log can have.
    #[error("the end of the log is not what this process read before: {problem}")]
    Damaged { problem: String },
    /// The events are stored, but it is not certain that they survive a loss of power, or that the anchor of the log has
    /// them.
    #[error("the events may be stored, but are not acknowledged: {fault}")]
    NotAcknowledged { fault: Fault },
    #[error("this handle is closed for appending since an earlier failure: {fault}")]
    Poisoned {
        /// Of an earlier call.
        fault: Fault,
    },
    #[error("the writer of this log has stopped")]
    Stopped,
}

fn expectation(expected: Expected, version: u64, last_seq: u64) -> String {
    let found = if version == 0 {
        "it has no event".to_owned()
    } else {
        format!("its last version is {version} (event {last_seq})")
    };
    match expected {
        Expected::NoStream => format!("it should have no event, but {found}"),
        Expected::Version(wanted) => format!("its last version should be {wanted}, but {found}"),
        Expected::UnchangedSince(seq) => format!("it should not have grown since event {seq}, but {found}"),
        Expected::FamilyUnchangedSince(seq) => {
            format!(
                "no stream of its family should have grown since event {seq}, but event {last_seq} is in one"
            )
        }
    }
}
