//! Appending. A transaction is stored completely or not at all, and a repeated one is recognised by its event ids.
//!
//! Durability: the events are committed, which SQLite reports after syncing the write-ahead log; then the anchor is
//! advanced and synced; then the append is acknowledged.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use annals_events::{LogId, Micros};
use rusqlite::Connection;

use crate::chain::{Chain, genesis};
use crate::fault::{Fault, FaultKind};
use crate::log::{Log, Writing};
use crate::merkle::Frontier;
use crate::names::wal_path;
use crate::new_event::NewEvent;
use crate::place::{Commit, Placed};
use crate::tail::Tail;
use crate::transaction::{AppendError, Appended, Transaction};

impl Log {
    /// Appends a transaction. After success its events survive a crash and a loss of power.
    ///
    /// A transaction whose events are all stored with the same content, consecutively, is a repetition: it succeeds
    /// with the old positions. So after an ambiguous error the same transaction can be sent again.
    ///
    /// # Errors
    /// See [`AppendError`].
    pub fn append(&mut self, transaction: &Transaction) -> Result<Appended, AppendError> {
        self.append_group(&[transaction]).pop().unwrap_or(Err(AppendError::Empty))
    }

    /// The log's clock in microseconds since the epoch; none if opened read-only.
    #[must_use]
    pub fn now(&self) -> Option<Micros> {
        self.writing.as_ref().map(|writing| writing.clock.now())
    }

    /// Appends several transactions with one commit and sync; each is accepted or rejected separately, in order.
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
        // Repetitions are acknowledged too, and must be as safe.
        let line = tail.line(log, writing.epoch);
        let anchored = if placed.iter().flatten().any(|placed| !placed.repeated) {
            writing.anchor.advance(&line)
        } else if placed.iter().any(Result::is_ok) {
            make_safe(&self.connection, &self.path, writing, &tail, log)
        } else {
            Ok(())
        };
        if let Err(fault) = anchored {
            // A lock may be free later; a failed sync is never retried.
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

    /// Syncs and acknowledges events committed by a process that died before.
    pub(crate) fn settle(&mut self) -> Result<(), Fault> {
        let log = self.opened.log_id;
        let Some(writing) = &mut self.writing else { return Ok(()) };
        let tail = writing.seen.clone();
        make_safe(&self.connection, &self.path, writing, &tail, log)
    }

    /// Moves the write-ahead log into the database and empties it; waits for readers. Useful after a large import.
    ///
    /// # Errors
    /// If SQLite or the file system fails.
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

/// Writes the first event of a new log.
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

/// Ensures that everything up to `tail` is on disk, and advances the anchor.
fn make_safe(
    connection: &Connection,
    path: &Path,
    writing: &mut Writing,
    tail: &Tail,
    log: LogId,
) -> Result<(), Fault> {
    // The writer of a line that covers the tail had synced the events, but perhaps not the line.
    if writing.anchor.content().newest().is_none_or(|newest| newest.seq() < tail.seq) {
        make_events_safe(connection, path)?;
    }
    writing.anchor.advance(&tail.line(log, writing.epoch))
}

/// Ensures that every event is on disk. An event can be in the log but not on disk: its process was killed before
/// syncing, or the sync failed and the kernel keeps the pages as clean. So the write-ahead log is written again with
/// the same bytes, and synced. A checkpoint would not do: after a loss of power, the log's beginning on the disk would
/// hide newer data in the database.
pub(crate) fn make_events_safe(connection: &Connection, path: &Path) -> Result<(), Fault> {
    let doing = "making the log safe";
    // The write lock: no other process changes the file meanwhile.
    run(connection, "BEGIN IMMEDIATE").map_err(|e| Fault::sqlite(path, doing, &e))?;
    let written = write_again(&wal_path(path), doing);
    let ended = run(connection, "ROLLBACK").map_err(|e| Fault::sqlite(path, doing, &e));
    written.and(ended)
}

/// Writes a file's bytes again in place, and syncs them.
fn write_again(path: &Path, doing: &'static str) -> Result<(), Fault> {
    let fault = |e: std::io::Error| Fault::io(path, doing, &e);
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        // Everything was moved to the database and synced there.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(fault(error)),
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(fault)?;
    file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&bytes)).map_err(fault)?;
    file.sync_all().map_err(|e| Fault::sync(path, doing, &e))
}

/// Commits transactions together; on an error nothing is committed.
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
            // If the rollback fails too, the handle's state is unknown.
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
        // A full disk is noticed before the commit, and SQLite rolls back. After other failures it is unknown what
        // reached the disk.
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

/// The log's end in the present transaction: the last one seen if no other connection committed since, else one that
/// must continue it.
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
    // A single transaction needs no savepoint.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_again_with_its_bytes_and_only_a_missing_one_needs_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.db-wal");
        write_again(&path, "testing").unwrap();
        assert!(!path.exists());
        std::fs::write(&path, b"frames").unwrap();
        write_again(&path, "testing").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"frames");
        assert!(write_again(&path.join("below-a-file"), "testing").is_err());
    }
}
