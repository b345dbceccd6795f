//! The home that is served: its log and its dataset.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use annals_analytics::{Canceller, Error, Options, Schema, Session};
use annals_store::{Head, Log, LogFiles};

use crate::Failure;
use crate::pages;
use crate::reply::Reply;
use crate::request::PageRequest;
use crate::site::Plan;
use crate::verified::{Reading, VerifiedLog};

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

/// The length and time of the dataset's manifest.
type Stamp = Option<(u64, SystemTime)>;

pub struct App {
    home: Home,
    log: VerifiedLog,
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
        App { log: VerifiedLog::new(home.log.clone()), home, session: Mutex::new(None) }
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

    /// When the log was verified last, if it has changed since and is verified again in the background.
    pub(crate) fn log_changed_since(&self) -> Result<Option<jiff::Timestamp>, Failure> {
        self.log.changed_since()
    }

    /// What changes whenever the log does.
    pub(crate) fn log_files(&self) -> LogFiles {
        self.log.files()
    }

    /// The head up to which a log is acknowledged.
    pub(crate) fn head(log: &Log) -> Result<Head, Failure> {
        Ok(log.acknowledged().map_or_else(|| log.head(), Ok)?)
    }

    /// The head of the log now, as pages that read it name theirs.
    pub(crate) fn head_now(&self) -> Result<String, Failure> {
        let log = self.log()?;
        Ok(short_head(&App::head(&log)?))
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
