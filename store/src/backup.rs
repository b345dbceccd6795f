//! A backup: a sealed read-only copy in one file, with a digest of all bytes and its own anchor. It is verified before
//! it gets its name. The digest (`NAME.sha256`, in the format of `sha256sum`) covers what no other check does: unused
//! bytes of pages.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use annals_events::Hash;
use rusqlite::{Connection, backup::Backup};

use crate::anchor::{Anchor, AnchorFile};
use crate::append::make_events_safe;
use crate::comparison::digest_of;
use crate::connection::{self, Access, NotALog};
use crate::fault::{Fault, FaultKind};
use crate::head::Head;
use crate::log::Log;
use crate::names::{anchor_path, digest_path, wal_path};
use crate::sealing::{BackupError, Sealing};
use crate::tail::{Tail, last_seq};
use crate::verify::{VerifyOptions, verify};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    pub path: PathBuf,
    pub head: Head,
    /// SHA-256 of its bytes.
    pub digest: Hash,
    pub bytes: u64,
}

/// Pages per step; writers run in between.
const PAGES: i32 = 1_000;

impl Log {
    /// Makes a sealed copy while the log is in use. Copy, anchor and digest get their names when complete and verified,
    /// the copy last. Leftovers of a killed backup of that name are deleted first.
    ///
    /// # Errors
    /// If the names exist or another process makes that backup, the file system fails, or the log is damaged.
    pub fn backup(&self, to: &Path) -> Result<Sealed, BackupError> {
        let sealing = Sealing::begin(to)?;
        self.make_unacknowledged_safe()?;
        let sealed = self.copy_and_seal(to, sealing.copy())?;
        sealing.publish()?;
        Ok(sealed)
    }

    /// The head of the copy is a receipt, also of events that a killed writer left without a sync. Where the log cannot be
    /// written, they stay as they are.
    fn make_unacknowledged_safe(&self) -> Result<(), Fault> {
        let last = last_seq(&self.connection).map_err(|e| self.fault("reading the head", &e))?;
        let is_covered = || -> Result<bool, Fault> {
            let anchor = AnchorFile::read(&anchor_path(&self.path))?;
            let newest = anchor.as_ref().and_then(AnchorFile::newest);
            Ok(newest.is_some_and(|line| line.log == self.id() && line.seq() >= last))
        };
        if is_covered()? {
            return Ok(());
        }
        let wal = OpenOptions::new().write(true).open(wal_path(&self.path));
        let is_denied =
            |e: &io::Error| matches!(e.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem);
        if wal.as_ref().is_err_and(is_denied) {
            // A file that is open for reading can be synced on some systems, and on others not.
            let _ = File::open(wal_path(&self.path)).and_then(|wal| wal.sync_all());
            return Ok(());
        }
        let made = match connection::open(&self.path, Access::Write) {
            Ok(writable) => make_events_safe(&writable, &self.path),
            Err(NotALog::Fault(fault)) => Err(fault),
            Err(_) => Ok(()),
        };
        made.or_else(|fault| match fault.kind {
            FaultKind::ReadOnly | FaultKind::Denied => Ok(()),
            // Another writer works, and may have acknowledged them meanwhile.
            FaultKind::Locked if is_covered()? => Ok(()),
            _ => Err(fault),
        })
    }

    /// Makes a complete copy under a temporary name, with anchor and digest.
    fn copy_and_seal(&self, to: &Path, unsealed: &Path) -> Result<Sealed, BackupError> {
        let doing = "copying the log";
        let fault = |error: &rusqlite::Error| Fault::sqlite(unsealed, doing, error);
        let io_fault = |error: io::Error| Fault::io(unsealed, doing, &error);
        let mut copy = Connection::open(unsealed).map_err(|e| fault(&e))?;
        Backup::new(&self.connection, &mut copy)
            .and_then(|backup| backup.run_to_completion(PAGES, Duration::from_millis(1), None))
            .map_err(|e| fault(&e))?;
        // An archived copy has no write-ahead log: it is one file, and opens on read-only media.
        let mode = connection::set_journal_mode(&copy, "DELETE").map_err(|e| fault(&e))?;
        if mode != "delete" {
            // SQLite returns the present mode instead of an error.
            let detail =
                format!("the write-ahead log of the copy cannot be removed (journal mode stays {mode})");
            return Err(Fault::new(FaultKind::Io, unsealed, doing, detail).into());
        }
        let log = self.id();
        let tail = Tail::read(&copy, log).map_err(|e| fault(&e))?;
        copy.close().map_err(|(_, e)| fault(&e))?;
        let tail = tail.map_err(|problem| Fault::new(FaultKind::Damaged, unsealed, doing, problem))?;

        // Two lines with the end of the copy.
        let epoch = self.anchored.as_ref().and_then(|anchor| anchor.newest()).map_or(0, |line| line.epoch);
        let line = tail.line(log, epoch);
        let (mut anchor, _) = Anchor::create(&anchor_path(unsealed), &line)?;
        for lost in self.anchored.iter().flat_map(|anchor| anchor.lost.iter().flatten()) {
            anchor.keep_lost(lost)?;
        }
        drop(anchor);
        let report = verify(unsealed, &VerifyOptions::default())?;
        if let Some(finding) = report.findings.into_iter().find(|f| f.severity() == crate::Severity::Damage) {
            return Err(BackupError::Damaged { finding: Box::new(finding) });
        }

        let file = File::open(unsealed).map_err(io_fault)?;
        file.sync_all().map_err(|e| Fault::sync(unsealed, doing, &e))?;
        drop(file);
        let (digest, bytes) = digest_of(unsealed).map_err(io_fault)?;
        let name = to.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        write_whole(&digest_path(unsealed), format!("{digest}  {name}\n").as_bytes())?;
        read_only(unsealed)?;
        Ok(Sealed { path: to.to_owned(), head: tail.head(log), digest, bytes })
    }
}

fn read_only(path: &Path) -> Result<(), Fault> {
    let fault = |error: io::Error| Fault::io(path, "sealing the copy", &error);
    let mut permissions = std::fs::metadata(path).map_err(fault)?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(path, permissions).map_err(fault)
}

fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let doing = "writing the digest of the copy";
    let mut file = File::create_new(path).map_err(|e| Fault::io(path, doing, &e))?;
    file.write_all(bytes).map_err(|e| Fault::io(path, doing, &e))?;
    file.sync_all().map_err(|e| Fault::sync(path, doing, &e))
}
