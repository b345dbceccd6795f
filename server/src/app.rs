//! The home that is served: its log, verified before anything of it is shown, and its dataset.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use annals_analytics::{Canceller, Error, Options, Schema, Session};
use annals_store::{Head, Log, LogFiles, VerifyOptions, damage_of};

use crate::Failure;
use crate::pages;
use crate::reply::Reply;
use crate::request::PageRequest;
use crate::site::Plan;

/// Where the record is, and how much memory a query may use.
#[derive(Debug, Clone)]
pub struct Home {
    pub log: PathBuf,
    /// The folder of the dataset.
    pub dataset: PathBuf,
    /// The folder into which queries spill.
    pub spill: PathBuf,
    /// Bytes for a query.
    pub memory: usize,
}

/// What was verified of a log, as its files were before, and handles on it that are not in use.
struct Verified {
    files: LogFiles,
    damage: Option<String>,
    at: jiff::Timestamp,
    idle: Vec<Log>,
}

/// A handle on the verified log, kept for later requests when it is dropped.
pub struct Reading<'a> {
    app: &'a App,
    log: Option<Log>,
    /// When it was verified.
    at: jiff::Timestamp,
}

/// Handles that are kept.
const IDLE: usize = 8;

impl Deref for Reading<'_> {
    type Target = Log;

    fn deref(&self) -> &Log {
        self.log.as_ref().expect("a handle leaves only when it is dropped")
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let mut verified = locked(&self.app.verified);
        if let (Some(verified), Some(log)) = (verified.as_mut(), self.log.take())
            && verified.at == self.at
            && verified.idle.len() < IDLE
        {
            verified.idle.push(log);
        }
    }
}

/// The length and time of the dataset's manifest.
type Stamp = Option<(u64, SystemTime)>;

pub struct App {
    home: Home,
    verified: Mutex<Option<Verified>>,
    session: Mutex<Option<(Stamp, Arc<Session>)>>,
}

/// Ends the query of a request whose reader has left.
#[derive(Clone, Default)]
pub struct CancelSlot(Arc<Mutex<Option<Canceller>>>);

impl CancelSlot {
    pub fn hold(&self, canceller: Canceller) {
        *locked(&self.0) = Some(canceller);
    }

    pub fn cancel(&self) {
        if let Some(canceller) = locked(&self.0).take() {
            let _ = canceller.cancel();
        }
    }
}

/// One request while it is answered.
pub struct Context<'a> {
    pub app: &'a App,
    pub request: &'a PageRequest,
    pub cancel: CancelSlot,
    /// What a site has, while its pages are made.
    pub site: Option<&'a Plan>,
}

impl Context<'_> {
    /// When the log was verified last; not in a site, whose files depend on the log only.
    pub fn verified_at(&self) -> Option<jiff::Timestamp> {
        self.app.verified_at().filter(|_| self.site.is_none())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl App {
    pub fn new(home: Home) -> App {
        App { home, verified: Mutex::new(None), session: Mutex::new(None) }
    }

    /// The answer to a request for a page.
    ///
    /// # Errors
    /// If the page does not exist, a parameter is not valid, or the record cannot be read.
    pub fn answer(&self, request: &PageRequest) -> Result<Reply, Failure> {
        self.answer_until(request, CancelSlot::default())
    }

    /// As [`answer`](App::answer); `cancel` ends its query.
    pub(crate) fn answer_until(&self, request: &PageRequest, cancel: CancelSlot) -> Result<Reply, Failure> {
        pages::answer(&Context { app: self, request, cancel, site: None })
    }

    pub(crate) fn has_log(&self) -> bool {
        self.home.log.exists()
    }

    /// The log, of which everything was verified as its files are now. A log that has grown is verified again.
    pub(crate) fn log(&self) -> Result<Reading<'_>, Failure> {
        if !self.has_log() {
            return Err(
                Failure::not_found("this home has no event log").hint("`annals log init` creates one")
            );
        }
        let mut verified = locked(&self.verified);
        let known = match verified.take().filter(|known| known.files == LogFiles::of(&self.home.log)) {
            Some(known) => known,
            None => self.verify()?,
        };
        let known = verified.insert(known);
        if let Some(damage) = &known.damage {
            return Err(Failure::new(500, "the log is damaged, so nothing of it is shown")
                .reason(damage)
                .hint("`annals doctor` examines the home"));
        }
        let log = match known.idle.pop() {
            Some(log) => log,
            None => Log::open(&self.home.log)?,
        };
        Ok(Reading { app: self, log: Some(log), at: known.at })
    }

    fn verify(&self) -> Result<Verified, Failure> {
        let before = LogFiles::of(&self.home.log);
        let damage = damage_of(&self.home.log, &VerifyOptions::default())?;
        let idle = match damage {
            Some(_) => Vec::new(),
            None => vec![Log::open(&self.home.log)?],
        };
        Ok(Verified { files: before, damage, at: jiff::Timestamp::now(), idle })
    }

    /// The second in which the log was verified last.
    pub(crate) fn verified_at(&self) -> Option<jiff::Timestamp> {
        let at = locked(&self.verified).as_ref().map(|verified| verified.at)?;
        jiff::Timestamp::from_second(at.as_second()).ok()
    }

    /// What changes whenever the log does.
    pub(crate) fn log_files(&self) -> LogFiles {
        LogFiles::of(&self.home.log)
    }

    /// The head up to which a log is acknowledged.
    pub(crate) fn head(log: &Log) -> Result<Head, Failure> {
        Ok(log.acknowledged().map_or_else(|| log.head(), Ok)?)
    }

    /// A session on the dataset as it is now, shared by all requests.
    pub(crate) fn session(&self) -> Result<Arc<Session>, Failure> {
        let mut shared = locked(&self.session);
        let stamp = self.stamp();
        if let Some((known, session)) = &*shared
            && *known == stamp
        {
            return Ok(Arc::clone(session));
        }
        let session = Arc::new(self.open_session()?);
        *shared = Some((stamp, Arc::clone(&session)));
        Ok(session)
    }

    /// A session of its own, for a query that can be cancelled alone.
    pub(crate) fn open_session(&self) -> Result<Session, Failure> {
        let home = &self.home;
        let options = Options {
            memory: home.memory,
            last_resort: None,
            threads: None,
            spill: home.spill.clone(),
            log: Some(home.log.clone()),
            schema: Schema::default(),
            files: Vec::new(),
        };
        Session::open(&home.dataset, &options).map_err(|error| match error {
            Error::NoDataset { .. } => {
                Failure::not_found("this home has no dataset").hint("`annals ingest FILE` creates one")
            }
            other => other.into(),
        })
    }

    fn stamp(&self) -> Stamp {
        let manifest = std::fs::metadata(self.home.dataset.join("manifest.json")).ok()?;
        Some((manifest.len(), manifest.modified().ok()?))
    }
}
