//! Gathers events for a fold. SQLite returns rows with several calls per column, which costs more than finding them. So
//! a function in the statement gathers the fields, and the statement stops at a full batch.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use annals_events::Micros;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;

use crate::row::{BadColumn, FoldEvent, number, positive, small, text};

/// Events, and bytes of text, of a full batch.
const FULL: (usize, usize) = (256, 1 << 20);

const COLUMNS: usize = 8;

/// Consecutive events, with all text in one buffer.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    events: Vec<Gathered>,
    text: String,
    /// Of the event after the last.
    pub problem: Option<BadColumn>,
}

/// Texts are ranges of the batch's buffer.
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
    /// Adds an event; returns whether to stop.
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

    /// Stores a text; the previous event's is often the same.
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

    pub fn events(&self) -> impl Iterator<Item = FoldEvent<'_>> {
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

    pub fn clear(&mut self) {
        self.events.clear();
        self.text.clear();
    }
}

/// The batch of a connection's function; empty unless a statement runs.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    batch: OnceCell<Arc<Mutex<Batch>>>,
}

impl Gathering {
    pub fn on(&self, connection: &Connection) -> rusqlite::Result<MutexGuard<'_, Batch>> {
        let batch = match self.batch.get() {
            Some(batch) => batch,
            None => {
                let batch = Arc::<Mutex<Batch>>::default();
                let of_function = batch.clone();
                // The file itself may not call it.
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
