//! The log family: opening, corrections, imports, accepted losses, confirmed clocks, keys, signatures. A correction is in the stream of
//! its event; the others are in `log/annals`.

use serde::{Deserialize, Serialize};

use crate::family::family;
use crate::identity::{Hash, LogId};
use crate::payload::RawPayload;
use crate::time::Micros;

/// Of the log's own events.
pub const LOG_STREAM: &str = "log/annals";

family! {
    pub enum LogEvent: "log" {
        /// The log began; the first event of every log.
        Opened(Opened) = "opened",
        /// An earlier event was corrected, or struck.
        Correction(Correction) = "correction",
        /// A source was imported.
        Imported(Imported) = "imported",
        /// The loss of acknowledged events was accepted.
        LossAcknowledged(LossAcknowledged) = "loss_acknowledged",
        /// The clock was confirmed after it showed a time before the last event or long after it.
        ClockConfirmed(ClockConfirmed) = "clock_confirmed",
        /// A key was named that signs the checkpoints of the log from now on.
        KeyNamed(KeyNamed) = "key_named",
        /// A key was named that signs for an actor from now on.
        ActorKeyNamed(ActorKeyNamed) = "actor_key_named",
        /// An actor signed events of its own.
        ActorSigned(ActorSigned) = "actor_signed",
    }
}

/// The command for types that only the log writes.
#[must_use]
pub fn command_that_writes(event_type: &str) -> Option<&'static str> {
    match event_type {
        "log.opened" => Some("annals log init"),
        "log.loss_acknowledged" => Some("annals doctor --accept-loss"),
        "log.clock_confirmed" => Some("annals doctor --confirm-clock"),
        "log.key_named" => Some("annals log key"),
        "log.actor_key_named" | "log.actor_signed" => Some("annals log sign"),
        _ => None,
    }
}

/// The clock of `recorded_at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    Real,
    /// A set clock: a simulated log, not a historical record.
    Simulated,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The start of the hash chain.
    pub log_id: LogId,
    pub clock: ClockKind,
    /// For example `annals 0.1.0`.
    pub program: String,
    /// The log's purpose.
    pub note: Option<String>,
}

/// Of several corrections of one event the last one at a point in time counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// Its `seq`.
    pub corrects: u64,
    pub change: Change,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// As if recorded so.
    Replace {
        /// Of the same type.
        payload: RawPayload,
        /// Of the payload.
        schema: u32,
        /// If it changes.
        effective_at: Option<Micros>,
    },
    /// As if never recorded.
    Strike,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// Without its folder.
    pub source: String,
    /// `arimaa_archive`, `json_lines`, `sgf` or `state_file`.
    pub format: String,
    /// Algorithm, colon, hexadecimal digits (`sha256:…`).
    pub digest: String,
    /// In bytes.
    pub bytes: u64,
    /// For example `annals 0.1.0`.
    pub program: String,
    /// Rows, lines or games in it.
    pub rows: u64,
    /// Without a flag.
    pub accepted: u64,
    /// With a flag.
    pub flagged: u64,
    pub rejected: u64,
    /// Not requested.
    pub left_out: u64,
    /// Written to.
    pub streams: u64,
    /// Appended.
    pub events: u64,
    /// Stored by an earlier import.
    pub known_before: u64,
    /// Of the appended events.
    pub first_seq: Option<u64>,
    /// Of the appended events.
    pub last_seq: Option<u64>,
}

/// Lost acknowledged events were accepted; the log continues from its present end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossAcknowledged {
    /// The last remaining event.
    pub head_seq: u64,
    pub head_hash: Hash,
    /// The last event in the anchor.
    pub anchored_seq: u64,
    /// Its hash in the anchor.
    pub anchored_hash: Hash,
    /// What is known of the cause.
    pub reason: String,
}

/// The clock was confirmed although it is before the last event or long after it. Behind, events are one microsecond
/// apart until it has caught up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockConfirmed {
    /// Microseconds since 1970, UTC.
    pub shows: Micros,
    /// Of the last event before this one.
    pub last_recorded_at: Micros,
    /// What is known of the cause.
    pub reason: String,
}

/// The last one named signs. The private key is in a file next to the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyNamed {
    /// Name, `+`, key ID, `+`, base64, as in C2SP signed notes.
    pub verifier_key: String,
    /// Of a rotation: why the key before it signs no longer.
    pub reason: Option<String>,
}

/// The last one named signs for the actor. The actor keeps the private key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActorKeyNamed {
    /// As in the envelopes of its events.
    pub actor: String,
    /// Name, `+`, key ID, `+`, base64, as in C2SP signed notes.
    pub verifier_key: String,
    /// Of a rotation: why the key before it signs no longer.
    pub reason: Option<String>,
    /// Of a rotation: a C2SP signed note by the key before it, which names this key.
    pub signed_note: Option<String>,
}

/// The events of an actor in a range of the log, without those of this type. The ranges of an actor follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActorSigned {
    /// As in the envelopes of its events.
    pub actor: String,
    /// After the last `seq` that the actor signed before; 1 at first.
    pub first_seq: u64,
    /// Of the last event that is signed.
    pub last_seq: u64,
    /// In the range.
    pub events: u64,
    /// A C2SP signed note, whose text has a digest over the hashes of the events.
    pub signed_note: String,
}
