//! The log of a home, verified before anything of it is shown, and again whenever its files change.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use annals_store::{Log, LogFiles, VerifyOptions, damage_of};
use jiff::Timestamp;

use crate::Failure;
use crate::app::locked;

/// Handles that are kept.
const IDLE: usize = 8;

/// A log whose verification took longer is verified again in the background, while its pages are shown.
const SHORT: Duration = Duration::from_millis(500);

/// The result of a verification.
struct Verification {
    /// The files before it.
    files: LogFiles,
    damage: Option<String>,
    at: Timestamp,
    took: Duration,
}

impl Verification {
    fn of(log: &Path) -> Result<Verification, Failure> {
        let files = LogFiles::of(log);
        let start = Instant::now();
        // To the second: a page that is requested again is the same.
        let now = Timestamp::now();
        let at = Timestamp::from_second(now.as_second()).unwrap_or(now);
        let damage = damage_of(log, &VerifyOptions::default())?;
        Ok(Verification { files, damage, at, took: start.elapsed() })
    }

    /// The files, if they are not damaged.
    fn whole(&self) -> Option<LogFiles> {
        self.damage.is_none().then(|| self.files.clone())
    }

    fn refuse_damage(&self) -> Result<(), Failure> {
        let Some(damage) = &self.damage else { return Ok(()) };
        Err(Failure::new(500, "the log is damaged, so nothing of it is shown")
            .reason(damage)
            .hint("`annals doctor` examines the home"))
    }
}

/// The last verification, and handles on the log that are not in use.
struct State {
    last: Verification,
    /// The files when the handles were opened.
    files: LogFiles,
    idle: Vec<Log>,
    /// Whether a thread verifies the log.
    is_running: bool,
}

/// A log that is verified.
pub struct VerifiedLog {
    path: PathBuf,
    /// Whether a log that takes long is verified in the background when it has changed.
    may_lag: bool,
    state: Arc<Mutex<Option<State>>>,
    /// The files that were verified last without damage; its lock is never held during a verification.
    whole: Arc<Mutex<Option<LogFiles>>>,
    /// The verifications in the background that have ended.
    ended: Arc<AtomicU64>,
}

/// A handle on the verified log, kept for later requests when it is dropped.
pub struct Reading<'a> {
    of: &'a VerifiedLog,
    log: Option<Log>,
    opened: LogFiles,
    /// When the log was verified last.
    pub verified_at: Timestamp,
}

impl Deref for Reading<'_> {
    type Target = Log;

    fn deref(&self) -> &Log {
        self.log.as_ref().expect("a handle leaves only when it is dropped")
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let mut state = locked(&self.of.state);
        if let (Some(state), Some(log)) = (state.as_mut(), self.log.take())
            && state.files == self.opened
            && state.idle.len() < IDLE
        {
            state.idle.push(log);
        }
    }
}

impl VerifiedLog {
    /// A log whose pages may have a note that it is being verified again.
    pub fn new(path: PathBuf) -> VerifiedLog {
        let (state, whole, ended) = Default::default();
        VerifiedLog { path, may_lag: true, state, whole, ended }
    }

    /// A log of which nothing is read before the verification of what is in it then has ended.
    pub fn in_foreground(path: PathBuf) -> VerifiedLog {
        VerifiedLog { may_lag: false, ..VerifiedLog::new(path) }
    }

    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// What changes whenever the log does.
    pub fn files(&self) -> LogFiles {
        LogFiles::of(&self.path)
    }

    /// The number of verifications in the background that have ended: the pages that were made during one have a note.
    pub fn ended(&self) -> u64 {
        self.ended.load(Ordering::Acquire)
    }

    /// Whether these files were verified last, without damage.
    pub fn is_verified(&self, files: &LogFiles) -> bool {
        locked(&self.whole).as_ref() == Some(files)
    }

    /// A handle on the log.
    ///
    /// # Errors
    /// If there is no log, or it is damaged.
    pub fn read(&self) -> Result<Reading<'_>, Failure> {
        if !self.exists() {
            return Err(Failure::not_found("this home has no event log, and so no tournaments")
                .hint("the pages of games, players, studies and SQL show its dataset")
                .hint("`annals log init` creates a log"));
        }
        let mut guard = locked(&self.state);
        let files = self.files();
        let state = match guard.take() {
            Some(mut state) if state.last.files != files && state.last.took > SHORT && self.may_lag => {
                if !state.is_running && state.last.damage.is_none() {
                    state.is_running = true;
                    self.verify_in_background();
                }
                state
            }
            Some(state) if state.last.files == files => state,
            _ => State {
                last: Verification::of(&self.path)?,
                files: files.clone(),
                idle: Vec::new(),
                is_running: false,
            },
        };
        let state = guard.insert(state);
        *locked(&self.whole) = state.last.whole();
        state.last.refuse_damage()?;
        if state.files != files {
            state.idle.clear();
            state.files = files.clone();
        }
        let log = match state.idle.pop() {
            Some(log) => log,
            None => Log::open(&self.path)?,
        };
        Ok(Reading { of: self, log: Some(log), opened: files, verified_at: state.last.at })
    }

    /// When the log was verified last, if it has changed since and is verified again in the background.
    ///
    /// # Errors
    /// If it was found damaged while it was read.
    pub fn changed_since(&self) -> Result<Option<Timestamp>, Failure> {
        let state = locked(&self.state);
        let Some(state) = state.as_ref() else { return Ok(None) };
        state.last.refuse_damage()?;
        Ok(state.is_running.then_some(state.last.at))
    }

    /// Verifies the log while it is read. A failure to read it counts as damage: the next request reports it.
    fn verify_in_background(&self) {
        let (path, shared, whole) = (self.path.clone(), Arc::clone(&self.state), Arc::clone(&self.whole));
        let ended = Arc::clone(&self.ended);
        std::thread::spawn(move || {
            let verification = Verification::of(&path);
            let mut guard = locked(&shared);
            match (verification, guard.as_mut()) {
                (Ok(last), Some(state)) => {
                    *locked(&whole) = last.whole();
                    (state.last, state.is_running) = (last, false);
                }
                // The next request verifies it, and reports what fails.
                _ => *guard = None,
            }
            drop(guard);
            ended.fetch_add(1, Ordering::Release);
        });
    }
}

#[cfg(test)]
mod tests {
    use annals_events::log::ClockKind;
    use annals_events::{Entry, Event, EventId, GameEvent, Side, StreamName, TurnTaken};
    use annals_store::{ClockSetting, NewEvent, Transaction, random_id};

    use super::*;

    #[test]
    fn a_long_log_that_changes_is_verified_before_files_are_made_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.db");
        drop(Log::create_in_folder(&path, "omar", None, ClockKind::Real, None).unwrap());
        let verified = VerifiedLog::in_foreground(path.clone());
        drop(verified.read().unwrap());
        locked(&verified.state).as_mut().unwrap().last.took = SHORT * 2;
        let mut opened = Log::open_verified_for_append(&path, ClockSetting::LastEvent).unwrap();
        let turn = Event::from(GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, "Ra1")));
        let stream: StreamName = "game/1".parse().unwrap();
        let id = EventId(random_id().unwrap());
        let event = NewEvent::new(stream, id, opened.now, "omar", &Entry::from(turn)).unwrap();
        opened.log.append(&Transaction::of(vec![event])).unwrap();
        drop(opened);
        assert_eq!(verified.read().unwrap().head().unwrap().seq, 2);
        assert_eq!(verified.changed_since().unwrap(), None);
        assert!(locked(&verified.state).as_ref().unwrap().last.files == verified.files());
    }
}
