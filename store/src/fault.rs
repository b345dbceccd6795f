//! What can go wrong between this program and the disk, sorted by what a person does about it. Every error of the
//! store that comes from SQLite or the file system is one of these; what the log's own checks find is not.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// What kind of trouble it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// There is no such file.
    NotFound,
    /// The file or its folder may not be read or written by this user.
    Denied,
    /// The file, its folder or the file system cannot be written.
    ReadOnly,
    /// No space is left.
    DiskFull,
    /// Another process holds the file for longer than we wait.
    Locked,
    /// The disk did not confirm that data is safe (`fsync` failed).
    Sync,
    /// Reading or writing failed.
    Io,
    /// SQLite finds the file malformed, or a stored value is not of its kind.
    Damaged,
    /// The file is no SQLite database.
    NotADatabase,
    /// Anything else that SQLite says.
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
            FaultKind::Io => "reading or writing failed",
            FaultKind::Damaged => "the file is damaged",
            FaultKind::NotADatabase => "it is not an SQLite database",
            FaultKind::Other => "SQLite refused",
        }
    }
}

/// Trouble between this program and the disk: what, where, and while doing what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of trouble.
    pub kind: FaultKind,
    /// What was being done ("appending", "syncing the anchor").
    pub doing: &'static str,
    /// The file it is about.
    pub path: PathBuf,
    /// What SQLite or the operating system said.
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
            // A stored value of another type than the column's, or a row that must be there and is not.
            other => (FaultKind::Damaged, other.to_string()),
        };
        Fault::new(kind, path, doing, detail)
    }
}

/// Extended result codes of SQLite that tell a failed sync from other trouble.
const IOERR_FSYNC: i32 = rusqlite::ffi::SQLITE_IOERR_FSYNC;
const IOERR_DIR_FSYNC: i32 = rusqlite::ffi::SQLITE_IOERR_DIR_FSYNC;

/// The index of the write-ahead log could not be made larger: the file system is full, says SQLite's documentation.
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
        // Only reading that is bounded is ever interrupted.
        ErrorCode::DatabaseCorrupt | ErrorCode::OperationInterrupted => FaultKind::Damaged,
        ErrorCode::NotADatabase => FaultKind::NotADatabase,
        ErrorCode::CannotOpen => FaultKind::Denied,
        _ => FaultKind::Other,
    }
}

/// Makes the names in a folder safe against a loss of power.
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
