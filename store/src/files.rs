//! The files of a log as they are at one time, so that a reader notices when another process changes them.

use std::fs::{File, Metadata};
use std::path::Path;
use std::time::SystemTime;

use crate::names::{anchor_path, wal_path};

/// Which files a log consists of, and when they were changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFiles([Option<(u64, Option<SystemTime>, FileIdentity)>; 3]);

#[cfg(unix)]
type FileIdentity = (u64, u64, i64, i64);

#[cfg(unix)]
fn identity(found: &Metadata, with_status: bool) -> FileIdentity {
    use std::os::unix::fs::MetadataExt as _;
    let status = if with_status { (found.ctime(), found.ctime_nsec()) } else { (0, 0) };
    (found.dev(), found.ino(), status.0, status.1)
}

#[cfg(not(unix))]
type FileIdentity = ();

#[cfg(not(unix))]
fn identity(_: &Metadata, _: bool) -> FileIdentity {}

impl LogFiles {
    /// The files of a log as they are now.
    #[must_use]
    pub fn of(log: &Path) -> LogFiles {
        let write_ahead = wal_path(log);
        LogFiles([log, &write_ahead, &anchor_path(log)].map(|path| {
            // SQLite creates an empty write-ahead log when it opens the database for reading.
            let found = std::fs::metadata(path).ok().filter(|found| found.len() > 0)?;
            // As root SQLite sets the owner of the write-ahead log whenever it opens it, which changes only the status.
            Some((found.len(), found.modified().ok(), identity(&found, path != write_ahead)))
        }))
    }
}

/// Whether a path leads to an open file.
#[cfg(unix)]
pub(crate) fn has_name(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: std::fs::Metadata| (found.dev(), found.ino());
    let (locked, named) = (file.metadata().map(identity), std::fs::metadata(path).map(identity));
    locked.is_ok_and(|locked| named.is_ok_and(|named| named == locked))
}

#[cfg(not(unix))]
pub(crate) fn has_name(_: &File, path: &Path) -> bool {
    path.exists()
}
