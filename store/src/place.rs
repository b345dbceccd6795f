//! Gives a transaction's events `seq`, version, time and hash, and recognises repetitions. Runs inside one SQLite
//! transaction, which `append.rs` commits or rolls back.

use std::collections::HashMap;
use std::path::Path;

use annals_events::{EventId, Hash, Micros, StreamName};
use rusqlite::{Connection, OptionalExtension, params};

use crate::chain::Chain;
use crate::confirm::{is_written_by_the_log, stamp};
use crate::fault::Fault;
use crate::log::Writing;
use crate::new_event::NewEvent;
use crate::row::{EventRef, columns};
use crate::tail::Tail;
use crate::transaction::{AppendError, Expected, MAX_EVENTS, Transaction};

/// An inserted transaction, not yet acknowledged.
pub(crate) struct Placed {
    pub first_seq: u64,
    pub last_seq: u64,
    pub recorded_at: Micros,
    pub repeated: bool,
}

/// State of one commit across transactions.
pub(crate) struct Commit<'c> {
    pub connection: &'c Connection,
    pub chain: &'c mut Chain,
    pub tail: Tail,
    /// Of the streams written.
    pub versions: HashMap<StreamName, u64>,
}

const INSERT: &str = concat!("INSERT INTO event (", columns!(), ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

impl Commit<'_> {
    pub fn place(
        &mut self,
        transaction: &Transaction,
        writing: &Writing,
        path: &Path,
    ) -> Result<Placed, AppendError> {
        let fault = |error: rusqlite::Error| AppendError::Fault(Fault::sqlite(path, "appending", &error));
        let events = &transaction.events;
        let Some(first) = events.first() else { return Err(AppendError::Empty) };
        if events.len() > MAX_EVENTS {
            return Err(AppendError::TooMany { found: events.len() });
        }
        let before = self.tail.clone();
        let refusal = match self.add(transaction, writing, path) {
            Ok(placed) => return Ok(placed),
            Err(refusal) => refusal,
        };
        self.tail = before;
        self.versions.clear();
        if matches!(refusal, AppendError::Fault(_)) {
            return Err(refusal);
        }
        // A repetition fails on its ids, expectations or time, so it is only searched for after a failure.
        match self.seq_of(first.id).map_err(fault)? {
            Some(seq) if seq <= self.tail.seq => self.repetition(events).map_err(fault)?,
            _ => Err(refusal),
        }
    }

    fn add(
        &mut self,
        transaction: &Transaction,
        writing: &Writing,
        path: &Path,
    ) -> Result<Placed, AppendError> {
        let fault = |error: rusqlite::Error| AppendError::Fault(Fault::sqlite(path, "appending", &error));
        let events = &transaction.events;
        for (stream, expected) in &transaction.expected {
            self.meet(stream, *expected).map_err(fault)??;
        }
        let clock = (writing.clock.now(), writing.clock.kind());
        let by_the_log = is_written_by_the_log(events);
        let recorded_at = stamp(self.connection, &self.tail, clock, by_the_log).map_err(fault)??;
        let first_seq = self.tail.seq + 1;
        if let Err(error) = self.insert_all(events, recorded_at) {
            return Err(if is_id_taken(&error) { self.taken(events).map_err(fault)? } else { fault(error) });
        }
        self.tail.recorded_at = Some(recorded_at);
        Ok(Placed { first_seq, last_seq: self.tail.seq, recorded_at, repeated: false })
    }

    pub fn insert_all(&mut self, events: &[NewEvent], recorded_at: Micros) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(INSERT)?;
        for event in events {
            let mut placed = EventRef {
                seq: self.tail.seq + 1,
                stream: event.stream.as_str(),
                version: self.next_version(&event.stream)?,
                id: event.id,
                event_type: event.event_type.name(),
                schema: event.schema,
                effective_at: event.effective_at,
                recorded_at,
                actor: &event.actor,
                payload: event.payload.as_str(),
                hash: Hash::default(),
            };
            placed.hash = self.chain.hash(&self.tail.hash, &placed);
            statement.execute(params![
                placed.seq as i64,
                placed.stream,
                placed.version as i64,
                placed.id.as_bytes(),
                placed.event_type,
                placed.schema,
                placed.effective_at,
                placed.recorded_at,
                placed.actor,
                placed.payload,
                placed.hash.as_bytes(),
            ])?;
            self.tail.seq = placed.seq;
            self.tail.hash = placed.hash;
            self.tail.tree.push(&placed.hash);
        }
        Ok(())
    }

    fn next_version(&mut self, stream: &StreamName) -> rusqlite::Result<u64> {
        if let Some(version) = self.versions.get_mut(stream) {
            *version += 1;
            return Ok(*version);
        }
        let version = self.last_of(stream)?.0 + 1;
        self.versions.insert(stream.clone(), version);
        Ok(version)
    }

    pub fn store_tree(&self) -> rusqlite::Result<()> {
        let changed = self
            .connection
            .prepare_cached("UPDATE tree SET size = ?1, peaks = ?2 WHERE only = 1")?
            .execute(params![self.tail.seq as i64, self.tail.tree.to_bytes()])?;
        if changed == 1 { Ok(()) } else { Err(rusqlite::Error::StatementChangedRows(changed)) }
    }

    /// Version and `seq` of a stream's last event; zeros without one.
    fn last_of(&self, stream: &StreamName) -> rusqlite::Result<(u64, u64)> {
        let last = "SELECT version, seq FROM event WHERE stream = ?1 ORDER BY version DESC LIMIT 1";
        let found = self
            .connection
            .prepare_cached(last)?
            .query_row([stream.as_str()], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))
            .optional()?;
        Ok(found.map_or((0, 0), |(version, seq)| (version.unsigned_abs(), seq.unsigned_abs())))
    }

    /// A family's last event after `seq`; zero without one. Reads only later events, which are few.
    fn last_of_family_after(&self, family: &str, seq: u64) -> rusqlite::Result<u64> {
        // `0` is the character after `/`.
        let last = "SELECT seq FROM event NOT INDEXED
          WHERE seq > ?1 AND stream >= ?2 || '/' AND stream < ?2 || '0' ORDER BY seq DESC LIMIT 1";
        let found = self
            .connection
            .prepare_cached(last)?
            .query_row(params![i64::try_from(seq).unwrap_or(i64::MAX), family], |row| row.get::<_, i64>(0))
            .optional()?;
        Ok(found.map_or(0, i64::unsigned_abs))
    }

    fn meet(&self, stream: &StreamName, expected: Expected) -> rusqlite::Result<Result<(), AppendError>> {
        let (version, mut last_seq) = self.last_of(stream)?;
        if let Expected::FamilyUnchangedSince(seq) = expected {
            last_seq = self.last_of_family_after(stream.family(), seq)?;
        }
        let met = match expected {
            Expected::NoStream => version == 0,
            Expected::Version(wanted) => version == wanted,
            Expected::UnchangedSince(seq) | Expected::FamilyUnchangedSince(seq) => last_seq <= seq,
        };
        let conflict = || AppendError::Conflict { stream: stream.clone(), expected, version, last_seq };
        Ok(if met { Ok(()) } else { Err(conflict()) })
    }

    fn seq_of(&self, id: EventId) -> rusqlite::Result<Option<u64>> {
        self.connection
            .prepare_cached("SELECT seq FROM event WHERE id = ?1")?
            .query_row([id.as_bytes()], |row| row.get::<_, i64>(0))
            .optional()
            .map(|seq| seq.map(i64::unsigned_abs))
    }

    /// The positions of a repeated transaction.
    fn repetition(&self, events: &[NewEvent]) -> rusqlite::Result<Result<Placed, AppendError>> {
        let mut places = Vec::with_capacity(events.len());
        let mut recorded_at = 0;
        for event in events {
            match self.stored_as(event)? {
                Some(Ok((seq, at))) => {
                    places.push(seq);
                    recorded_at = at;
                }
                Some(Err(error)) => return Ok(Err(error)),
                None => {}
            }
        }
        let in_order = places.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let (known, of) = (places.len(), events.len());
        Ok(match (places.first(), places.last()) {
            (Some(&first_seq), Some(&last_seq)) if known == of && in_order => {
                Ok(Placed { first_seq, last_seq, recorded_at, repeated: true })
            }
            (first, _) => {
                Err(AppendError::PartlyRecorded { known, of, first_known: first.copied().unwrap_or(0) })
            }
        })
    }

    /// The position of an equal event of this id; an error for another.
    #[allow(clippy::type_complexity)]
    fn stored_as(&self, event: &NewEvent) -> rusqlite::Result<Option<Result<(u64, Micros), AppendError>>> {
        let by_id = "SELECT seq, recorded_at, stream, type, schema, effective_at, actor, payload
          FROM event WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(by_id)?;
        let mut rows = statement.query([event.id.as_bytes()])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let seq = row.get::<_, i64>(0)?.unsigned_abs();
        let text_differs =
            |index: usize, ours: &str| Ok::<_, rusqlite::Error>(row.get_ref(index)?.as_str()? != ours);
        let differs = if text_differs(2, event.stream.as_str())? {
            "stream"
        } else if text_differs(3, event.event_type.name())? {
            "type"
        } else if row.get::<_, u32>(4)? != event.schema {
            "schema"
        } else if row.get::<_, i64>(5)? != event.effective_at {
            "effective time"
        } else if text_differs(6, &event.actor)? {
            "actor"
        } else if text_differs(7, event.payload.as_str())? {
            "payload"
        } else {
            return Ok(Some(Ok((seq, row.get(1)?))));
        };
        Ok(Some(Err(AppendError::IdReused { id: event.id, seq, differs })))
    }

    /// The error of a taken id: of an earlier event, or of this transaction.
    fn taken(&self, events: &[NewEvent]) -> rusqlite::Result<AppendError> {
        let mut ids = std::collections::HashSet::new();
        if let Some(twice) = events.iter().find(|event| !ids.insert(event.id)) {
            return Ok(AppendError::IdTwice { id: twice.id });
        }
        // Excludes events of this transaction.
        let own = self.tail.seq;
        let (mut known, mut first_known) = (0, own);
        for event in events {
            match self.stored_as(event)? {
                Some(Err(error)) => return Ok(error),
                Some(Ok((seq, at))) if Some(at) <= self.tail.recorded_at => {
                    known += 1;
                    first_known = first_known.min(seq);
                }
                _ => {}
            }
        }
        Ok(AppendError::PartlyRecorded { known, of: events.len(), first_known })
    }
}

fn is_id_taken(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::SqliteFailure(failure, Some(message))
            if failure.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE && message.contains("event.id")
    )
}
