//! Appending: what a caller asks for, how it is refused, and how events get their places. A transaction is taken
//! whole or not at all, and one that was taken already is recognised by its event ids.
//!
//! Durability, in this order: the events are inserted and committed, which SQLite does not report before the
//! write-ahead log is synced; the anchor is moved and synced; only then is the append acknowledged.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use annals_events::narrative::utc;
use annals_events::{EventId, LogId, Micros, StreamName};
use rusqlite::Connection;

use crate::chain::{Chain, genesis};
use crate::fault::{Fault, FaultKind};
use crate::head::Head;
use crate::log::{Log, Writing};
use crate::merkle::Frontier;
use crate::names::wal_path;
use crate::new_event::NewEvent;
use crate::place::{Commit, Placed};
use crate::tail::Tail;

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
    /// SQLite or the file system refused.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The log is open for reading only.
    #[error("the log was opened for reading. Open it for appending")]
    ReadOnly,
    /// A transaction without events.
    #[error("the transaction holds no event")]
    Empty,
    /// A transaction that is too large.
    #[error("the transaction holds {found} events; at most {MAX_EVENTS} go in at once. Split it")]
    TooMany {
        /// How many it holds.
        found: usize,
    },
    /// A stream is not as the caller takes for granted.
    #[error(
        "stream `{stream}` is not as expected: {}. Somebody else appended in the meantime: read it again, \
         decide again",
        expectation(*expected, *version, *last_seq)
    )]
    Conflict {
        /// The stream.
        stream: StreamName,
        /// What was expected of it.
        expected: Expected,
        /// Its last version; 0 when it has no event.
        version: u64,
        /// The `seq` of its last event, or of the last in its family where that was expected; 0 when there is none.
        last_seq: u64,
    },
    /// An event id that stands for another event.
    #[error(
        "event id {id} is used already, by event {seq}, whose {differs} is another. An id stands for one event \
         for ever: give the new event its own"
    )]
    IdReused {
        /// The id.
        id: EventId,
        /// The event that has it.
        seq: u64,
        /// What of the two differs first.
        differs: &'static str,
    },
    /// Some events of the transaction are in the log, others not, or not one after the other.
    #[error(
        "{known} of the {of} events of the transaction are in the log already (the first is event {first_known}), \
         the others are not: it is no repetition of an earlier transaction. Append only what is new"
    )]
    PartlyRecorded {
        /// How many are in the log.
        known: usize,
        /// Of how many.
        of: usize,
        /// The `seq` of the first that is.
        first_known: u64,
    },
    /// Two events of the transaction have one id.
    #[error("event id {id} stands twice in one transaction")]
    IdTwice {
        /// The id.
        id: EventId,
    },
    /// The clock shows a time well before the last event.
    #[error(
        "the clock shows {}, but the last event was recorded at {}, {} seconds later. Set the clock of the machine. \
         Where the clock is right and the event was recorded by a wrong one, run `annals doctor --confirm-clock REASON`",
        utc(*now), utc(*last), last.saturating_sub(*now) / 1_000_000
    )]
    ClockBehind {
        /// What the clock shows, microseconds since the epoch.
        now: Micros,
        /// When the last event was recorded.
        last: Micros,
    },
    /// The clock shows a time long after the last event.
    #[error(
        "the clock shows {}, but the last event was recorded at {}, {} days earlier. Set the clock of the machine. \
         Where the clock is right, run `annals doctor --confirm-clock REASON`",
        utc(*now), utc(*last), now.saturating_sub(*last) / 86_400_000_000
    )]
    ClockAhead {
        /// What the clock shows, microseconds since the epoch.
        now: Micros,
        /// When the last event was recorded.
        last: Micros,
    },
    /// The end of the log is not what it was, or not what a log can have.
    #[error(
        "the end of the log is not what this process read before: {problem}. Nothing is appended; run `annals log verify`"
    )]
    Damaged {
        /// What is wrong.
        problem: String,
    },
    /// The events are stored, but it is not certain that they survive a loss of power.
    #[error(
        "the events are stored, but the disk did not confirm it: {fault} They are not acknowledged: open the log \
         again and repeat the same transaction with the same event ids"
    )]
    NotAcknowledged {
        /// What went wrong.
        fault: Fault,
    },
    /// An earlier append failed in a way after which this handle cannot be trusted.
    #[error("this handle is closed for appending since an earlier failure: {fault} Open the log again")]
    Poisoned {
        /// The earlier failure.
        fault: Fault,
    },
    /// The writer of this log has been stopped.
    #[error("the writer of this log has stopped. Open the log again")]
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

impl Log {
    /// Appends a transaction. When this returns without an error, its events survive the death of this process and the
    /// loss of power.
    ///
    /// A transaction whose events are all in the log already, with the same content and one after the other, is a
    /// repetition: it succeeds with their old places. So after any error that leaves it open whether
    /// something was stored, the same transaction can be sent again.
    ///
    /// # Errors
    /// See [`AppendError`].
    pub fn append(&mut self, transaction: &Transaction) -> Result<Appended, AppendError> {
        self.append_group(&[transaction]).pop().unwrap_or(Err(AppendError::Empty))
    }

    /// What the clock of this log shows, microseconds since the epoch; none where the log is open for reading only.
    #[must_use]
    pub fn now(&self) -> Option<Micros> {
        self.writing.as_ref().map(|writing| writing.clock.now())
    }

    /// Appends several transactions with one commit and one sync; each is taken or refused by itself, in order.
    pub(crate) fn append_group(
        &mut self,
        transactions: &[&Transaction],
    ) -> Vec<Result<Appended, AppendError>> {
        let refuse = |error: AppendError| transactions.iter().map(|_| Err(error.clone())).collect();
        let log = self.opened.log_id;
        let Some(writing) = &mut self.writing else { return refuse(AppendError::ReadOnly) };
        if let Some(fault) = &writing.poisoned {
            return refuse(AppendError::Poisoned { fault: fault.clone() });
        }
        let committed =
            commit_group(&self.connection, &self.path, &mut self.chain, writing, log, transactions);
        let (placed, tail) = match committed {
            Ok(committed) => committed,
            Err(error) => return refuse(error),
        };
        // Repetitions are acknowledged too, so they must be as safe as what is new.
        let line = tail.line(log, writing.epoch);
        let anchored = if placed.iter().flatten().any(|placed| !placed.repeated) {
            writing.anchor.advance(&line)
        } else if placed.iter().any(Result::is_ok) {
            make_safe(&self.connection, &self.path, writing, &tail, log)
        } else {
            Ok(())
        };
        if let Err(fault) = anchored {
            // The lock of the anchor may be had a moment later; a failed sync is never tried twice.
            if fault.kind != FaultKind::Locked {
                writing.poisoned = Some(fault.clone());
            }
            let lost = |placed: Result<Placed, AppendError>| match placed {
                Ok(_) => Err(AppendError::NotAcknowledged { fault: fault.clone() }),
                Err(error) => Err(error),
            };
            return placed.into_iter().map(lost).collect();
        }
        let head = line.head();
        let acknowledge = |placed: Placed| Appended {
            first_seq: placed.first_seq,
            last_seq: placed.last_seq,
            recorded_at: placed.recorded_at,
            repeated: placed.repeated,
            head,
        };
        placed.into_iter().map(|placed| placed.map(acknowledge)).collect()
    }

    /// Makes safe and acknowledges what was committed by a process that died before it could.
    pub(crate) fn settle(&mut self) -> Result<(), Fault> {
        let log = self.opened.log_id;
        let Some(writing) = &mut self.writing else { return Ok(()) };
        let tail = writing.seen.clone();
        make_safe(&self.connection, &self.path, writing, &tail, log)
    }

    /// Moves everything from the write-ahead log into the database, and empties it; waits for readers. Worth doing
    /// after a large import.
    ///
    /// # Errors
    /// When SQLite or the file system refuses.
    pub fn checkpoint(&self) -> Result<(), Fault> {
        let doing = "moving the write-ahead log into the database";
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let busy: bool =
            self.connection.query_row(sql, [], |row| row.get(0)).map_err(|e| self.fault(doing, &e))?;
        if busy {
            let detail = "a reader was in the way; it will be done later";
            return Err(Fault::new(FaultKind::Locked, &self.path, doing, detail));
        }
        Ok(())
    }
}

/// Writes the first event of a log that is being created.
pub(crate) fn write_first(connection: &Connection, log: LogId, event: &NewEvent) -> rusqlite::Result<Tail> {
    run(connection, "BEGIN IMMEDIATE")?;
    let tail = Tail { seq: 0, hash: genesis(log), recorded_at: None, tree: Frontier::new() };
    let chain = &mut Chain::default();
    let mut commit = Commit { connection, chain, tail, versions: HashMap::new() };
    commit.insert_all(std::slice::from_ref(event), event.effective_at)?;
    commit.tail.recorded_at = Some(event.effective_at);
    commit.store_tree()?;
    run(connection, "COMMIT")?;
    Ok(commit.tail)
}

/// Makes sure that everything up to `tail` is on disk, and moves the anchor there.
///
/// An event can be in the log without being on the disk: its process was killed between writing and syncing, or
/// the sync failed and the kernel has since forgotten that the pages were not written. So the write-ahead log is written once
/// more, with the same bytes, and synced. To move it into the database would not do: after a loss of power its beginning, which is
/// on the disk, would hide what is newer in the database.
fn make_safe(
    connection: &Connection,
    path: &Path,
    writing: &mut Writing,
    tail: &Tail,
    log: LogId,
) -> Result<(), Fault> {
    let line = tail.line(log, writing.epoch);
    if writing.anchor.content().newest().is_some_and(|newest| newest.seq() >= tail.seq) {
        // Whoever wrote that line had synced the events before, but need not have synced the line.
        return writing.anchor.advance(&line);
    }
    let doing = "making the log safe";
    // The lock for writing: nobody else changes the file meanwhile.
    run(connection, "BEGIN IMMEDIATE").map_err(|e| Fault::sqlite(path, doing, &e))?;
    let written = write_again(&wal_path(path), doing);
    let ended = run(connection, "ROLLBACK").map_err(|e| Fault::sqlite(path, doing, &e));
    written.and(ended)?;
    writing.anchor.advance(&line)
}

/// Writes the bytes of a file again, in their places, and syncs them.
fn write_again(path: &Path, doing: &'static str) -> Result<(), Fault> {
    let fault = |e: std::io::Error| Fault::io(path, doing, &e);
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        // Everything was moved into the database, and synced there.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(fault(error)),
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(fault)?;
    file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&bytes)).map_err(fault)?;
    file.sync_all().map_err(|e| Fault::sync(path, doing, &e))
}

/// Places and commits transactions in one go. On an error nothing is committed.
#[allow(clippy::type_complexity)]
fn commit_group(
    connection: &Connection,
    path: &Path,
    chain: &mut Chain,
    writing: &mut Writing,
    log: LogId,
    transactions: &[&Transaction],
) -> Result<(Vec<Result<Placed, AppendError>>, Tail), AppendError> {
    let fault = |error: &rusqlite::Error| Fault::sqlite(path, "appending", error);
    run(connection, "BEGIN IMMEDIATE").map_err(|e| fault(&e))?;
    let placed = place_group(connection, path, chain, writing, log, transactions);
    let (placed, tail) = match placed {
        Ok(placed) => placed,
        Err(error) => {
            // When the rollback fails too, the handle's state is unknown.
            if !connection.is_autocommit() && run(connection, "ROLLBACK").is_err() {
                writing.poisoned = Some(match &error {
                    AppendError::Fault(fault) => fault.clone(),
                    other => Fault::new(FaultKind::Other, path, "appending", other.to_string()),
                });
            }
            return Err(error);
        }
    };
    if placed.iter().flatten().all(|placed| placed.repeated) {
        run(connection, "ROLLBACK").map_err(|e| fault(&e))?;
        return Ok((placed, tail));
    }
    if let Err(error) = run(connection, "COMMIT") {
        let fault = fault(&error);
        // A full disk is noticed before anything is committed, and SQLite takes everything back. After any other
        // failure it is open what reached the disk.
        let taken_back = connection.is_autocommit() || run(connection, "ROLLBACK").is_ok();
        if !taken_back || !matches!(fault.kind, FaultKind::DiskFull | FaultKind::Locked) {
            writing.poisoned = Some(fault.clone());
        }
        return Err(fault.into());
    }
    writing.seen = tail.clone();
    Ok((placed, tail))
}

fn run(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(|_| ())
}

/// The end of the log in the transaction that is under way: the one that was seen last where no other connection has committed
/// since, or else one that must continue it.
fn tail_now(
    connection: &Connection,
    writing: &mut Writing,
    log: LogId,
) -> rusqlite::Result<Result<Tail, String>> {
    let mut version = connection.prepare_cached("PRAGMA data_version")?;
    let version: i64 = version.query_row([], |row| row.get(0))?;
    if writing.seen_in == Some(version) {
        return Ok(Ok(writing.seen.clone()));
    }
    let tail = Tail::continuing(connection, log, &writing.seen.line(log, writing.epoch))?;
    if let Ok(tail) = &tail {
        (writing.seen, writing.seen_in) = (tail.clone(), Some(version));
    }
    Ok(tail)
}

#[allow(clippy::type_complexity)]
fn place_group(
    connection: &Connection,
    path: &Path,
    chain: &mut Chain,
    writing: &mut Writing,
    log: LogId,
    transactions: &[&Transaction],
) -> Result<(Vec<Result<Placed, AppendError>>, Tail), AppendError> {
    let fault = |error: &rusqlite::Error| Fault::sqlite(path, "appending", error);
    let tail = tail_now(connection, writing, log)
        .map_err(|e| fault(&e))?
        .map_err(|problem| AppendError::Damaged { problem })?;
    let start = tail.seq;
    let mut commit = Commit { connection, chain, tail, versions: HashMap::new() };
    // One transaction needs no way back of its own: when it is refused, nothing is committed.
    let alone = transactions.len() == 1;
    let mut placed = Vec::with_capacity(transactions.len());
    for transaction in transactions {
        if !alone {
            run(connection, "SAVEPOINT one").map_err(|e| fault(&e))?;
        }
        let result = commit.place(transaction, writing, path);
        if let Err(error) = &result {
            if matches!(error, AppendError::Fault(_) | AppendError::Damaged { .. }) || alone {
                return Err(error.clone());
            }
            run(connection, "ROLLBACK TO one").map_err(|e| fault(&e))?;
        }
        if !alone {
            run(connection, "RELEASE one").map_err(|e| fault(&e))?;
        }
        placed.push(result);
    }
    if commit.tail.seq > start {
        commit.store_tree().map_err(|e| fault(&e))?;
    }
    Ok((placed, commit.tail))
}
