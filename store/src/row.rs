//! One stored event from a row: borrowed, with exact column types. A flipped bit can turn a text into a blob of the
//! same bytes, which is damage here.

use annals_events::{EventId, Hash, Micros, RawEnvelope, RawPayload, StreamName};
use rusqlite::Row;
use rusqlite::types::{Type, ValueRef};

/// In the order of [`EventRef::from_row`], as a literal for `concat!`.
macro_rules! columns {
    () => {
        "seq, stream, version, id, type, schema, effective_at, recorded_at, actor, payload, hash"
    };
}
pub(crate) use columns;

/// In the order of [`EventRef::from_row`].
pub(crate) const COLUMNS: &str = columns!();

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventRef<'a> {
    /// From 1.
    pub seq: u64,
    pub stream: &'a str,
    /// In its stream, from 1.
    pub version: u64,
    pub id: EventId,
    /// For example `game.turn_taken`.
    pub event_type: &'a str,
    /// Of the payload.
    pub schema: u32,
    /// Microseconds since the epoch, UTC.
    pub effective_at: Micros,
    /// Microseconds since the epoch, UTC.
    pub recorded_at: Micros,
    pub actor: &'a str,
    /// As stored: canonical JSON.
    pub payload: &'a str,
    /// Over the previous hash and all of the above.
    pub hash: Hash,
}

/// What a fold reads: without identity, stream version and hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldEvent<'a> {
    /// From 1.
    pub seq: u64,
    pub stream: &'a str,
    /// For example `game.turn_taken`.
    pub event_type: &'a str,
    /// Of the payload.
    pub schema: u32,
    /// Microseconds since the epoch, UTC.
    pub effective_at: Micros,
    /// Microseconds since the epoch, UTC.
    pub recorded_at: Micros,
    pub actor: &'a str,
    /// As stored: canonical JSON.
    pub payload: &'a str,
}

/// A value of the wrong type.
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

/// From 1, within 32 bits.
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
    /// From a row of [`COLUMNS`].
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

    /// # Errors
    /// If the stream name is invalid, as only in a damaged or foreign log.
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

/// SQLite integers end at 2^63 − 1.
pub(crate) fn clamp(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
