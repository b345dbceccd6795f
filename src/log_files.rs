//! The files of a log as a command finds them, so that it notices when another process changes them while it reads.

use std::fs::Metadata;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use annals_store::{VerifyOptions, anchor_path, wal_path};

use crate::errors::CliError;
use crate::log_file::{DOCTOR, damage_of};

/// Whether this process opened a log for appending, and so may have changed it.
static APPENDS: AtomicBool = AtomicBool::new(false);

/// Says that this process opens a log for appending.
pub fn note_append() {
    APPENDS.store(true, Ordering::Relaxed);
}

/// Which files a log consists of and when they were changed.
#[derive(PartialEq, Eq)]
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
    pub fn of(log: &Path) -> LogFiles {
        LogFiles([log.to_owned(), wal_path(log), anchor_path(log)].map(|path| {
            let found = std::fs::metadata(path).ok()?;
            Some((found.len(), found.modified().ok(), identity(&found)))
        }))
    }

    /// Verifies the log again, if another process changed its files since: what was read in the meantime may not be what was
    /// verified before.
    pub fn check_again(&self, log: &Path) -> Result<(), CliError> {
        if APPENDS.load(Ordering::Relaxed) || !log.exists() || *self == LogFiles::of(log) {
            return Ok(());
        }
        match damage_of(log, &VerifyOptions::default())? {
            None => Ok(()),
            Some(damage) => Err(CliError::new(format!("{} was damaged while it was read", log.display()))
                .finding()
                .reason(damage)
                .state("what this command printed is not verified")
                .hint(DOCTOR)),
        }
    }
}
