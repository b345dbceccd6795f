//! Reads by position, stream, identity and recording time. A log only grows, so a reader limited to a `seq` always sees
//! the same log. Values are type-checked and gaps detected; hashes are not verified here.

use std::ops::{ControlFlow, RangeInclusive};

use annals_events::{EventId, Micros, RawEnvelope, StreamName};
use rusqlite::{OptionalExtension, Params};

use crate::fault::Fault;
use crate::head::Head;
use crate::log::Log;
use crate::open_error::OpenError;
use crate::row::{BadColumn, COLUMNS, EventRef, clamp, columns};
use crate::tail::last_seq;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("event {seq} is damaged: {problem}")]
    Row {
        /// The expected one, as far as known.
        seq: u64,
        problem: BadColumn,
    },
    /// An event that must be there is not.
    #[error("event {expected} is missing{}",
        found.map_or(String::new(), |found| format!(" (the next one is {found})")))]
    Missing {
        /// The `seq` that was expected.
        expected: u64,
        found: Option<u64>,
    },
    /// A stream with a gap.
    #[error("version {expected} of stream `{stream}` is missing (found version {found})")]
    MissingVersion { stream: String, expected: u64, found: u64 },
    #[error("the end of the log is damaged: {problem}")]
    Head { problem: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamInfo {
    pub name: StreamName,
    /// The number of its events.
    pub version: u64,
    /// Of its last event.
    pub last_seq: u64,
}

/// Events per query of an iterator.
const CHUNK: u64 = 512;

impl Log {
    /// The present head. It may be ahead of what is acknowledged; receipts come from [`Log::acknowledged`].
    ///
    /// # Errors
    /// If it cannot be read, or is not that of a log.
    pub fn head(&self) -> Result<Head, ReadError> {
        // An inspected log may contradict its anchor.
        let is_contradicted = self.problems.iter().any(|problem| matches!(problem, OpenError::Anchor { .. }));
        let known = self.newest_line().filter(|_| !is_contradicted);
        match self.tail(known) {
            Ok(tail) => Ok(tail.head(self.id())),
            Err(OpenError::Fault(fault)) => Err(fault.into()),
            Err(OpenError::Tree { problem, .. }) => Err(ReadError::Head { problem }),
            Err(other) => Err(ReadError::Head { problem: other.to_string() }),
        }
    }

    /// # Errors
    /// If it cannot be read.
    pub fn last_seq(&self) -> Result<u64, ReadError> {
        last_seq(&self.connection).map_err(|e| self.fault("reading the head", &e).into())
    }

    /// Calls `each` with every event of a range, in order, without copying. The range ends at the present last event.
    ///
    /// # Errors
    /// Those of `each`; if an event is damaged or missing.
    pub fn scan<E: From<ReadError>>(
        &self,
        range: RangeInclusive<u64>,
        mut each: impl FnMut(EventRef<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let last = (*range.end()).min(self.last_seq()?);
        let first = (*range.start()).max(1);
        let sql = format!("SELECT {COLUMNS} FROM event WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq");
        let fault = |error: &rusqlite::Error| ReadError::Fault(self.fault("reading events", error));
        let mut statement = self.connection.prepare_cached(&sql).map_err(|e| fault(&e))?;
        let mut rows = statement.query([clamp(first), clamp(last)]).map_err(|e| fault(&e))?;
        let mut expected = first;
        while let Some(row) = rows.next().map_err(|e| fault(&e))? {
            let event =
                EventRef::from_row(row).map_err(|problem| ReadError::Row { seq: expected, problem })?;
            if event.seq != expected {
                return Err(ReadError::Missing { expected, found: Some(event.seq) }.into());
            }
            expected += 1;
            if each(event)?.is_break() {
                return Ok(());
            }
        }
        if expected <= last {
            return Err(ReadError::Missing { expected, found: None }.into());
        }
        Ok(())
    }

    /// Calls `each` with every event of a stream up to `up_to`, in order, without copying.
    ///
    /// # Errors
    /// Those of `each`; if an event is damaged, or the stream has a gap.
    pub fn scan_stream<E: From<ReadError>>(
        &self,
        stream: &StreamName,
        up_to: u64,
        mut each: impl FnMut(EventRef<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let sql = format!("SELECT {COLUMNS} FROM event WHERE stream = ?1 ORDER BY version");
        let fault = |error: &rusqlite::Error| ReadError::Fault(self.fault("reading a stream", error));
        let mut statement = self.connection.prepare_cached(&sql).map_err(|e| fault(&e))?;
        let mut rows = statement.query([stream.as_str()]).map_err(|e| fault(&e))?;
        let mut expected = 1;
        let mut last_seq = 0;
        while let Some(row) = rows.next().map_err(|e| fault(&e))? {
            let event =
                EventRef::from_row(row).map_err(|problem| ReadError::Row { seq: last_seq + 1, problem })?;
            let out_of_place = event.version != expected || event.seq <= last_seq;
            if out_of_place || event.stream != stream.as_str() {
                let (stream, found) = (stream.as_str().to_owned(), event.version);
                return Err(ReadError::MissingVersion { stream, expected, found }.into());
            }
            (expected, last_seq) = (expected + 1, event.seq);
            if event.seq > up_to || each(event)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Owned events of a range.
    #[must_use]
    pub fn events(&self, range: RangeInclusive<u64>) -> Events<'_> {
        Events { log: self, next: (*range.start()).max(1), end: *range.end(), chunk: Vec::new().into_iter() }
    }

    /// Owned events of a stream up to a `seq`.
    ///
    /// # Errors
    /// If an event is damaged, or the stream has a gap.
    pub fn stream(&self, stream: &StreamName, up_to: u64) -> Result<Vec<RawEnvelope>, ReadError> {
        let mut events = Vec::new();
        self.scan_stream(stream, up_to, |event| {
            events.push(own(&event)?);
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        })?;
        Ok(events)
    }

    /// None beyond the end.
    ///
    /// # Errors
    /// If it is damaged or missing.
    pub fn event(&self, seq: u64) -> Result<Option<RawEnvelope>, ReadError> {
        let sql = concat!("SELECT ", columns!(), " FROM event WHERE seq = ?1");
        let found = self.one(sql, [clamp(seq)], seq)?;
        match found {
            Some(event) if event.seq == seq => Ok(Some(event)),
            Some(event) => Err(ReadError::Missing { expected: seq, found: Some(event.seq) }),
            None if seq > 0 && seq <= self.last_seq()? => {
                Err(ReadError::Missing { expected: seq, found: None })
            }
            None => Ok(None),
        }
    }

    /// # Errors
    /// If it is damaged, or cannot be read.
    pub fn find(&self, id: EventId) -> Result<Option<RawEnvelope>, ReadError> {
        let sql = concat!("SELECT ", columns!(), " FROM event WHERE id = ?1");
        match self.one(sql, [id.as_bytes()], 0)? {
            // The index led to another event.
            Some(event) if event.id != id => {
                let problem = format!("is {}, where the index says {id}", event.id);
                Err(ReadError::Row { seq: event.seq, problem: BadColumn { column: "id", problem } })
            }
            found => Ok(found),
        }
    }

    /// `seq` is for errors if the event itself cannot give it.
    fn one(&self, sql: &str, params: impl Params, seq: u64) -> Result<Option<RawEnvelope>, ReadError> {
        let fault = |error: &rusqlite::Error| ReadError::Fault(self.fault("looking up an event", error));
        let mut statement = self.connection.prepare_cached(sql).map_err(|e| fault(&e))?;
        let mut rows = statement.query(params).map_err(|e| fault(&e))?;
        let Some(row) = rows.next().map_err(|e| fault(&e))? else { return Ok(None) };
        let stated = row.get::<_, i64>(0).map_or(seq, i64::unsigned_abs);
        let event = EventRef::from_row(row).map_err(|problem| ReadError::Row { seq: stated, problem })?;
        own(&event).map(Some)
    }

    /// A stream's last version and `seq`; none without events.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn stream_info(&self, stream: &StreamName) -> Result<Option<StreamInfo>, ReadError> {
        let last = "SELECT version, seq FROM event WHERE stream = ?1 ORDER BY version DESC LIMIT 1";
        let found = self.pair(last, [stream.as_str()])?;
        Ok(found.map(|(version, last_seq)| StreamInfo { name: stream.clone(), version, last_seq }))
    }

    /// The streams of a family ("game", "tournament"), or all, by name.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn streams(&self, family: Option<&str>) -> Result<Vec<StreamInfo>, ReadError> {
        self.streams_from(&family.map_or(String::new(), |family| format!("{family}/")))
    }

    /// The streams whose names begin with a text, such as `game/cup.r`, by name.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn streams_from(&self, prefix: &str) -> Result<Vec<StreamInfo>, ReadError> {
        // One lookup per stream instead of one row per event.
        let next = "SELECT stream FROM event WHERE stream > ?1 ORDER BY stream LIMIT 1";
        let fault = |error: &rusqlite::Error| ReadError::Fault(self.fault("listing streams", error));
        let mut statement = self.connection.prepare_cached(next).map_err(|e| fault(&e))?;
        let mut after = prefix.to_owned();
        let mut streams = Vec::new();
        while let Some(text) = statement
            .query_row([&after], |row| row.get::<_, String>(0))
            .optional()
            .map_err(|e| fault(&e))?
            .filter(|text| text.starts_with(prefix))
        {
            let name: StreamName = text.parse().map_err(|_| ReadError::Head {
                problem: format!("`{}` stands where the name of a stream should", text.escape_debug()),
            })?;
            streams.extend(self.stream_info(&name)?);
            after = text;
        }
        Ok(streams)
    }

    /// The last event recorded at or before a time; 0 if none.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn seq_known_at(&self, time: Micros) -> Result<u64, ReadError> {
        // `recorded_at` rises with `seq`, so bisection works.
        let (mut known, mut unknown) = (0, self.last_seq()? + 1);
        while unknown - known > 1 {
            let middle = known + (unknown - known) / 2;
            if self.recorded_at(middle)? <= time {
                known = middle;
            } else {
                unknown = middle;
            }
        }
        Ok(known)
    }

    fn recorded_at(&self, seq: u64) -> Result<Micros, ReadError> {
        let sql = "SELECT recorded_at FROM event WHERE seq = ?1";
        let found = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row([clamp(seq)], |row| row.get(0)).optional())
            .map_err(|e| self.fault("looking up an event", &e))?;
        found.ok_or(ReadError::Missing { expected: seq, found: None })
    }

    fn pair(&self, sql: &str, params: impl Params) -> Result<Option<(u64, u64)>, ReadError> {
        let get = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(params, get).optional())
            .map(|found| found.map(|(a, b)| (a.unsigned_abs(), b.unsigned_abs())))
            .map_err(|e| self.fault("looking up a stream", &e).into())
    }
}

fn own(event: &EventRef<'_>) -> Result<RawEnvelope, ReadError> {
    event.to_envelope().map_err(|problem| ReadError::Row { seq: event.seq, problem })
}

/// Events of a range in order, to the present end.
#[derive(Debug)]
pub struct Events<'l> {
    log: &'l Log,
    next: u64,
    end: u64,
    chunk: std::vec::IntoIter<RawEnvelope>,
}

impl Iterator for Events<'_> {
    type Item = Result<RawEnvelope, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(event) = self.chunk.next() {
            return Some(Ok(event));
        }
        if self.next > self.end {
            return None;
        }
        let last = self.end.min(self.next.saturating_add(CHUNK - 1));
        let mut chunk = Vec::new();
        let scanned = self.log.scan(self.next..=last, |event| {
            chunk.push(own(&event)?);
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        });
        // Events before damage are returned first; the error follows.
        self.next += chunk.len() as u64;
        let damaged = scanned.err();
        if chunk.is_empty() {
            self.end = 0;
            return damaged.map(Err);
        }
        self.chunk = chunk.into_iter();
        self.chunk.next().map(Ok)
    }
}
