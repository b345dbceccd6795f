//! Opening a log for a command: it is verified first, and a damaged one is refused. Also what the clock of the log
//! shows when it is opened for appending.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use annals_events::log::ClockKind;
use annals_events::{LogId, Micros, PROGRAM};

use crate::clock::{Clock, MachineClock, SetClock};
use crate::connection::Access;
use crate::create::NewLog;
use crate::fault::Fault;
use crate::log::{Log, random_id, remove_if_there};
use crate::loss::{AcceptedLoss, LossError};
use crate::names::{anchor_path, appended, wal_path};
use crate::open_error::OpenError;
use crate::repair::{is_of_the_tree, make_tree};
use crate::tail::last_seq;
use crate::verify::{Finding, VerifyOptions, verify};

/// How long a log that another process is creating is waited for.
const UNTIL_CREATED: Duration = Duration::from_secs(2);

/// Why a log is not opened.
#[derive(Debug, thiserror::Error)]
pub enum VerifiedError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{path} is damaged")]
    Damaged { path: PathBuf, damage: String },
    #[error("the clock of this log is real, and cannot be set")]
    RealClock,
    #[error("there is no simulated log at {path}")]
    NoSimulatedLog { path: PathBuf },
}

/// To what the clock of a simulated log is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockSetting {
    /// The time of the last event.
    LastEvent,
    /// A time; an error for a log with a real clock.
    At(Micros),
    /// A time, or that of the last event if it is later; nothing for a log with a real clock.
    NotBefore(Micros),
}

impl From<Option<Micros>> for ClockSetting {
    fn from(at: Option<Micros>) -> ClockSetting {
        at.map_or(ClockSetting::LastEvent, ClockSetting::At)
    }
}

/// A log that is open for appending, and what its clock shows.
#[derive(Debug)]
pub struct ForAppend {
    pub log: Log,
    /// The present time by the log's own clock.
    pub now: Micros,
    /// Whether it was created just now.
    pub is_new: bool,
}

/// The worst finding about a log, and the first event that is not verified; none for a log that is whole.
///
/// # Errors
/// As [`verify`].
pub fn damage_of(path: &Path, options: &VerifyOptions<'_>) -> Result<Option<String>, OpenError> {
    let report = verify(path, options)?;
    let Some(worst) = report.damage().next() else { return Ok(None) };
    Ok(Some(match report.first_bad() {
        Some(seq) => format!("{worst}; event {seq} is the first event that is not verified"),
        None => worst.to_string(),
    }))
}

fn refuse_damage(path: &Path, options: &VerifyOptions<'_>) -> Result<(), VerifiedError> {
    match damage_of(path, options)? {
        None => Ok(()),
        Some(damage) => Err(VerifiedError::Damaged { path: path.to_owned(), damage }),
    }
}

/// Removes a log of which nothing is left to keep: it has no event but its first. Returns whether it did.
///
/// # Errors
/// When it cannot be opened, or the files cannot be removed.
pub fn remove_empty(path: &Path) -> Result<bool, OpenError> {
    let fault = |error: &rusqlite::Error| Fault::sqlite(path, "removing the new log", error);
    let log = Log::look(path, Access::Write)?;
    let writing = log.connection.unchecked_transaction().map_err(|e| fault(&e))?;
    // The tables go before the files: a process that opened the log meanwhile must not append to a removed one.
    writing.execute_batch("DROP TABLE tree").map_err(|e| fault(&e))?;
    if last_seq(&writing).map_err(|e| fault(&e))? > 1 {
        return Ok(false);
    }
    writing.execute_batch("DROP TABLE event").map_err(|e| fault(&e))?;
    writing.commit().map_err(|e| fault(&e))?;
    drop(log);
    for left in
        [path.to_owned(), wal_path(path), appended(path, "-shm"), anchor_path(path), importing_path(path)]
    {
        remove_if_there(&left)?;
    }
    Ok(true)
}

fn importing_path(log: &Path) -> PathBuf {
    log.with_extension("importing")
}

/// Takes the lock under which a log is imported into, and waits while another import holds it: two imports of the same games
/// would each find the other's events. The lock ends with the returned file.
///
/// # Errors
/// When the file next to the log cannot be locked.
pub fn lock_imports(log: &Path, waits: impl FnOnce()) -> Result<File, Fault> {
    let path = importing_path(log);
    let fault = |error: io::Error| Fault::io(&path, "locking the log for imports", &error);
    let file = File::options().create(true).append(true).open(&path).map_err(fault)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            waits();
            file.lock().map_err(fault)?;
        }
        Err(TryLockError::Error(error)) => return Err(fault(error)),
    }
    Ok(file)
}

impl Log {
    /// Opens a log for reading, once all of it was verified.
    ///
    /// # Errors
    /// When it cannot be opened, or is damaged.
    pub fn open_verified(path: &Path) -> Result<Log, VerifiedError> {
        refuse_damage(path, &VerifyOptions::default())?;
        Ok(Log::open(path)?)
    }

    /// Opens a log for appending, once it was verified: every append depends on the hashes, the tree and the anchor before it,
    /// and SQLite writes where its list of free pages points.
    ///
    /// # Errors
    /// When it cannot be opened, is damaged, or its clock cannot be set.
    pub fn open_verified_for_append(path: &Path, setting: ClockSetting) -> Result<ForAppend, VerifiedError> {
        refuse_damage(path, &VerifyOptions { payloads: false, ..VerifyOptions::default() })?;
        let looked = Log::open(path)?;
        let kind = looked.opened().clock;
        let last = last_time(&looked)?;
        drop(looked);
        let at = match setting {
            ClockSetting::At(_) if kind == ClockKind::Real => return Err(VerifiedError::RealClock),
            ClockSetting::At(at) => at,
            ClockSetting::NotBefore(at) => at.max(last),
            ClockSetting::LastEvent => last,
        };
        let clock = clock_of(kind, at);
        let now = clock.now();
        Ok(ForAppend { log: Log::open_for_append(path, clock)?, now, is_new: false })
    }

    /// As [`Log::open_verified_for_append`]; creates the log if there is none. A log that is gone is not created again; a
    /// creation that was interrupted, which leaves an anchor of no event, is.
    ///
    /// # Errors
    /// As described, and when the log cannot be created.
    pub fn open_or_create(
        path: &Path,
        actor: &str,
        setting: ClockSetting,
    ) -> Result<ForAppend, VerifiedError> {
        if path.exists() || matches!(Log::open(path), Err(OpenError::LogGone { .. })) {
            return Log::open_verified_for_append(path, setting);
        }
        if let ClockSetting::At(_) = setting {
            return Err(VerifiedError::NoSimulatedLog { path: path.to_owned() });
        }
        match Log::create_in_folder(path, actor, None, ClockKind::Real, None) {
            // Another process created it at the same time.
            Err(OpenError::Exists { .. }) => {
                let since = Instant::now();
                loop {
                    match Log::open_verified_for_append(path, setting) {
                        Err(_) if since.elapsed() < UNTIL_CREATED => {
                            std::thread::sleep(UNTIL_CREATED / 100);
                        }
                        opened => return opened,
                    }
                }
            }
            created => Ok(created?),
        }
    }

    /// Creates a log, and its folder if that is missing. `at` is the first time of a simulated clock; now if none is stated.
    ///
    /// # Errors
    /// As [`Log::create`], and when the folder cannot be created.
    pub fn create_in_folder(
        path: &Path,
        actor: &str,
        note: Option<String>,
        kind: ClockKind,
        at: Option<Micros>,
    ) -> Result<ForAppend, OpenError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Fault::io(folder, "creating the folder", &error))?;
        }
        let log_id = LogId(random_id()?);
        let new = NewLog { log_id, program: PROGRAM.to_owned(), note, actor: actor.to_owned() };
        let clock = clock_of(kind, at.unwrap_or_else(|| MachineClock.now()));
        let now = clock.now();
        Ok(ForAppend { log: Log::create(path, &new, clock)?, now, is_new: true })
    }

    /// Accepts the contradictions between an anchor and its log, and nothing else; the log then continues. A damaged tree is
    /// made again.
    ///
    /// # Errors
    /// As [`Log::accept_loss`], and when anything else is damaged.
    pub fn accept_verified_loss(path: &Path, actor: &str, reason: &str) -> Result<AcceptedLoss, LossError> {
        accept_verified(path, |log| Ok(clock_of(log.opened().clock, last_time(log)?)), actor, reason)
    }

    /// As [`Log::accept_verified_loss`], by a clock of the caller.
    ///
    /// # Errors
    /// As described.
    pub fn accept_verified_loss_by(
        path: &Path,
        clock: Box<dyn Clock>,
        actor: &str,
        reason: &str,
    ) -> Result<AcceptedLoss, LossError> {
        accept_verified(path, |_| Ok(clock), actor, reason)
    }
}

fn accept_verified(
    path: &Path,
    clock: impl FnOnce(&Log) -> Result<Box<dyn Clock>, OpenError>,
    actor: &str,
    reason: &str,
) -> Result<AcceptedLoss, LossError> {
    let report = verify(path, &VerifyOptions { payloads: false, ..VerifyOptions::default() })?;
    let is_anchor = |finding: &Finding| matches!(finding, Finding::Anchor(_));
    let is_one = |finding: &Finding| is_anchor(finding) || is_of_the_tree(finding);
    if let Some(other) = report.damage().find(|finding| !is_one(finding)) {
        return Err(LossError::Damaged { path: path.to_owned(), finding: Box::new(other.clone()) });
    }
    let clock = clock(&Log::inspect(path)?)?;
    // Only now may a tree be made over events that the anchor contradicts: the log records that.
    let mut copies = Vec::new();
    if report.damage().any(is_anchor) && report.damage().any(is_of_the_tree) {
        copies = make_tree(path)?.copies;
    }
    let (_, mut accepted) = Log::accept_loss(path, clock, actor, reason)?;
    accepted.is_tree_rebuilt = !copies.is_empty();
    copies.append(&mut accepted.copies);
    accepted.copies = copies;
    Ok(accepted)
}

/// When the last event was recorded.
fn last_time(log: &Log) -> Result<Micros, OpenError> {
    let damaged = |error: crate::read::ReadError| OpenError::Head {
        path: log.path().to_owned(),
        problem: error.to_string(),
    };
    let last = log.last_seq().map_err(damaged)?;
    Ok(log.event(last).map_err(damaged)?.map_or(0, |event| event.recorded_at))
}

fn clock_of(kind: ClockKind, at: Micros) -> Box<dyn Clock> {
    match kind {
        ClockKind::Real => Box::new(MachineClock),
        ClockKind::Simulated => Box::new(SetClock::at(at)),
    }
}
