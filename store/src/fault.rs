//! Errors between the program and the disk, by what a person does about them. Every error of SQLite or the file system
//! is one of these.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    NotFound,
    /// No permission for the file or folder.
    Denied,
    /// Read-only file, folder or file system.
    ReadOnly,
    DiskFull,
    /// Another process holds the file longer than the timeout.
    Locked,
    /// The disk did not confirm a sync.
    Sync,
    /// Another process put another file in its place, or accepted a loss, since it was opened.
    Replaced,
    Io,
    /// Malformed by SQLite, or a value of the wrong type.
    Damaged,
    NotADatabase,
    Other,
}

impl FaultKind {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            FaultKind::NotFound => "not_found",
            FaultKind::Denied => "denied",
            FaultKind::ReadOnly => "read_only",
            FaultKind::DiskFull => "disk_full",
            FaultKind::Locked => "locked",
            FaultKind::Sync => "sync_failed",
            FaultKind::Replaced => "replaced",
            FaultKind::Io => "io",
            FaultKind::Damaged => "damaged",
            FaultKind::NotADatabase => "not_a_database",
            FaultKind::Other => "other",
        }
    }

    /// What happened, such as `the disk is full`.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            FaultKind::NotFound => "there is no such file",
            FaultKind::Denied => "permission is denied",
            FaultKind::ReadOnly => "the file, its folder or its file system is read-only",
            FaultKind::DiskFull => "the disk is full",
            FaultKind::Locked => "another process holds it",
            FaultKind::Sync => "the disk did not confirm that what was written is safe",
            FaultKind::Replaced => "another process replaced it",
            FaultKind::Io => "reading or writing failed",
            FaultKind::Damaged => "the file is damaged",
            FaultKind::NotADatabase => "it is not an SQLite database",
            FaultKind::Other => "SQLite refused",
        }
    }
}

/// An error with place and activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// For example "appending", "syncing the anchor".
    pub doing: &'static str,
    pub path: PathBuf,
    /// Of SQLite or the operating system.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} while {} ({})", self.path.display(), self.kind.says(), self.doing, self.detail)
    }
}

impl std::error::Error for Fault {}

impl Fault {
    pub(crate) fn new(kind: FaultKind, path: &Path, doing: &'static str, detail: impl Into<String>) -> Fault {
        Fault { kind, doing, path: path.to_owned(), detail: detail.into() }
    }

    pub(crate) fn io(path: &Path, doing: &'static str, error: &io::Error) -> Fault {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => FaultKind::NotFound,
            io::ErrorKind::PermissionDenied => FaultKind::Denied,
            io::ErrorKind::ReadOnlyFilesystem => FaultKind::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                FaultKind::DiskFull
            }
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => FaultKind::Locked,
            _ => FaultKind::Io,
        };
        Fault::new(kind, path, doing, error.to_string())
    }

    /// As [`Fault::io`], for a failed `fsync`.
    pub(crate) fn sync(path: &Path, doing: &'static str, error: &io::Error) -> Fault {
        Fault::new(FaultKind::Sync, path, doing, error.to_string())
    }

    pub(crate) fn sqlite(path: &Path, doing: &'static str, error: &rusqlite::Error) -> Fault {
        let (kind, detail) = match error {
            rusqlite::Error::SqliteFailure(failure, message) => {
                let text = message.clone().filter(|_| failure.code != ErrorCode::OperationInterrupted);
                let text = text.unwrap_or_else(|| match failure.code {
                    ErrorCode::OperationInterrupted => {
                        "reading it takes more work than a log of this size".to_owned()
                    }
                    _ => failure.to_string(),
                });
                let detail = format!("SQLite error {}: {text}", failure.extended_code);
                (sqlite_kind(failure.code, failure.extended_code), detail)
            }
            // A value of another type than the column's, or a missing row.
            other => (FaultKind::Damaged, other.to_string()),
        };
        Fault::new(kind, path, doing, detail)
    }
}

/// SQLite's extended codes of a failed sync.
const IOERR_FSYNC: i32 = rusqlite::ffi::SQLITE_IOERR_FSYNC;
const IOERR_DIR_FSYNC: i32 = rusqlite::ffi::SQLITE_IOERR_DIR_FSYNC;

/// The write-ahead log's index could not grow: a full file system, by SQLite's documentation.
const IOERR_SHMSIZE: i32 = rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

fn sqlite_kind(code: ErrorCode, extended: i32) -> FaultKind {
    match code {
        ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied => FaultKind::Denied,
        ErrorCode::ReadOnly => FaultKind::ReadOnly,
        ErrorCode::DiskFull => FaultKind::DiskFull,
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
            FaultKind::Locked
        }
        ErrorCode::SystemIoFailure if matches!(extended, IOERR_FSYNC | IOERR_DIR_FSYNC) => FaultKind::Sync,
        ErrorCode::SystemIoFailure if extended == IOERR_SHMSIZE => FaultKind::DiskFull,
        ErrorCode::SystemIoFailure => FaultKind::Io,
        // Only bounded reading is interrupted.
        ErrorCode::DatabaseCorrupt | ErrorCode::OperationInterrupted => FaultKind::Damaged,
        ErrorCode::NotADatabase => FaultKind::NotADatabase,
        ErrorCode::CannotOpen => FaultKind::Denied,
        _ => FaultKind::Other,
    }
}

/// Syncs the names in a folder.
pub(crate) fn sync_folder_of(path: &Path) -> Result<(), Fault> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if cfg!(unix) {
        let doing = "syncing the folder";
        let open = std::fs::File::open(folder).map_err(|e| Fault::io(folder, doing, &e))?;
        open.sync_all().map_err(|e| Fault::sync(folder, doing, &e))?;
    }
    Ok(())
}
