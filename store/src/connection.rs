//! Opening the database file: as one of ours or not at all, with every setting said aloud.
//!
//! The file itself is never opened but through SQLite: closing any other handle on it would drop the locks that
//! SQLite holds on it for this process.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::anchor::AnchorFile;
use crate::fault::{Fault, FaultKind};
use crate::names::{anchor_path, appended, wal_path};
use crate::schema::{APPLICATION_ID, FORMAT, SchemaDifference, differences};

/// How long one process waits for another that is writing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Pages of write-ahead log after which SQLite moves them into the database: short, because one damaged
/// frame hides all that follow it.
pub const WAL_PAGES: u32 = 64;

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// Why a file cannot be used as a log, before its events are looked at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotALog {
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A database of something else.
    #[error(
        "{path}: expected a log of Annals (application id {APPLICATION_ID:#010x}), found another SQLite database \
         ({found:#010x})"
    )]
    Foreign {
        path: PathBuf,
        /// The application id that it has.
        found: i32,
    },
    /// A log that a newer program wrote.
    #[error("{path}: expected a log of format {FORMAT}, found format {found} of a newer program")]
    NewerFormat {
        path: PathBuf,
        /// The format that it has.
        found: i32,
    },
    /// The mark of a format that never was.
    #[error("{path}: expected a log of format {FORMAT}, found format {found}, which no program writes")]
    UnknownFormat {
        path: PathBuf,
        /// The format that it claims.
        found: i32,
    },
}

/// Opens the file and recognises it; nothing in it is changed.
pub(crate) fn open(path: &Path, access: Access) -> Result<Connection, NotALog> {
    let doing = "opening the log";
    if let Err(error) = std::fs::metadata(path) {
        return Err(Fault::io(path, doing, &error).into());
    }
    // A log keeps a write-ahead log, and has a rollback journal only while it is created. SQLite would write the pages of a
    // later one over those that were verified.
    let journal = appended(path, "-journal");
    let is_there = std::fs::metadata(&journal).is_ok_and(|found| found.len() > 0);
    let is_of_no_event = |anchor: AnchorFile| anchor.newest().is_some_and(|newest| newest.seq() == 0);
    if is_there && !AnchorFile::read(&anchor_path(path))?.is_some_and(is_of_no_event) {
        let detail = format!(
            "{} is a rollback journal, which a log has only while it is created: SQLite would overwrite events with what it holds. Move it \
             away",
            journal.display()
        );
        return Err(Fault::new(FaultKind::Damaged, path, doing, detail).into());
    }
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX
        | match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
        };
    let fault = |error: &rusqlite::Error| Fault::sqlite(path, doing, error);
    let connection = match Connection::open_with_flags(path, flags).and_then(prepared) {
        Ok(connection) => connection,
        Err(error) if access == Access::Read && is_unwritable_folder(&error) && !has_wal(path) => {
            // A log on a medium that cannot be written: SQLite cannot make its shared memory there, and
            // needs none, since nobody can be writing.
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(immutable_uri(path), flags)
                .and_then(prepared)
                .map_err(|e| fault(&e))?
        }
        Err(error) => return Err(fault(&error).into()),
    };
    recognise(path, &connection)?;
    if access == Access::Write && connection.is_readonly("main").map_err(|e| fault(&e))? {
        return Err(
            Fault::new(FaultKind::ReadOnly, path, doing, "it could be opened for reading only").into()
        );
    }
    Ok(connection)
}

/// After so many steps of SQLite's machine it is asked whether to go on.
const STEPS: i32 = 1_000;

/// Opens the file for reading all of it, with a bound on the work. To check one event with its entries in the indexes takes
/// some hundreds of steps, and a hundred bytes at least; a file that leads around in circles takes steps without end.
pub(crate) fn open_bounded(path: &Path) -> Result<Connection, NotALog> {
    let mut connection = open(path, Access::Read)?;
    let mut left = 20_000 + bytes_of(path) / 16;
    let ask = move || {
        left = left.saturating_sub(1);
        left == 0
    };
    let set = connection.progress_handler(STEPS, Some(ask));
    set.map_err(|error| Fault::sqlite(path, "opening the log", &error))?;
    Ok(connection)
}

/// How large the database and its write-ahead log are.
pub(crate) fn bytes_of(path: &Path) -> u64 {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
    length(path).saturating_add(length(&wal_path(path)))
}

/// The settings that every connection has, and a first look at the file, so that what is no database fails here.
fn prepared(mut connection: Connection) -> rusqlite::Result<Connection> {
    // A log that turns out to be damaged must stay as it is: SQLite would otherwise, on closing, drop
    // what stands in the write-ahead log behind a damaged frame.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // SQLite would plan some statements again for every value that is bound to them, in the hope of a better plan; here each has
    // one, and the planning takes longer than the statement.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    let mut since = Instant::now();
    connection.busy_handler(Some(move |tries: i32| {
        if tries == 0 {
            since = Instant::now();
        }
        let pause = 50u64.saturating_mul(1 << tries.clamp(0, 5)).min(1_000);
        std::thread::sleep(Duration::from_micros(pause));
        since.elapsed() < PATIENCE
    }))?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0))?;
    Ok(connection)
}

fn recognise(path: &Path, connection: &Connection) -> Result<(), NotALog> {
    let pragma = |name: &str| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i32>(0))
            .map_err(|error| Fault::sqlite(path, "opening the log", &error))
    };
    let found = pragma("application_id")?;
    if found != APPLICATION_ID {
        return Err(NotALog::Foreign { path: path.to_owned(), found });
    }
    match pragma("user_version")? {
        FORMAT => Ok(()),
        found if found > FORMAT => Err(NotALog::NewerFormat { path: path.to_owned(), found }),
        found => Err(NotALog::UnknownFormat { path: path.to_owned(), found }),
    }
}

/// Settles how this connection writes: a write-ahead log, synced on every commit, kept short.
pub(crate) fn make_durable(connection: &Connection) -> rusqlite::Result<()> {
    let mode = set_journal_mode(connection, "WAL")?;
    if mode != "wal" {
        // SQLite answers with the mode that is in force instead of an error.
        return Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN),
            Some(format!("no write-ahead log can be used here (journal mode stays {mode})")),
        ));
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", WAL_PAGES)?;
    Ok(())
}

/// Sets the journal mode, and returns the mode that is in force then. SQLite first returns the mode and then commits it to the
/// file, so that the statement must be run to its end to see an error.
pub(crate) fn set_journal_mode(connection: &Connection, mode: &str) -> rusqlite::Result<String> {
    let mut statement = connection.prepare(&format!("PRAGMA journal_mode = {mode}"))?;
    let modes: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(modes.into_iter().next().unwrap_or_default())
}

/// The compiled-in schema held against the file's.
pub(crate) fn schema_differences(
    path: &Path,
    connection: &Connection,
) -> Result<Vec<SchemaDifference>, Fault> {
    differences(connection).map_err(|error| Fault::sqlite(path, "reading the schema", &error))
}

fn has_wal(path: &Path) -> bool {
    std::fs::metadata(wal_path(path)).is_ok_and(|found| found.len() > 0)
}

fn is_unwritable_folder(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(error.sqlite_error_code(), Some(CannotOpen | ReadOnly | PermissionDenied))
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    uri
}
