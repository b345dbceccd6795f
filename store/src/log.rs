//! A log: opening it, and what holds for it while it is open.

use std::fmt;
use std::path::{Path, PathBuf};

use annals_events::log::{LOG_STREAM, Opened};
use annals_events::{Event, LogEvent, LogId};
use rusqlite::Connection;

use crate::anchor::{Anchor, AnchorFile, AnchorLine};
use crate::chain::Chain;
use crate::clock::Clock;
use crate::connection::{self, Access, NotALog};
use crate::fault::{Fault, FaultKind};
use crate::gather::Gathering;
use crate::head::Head;
use crate::names::anchor_path;
use crate::open_error::OpenError;
use crate::outside::{self, AnchorProblem, Inside};
use crate::tail::{Tail, checked_tail, last_seq};

/// An append-only log of events in one SQLite file, with its anchor beside it.
#[derive(Debug)]
pub struct Log {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) opened: Opened,
    pub(crate) chain: Chain,
    pub(crate) gathering: Gathering,
    /// What the anchor said on opening.
    pub(crate) anchored: Option<AnchorFile>,
    /// What contradicts what; empty but for a log that is only looked into.
    pub(crate) problems: Vec<OpenError>,
    /// None for a log that is open for reading.
    pub(crate) writing: Option<Writing>,
}

/// What only a log that is open for appending has.
#[derive(Debug)]
pub(crate) struct Writing {
    pub clock: Box<dyn Clock>,
    pub anchor: Anchor,
    pub epoch: u64,
    /// The end of the log as it was last seen, with a tree that is known to be right: what the anchor had acknowledged, and
    /// the hashes of all events since. A log that does not continue it was changed under our feet.
    pub seen: Tail,
    /// SQLite's mark of the state in which it was seen: another connection that commits changes it, this one does not.
    pub seen_in: Option<i64>,
    /// Why this handle may not be used for appending any more.
    pub poisoned: Option<Fault>,
}

impl Log {
    /// Opens a log for reading. It must not contradict its anchor.
    ///
    /// # Errors
    /// When it is no log, cannot be read, or contradicts its anchor.
    pub fn open(path: &Path) -> Result<Log, OpenError> {
        Log::look(path, Access::Read)?.refuse_problems()
    }

    /// Opens a log for appending, under the clock that stamps the events. Events that were committed but not
    /// acknowledged, because their process died in between, are made safe first.
    ///
    /// # Errors
    /// As [`Log::open`]; when it cannot be written; or when the clock is not of the kind that the log declares.
    pub fn open_for_append(path: &Path, clock: Box<dyn Clock>) -> Result<Log, OpenError> {
        let permissions = std::fs::metadata(path).map(|found| found.permissions());
        if permissions.is_ok_and(|permissions| permissions.readonly()) {
            let detail = "the file is marked read-only, as a sealed backup is";
            return Err(Fault::new(FaultKind::ReadOnly, path, "opening the log for appending", detail).into());
        }
        let mut log = Log::look(path, Access::Write)?.refuse_problems()?;
        let (declared, given) = (log.opened.clock, clock.kind());
        if declared != given {
            return Err(OpenError::WrongClock { path: path.to_owned(), declared, given });
        }
        connection::make_durable(&log.connection)
            .map_err(|e| Fault::sqlite(path, "opening the log for appending", &e))?;
        let anchor = Anchor::open(&anchor_path(path))?;
        let missing = || OpenError::Anchor { path: path.to_owned(), problem: AnchorProblem::missing(path) };
        let anchor = anchor.ok_or_else(missing)?;
        let epoch = anchor.content().newest().map_or(0, |line| line.epoch);
        let seen = log.tail(anchor.content().newest())?;
        log.writing = Some(Writing { clock, anchor, epoch, seen, seen_in: None, poisoned: None });
        log.settle()?;
        Ok(log)
    }

    /// Opens a log to see what is left of it: contradictions are kept in [`Log::problems`] instead of refused. For
    /// `verify`, `doctor`, and for saving what is intact.
    ///
    /// # Errors
    /// When it is no log, or its first or last event cannot be read.
    pub fn inspect(path: &Path) -> Result<Log, OpenError> {
        Log::look(path, Access::Read)
    }

    pub(crate) fn look(path: &Path, access: Access) -> Result<Log, OpenError> {
        let anchored = AnchorFile::read(&anchor_path(path))?;
        let connection = match connection::open(path, access) {
            Ok(connection) => connection,
            Err(NotALog::Fault(fault)) if fault.kind == FaultKind::NotFound => {
                return Err(match anchored.as_ref().and_then(AnchorFile::newest) {
                    Some(line) if line.seq() > 0 => {
                        OpenError::LogGone { path: path.to_owned(), anchored: line.head() }
                    }
                    _ => fault.into(),
                });
            }
            Err(problem) => {
                let is_other = match &problem {
                    NotALog::Fault(fault) => fault.kind == FaultKind::NotADatabase,
                    NotALog::Foreign { .. } | NotALog::UnknownFormat { .. } => true,
                    NotALog::NewerFormat { .. } => false,
                };
                let line = anchored.as_ref().and_then(AnchorFile::newest);
                return Err(match line.filter(|line| is_other && line.seq() > 0) {
                    Some(line) => OpenError::NotTheLog {
                        path: path.to_owned(),
                        anchored: Box::new(line.head()),
                        problem: Box::new(problem),
                    },
                    None => problem.into(),
                });
            }
        };
        let fault = |error: &rusqlite::Error| Fault::sqlite(path, "opening the log", error);
        let head = |problem: String| OpenError::Head { path: path.to_owned(), problem };
        let differences = connection::schema_differences(path, &connection)?;
        if let Some(difference) = differences.iter().find(|difference| difference.is_of_a_table()) {
            // To read what has the name of a table could run anything.
            return Err(OpenError::Schema { path: path.to_owned(), difference: difference.clone() });
        }
        let mut problems: Vec<OpenError> = differences
            .into_iter()
            .map(|difference| OpenError::Schema { path: path.to_owned(), difference })
            .collect();
        // One transaction, so that the end of the log and what the anchor is held against are of one moment.
        let reading = connection.unchecked_transaction().map_err(|e| fault(&e))?;
        let opened = match first_event(&reading).map_err(|e| fault(&e))? {
            Ok(opened) => opened,
            Err(problem) => {
                let known = anchored.as_ref().and_then(AnchorFile::newest).filter(|line| line.seq() > 0);
                let tells =
                    known.map(|line| format!("; its anchor knows of {} acknowledged events", line.seq()));
                return Err(head(problem + &tells.unwrap_or_default()));
            }
        };
        let last = last_seq(&reading).map_err(|e| fault(&e))?;
        // The anchor was read before the log, so it can only be behind it.
        let inside = Inside { log: opened.log_id, last };
        let contradictions =
            outside::check(&reading, path, &inside, anchored.as_ref()).map_err(|e| fault(&e))?;
        let is_contradicted = !contradictions.is_empty();
        problems.extend(
            contradictions.into_iter().map(|problem| OpenError::Anchor { path: path.to_owned(), problem }),
        );
        // Where the anchor contradicts the events, it says nothing of the tree over them.
        let known = anchored.as_ref().and_then(AnchorFile::newest).filter(|_| !is_contradicted);
        if let Err(problem) = checked_tail(&reading, opened.log_id, known).map_err(|e| fault(&e))? {
            problems.push(OpenError::Tree { path: path.to_owned(), problem });
        }
        drop(reading);
        Ok(Log {
            connection,
            path: path.to_owned(),
            opened,
            chain: Chain::default(),
            gathering: Gathering::default(),
            anchored,
            problems,
            writing: None,
        })
    }

    fn refuse_problems(mut self) -> Result<Log, OpenError> {
        if self.problems.is_empty() { Ok(self) } else { Err(self.problems.swap_remove(0)) }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the first event says: the log's identity, its clock, the program that opened it.
    #[must_use]
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The identity of the log.
    #[must_use]
    pub fn id(&self) -> LogId {
        self.opened.log_id
    }

    /// What contradicted what on opening; empty but for [`Log::inspect`].
    #[must_use]
    pub fn problems(&self) -> &[OpenError] {
        &self.problems
    }

    /// The head up to which events had been acknowledged, as the anchor said on opening or after the last append: the
    /// receipt to hand out, since it survives anything but the loss of the disk. None when there is no anchor.
    #[must_use]
    pub fn acknowledged(&self) -> Option<Head> {
        self.newest_line().map(AnchorLine::head)
    }

    /// The newest line of the anchor, as it was last read or written.
    pub(crate) fn newest_line(&self) -> Option<&AnchorLine> {
        let content = match &self.writing {
            Some(writing) => Some(writing.anchor.content()),
            None => self.anchored.as_ref(),
        };
        content.and_then(AnchorFile::newest)
    }

    /// The end of the log, held against what was acknowledged.
    pub(crate) fn tail(&self, known: Option<&AnchorLine>) -> Result<Tail, OpenError> {
        let reading = self.connection.unchecked_transaction();
        let tail = reading.and_then(|reading| checked_tail(&reading, self.id(), known));
        tail.map_err(|e| self.fault("reading the end of the log", &e))?
            .map_err(|problem| OpenError::Tree { path: self.path.clone(), problem })
    }

    pub(crate) fn fault(&self, doing: &'static str, error: &rusqlite::Error) -> Fault {
        Fault::sqlite(&self.path, doing, error)
    }
}

/// The payload of the first event; what is wrong with it instead, in words.
fn first_event(connection: &Connection) -> rusqlite::Result<Result<Opened, String>> {
    let mut statement =
        connection.prepare("SELECT stream, type, schema, payload FROM event WHERE seq = 1")?;
    let mut rows = statement.query([])?;
    let Some(row) = rows.next()? else {
        return Ok(Err("the log has no first event: it is empty, or its creation was cut off".to_owned()));
    };
    let (stream, event_type, schema, payload): (String, String, u32, String) =
        (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    if stream != LOG_STREAM {
        return Ok(Err(format!("the first event stands in the stream `{stream}`, not in `{LOG_STREAM}`")));
    }
    Ok(match Event::from_payload(&event_type, schema, &payload) {
        Ok(Event::Log(LogEvent::Opened(opened))) => Ok(opened),
        Ok(other) => Err(format!("the first event is `{}`, not `log.opened`", other.event_type())),
        Err(error) => Err(format!("the first event cannot be read: {error}")),
    })
}

pub(crate) fn remove_if_there(path: &Path) -> Result<(), Fault> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Fault::io(path, "removing what an earlier attempt left", &error))
        }
        _ => Ok(()),
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // A healthy log is left as one whole file: what is still in the write-ahead log goes into the database.
        // Whatever is not healthy stays as it is, to be looked into.
        let healthy = self.writing.as_ref().is_some_and(|writing| writing.poisoned.is_none());
        if healthy {
            let keep = rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
            let _ = self.connection.set_db_config(keep, false);
        }
    }
}

/// A random identity, for a log or for an event that happens now.
///
/// # Errors
/// When the operating system has no random numbers to give.
pub fn random_id() -> Result<[u8; 16], Fault> {
    let mut id = [0; 16];
    getrandom::fill(&mut id).map_err(|error| {
        Fault::new(FaultKind::Other, Path::new("-"), "asking for a random identity", error.to_string())
    })?;
    Ok(id)
}

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (log {})", self.path.display(), self.opened.log_id)
    }
}
