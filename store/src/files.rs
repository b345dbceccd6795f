//! The files of a log as they are at one time, so that a reader notices when another process changes them.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

use crate::names::{anchor_path, wal_path};

/// Which files a log consists of, and when they were changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFiles([Option<(u64, Option<SystemTime>, FileIdentity)>; 3]);

#[cfg(unix)]
type FileIdentity = (u64, u64, i64, i64);

#[cfg(unix)]
fn identity(found: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino(), found.ctime(), found.ctime_nsec())
}

#[cfg(not(unix))]
type FileIdentity = ();

#[cfg(not(unix))]
fn identity(_: &Metadata) -> FileIdentity {}

impl LogFiles {
    /// The files of a log as they are now.
    #[must_use]
    pub fn of(log: &Path) -> LogFiles {
        let write_ahead = wal_path(log);
        LogFiles([log, &write_ahead, &anchor_path(log)].map(|path| {
            // SQLite creates an empty write-ahead log when it opens the database for reading.
            let found = std::fs::metadata(path).ok().filter(|found| found.len() > 0)?;
            // As root SQLite sets the owner of the write-ahead log whenever it opens it, which changes only the status.
            let identity = if path == write_ahead { FileIdentity::default() } else { identity(&found) };
            Some((found.len(), found.modified().ok(), identity))
        }))
    }
}
