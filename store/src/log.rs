//! A log: creating it, opening it, and what holds for it while it is open.

use std::fmt;
use std::path::{Path, PathBuf};

use annals_events::log::{ClockKind, LOG_STREAM, Opened};
use annals_events::{Event, LogEvent, LogId};
use rusqlite::Connection;

use crate::anchor::{Anchor, AnchorFile, AnchorLine};
use crate::append::write_first;
use crate::chain::{Chain, genesis};
use crate::clock::Clock;
use crate::connection::{self, Access, NotALog};
use crate::fault::{Fault, FaultKind, sync_folder_of};
use crate::gather::Gathering;
use crate::head::Head;
use crate::merkle::Frontier;
use crate::names::{anchor_path, beside};
use crate::new_event::NewEvent;
use crate::outside::{self, AnchorProblem, Inside};
use crate::schema::{self, SchemaDifference};
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

/// What a new log is told about itself.
#[derive(Debug, Clone)]
pub struct NewLog {
    /// Its identity; [`crate::random_id`] makes one.
    pub log_id: LogId,
    /// The program that opens it, e.g. `annals 0.1.0`.
    pub program: String,
    /// What it is for, in words.
    pub note: Option<String>,
    /// Who opens it.
    pub actor: String,
}

/// Why a log cannot be opened or created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be used as a log at all.
    #[error(transparent)]
    NotALog(#[from] NotALog),
    /// SQLite or the file system refused.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The log is gone, but its anchor is there.
    #[error(
        "{path}: the log is gone, but its anchor says that it had {} acknowledged events. Restore it from a \
         backup; `{anchored}` is the last receipt",
        anchored.seq
    )]
    LogGone {
        /// Where the log should be.
        path: PathBuf,
        /// What had been acknowledged.
        anchored: Head,
    },
    /// Something else stands where the log was, with its anchor beside it.
    #[error(
        "{problem}. Yet the anchor beside it says that {path} was a log with {} acknowledged events: it was emptied, \
         replaced or damaged. Keep all its files as they are; restore it from a backup, or run `annals doctor`, which \
         says what can be saved; `{anchored}` is the last receipt",
        anchored.seq
    )]
    NotTheLog {
        /// Where the log should be.
        path: PathBuf,
        /// What had been acknowledged.
        anchored: Box<Head>,
        /// What is there instead.
        problem: Box<NotALog>,
    },
    /// There is a log already.
    #[error("{path}: there is a log already. Nothing was changed; choose another path, or open it")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A table, index or trigger is not the compiled-in one.
    #[error(
        "{path}: {} {}: the file's own protection against changes is not what this program made. Nothing was \
         changed; run `annals log verify` to see whether the events are whole",
        difference.object,
        difference.what
    )]
    Schema {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: SchemaDifference,
    },
    /// The log and its anchor contradict each other, or the anchor cannot testify.
    #[error(
        "{path}: {problem}. Nothing was changed, and nothing is appended to it: copy all its files aside, then \
         run `annals doctor`, which says what can be saved"
    )]
    Anchor {
        /// The file.
        path: PathBuf,
        /// What contradicts.
        problem: AnchorProblem,
    },
    /// The stored Merkle tree is not the one over the events.
    #[error(
        "{path}: {problem}. Nothing was changed, and nothing is appended to it; `annals doctor --rebuild-tree` makes the \
         tree again from the hashes of the events, where all of them are whole"
    )]
    Tree {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The stored head is not what a log can have.
    #[error("{path}: {problem}. Nothing was changed; run `annals log verify`")]
    Head {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The clock that was handed in is not of the kind that the log declares.
    #[error(
        "{path}: this log declares a {} clock, and cannot be written under a {} one. A simulated log and a real \
         one are never mixed",
        clock_word(*declared),
        clock_word(*given)
    )]
    WrongClock {
        /// The file.
        path: PathBuf,
        /// What the first event declares.
        declared: ClockKind,
        /// What was handed in.
        given: ClockKind,
    },
    /// The first event cannot be made of what was given.
    #[error("the first event of the log cannot be made: {problem}")]
    FirstEvent {
        /// What is wrong.
        problem: String,
    },
}

pub(crate) const fn clock_word(kind: ClockKind) -> &'static str {
    match kind {
        ClockKind::Real => "real",
        ClockKind::Simulated => "simulated",
    }
}

impl Log {
    /// Creates a log with its first event, `log.opened`, and opens it for appending. The file appears under its name
    /// only when it is whole.
    ///
    /// # Errors
    /// When there is a log or the anchor of one at that place, or the file system refuses.
    pub fn create(path: &Path, new: &NewLog, clock: Box<dyn Clock>) -> Result<Log, OpenError> {
        let line =
            AnchorLine { epoch: 0, log: new.log_id, hash: genesis(new.log_id), frontier: Frontier::new() };
        let exists = || OpenError::Exists { path: path.to_owned() };
        if std::fs::symlink_metadata(path).is_ok() {
            return Err(exists());
        }
        let (mut anchor, in_the_way) = Anchor::create(&anchor_path(path), &line)?;
        // Now no other process creates this log; one may have done so just before.
        if std::fs::symlink_metadata(path).is_ok() {
            return Err(exists());
        }
        if let Some(line) = in_the_way {
            return Err(OpenError::LogGone { path: path.to_owned(), anchored: line.head() });
        }
        let opened = Opened {
            log_id: new.log_id,
            clock: clock.kind(),
            program: new.program.clone(),
            note: new.note.clone(),
        };
        let first = NewEvent::opening(&opened, &new.actor, clock.now())
            .map_err(|e| OpenError::FirstEvent { problem: e.to_string() })?;

        // Written under another name, in one piece, synced, and only then named.
        let unfinished = beside(path, "unfinished");
        let doing = "creating the log";
        let fault = |error: &rusqlite::Error| Fault::sqlite(&unfinished, doing, error);
        remove_if_there(&unfinished)?;
        let connection = Connection::open(&unfinished).map_err(|e| fault(&e))?;
        connection.pragma_update(None, "synchronous", "EXTRA").map_err(|e| fault(&e))?;
        schema::create(&connection).map_err(|e| fault(&e))?;
        let tail = write_first(&connection, new.log_id, &first).map_err(|e| fault(&e))?;
        connection.close().map_err(|(_, e)| fault(&e))?;
        std::fs::rename(&unfinished, path).map_err(|e| Fault::io(path, doing, &e))?;
        sync_folder_of(path)?;
        let connection = connection::open(path, Access::Write)?;
        connection::make_durable(&connection).map_err(|e| Fault::sqlite(path, doing, &e))?;
        // The rollback journal of that change must be gone for good before an event is acknowledged.
        sync_folder_of(path)?;
        anchor.advance(&tail.line(new.log_id, 0))?;

        let anchored = Some(anchor.content().clone());
        let writing = Writing { clock, anchor, epoch: 0, seen: tail, seen_in: None, poisoned: None };
        Ok(Log {
            connection,
            path: path.to_owned(),
            opened,
            chain: Chain::default(),
            gathering: Gathering::default(),
            anchored,
            problems: Vec::new(),
            writing: Some(writing),
        })
    }

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

    /// The file.
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

impl OpenError {
    /// Whether the log is damaged, and not only missing, locked, or not a log.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            OpenError::LogGone { .. }
            | OpenError::NotTheLog { .. }
            | OpenError::Schema { .. }
            | OpenError::Anchor { .. }
            | OpenError::Tree { .. }
            | OpenError::Head { .. } => true,
            OpenError::Fault(fault) | OpenError::NotALog(NotALog::Fault(fault)) => {
                fault.kind == FaultKind::Damaged
            }
            _ => false,
        }
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
