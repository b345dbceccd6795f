//! A backup: a sealed copy in one file, read-only, with a digest over all its bytes and an anchor of its own. It is
//! verified before it gets its name, so a backup that exists is a good one.
//!
//! The digest (`NAME.sha256`, in the format of `sha256sum`) covers what no other check does: the unused bytes of pages.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use annals_events::Hash;
use rusqlite::{Connection, backup::Backup};
use sha2::{Digest, Sha256};

use crate::anchor::Anchor;
use crate::connection;
use crate::fault::{Fault, FaultKind};
use crate::head::Head;
use crate::log::{Log, OpenError};
use crate::names::{anchor_path, digest_path};
use crate::outside::hash_at;
use crate::schema::SchemaDifference;
use crate::sealing::Sealing;
use crate::tail::{Tail, last_seq};
use crate::verify::{Finding, VerifyOptions, verify};

/// Why no backup was made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackupError {
    /// SQLite or the file system refused.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The copy cannot be opened.
    #[error("the copy cannot be opened again: {0}")]
    Open(#[from] OpenError),
    /// There is a file of that name.
    #[error("{path} exists, and was not overwritten. Nothing was changed; choose another name")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another process makes a backup of that name.
    #[error(
        "{path}: another backup of that name is being made. Nothing was changed; wait for it, or choose another name"
    )]
    InWork {
        /// The file.
        path: PathBuf,
    },
    /// The log is damaged; a copy of it is no backup.
    #[error("no backup was made, since the log is damaged: {finding}. Run `annals log verify`")]
    Damaged {
        /// The first finding.
        finding: Box<Finding>,
    },
}

/// A backup that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The file.
    pub path: PathBuf,
    /// The head of the log in it.
    pub head: Head,
    /// SHA-256 of its bytes.
    pub digest: Hash,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Pages that are copied at a time; writers get through in between.
const PAGES: i32 = 1_000;

impl Log {
    /// Makes a sealed copy while the log goes on. The copy, its anchor and its digest appear under their names when they
    /// are whole and verified, the copy last. What a killed backup of that name left is deleted first.
    ///
    /// # Errors
    /// When the names are taken or another process is about to take them, the file system refuses, or the log turns out to be damaged.
    pub fn backup(&self, to: &Path) -> Result<Sealed, BackupError> {
        let sealing = Sealing::begin(to)?;
        let sealed = self.copy_and_seal(to, sealing.copy())?;
        sealing.publish()?;
        Ok(sealed)
    }

    /// Makes a complete copy that is named otherwise, with its anchor and its digest.
    fn copy_and_seal(&self, to: &Path, unsealed: &Path) -> Result<Sealed, BackupError> {
        let doing = "copying the log";
        let fault = |error: &rusqlite::Error| Fault::sqlite(unsealed, doing, error);
        let io_fault = |error: io::Error| Fault::io(unsealed, doing, &error);
        let mut copy = Connection::open(unsealed).map_err(|e| fault(&e))?;
        Backup::new(&self.connection, &mut copy)
            .and_then(|backup| backup.run_to_completion(PAGES, Duration::from_millis(1), None))
            .map_err(|e| fault(&e))?;
        // A copy for keeping has no write-ahead log: it is one file, and opens where nothing can be written.
        let mode = connection::set_journal_mode(&copy, "DELETE").map_err(|e| fault(&e))?;
        if mode != "delete" {
            // SQLite answers with the mode that is in force instead of an error.
            let detail =
                format!("the write-ahead log of the copy cannot be removed (journal mode stays {mode})");
            return Err(Fault::new(FaultKind::Io, unsealed, doing, detail).into());
        }
        let log = self.id();
        let tail = Tail::read(&copy, log).map_err(|e| fault(&e))?;
        copy.close().map_err(|(_, e)| fault(&e))?;
        let tail = tail.map_err(|problem| Fault::new(FaultKind::Damaged, unsealed, doing, problem))?;

        // Its anchor: two lines that say where the copy ends.
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

fn digest_of(path: &Path) -> io::Result<(Hash, u64)> {
    let mut file = File::open(path)?;
    let mut sha = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((Hash(sha.finalize().into()), bytes)),
            n => {
                sha.update(&buffer[..n]);
                bytes += n as u64;
            }
        }
    }
}

/// Holds a sealed file against its digest, when it has one. This must run while no connection to the file is open.
pub(crate) fn check_digest(path: &Path) -> Vec<Finding> {
    let beside = digest_path(path);
    let finding = |problem: String| vec![Finding::Digest { path: beside.clone(), problem }];
    let stated = match std::fs::read_to_string(&beside) {
        Ok(stated) => stated,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => return finding(format!("the digest cannot be read: {error}")),
    };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match digest_of(path) {
        Ok((digest, _)) if stated == format!("{digest}  {name}\n") => Vec::new(),
        Ok((digest, _)) => {
            let stated = stated.split_whitespace().next().unwrap_or_default().to_owned();
            finding(format!("the file's SHA-256 is {digest}, but {stated} was noted when it was sealed"))
        }
        Err(error) => finding(format!("the file cannot be read: {error}")),
    }
}

/// The first event in which two logs differ; none when one is the beginning of the other and the second one not longer
/// than the first. Equal hashes mean equal beginnings, so the place is found by halving.
pub(crate) fn first_difference(log: &Connection, other: &Connection) -> rusqlite::Result<Option<u64>> {
    let (last, other_last) = (last_seq(log)?, last_seq(other)?);
    let same = |seq: u64| Ok::<_, rusqlite::Error>(hash_at(log, seq)? == hash_at(other, seq)?);
    let common = last.min(other_last);
    if common == 0 || same(common)? {
        return Ok((other_last > last).then_some(last + 1));
    }
    let (mut equal, mut different) = (0, common);
    while different - equal > 1 {
        let middle = equal + (different - equal) / 2;
        if same(middle)? {
            equal = middle;
        } else {
            different = middle;
        }
    }
    Ok(Some(different))
}

/// Opens a log to read all of it, when it has the tables of one.
pub(crate) fn open_tables(path: &Path) -> Result<Connection, OpenError> {
    let connection = connection::open_bounded(path)?;
    let differences = connection::schema_differences(path, &connection)?;
    match differences.into_iter().find(SchemaDifference::is_of_a_table) {
        Some(difference) => Err(OpenError::Schema { path: path.to_owned(), difference }),
        None => Ok(connection),
    }
}

/// The first event in which a log differs from another, such as a sealed backup of it; none when the other is the
/// beginning of the log.
///
/// # Errors
/// When one of the two cannot be opened or read.
pub fn compare(log: &Path, other: &Path) -> Result<Option<u64>, OpenError> {
    let doing = "comparing two logs";
    let (first, second) = (open_tables(log)?, open_tables(other)?);
    first_difference(&first, &second).map_err(|e| Fault::sqlite(other, doing, &e).into())
}
