//! The doctor: the state of a log and its surroundings, and what to do, in order. It checks files, anchor, folder, disk
//! space, clock and optionally sync times. It does not read every event (`verify` does), and changes nothing.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use annals_events::{LogId, Micros};
use serde::Serialize;

use crate::anchor::{AnchorFile, AnchorLine};
use crate::clock::Clock;
use crate::confirm::{Doubt, doubt};
use crate::connection::WAL_PAGES;
use crate::log::Log;
use crate::names::{anchor_path, beside, wal_path};
use crate::open_error::{OpenError, clock_word};
use crate::outside::AnchorProblem;
use crate::transaction::AppendError;
use crate::verify::Severity;
use crate::wal::Wal;

/// Warn below this many free bytes.
const LITTLE_ROOM: u64 = 64 << 20;

/// A longer write-ahead log, in pages, was not checkpointed, generally because of a reader.
const LONG_WAL: u64 = 16 * WAL_PAGES as u64;

/// A longer sync makes appends slow, in microseconds.
const SLOW_SYNC: u64 = 50_000;

/// A faster sync did not reach the disk, in microseconds.
const HASTY_SYNC: u64 = 15;

/// Measured syncs; the median counts.
const SYNCS: usize = 9;

const PROBE: &str = "annals-doctor.probe";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    pub path: PathBuf,
    /// If readable.
    pub log: Option<LogId>,
    /// `real` or `simulated`.
    pub clock: Option<&'static str>,
    /// The last event present.
    pub last: Option<u64>,
    /// By the anchor.
    pub acknowledged: Option<u64>,
    /// Of the last event, in microseconds since the epoch.
    pub last_recorded_at: Option<Micros>,
    /// Of the database.
    pub bytes: Option<u64>,
    /// Of the write-ahead log, if any.
    pub wal_bytes: Option<u64>,
    /// On the file system.
    pub free_bytes: Option<u64>,
    /// Of a block of 4 KiB, if measured.
    pub sync_micros: Option<u64>,
    /// In order.
    pub advice: Vec<Advice>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    pub severity: Severity,
    /// The fact, why it matters, and what to do.
    pub text: String,
}

impl Serialize for Advice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut out = serializer.serialize_struct("Advice", 2)?;
        out.serialize_field("severity", self.severity.word())?;
        out.serialize_field("text", &self.text)?;
        out.end()
    }
}

impl Diagnosis {
    /// Nothing needs to be done.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.advice.iter().all(|advice| advice.severity == Severity::Note)
    }

    fn advise(&mut self, severity: Severity, text: impl Into<String>) {
        self.advice.push(Advice { severity, text: text.into() });
    }
}

/// Examines a log. With `probe`, a small file is written to its folder, synced a few times, and removed. All problems
/// are in the diagnosis; the first is a log that cannot be opened.
#[must_use]
pub fn diagnose(path: &Path, clock: &dyn Clock, probe: bool) -> Diagnosis {
    let length = |path: &Path| std::fs::metadata(path).ok().map(|found| found.len());
    let mut diagnosis = Diagnosis {
        path: path.to_owned(),
        log: None,
        clock: None,
        last: None,
        acknowledged: None,
        last_recorded_at: None,
        bytes: length(path),
        wal_bytes: length(&wal_path(path)),
        free_bytes: None,
        sync_micros: None,
        advice: Vec::new(),
    };
    // Before opening the log, which might wait for a lock.
    diagnosis.anchor(path);
    match Log::inspect(path) {
        Ok(log) => diagnosis.inside(&log, clock),
        Err(error) => {
            let text = sentence(&error);
            diagnosis.advise(Severity::Damage, text);
            if diagnosis.bytes.is_some() || diagnosis.wal_bytes.is_some() {
                diagnosis.advise(Severity::Damage, SALVAGE);
            }
        }
    }
    diagnosis.wal(path);
    diagnosis.around(path, probe);
    // The worst first, then in the order found.
    diagnosis.advice.sort_by_key(|advice| std::cmp::Reverse(advice.severity));
    diagnosis
}

const SALVAGE: &str = "Copy all files of the log aside before anything else. Then take the newest backup, or save \
    what is intact: every event that still matches its hash can be written out, also those that SQLite no longer finds";

fn sentence(error: &OpenError) -> String {
    match error {
        OpenError::Anchor { path, problem } => {
            let path = path.display();
            let end = "If there is no better copy, the loss can be accepted: the log records it, and continues after \
                its last event";
            let advice = match problem {
                AnchorProblem::OtherLog { .. } => {
                    format!(
                        "One of the two files was put in the place of another: find the one that belongs here. A \
                         receipt states the identity of its log. {end}"
                    )
                }
                AnchorProblem::Missing { earlier: Some(_), .. } => {
                    "That command gives it its name".to_owned()
                }
                AnchorProblem::Missing { earlier: None, .. } | AnchorProblem::Unreadable => format!(
                    "Look for the anchor in a backup, or hold the log against a receipt (`annals log verify \
                     --receipt`). {end}"
                ),
                _ => format!("{SALVAGE}. {end}"),
            };
            format!("{path}: {problem}. Nothing is appended to it. {advice}")
        }
        OpenError::Tree { path, problem } => format!(
            "{}: {problem}. The tree can be made again from the hashes of the events, where all of them are whole",
            path.display()
        ),
        OpenError::LogGone { .. } => format!("{error}. Restore it from a backup"),
        OpenError::NotTheLog { .. } => {
            format!("{error}. Keep all its files as they are, and restore it from a backup")
        }
        other => other.to_string(),
    }
}

impl Diagnosis {
    fn anchor(&mut self, path: &Path) {
        let path = anchor_path(path);
        match AnchorFile::read(&path) {
            Ok(Some(anchor)) => {
                self.acknowledged = anchor.newest().map(AnchorLine::seq);
                let unreadable = anchor.lines.iter().filter(|line| line.is_none()).count();
                if unreadable == 1 {
                    self.advise(
                        Severity::Warning,
                        format!(
                            "{}: one of its two lines cannot be read: the power was lost while it was written, or \
                             it was damaged. The other one stands; the next append mends it",
                            path.display()
                        ),
                    );
                }
                if anchor.lost.iter().any(Option::is_none) || anchor.stray_bytes > 0 {
                    let text = "it has a block that cannot be read, of what an accepted loss had acknowledged. No \
                                command repairs it; the log itself has the record of the loss";
                    self.advise(Severity::Warning, format!("{}: {text}", path.display()));
                }
            }
            // Reported on opening; without both there is no log.
            Ok(None) => {}
            Err(fault) => self.advise(Severity::Damage, fault.to_string()),
        }
    }

    fn inside(&mut self, log: &Log, clock: &dyn Clock) {
        self.log = Some(log.id());
        // The anchor of another log acknowledges nothing here.
        self.acknowledged = log.acknowledged().filter(|head| head.log == log.id()).map(|head| head.seq);
        self.clock = Some(clock_word(log.opened().clock));
        for problem in log.problems() {
            self.advise(Severity::Damage, sentence(problem));
        }
        match log.last_seq() {
            Ok(last) => self.last = Some(last),
            Err(error) => self.advise(Severity::Damage, error.to_string()),
        }
        let Some(last) = self.last else { return };
        if let Some(acknowledged) = self.acknowledged.filter(|acknowledged| *acknowledged < last) {
            let text = format!(
                "events {} to {last} are not acknowledged by the anchor: their writer was stopped, or an older anchor \
                 was put back. The last receipt shows which (`annals log verify --receipt RECEIPT`). The next program \
                 that opens the log for appending acknowledges them, and so does `annals doctor --acknowledge`",
                acknowledged + 1
            );
            self.advise(Severity::Note, text);
        }
        match log.event(last) {
            Ok(event) => self.last_recorded_at = event.map(|event| event.recorded_at),
            Err(error) => self.advise(Severity::Damage, error.to_string()),
        }
        let (Some(recorded), now) = (self.last_recorded_at, clock.now()) else { return };
        if clock.kind() != log.opened().clock {
            return;
        }
        let error = match doubt(&log.connection, (last, recorded), (now, clock.kind())) {
            Ok(None) => return,
            Ok(Some(Doubt::Behind)) => AppendError::ClockBehind { now, last: recorded },
            Ok(Some(Doubt::Ahead)) => AppendError::ClockAhead { now, last: recorded },
            Err(error) => return self.advise(Severity::Damage, error.to_string()),
        };
        let text = format!("{error}. Where the clock is right: `annals doctor --confirm-clock REASON`");
        self.advise(Severity::Warning, text);
    }

    fn wal(&mut self, path: &Path) {
        let wal = wal_path(path);
        match Wal::read(&wal) {
            Ok(Some(read)) => {
                if let Some(cut) = read.cut() {
                    let text = format!("{}: {cut}. Run `annals log verify`", wal.display());
                    self.advise(Severity::Warning, text);
                }
                let pages = read.frames.len() as u64;
                if pages > LONG_WAL {
                    let text = format!(
                        "{}: it has {pages} pages, where some {WAL_PAGES} are usual: a reader that stays open keeps \
                         it from being moved into the database. Close programs that read the log",
                        wal.display()
                    );
                    self.advise(Severity::Warning, text);
                }
            }
            Ok(None) => {}
            Err(error) => {
                self.advise(Severity::Damage, format!("{}: it cannot be read ({error})", wal.display()));
            }
        }
    }

    /// Folder, space, disk.
    fn around(&mut self, path: &Path, probe: bool) {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let unfinished = beside(path, "unfinished");
        if self.bytes.is_some() && unfinished.exists() {
            let text =
                format!("{}: left by a creation that was cut off; it can be removed", unfinished.display());
            self.advise(Severity::Note, text);
        }
        if std::fs::metadata(path).is_ok_and(|found| found.permissions().readonly()) {
            let text = format!(
                "{}: it is marked read-only, as a sealed backup is: it can be read and verified, and nothing is \
                 appended to it",
                path.display()
            );
            self.advise(Severity::Note, text);
        }
        self.free_bytes = free_bytes(folder);
        if let Some(free) = self.free_bytes.filter(|free| *free < LITTLE_ROOM) {
            let text = format!(
                "{}: {} MiB are left on this file system. When it is full, appends are refused and nothing that was \
                 acknowledged is lost; make room",
                folder.display(),
                free >> 20
            );
            self.advise(Severity::Warning, text);
        }
        if probe && folder.is_dir() {
            self.probe(folder);
        }
    }

    fn probe(&mut self, folder: &Path) {
        let probe = folder.join(PROBE);
        let measured = measure_sync(&probe);
        // An existing file of that name remains.
        if !matches!(&measured, Err(error) if error.kind() == io::ErrorKind::AlreadyExists) {
            let _ = std::fs::remove_file(&probe);
        }
        match measured {
            Ok(micros) => {
                self.sync_micros = Some(micros);
                if let Some((severity, text)) = advice_on_sync(micros) {
                    self.advise(severity, text);
                }
            }
            Err(error) => {
                let text = format!(
                    "{}: no file can be written and synced here ({error}), so nothing can be appended. Check the \
                     rights of the folder and the disk",
                    folder.display()
                );
                self.advise(Severity::Warning, text);
            }
        }
    }
}

fn advice_on_sync(micros: u64) -> Option<(Severity, String)> {
    if micros > SLOW_SYNC {
        let text = format!(
            "a sync of this disk takes {} ms: every append waits for two of them. Append in larger transactions, or \
             keep the log on a faster disk",
            micros / 1_000
        );
        return Some((Severity::Warning, text));
    }
    let text = format!(
        "a sync takes {micros} µs, less than any disk needs: this file system keeps its data in memory, or does not \
         wait for its disk. What is acknowledged here may not survive a loss of power"
    );
    (micros < HASTY_SYNC).then_some((Severity::Note, text))
}

fn measure_sync(probe: &Path) -> io::Result<u64> {
    let mut file: File = OpenOptions::new().write(true).create_new(true).open(probe)?;
    file.write_all(&[0; 4096])?;
    file.sync_all()?;
    let mut micros = Vec::with_capacity(SYNCS);
    for n in 0..SYNCS {
        let start = Instant::now();
        io::Seek::rewind(&mut file)?;
        file.write_all(&[n as u8; 4096])?;
        file.sync_data()?;
        micros.push(u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX));
    }
    micros.sort_unstable();
    Ok(micros[SYNCS / 2])
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sync_that_no_disk_makes_so_fast_or_that_is_slow_is_named() {
        for micros in [HASTY_SYNC, 400, SLOW_SYNC] {
            assert_eq!(advice_on_sync(micros), None);
        }
        let (severity, text) = advice_on_sync(HASTY_SYNC - 1).unwrap();
        assert!(severity == Severity::Note && text.contains("may not survive a loss of power"), "{text}");
        let (severity, text) = advice_on_sync(SLOW_SYNC + 1).unwrap();
        assert!(severity == Severity::Warning && text.contains("takes 50 ms"), "{text}");
    }
}
