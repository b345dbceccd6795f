//! What a caller asks to append, how it is answered, and how it is refused.

use annals_events::narrative::utc;
use annals_events::{EventId, Micros, StreamName};

use crate::fault::Fault;
use crate::head::Head;
use crate::new_event::NewEvent;

/// The most events in one transaction.
pub const MAX_EVENTS: usize = 1_000_000;

/// What a caller takes for granted about a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The stream has no event yet.
    NoStream,
    /// The last event of the stream has this version.
    Version(u64),
    /// The stream has not grown since the log was read up to this `seq`.
    UnchangedSince(u64),
    /// No stream of its family, this one or any other, has grown since the log was read up to this `seq`: for what
    /// was decided on all of a family, such as whether an alias is free.
    FamilyUnchangedSince(u64),
}

/// Events that go into the log together or not at all. Each gets the next version of its stream; all get one
/// `recorded_at`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transaction {
    /// What is taken for granted about streams: those written to, and those that the decision only read.
    pub expected: Vec<(StreamName, Expected)>,
    /// The events, in order.
    pub events: Vec<NewEvent>,
}

impl Transaction {
    /// A transaction that takes nothing for granted.
    #[must_use]
    pub fn of(events: Vec<NewEvent>) -> Transaction {
        Transaction { expected: Vec::new(), events }
    }

    /// Adds what is taken for granted about a stream.
    #[must_use]
    pub fn expecting(mut self, stream: StreamName, expected: Expected) -> Transaction {
        self.expected.push((stream, expected));
        self
    }

    /// Adds that none of these streams has grown since the log was read up to `seq`.
    #[must_use]
    pub fn having_read(mut self, streams: impl IntoIterator<Item = StreamName>, seq: u64) -> Transaction {
        self.expected.extend(streams.into_iter().map(|stream| (stream, Expected::UnchangedSince(seq))));
        self
    }
}

/// What became of a transaction: it is stored, and survives the loss of power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// The `seq` of its first event.
    pub first_seq: u64,
    /// The `seq` of its last event.
    pub last_seq: u64,
    /// When the log took it.
    pub recorded_at: Micros,
    /// Whether it was in the log already, from an earlier append of the same.
    pub repeated: bool,
    /// An acknowledged head of the log that covers it: the receipt.
    pub head: Head,
}

/// Why a transaction was not taken. Nothing of it is in the log, but where the variant says otherwise.
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
    /// A stream is not as the caller takes for granted.
    #[error(
        "stream `{stream}` is not as expected: {}",
        expectation(*expected, *version, *last_seq)
    )]
    Conflict {
        stream: StreamName,
        expected: Expected,
        /// Its last version; 0 when it has no event.
        version: u64,
        /// The `seq` of its last event, or of the last in its family where that was expected; 0 when there is none.
        last_seq: u64,
    },
    /// An event id that stands for another event.
    #[error("event id {id} is used already, by event {seq}, whose {differs} is another")]
    IdReused {
        id: EventId,
        seq: u64,
        /// What of the two differs first.
        differs: &'static str,
    },
    /// Some events of the transaction are in the log, others not, or not one after the other.
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
    /// The clock shows a time well before the last event.
    #[error(
        "the clock shows {}, but the last event was recorded at {}, {} seconds later",
        utc(*now), utc(*last), last.saturating_sub(*now) / 1_000_000
    )]
    ClockBehind {
        /// What the clock shows, microseconds since the epoch.
        now: Micros,
        last: Micros,
    },
    /// The clock shows a time long after the last event.
    #[error(
        "the clock shows {}, but the last event was recorded at {}, {} days earlier",
        utc(*now), utc(*last), now.saturating_sub(*last) / 86_400_000_000
    )]
    ClockAhead {
        /// What the clock shows, microseconds since the epoch.
        now: Micros,
        last: Micros,
    },
    /// The end of the log is not what it was, or not what a log can have.
    #[error("the end of the log is not what this process read before: {problem}")]
    Damaged { problem: String },
    /// The events are stored, but it is not certain that they survive a loss of power.
    #[error("the events are stored, but the disk did not confirm it: {fault}")]
    NotAcknowledged { fault: Fault },
    #[error("this handle is closed for appending since an earlier failure: {fault}")]
    Poisoned {
        /// The earlier failure.
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
