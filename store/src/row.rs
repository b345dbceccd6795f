//! One stored event as a row gives it: borrowed, every column of exactly its kind. A flipped bit can turn a text into a
//! blob of the same bytes; here that is damage, not a value.

use annals_events::{EventId, Hash, Micros, RawEnvelope, RawPayload, StreamName};
use rusqlite::Row;
use rusqlite::types::{Type, ValueRef};

use crate::chain::Hashed;

/// The columns in the order in which [`EventRef::from_row`] takes them, as a literal for `concat!`.
macro_rules! columns {
    () => {
        "seq, stream, version, id, type, schema, effective_at, recorded_at, actor, payload, hash"
    };
}
pub(crate) use columns;

/// The columns in the order in which [`EventRef::from_row`] takes them.
pub(crate) const COLUMNS: &str = columns!();

/// An event of the log, borrowed from the row that it was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventRef<'a> {
    /// Position in the log, from 1.
    pub seq: u64,
    /// The stream it belongs to.
    pub stream: &'a str,
    /// Position in its stream, from 1.
    pub version: u64,
    pub id: EventId,
    /// Its type, e.g. `game.turn_taken`.
    pub event_type: &'a str,
    /// Schema version of the payload.
    pub schema: u32,
    /// When it happened, microseconds since the epoch, UTC.
    pub effective_at: Micros,
    /// When the log took it, microseconds since the epoch, UTC.
    pub recorded_at: Micros,
    pub actor: &'a str,
    /// The payload as stored: canonical JSON.
    pub payload: &'a str,
    /// The hash over the hash before it and all of the above.
    pub hash: Hash,
}

/// What a fold reads of an event, borrowed: all but its identity, its place in its stream and its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldEvent<'a> {
    /// Position in the log, from 1.
    pub seq: u64,
    /// The stream it belongs to.
    pub stream: &'a str,
    /// Its type, e.g. `game.turn_taken`.
    pub event_type: &'a str,
    /// Schema version of the payload.
    pub schema: u32,
    /// When it happened, microseconds since the epoch, UTC.
    pub effective_at: Micros,
    /// When the log took it, microseconds since the epoch, UTC.
    pub recorded_at: Micros,
    pub actor: &'a str,
    /// The payload as stored: canonical JSON.
    pub payload: &'a str,
}

/// A stored value that is not of its column's kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column `{column}` {problem}")]
pub struct BadColumn {
    pub column: &'static str,
    pub problem: String,
}

impl BadColumn {
    fn new(column: &'static str, problem: impl Into<String>) -> BadColumn {
        BadColumn { column, problem: problem.into() }
    }

    fn wanted(column: &'static str, wanted: &str, found: Type) -> BadColumn {
        BadColumn::new(column, format!("holds {found} instead of {wanted}"))
    }
}

fn value<'r>(row: &'r Row<'_>, index: usize, column: &'static str) -> Result<ValueRef<'r>, BadColumn> {
    row.get_ref(index).map_err(|e| BadColumn::new(column, format!("cannot be read: {e}")))
}

pub(crate) fn text<'r>(value: ValueRef<'r>, column: &'static str) -> Result<&'r str, BadColumn> {
    match value {
        ValueRef::Text(bytes) => {
            std::str::from_utf8(bytes).map_err(|e| BadColumn::new(column, format!("is no UTF-8: {e}")))
        }
        other => Err(BadColumn::wanted(column, "text", other.data_type())),
    }
}

pub(crate) fn number(value: ValueRef<'_>, column: &'static str) -> Result<i64, BadColumn> {
    match value {
        ValueRef::Integer(number) => Ok(number),
        other => Err(BadColumn::wanted(column, "a whole number", other.data_type())),
    }
}

pub(crate) fn positive(value: ValueRef<'_>, column: &'static str) -> Result<u64, BadColumn> {
    let number = number(value, column)?;
    u64::try_from(number)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| BadColumn::new(column, format!("is {number}, but counts from 1")))
}

/// A number from 1 that fits 32 bits.
pub(crate) fn small(value: ValueRef<'_>, column: &'static str) -> Result<u32, BadColumn> {
    let number = positive(value, column)?;
    u32::try_from(number).map_err(|_| BadColumn::new(column, format!("is {number}, far too large")))
}

fn bytes<const N: usize>(value: ValueRef<'_>, column: &'static str) -> Result<[u8; N], BadColumn> {
    match value {
        ValueRef::Blob(bytes) => bytes
            .try_into()
            .map_err(|_| BadColumn::new(column, format!("has {} bytes instead of {N}", bytes.len()))),
        other => Err(BadColumn::wanted(column, "bytes", other.data_type())),
    }
}

impl<'a> EventRef<'a> {
    /// Takes an event from a row of [`COLUMNS`].
    pub(crate) fn from_row(row: &'a Row<'_>) -> Result<EventRef<'a>, BadColumn> {
        let of = |index, column| value(row, index, column);
        Ok(EventRef {
            seq: positive(of(0, "seq")?, "seq")?,
            stream: text(of(1, "stream")?, "stream")?,
            version: positive(of(2, "version")?, "version")?,
            id: EventId(bytes(of(3, "id")?, "id")?),
            event_type: text(of(4, "type")?, "type")?,
            schema: small(of(5, "schema")?, "schema")?,
            effective_at: number(of(6, "effective_at")?, "effective_at")?,
            recorded_at: number(of(7, "recorded_at")?, "recorded_at")?,
            actor: text(of(8, "actor")?, "actor")?,
            payload: text(of(9, "payload")?, "payload")?,
            hash: Hash(bytes(of(10, "hash")?, "hash")?),
        })
    }

    /// What a fold reads of it.
    #[must_use]
    pub fn for_fold(&self) -> FoldEvent<'a> {
        FoldEvent {
            seq: self.seq,
            stream: self.stream,
            event_type: self.event_type,
            schema: self.schema,
            effective_at: self.effective_at,
            recorded_at: self.recorded_at,
            actor: self.actor,
            payload: self.payload,
        }
    }

    /// What its hash covers besides the hash before it.
    #[must_use]
    pub fn hashed(&self) -> Hashed<'a> {
        Hashed {
            seq: self.seq,
            stream: self.stream,
            version: self.version,
            id: self.id,
            event_type: self.event_type,
            schema: self.schema,
            effective_at: self.effective_at,
            recorded_at: self.recorded_at,
            actor: self.actor,
            payload: self.payload,
        }
    }

    /// The event with its own text.
    ///
    /// # Errors
    /// When the name of the stream is none, which only a damaged or foreign log holds.
    pub fn to_envelope(&self) -> Result<RawEnvelope, BadColumn> {
        let stream: StreamName =
            self.stream.parse().map_err(|e| BadColumn::new("stream", format!("is no stream name: {e}")))?;
        Ok(RawEnvelope {
            seq: self.seq,
            stream,
            version: self.version,
            id: self.id,
            event_type: self.event_type.to_owned(),
            schema: self.schema,
            effective_at: self.effective_at,
            recorded_at: self.recorded_at,
            actor: self.actor.to_owned(),
            payload: RawPayload::from_stored(self.payload.to_owned()),
            hash: self.hash,
        })
    }
}

/// SQLite's whole numbers end at 2^63 − 1.
pub(crate) fn clamp(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
