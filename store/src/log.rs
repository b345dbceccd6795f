//! Opening a log, and its open state.

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

/// An append-only log of events in one SQLite file, with its anchor next to it.
#[derive(Debug)]
pub struct Log {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) opened: Opened,
    pub(crate) chain: Chain,
    pub(crate) gathering: Gathering,
    /// When opened.
    pub(crate) anchored: Option<AnchorFile>,
    /// Contradictions; empty except for [`Log::inspect`].
    pub(crate) problems: Vec<OpenError>,
    /// None if opened read-only.
    pub(crate) writing: Option<Writing>,
}

/// For appending only.
#[derive(Debug)]
pub(crate) struct Writing {
    pub clock: Box<dyn Clock>,
    pub anchor: Anchor,
    pub epoch: u64,
    /// The log's end when last seen, with a verified tree: from the anchor, and the hashes of all events since. A log
    /// that does not continue it was changed from outside.
    pub seen: Tail,
    /// SQLite's data version when seen: commits of other connections change it.
    pub seen_in: Option<i64>,
    /// Why this handle can no longer append.
    pub poisoned: Option<Fault>,
}

impl Log {
    /// Opens a log for reading. It must agree with its anchor.
    ///
    /// # Errors
    /// If it is not a log, cannot be read, or contradicts its anchor.
    pub fn open(path: &Path) -> Result<Log, OpenError> {
        Log::look(path, Access::Read)?.refuse_problems()
    }

    /// Opens a log for appending, with a clock. Committed but unacknowledged events are synced first.
    ///
    /// # Errors
    /// As [`Log::open`]; if it cannot be written, or the clock's kind is not the log's.
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
        connection::make_durable(&log.connection, path, "opening the log for appending")?;
        let anchor = Anchor::open(&anchor_path(path))?;
        let missing = || OpenError::Anchor { path: path.to_owned(), problem: AnchorProblem::missing(path) };
        let anchor = anchor.ok_or_else(missing)?;
        let epoch = anchor.content().newest().map_or(0, |line| line.epoch);
        let seen = log.tail(anchor.content().newest())?;
        log.writing = Some(Writing { clock, anchor, epoch, seen, seen_in: None, poisoned: None });
        log.settle()?;
        Ok(log)
    }

    /// Opens a damaged log: contradictions are kept in [`Log::problems`]. For `verify`, `doctor` and recovery.
    ///
    /// # Errors
    /// If it is not a log, or its first or last event cannot be read.
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
            // Reading from a foreign object with a table's name could run anything.
            return Err(OpenError::Schema { path: path.to_owned(), difference: difference.clone() });
        }
        let mut problems: Vec<OpenError> = differences
            .into_iter()
            .map(|difference| OpenError::Schema { path: path.to_owned(), difference })
            .collect();
        // One transaction, so that log end and anchor comparison are of one moment.
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
        // The anchor was read first, so it can only be behind.
        let inside = Inside { log: opened.log_id, last };
        let contradictions =
            outside::check(&reading, path, &inside, anchored.as_ref()).map_err(|e| fault(&e))?;
        let is_contradicted = !contradictions.is_empty();
        problems.extend(
            contradictions.into_iter().map(|problem| OpenError::Anchor { path: path.to_owned(), problem }),
        );
        // If the anchor contradicts the events, their tree is unknown.
        let known = anchored.as_ref().and_then(AnchorFile::newest).filter(|_| !is_contradicted);
        if let Err(problem) = checked_tail(&reading, opened.log_id, known).map_err(|e| fault(&e))? {
            // Either of the two trees may be the wrong one.
            let other = outside::other_root(&reading, known).map_err(|e| fault(&e))?;
            problems.push(match other {
                Some(problem) => OpenError::Anchor { path: path.to_owned(), problem },
                None => OpenError::Tree { path: path.to_owned(), problem },
            });
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

    /// From the first event: identity, clock, program.
    #[must_use]
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    #[must_use]
    pub fn id(&self) -> LogId {
        self.opened.log_id
    }

    /// Contradictions on opening; empty except for [`Log::inspect`].
    #[must_use]
    pub fn problems(&self) -> &[OpenError] {
        &self.problems
    }

    /// The head acknowledged on opening or after the last append: the receipt, which survives everything but a loss of
    /// the disk. None without an anchor.
    #[must_use]
    pub fn acknowledged(&self) -> Option<Head> {
        self.newest_line().map(AnchorLine::head)
    }

    /// As last read or written.
    pub(crate) fn newest_line(&self) -> Option<&AnchorLine> {
        let content = match &self.writing {
            Some(writing) => Some(writing.anchor.content()),
            None => self.anchored.as_ref(),
        };
        content.and_then(AnchorFile::newest)
    }

    /// The end of the log, checked against what was acknowledged.
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

/// The payload of the first event, or what is wrong with it.
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
        // A healthy log is left as one file: the write-ahead log is checkpointed. A damaged one is left as it is.
        let healthy = self.writing.as_ref().is_some_and(|writing| writing.poisoned.is_none());
        if healthy {
            let keep = rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
            let _ = self.connection.set_db_config(keep, false);
        }
    }
}

/// For a log or an event.
///
/// # Errors
/// If the operating system has no random numbers.
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
