use std::path::Path;

use annals_events::LogId;
use annals_events::log::Opened;
use rusqlite::Connection;

use crate::anchor::{Anchor, AnchorLine};
use crate::append::write_first;
use crate::chain::{Chain, genesis};
use crate::clock::Clock;
use crate::connection::{self, Access};
use crate::fault::{Fault, sync_folder_of};
use crate::gather::Gathering;
use crate::log::{Log, Writing, remove_if_there};
use crate::merkle::Frontier;
use crate::names::{anchor_path, beside};
use crate::new_event::NewEvent;
use crate::open_error::OpenError;
use crate::schema;

/// Facts of a new log.
#[derive(Debug, Clone)]
pub struct NewLog {
    /// From [`crate::random_id`].
    pub log_id: LogId,
    /// For example `annals 0.1.0`.
    pub program: String,
    /// Its purpose.
    pub note: Option<String>,
    pub actor: String,
}

impl Log {
    /// Creates a log with its first event, `log.opened`, and opens it for appending. The file gets its name when
    /// complete.
    ///
    /// # Errors
    /// If there is a log or an anchor, or the file system fails.
    pub fn create(path: &Path, new: &NewLog, clock: Box<dyn Clock>) -> Result<Log, OpenError> {
        let line =
            AnchorLine { epoch: 0, log: new.log_id, hash: genesis(new.log_id), frontier: Frontier::new() };
        let exists = || OpenError::Exists { path: path.to_owned() };
        if std::fs::symlink_metadata(path).is_ok() {
            return Err(exists());
        }
        let (mut anchor, in_the_way) = Anchor::create(&anchor_path(path), &line)?;
        // Other processes are excluded now; one may have created it just before.
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

        // Written under a temporary name, synced, then renamed.
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
        connection::make_durable(&connection, path, doing)?;
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
}
