//! The home that is served: its log and its dataset.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use annals_analytics::explore::{explored, start};
use annals_analytics::{Canceller, Error, Options, Schema, Session};
use annals_events::StreamName;
use annals_ingest::location::{AddressError, Location, Stamp};
use annals_ingest::manifest::ManifestError;
use annals_replay::queries::record;
use annals_replay::{Cut, HeldStream};
use annals_store::{Head, Log, LogFiles};
use serde::Serialize;
use serde_json::Value;

use crate::Failure;
use crate::kept_of::KeptOf;
use crate::pages::{self, DottedStream};
use crate::reply::Reply;
use crate::request::{PageRequest, Shape};
use crate::site::Plan;
use crate::verified::{Reading, VerifiedLog};

/// Where the record is, and how much memory a query may use.
#[derive(Debug, Clone)]
pub struct Home {
    pub log: PathBuf,
    pub dataset: Location,
    /// The folder into which queries spill.
    pub spill: PathBuf,
    /// Bytes for a query.
    pub memory: usize,
}

/// How long a dataset at an address is taken to be the last one.
const AT_ADDRESS: Duration = Duration::from_secs(5);

/// The most bytes of the events of tournaments.
const TOURNAMENTS: usize = 32 << 20;

/// A state of the record: two of the same state give the same pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    log: LogFiles,
    dataset: Option<Stamp>,
}

/// The state of the dataset, or why it could not be read.
type Looked = Result<Option<Stamp>, AddressError>;

pub struct App {
    home: Home,
    log: VerifiedLog,
    session: Mutex<Option<(Option<Stamp>, Arc<Session>)>>,
    /// Reads what the first readers of a session would wait for.
    preparing: Mutex<Option<JoinHandle<()>>>,
    /// Of a dataset at an address, and when it was read.
    stamp: Mutex<Option<(Instant, Looked)>>,
    names: Mutex<Option<(LogFiles, Arc<BTreeSet<String>>)>>,
    tournaments: KeptOf<LogFiles, StreamName, Arc<DottedStream>>,
}

/// Ends the queries of a request whose reader has left, also those that have not begun.
#[derive(Clone, Default)]
pub struct CancelSlot(Arc<Mutex<Cancelling>>);

#[derive(Default)]
struct Cancelling {
    is_cancelled: bool,
    running: Option<Canceller>,
}

impl CancelSlot {
    pub fn hold(&self, canceller: Canceller) {
        let mut state = locked(&self.0);
        if state.is_cancelled {
            canceller.close();
        }
        state.running = Some(canceller);
    }

    #[cfg(feature = "flight-sql")]
    pub fn is_cancelled(&self) -> bool {
        locked(&self.0).is_cancelled
    }

    pub fn cancel(&self) {
        let mut state = locked(&self.0);
        state.is_cancelled = true;
        if let Some(canceller) = state.running.take() {
            canceller.close();
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
    /// The head of the log when the page first read it; none of a page that did not read it.
    pub head: OnceCell<Head>,
}

impl<'a> Context<'a> {
    pub fn new(app: &'a App, request: &'a PageRequest, cancel: CancelSlot, site: Option<&'a Plan>) -> Self {
        Context { app, request, cancel, site, head: OnceCell::new() }
    }

    /// The log, of which everything was verified.
    ///
    /// # Errors
    /// If there is no log, or it is damaged.
    pub fn log(&self) -> Result<Reading<'a>, Failure> {
        let log = self.app.log()?;
        if self.head.get().is_none() {
            let _ = self.head.set(App::head(&log)?);
        }
        Ok(log)
    }

    /// A typed answer as JSON; nothing for a page alone.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn json<T: Serialize>(&self, answer: impl FnOnce() -> T) -> Result<Value, Failure> {
        let is_wanted = self.request.shape != Shape::Html || self.site.is_some();
        Ok(if is_wanted { serde_json::to_value(answer())? } else { Value::Null })
    }

    /// When the log was verified last; not in a site, whose files depend on the log only.
    pub fn verified_at(&self, log: &Reading<'_>) -> Option<jiff::Timestamp> {
        self.site.is_none().then_some(log.verified_at)
    }
}

/// A text that changes with the head of a log.
pub(crate) fn short_head(head: &Head) -> String {
    format!("{}-{}", head.seq, head.hash)
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl App {
    pub fn new(home: Home) -> App {
        App {
            log: VerifiedLog::new(home.log.clone()),
            home,
            session: Mutex::new(None),
            preparing: Mutex::new(None),
            stamp: Mutex::new(None),
            names: Mutex::new(None),
            tournaments: KeptOf::new(TOURNAMENTS),
        }
    }

    /// For files, which stay: a log that has changed is verified before a page is made of it.
    pub(crate) fn for_files(home: Home) -> App {
        App { log: VerifiedLog::in_foreground(home.log.clone()), ..App::new(home) }
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
        pages::answer(&Context::new(self, request, cancel, None))
    }

    pub(crate) fn has_log(&self) -> bool {
        self.log.exists()
    }

    /// The log, of which everything was verified.
    pub(crate) fn log(&self) -> Result<Reading<'_>, Failure> {
        self.log.read()
    }

    /// Whether a player of the log as it is now has this name.
    pub(crate) fn is_in_log(&self, log: &Reading<'_>, name: &str) -> Result<bool, Failure> {
        let files = self.log_files();
        let mut kept = locked(&self.names);
        let names = match &*kept {
            Some((known, names)) if *known == files => Arc::clone(names),
            _ => {
                let names = Arc::new(record::names(log, &Cut::NOW)?);
                *kept = Some((files, Arc::clone(&names)));
                names
            }
        };
        Ok(names.contains(&name.to_lowercase()))
    }

    /// The events of a tournament, and what its pages show of all of them.
    pub(crate) fn tournament(
        &self,
        log: &Reading<'_>,
        stream: &StreamName,
    ) -> Result<Arc<DottedStream>, Failure> {
        let files = self.log_files();
        if let Some(kept) = self.tournaments.get(&files, stream) {
            return Ok(kept);
        }
        let read = Arc::new(DottedStream::of(HeldStream::read(log, stream)?));
        self.tournaments.put(files, stream.clone(), Arc::clone(&read), read.memory());
        Ok(read)
    }

    /// When the log was verified last, if it has changed since and is verified again in the background.
    pub(crate) fn log_changed_since(&self) -> Result<Option<jiff::Timestamp>, Failure> {
        self.log.changed_since()
    }

    /// What changes whenever pages of the log do: its files, and what is known of them.
    pub(crate) fn log_state(&self) -> (LogFiles, u64) {
        (self.log.files(), self.log.ended())
    }

    /// What changes whenever the log does.
    pub(crate) fn log_files(&self) -> LogFiles {
        self.log.files()
    }

    /// The head up to which a log is acknowledged.
    pub(crate) fn head(log: &Log) -> Result<Head, Failure> {
        Ok(log.acknowledged().map_or_else(|| log.head(), Ok)?)
    }

    /// The state of the record; none unless the log was verified as it is. It may wait for a store.
    pub(crate) fn record(&self) -> Option<Record> {
        let log = self.log.files();
        let is_verified = !self.has_log() || self.log.is_verified(&log);
        Some(Record { log, dataset: self.stamp().ok()? }).filter(|_| is_verified)
    }

    /// Reads in the background what the first readers would wait for.
    pub(crate) fn prepare(self: &Arc<App>) {
        let app = Arc::clone(self);
        std::thread::spawn(move || {
            let _ = app.session();
            if app.has_log() {
                let _ = app.log();
            }
        });
    }

    /// The head of the log now, as pages that read it name theirs.
    pub(crate) fn head_now(&self) -> Result<String, Failure> {
        let log = self.log()?;
        Ok(short_head(&App::head(&log)?))
    }

    /// A session on the dataset as it is now, shared by all requests.
    pub(crate) fn session(&self) -> Result<Arc<Session>, Failure> {
        let mut shared = locked(&self.session);
        let stamp = self.stamp()?;
        if let Some((known, session)) = &*shared
            && *known == stamp
        {
            return Ok(Arc::clone(session));
        }
        let session = Arc::new(self.open_session()?);
        *shared = Some((stamp, Arc::clone(&session)));
        let prepared = Arc::clone(&session);
        // Where it fails, each page queries the table, and reports why.
        let preparing = std::thread::spawn(move || {
            let _ = prepared.prepare_footers();
            let _ = prepared.prepare_careers();
            let _ = explored(&prepared, &start());
        });
        *locked(&self.preparing) = Some(preparing);
        Ok(session)
    }

    /// Whether the session is still being prepared.
    pub(crate) fn is_preparing(&self) -> bool {
        locked(&self.preparing).as_ref().is_some_and(|preparing| !preparing.is_finished())
    }

    /// What changes whenever the dataset does. A failure at an address is kept as long as a stamp: requests that come meanwhile
    /// do not wait for a store that has gone away.
    fn stamp(&self) -> Result<Option<Stamp>, Failure> {
        let failed = |error| Failure::from(Error::Dataset(ManifestError::from(error)));
        if matches!(self.home.dataset, Location::Folder(_)) {
            return self.home.dataset.stamp().map_err(failed);
        }
        let mut known = locked(&self.stamp);
        let stamp = match &*known {
            Some((at, stamp)) if at.elapsed() < AT_ADDRESS => stamp.clone(),
            _ => {
                let stamp = self.home.dataset.stamp();
                *known = Some((Instant::now(), stamp.clone()));
                stamp
            }
        };
        stamp.map_err(failed)
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
            #[cfg(feature = "cluster")]
            workers: None,
        };
        Session::open(&home.dataset, &options).map_err(|error| match error {
            Error::NoDataset { .. } => {
                Failure::not_found("this home has no dataset").hint("`annals ingest FILE` creates one")
            }
            other => other.into(),
        })
    }
}
