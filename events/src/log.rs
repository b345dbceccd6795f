//! The log family: what the log says about itself. It was opened, a past event was corrected, an import came
//! in, a loss was acknowledged, the clock was confirmed. A correction stands in the stream of the event that it corrects;
//! the others stand in `log/annals`.

use serde::{Deserialize, Serialize};

use crate::family::family;
use crate::identity::{Hash, LogId};
use crate::payload::RawPayload;
use crate::time::Micros;

/// The stream of the log's own events.
pub const LOG_STREAM: &str = "log/annals";

family! {
    /// One thing that happened to the log itself.
    pub enum LogEvent: "log" {
        /// The log began; the first event of every log.
        Opened(Opened) = "opened",
        /// An earlier event was corrected, or struck.
        Correction(Correction) = "correction",
        /// A source was imported.
        Imported(Imported) = "imported",
        /// Somebody accepted that acknowledged events are gone.
        LossAcknowledged(LossAcknowledged) = "loss_acknowledged",
        /// Somebody confirmed the clock, which showed a time before the last event or long after it.
        ClockConfirmed(ClockConfirmed) = "clock_confirmed",
    }
}

/// The command that appends events of a type which only the log itself writes; none for other types.
#[must_use]
pub fn command_that_writes(event_type: &str) -> Option<&'static str> {
    match event_type {
        "log.opened" => Some("annals log init"),
        "log.loss_acknowledged" => Some("annals doctor --accept-loss"),
        "log.clock_confirmed" => Some("annals doctor --confirm-clock"),
        _ => None,
    }
}

/// Which clock stamps `recorded_at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// The clock of the machine.
    Real,
    /// A clock that somebody set: a simulated log, no record of what happened.
    Simulated,
}

/// The log began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The identity of the log; the hash chain starts from it.
    pub log_id: LogId,
    /// Which clock stamps it.
    pub clock: ClockKind,
    /// The program that opened it, e.g. `annals 0.1.0`.
    pub program: String,
    /// What the log is for, in words.
    pub note: Option<String>,
}

/// An earlier event was corrected. Of several corrections of one event the last one kept at a cut wins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The `seq` of the event that is corrected.
    pub corrects: u64,
    /// What becomes of it.
    pub change: Change,
    pub reason: String,
}

/// What becomes of a corrected event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// It is as if it had been recorded so.
    Replace {
        /// The payload that takes the place of the old one; of the same type.
        payload: RawPayload,
        /// The schema version of that payload.
        schema: u32,
        /// When it happened, where that changes too.
        effective_at: Option<Micros>,
    },
    /// It is as if it had never been recorded.
    Strike,
}

/// A source was imported: what it was, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The name of the source, without its folder.
    pub source: String,
    /// What kind of source: `arimaa_archive`, `json_lines`, `sgf`, `state_file`.
    pub format: String,
    /// The digest of its bytes: algorithm, colon, hexadecimal digits (`sha256:…`).
    pub digest: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// The program that imported it, e.g. `annals 0.1.0`.
    pub program: String,
    /// Rows, lines or games that it holds.
    pub rows: u64,
    /// Of them taken without a flag.
    pub accepted: u64,
    /// Of them taken with a flag.
    pub flagged: u64,
    /// Of them refused.
    pub rejected: u64,
    /// Of them not asked for by whoever imported.
    pub left_out: u64,
    /// Streams that the import wrote to.
    pub streams: u64,
    /// Events appended.
    pub events: u64,
    /// Events that the log held already, from an earlier import of the same.
    pub known_before: u64,
    /// The first of the appended events.
    pub first_seq: Option<u64>,
    /// The last of the appended events.
    pub last_seq: Option<u64>,
}

/// Somebody accepted that events which had been acknowledged are gone, and lets the log go on from where it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossAcknowledged {
    /// The last event that is left.
    pub head_seq: u64,
    pub head_hash: Hash,
    /// The last event that the anchor knows of.
    pub anchored_seq: u64,
    /// The hash that the anchor holds for it.
    pub anchored_hash: Hash,
    /// What is known about how it came to this.
    pub reason: String,
}

/// Somebody confirmed that the clock is right, although it showed a time before the last event or long after it. After a
/// clock that is behind, events are recorded one microsecond apart until it has caught up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockConfirmed {
    /// What the clock showed, microseconds since 1970, UTC.
    pub shows: Micros,
    /// When the last event before this one was recorded.
    pub last_recorded_at: Micros,
    /// What is known about how it came to this.
    pub reason: String,
}
