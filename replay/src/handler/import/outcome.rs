//! The result of an import: the counts and flags, and why it cannot continue.

use annals_events::bounds::Beyond;
use annals_events::{PROGRAM, RawEnvelope, StreamName, TimeNote};
use annals_store::{AppendError, EventError, ReadError};

use crate::error::ReplayError;
use crate::handler::draft::Draft;

/// Why an import cannot continue. Appended batches remain; a second import resumes after them.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Append(#[from] AppendError),
    #[error("event {version} of `{stream}`: {problem}")]
    Event { stream: StreamName, version: u64, problem: EventError },
    #[error("event {version} of `{stream}`: {beyond}")]
    OutOfBounds {
        stream: StreamName,
        version: u64,
        /// Which number, and its bound.
        beyond: Beyond,
    },
    /// The log has another event in its place.
    #[error(
        "event {version} of `{stream}` is in the log already (event {seq}), but with another {what}: there {there}, \
         here {here}. The source has changed since it was imported; correct event {seq}, or import under another name"
    )]
    Differs {
        stream: StreamName,
        version: u64,
        seq: u64,
        /// The first difference: `type`, `effective time`, `payload`.
        what: &'static str,
        there: String,
        here: String,
    },
    /// The stream goes on in the log after the last event that the source has.
    #[error(
        "the source has not the last event of `{stream}` in the log, its event {version}, so what is new in the source \
         cannot come after it. Import under another name, or append it by hand"
    )]
    WentOn {
        stream: StreamName,
        /// How many events it has.
        version: u64,
    },
}

/// A finding on the imported events.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ImportFlag {
    /// The event, by its place in its stream.
    pub version: u64,
    pub code: &'static str,
    pub message: String,
}

/// The result for one stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct StreamImport {
    /// Events that were in the log before.
    pub known: u64,
    pub new: u64,
    /// Of the new ones, those whose time was raised.
    pub lifted: u64,
    pub flags: Vec<ImportFlag>,
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportCounts {
    /// Rows (streams, or lines) that were imported without a flag.
    pub accepted: u64,
    /// Rows that were imported with a flag.
    pub flagged: u64,
    /// Streams with new events.
    pub streams: u64,
    pub events: u64,
    /// Events that were in the log before.
    pub known: u64,
    /// Events whose time was raised.
    pub lifted: u64,
    /// The first of the appended events.
    pub first_seq: Option<u64>,
    /// The last of the appended events.
    pub last_seq: Option<u64>,
}

/// The facts of the source in `log.imported`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceNote {
    /// Its name, without its folder.
    pub source: String,
    pub format: String,
    /// The digest of its bytes, `sha256:…`.
    pub digest: String,
    pub bytes: u64,
    pub program: String,
    /// Rows that were refused as unreadable.
    pub rejected: u64,
    /// Rows that were not requested.
    pub left_out: u64,
}

impl SourceNote {
    /// The note of a source with the digest and the number of its bytes.
    #[must_use]
    pub fn new(source: impl Into<String>, format: &str, (digest, bytes): (String, u64)) -> SourceNote {
        let (source, format, program) = (source.into(), format.to_owned(), PROGRAM.to_owned());
        SourceNote { source, format, digest, bytes, program, rejected: 0, left_out: 0 }
    }
}

/// Checks that the log's event is that of the source, perhaps with a raised time.
pub(super) fn compare(found: &RawEnvelope, draft: &Draft, version: u64) -> Result<(), Box<ImportError>> {
    let differs = |what, there: String, here: String| {
        let short = |text: String| text.chars().take(300).collect();
        Err(Box::new(ImportError::Differs {
            stream: draft.stream.clone(),
            version,
            seq: found.seq,
            what,
            there: short(there),
            here: short(here),
        }))
    };
    if found.stream != draft.stream {
        return differs("stream", found.stream.to_string(), draft.stream.to_string());
    }
    if found.event_type != draft.event_type {
        return differs("type", found.event_type.clone(), draft.event_type.clone());
    }
    if found.effective_at == draft.effective_at && found.payload == draft.payload {
        return Ok(());
    }
    let (Ok(there), Ok(here)) = (found.decode_entry(), draft.decode()) else {
        return differs("payload", found.payload.to_string(), draft.payload.to_string());
    };
    if there.event != here.event {
        return differs("payload", found.payload.to_string(), draft.payload.to_string());
    }
    let same_time = match (there.time, here.time) {
        (Some(TimeNote::Lifted { stated_at }), None) => stated_at == draft.effective_at,
        // The earliest possible time may have been raised to that of the event on which this one depends.
        (Some(TimeNote::Unknown), Some(TimeNote::Unknown)) => found.effective_at >= draft.effective_at,
        (Some(TimeNote::Stated(there)), Some(TimeNote::Stated(here))) => {
            there == here && found.effective_at >= draft.effective_at
        }
        (there, here) => there == here && found.effective_at == draft.effective_at,
    };
    if same_time {
        Ok(())
    } else {
        differs("effective time", found.effective_at.to_string(), draft.effective_at.to_string())
    }
}
