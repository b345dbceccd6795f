//! Reading for a fold. SQLite hands over a row column by column, with several calls for each, which takes longer than to find
//! the row. So a function in the statement itself gathers what a fold reads of the events, and the statement stops where a
//! batch is full.

use std::cell::OnceCell;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use annals_events::Micros;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;

use crate::log::Log;
use crate::read::{ReadError, clamp};
use crate::row::{BadColumn, number, positive, small, text};

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
    /// Who said so.
    pub actor: &'a str,
    /// The payload as stored: canonical JSON.
    pub payload: &'a str,
}

/// A batch is full with so many events, or with so many bytes of text.
const FULL: (usize, usize) = (256, 1 << 20);

const COLUMNS: usize = 8;

const SQL: &str = "SELECT 1 FROM event WHERE seq BETWEEN ?1 AND ?2
  AND gather(seq, stream, type, schema, effective_at, recorded_at, actor, payload) ORDER BY seq";

/// Events in a row, their texts one after the other.
#[derive(Debug, Default)]
struct Batch {
    events: Vec<Gathered>,
    text: String,
    /// What is wrong with the event behind the last.
    problem: Option<BadColumn>,
}

/// An event whose texts are places in the text of its batch.
#[derive(Debug)]
struct Gathered {
    seq: u64,
    stream: Range<usize>,
    event_type: Range<usize>,
    schema: u32,
    effective_at: Micros,
    recorded_at: Micros,
    actor: Range<usize>,
    payload: Range<usize>,
}

impl Batch {
    /// Adds an event; whether the statement is to stop.
    fn take(&mut self, values: [ValueRef<'_>; COLUMNS]) -> bool {
        match self.gathered(values) {
            Ok(event) => self.events.push(event),
            Err(problem) => self.problem = Some(problem),
        }
        let (events, bytes) = FULL;
        self.problem.is_some() || self.events.len() >= events || self.text.len() >= bytes
    }

    fn gathered(&mut self, values: [ValueRef<'_>; COLUMNS]) -> Result<Gathered, BadColumn> {
        let [seq, stream, event_type, schema, effective_at, recorded_at, actor, payload] = values;
        let last = |of: fn(&Gathered) -> &Range<usize>| self.events.last().map(of).cloned();
        let (last_stream, last_type, last_actor) =
            (last(|event| &event.stream), last(|event| &event.event_type), last(|event| &event.actor));
        Ok(Gathered {
            seq: positive(seq, "seq")?,
            stream: self.keep(stream, "stream", last_stream)?,
            event_type: self.keep(event_type, "type", last_type)?,
            schema: small(schema, "schema")?,
            effective_at: number(effective_at, "effective_at")?,
            recorded_at: number(recorded_at, "recorded_at")?,
            actor: self.keep(actor, "actor", last_actor)?,
            payload: self.keep(payload, "payload", None)?,
        })
    }

    /// Keeps a text; that of the event before is kept already, and is often the same.
    fn keep(
        &mut self,
        value: ValueRef<'_>,
        column: &'static str,
        last: Option<Range<usize>>,
    ) -> Result<Range<usize>, BadColumn> {
        if let (ValueRef::Text(bytes), Some(last)) = (value, last)
            && &self.text.as_bytes()[last.clone()] == bytes
        {
            return Ok(last);
        }
        let start = self.text.len();
        self.text.push_str(text(value, column)?);
        Ok(start..self.text.len())
    }

    fn events(&self) -> impl Iterator<Item = FoldEvent<'_>> {
        let text = |place: &Range<usize>| &self.text[place.clone()];
        self.events.iter().map(move |event| FoldEvent {
            seq: event.seq,
            stream: text(&event.stream),
            event_type: text(&event.event_type),
            schema: event.schema,
            effective_at: event.effective_at,
            recorded_at: event.recorded_at,
            actor: text(&event.actor),
            payload: text(&event.payload),
        })
    }

    fn clear(&mut self) {
        self.events.clear();
        self.text.clear();
    }
}

/// Where the function of a connection gathers; empty but while a statement runs.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    batch: OnceCell<Arc<Mutex<Batch>>>,
}

impl Gathering {
    fn on(&self, connection: &Connection) -> rusqlite::Result<MutexGuard<'_, Batch>> {
        let batch = match self.batch.get() {
            Some(batch) => batch,
            None => {
                let batch = Arc::<Mutex<Batch>>::default();
                let of_function = batch.clone();
                // Nothing in the file may call it.
                let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
                connection.create_scalar_function("gather", COLUMNS as i32, flags, move |context| {
                    Ok(lock(&of_function).take(std::array::from_fn(|column| context.get_raw(column))))
                })?;
                self.batch.get_or_init(|| batch)
            }
        };
        Ok(lock(batch))
    }
}

fn lock(batch: &Mutex<Batch>) -> MutexGuard<'_, Batch> {
    batch.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    /// Calls `each` with what a fold reads of every event of a range of `seq`, in order: as [`Log::scan`], and quicker.
    ///
    /// # Errors
    /// What `each` returns; when an event is damaged or missing.
    pub fn scan_for_fold<E: From<ReadError>>(
        &self,
        range: RangeInclusive<u64>,
        mut each: impl FnMut(FoldEvent<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let last = (*range.end()).min(self.last_seq()?);
        let mut expected = (*range.start()).max(1);
        let fault = |error: &rusqlite::Error| ReadError::Fault(self.fault("reading events", error));
        let mut batch = std::mem::take(&mut *self.gathering.on(&self.connection).map_err(|e| fault(&e))?);
        let mut statement = self.connection.prepare_cached(SQL).map_err(|e| fault(&e))?;
        let mut rows = statement.query([clamp(expected), clamp(last)]).map_err(|e| fault(&e))?;
        loop {
            let step = rows.next().map(|row| row.is_some());
            let gathering = self.gathering.on(&self.connection);
            std::mem::swap(&mut batch, &mut *gathering.map_err(|e| fault(&e))?);
            for event in batch.events() {
                if event.seq != expected {
                    return Err(ReadError::Missing { expected, found: Some(event.seq) }.into());
                }
                expected += 1;
                if each(event)?.is_break() {
                    return Ok(());
                }
            }
            if let Some(problem) = batch.problem.take() {
                return Err(ReadError::Row { seq: expected, problem }.into());
            }
            batch.clear();
            if !step.map_err(|e| fault(&e))? {
                break;
            }
        }
        if expected <= last {
            return Err(ReadError::Missing { expected, found: None }.into());
        }
        Ok(())
    }
}
