//! Opens the database file as a log, with every setting explicit. The file is only opened through SQLite: closing any
//! other handle would drop SQLite's locks of this process.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::anchor::AnchorFile;
use crate::fault::{Fault, FaultKind, sync_folder_of};
use crate::names::{anchor_path, appended, wal_path};
use crate::schema::{APPLICATION_ID, FORMAT, SchemaDifference, differences};

/// How long to wait for another writing process.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Pages of write-ahead log before a checkpoint: few, because one damaged frame hides all later ones.
pub const WAL_PAGES: u32 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// Why a file is not a log, before its events are read.
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

/// Opens and recognises the file without changes.
pub(crate) fn open(path: &Path, access: Access) -> Result<Connection, NotALog> {
    let doing = "opening the log";
    if let Err(error) = std::fs::metadata(path) {
        return Err(Fault::io(path, doing, &error).into());
    }
    // A log has a write-ahead log, and a rollback journal only during its creation. SQLite would apply a later journal
    // over verified pages.
    let journal = appended(path, "-journal");
    let is_there = std::fs::metadata(&journal).is_ok_and(|found| found.len() > 0);
    let is_of_no_event =
        |anchor: AnchorFile| anchor.newest().is_some_and(|newest| (newest.epoch, newest.seq()) == (0, 0));
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
            // On a read-only medium SQLite cannot create shared memory, and needs none, since no process can write.
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

/// SQLite's virtual machine steps between progress calls.
const STEPS: i32 = 1_000;

/// Opens the file to read all of it with bounded work. Checking an event with its index entries takes some hundreds of
/// steps, and at least a hundred bytes; a file with cycles takes endless steps.
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

/// Of the database and its write-ahead log.
pub(crate) fn bytes_of(path: &Path) -> u64 {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
    length(path).saturating_add(length(&wal_path(path)))
}

/// The common settings, and a first read, so that a file that is not a database fails here.
fn prepared(mut connection: Connection) -> rusqlite::Result<Connection> {
    // A damaged log must remain unchanged: SQLite would otherwise, on closing, drop what follows a damaged frame of the
    // write-ahead log.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // SQLite would plan some statements again for each bound value; here each has one plan, and planning takes longer
    // than running.
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

/// A write-ahead log whose name is on the disk, synced on every commit, kept short.
pub(crate) fn make_durable(connection: &Connection, path: &Path, doing: &'static str) -> Result<(), Fault> {
    write_ahead(connection).map_err(|error| Fault::sqlite(path, doing, &error))?;
    // SQLite syncs the name with the first commit, and ignores a failure of that.
    sync_folder_of(path)
}

fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    // A backup that was put in the place of its log has none yet. The change is in the first sector of the file, which
    // a disk writes as a whole. It needs no rollback journal, which would be refused after a loss of power.
    let present: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if present == "delete" {
        set_journal_mode(connection, "MEMORY")?;
    }
    // Where another process does the same, SQLite refuses it without asking the busy handler.
    let since = Instant::now();
    let is_busy = |error: &rusqlite::Error| error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy);
    let mode = loop {
        match set_journal_mode(connection, "WAL") {
            Err(error) if is_busy(&error) && since.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(1));
            }
            mode => break mode?,
        }
    };
    if mode != "wal" {
        // SQLite returns the present mode instead of an error.
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

/// Returns the resulting mode. SQLite returns it before committing it to the file, so the statement must run to its end
/// to report errors.
pub(crate) fn set_journal_mode(connection: &Connection, mode: &str) -> rusqlite::Result<String> {
    let mut statement = connection.prepare(&format!("PRAGMA journal_mode = {mode}"))?;
    let modes: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(modes.into_iter().next().unwrap_or_default())
}

/// Compares the compiled-in schema with the file's.
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
    use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
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
