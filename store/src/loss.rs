//! Continuing after a loss of acknowledged events, which has to be accepted explicitly: the log records who accepted
//! what, and the anchor keeps what can no longer be met.

use std::path::{Path, PathBuf};

use annals_events::log::LossAcknowledged;
use annals_events::{EventId, Hash, LogEvent};

use crate::anchor::{Anchor, AnchorFile, AnchorLine};
use crate::append::make_events_safe;
use crate::chain::genesis;
use crate::clock::Clock;
use crate::connection::{self, Access};
use crate::fault::{Fault, FaultKind};
use crate::log::{Log, Writing, random_id, remove_if_there};
use crate::merkle::Frontier;
use crate::names::{anchor_path, beside, wal_path};
use crate::new_event::{EventError, NewEvent};
use crate::open_error::OpenError;
use crate::outside::AnchorProblem;
use crate::repair::RepairError;
use crate::transaction::{AppendError, Transaction};
use crate::verify::Finding;

/// Largest number of unrecorded losses; an anchor with more is forged.
pub(crate) const MOST_AT_ONCE: u64 = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedLoss {
    /// The recording event.
    pub seq: u64,
    /// The last acknowledged event; 0 without an anchor of this log.
    pub anchored: u64,
    /// The last remaining event.
    pub left: u64,
    pub is_tree_rebuilt: bool,
    /// Of the files before.
    pub copies: Vec<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum LossError {
    /// The log cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The log is damaged in a way that accepting a loss does not repair.
    #[error("{path} is damaged")]
    Damaged { path: PathBuf, finding: Box<Finding> },
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The damaged tree cannot be made again.
    #[error(transparent)]
    Repair(#[from] RepairError),
    #[error("{path}: nothing acknowledged is missing; there is no loss to accept")]
    NothingLost { path: PathBuf },
    #[error("the loss cannot be recorded: {0}")]
    Event(#[from] EventError),
    #[error("the loss was not accepted: {0}")]
    Append(#[from] AppendError),
}

impl Log {
    /// Accepts that acknowledged events are lost or rewritten, or that the anchor is, so that the log continues from
    /// its present end. All files are copied first. No handle on the log may be open in this process.
    ///
    /// # Errors
    /// If nothing is lost, something else is wrong, or the file system fails.
    pub fn accept_loss(
        path: &Path,
        clock: Box<dyn Clock>,
        actor: &str,
        reason: &str,
    ) -> Result<(Log, AcceptedLoss), LossError> {
        let mut looked = Log::inspect(path)?;
        let other = looked.problems.iter().position(|problem| !can_be_accepted(problem));
        if let Some(other) = other {
            return Err(looked.problems.swap_remove(other).into());
        }
        // A log that was put back with its anchor contradicts only what it signed.
        if looked.problems.is_empty() && !looked.contradicts_signed()? {
            return Err(LossError::NothingLost { path: path.to_owned() });
        }
        let (declared, given) = (looked.opened.clock, clock.kind());
        if declared != given {
            return Err(OpenError::WrongClock { path: path.to_owned(), declared, given }.into());
        }
        drop(looked);
        let copies = copy_aside(path, "before-loss")?;

        let mut log = Log::look(path, Access::Write)?;
        let id = log.id();
        let doing = "accepting a loss";
        let fault = |error: &rusqlite::Error| Fault::sqlite(path, doing, error);
        connection::make_durable(&log.connection, path, doing)?;
        // An earlier attempt may have left its event unsynced.
        make_events_safe(&log.connection, path)?;
        let recorded = crate::outside::recorded_losses(&log.connection).map_err(|e| fault(&e))?;
        // The line of an anchor that is made again counts this loss, so that a log is not taken for whole before it
        // records it.
        let next = recorded.len() as u64 + 1;
        let nothing = AnchorLine { epoch: next, log: id, hash: genesis(id), frontier: Frontier::new() };
        // The anchor is contradicted, so the tree is computed from all hashes.
        let tail = log.tail(Some(&nothing))?;
        // That of another log makes no statement about this one.
        let is_of_this_log = |line: &&AnchorLine| line.log == id;
        let known = log.anchored.as_ref().and_then(AnchorFile::newest).filter(is_of_this_log).cloned();
        let mut anchor = match &known {
            Some(_) => Anchor::open(&anchor_path(path))?.ok_or_else(|| OpenError::Anchor {
                path: path.to_owned(),
                problem: AnchorProblem::missing(path),
            })?,
            None => {
                // It was copied before.
                remove_if_there(&anchor_path(path))?;
                let (mut anchor, _) = Anchor::create(&anchor_path(path), &nothing)?;
                anchor.release()?;
                anchor
            }
        };
        let mut lost: Vec<AnchorLine> = anchor.content().lost.iter().flatten().cloned().collect();
        let known = known.unwrap_or(nothing);
        if known.seq() > 0 {
            lost.push(known.clone());
        }
        let mut unrecorded: Vec<(u64, Hash)> = lost.iter().map(|line| (line.seq(), line.hash)).collect();
        unrecorded.retain(|loss| !recorded.contains(loss));
        let is_counted = known.seq() == 0 && known.epoch >= next;
        let epoch = known.epoch.saturating_add(u64::from(!is_counted));
        let recorded = (recorded.len() + unrecorded.len()) as u64;
        let short = epoch.saturating_sub(recorded).max(u64::from(unrecorded.is_empty()));
        if short > MOST_AT_ONCE {
            let problem = AnchorProblem::LossNotRecorded { accepted: known.epoch, recorded };
            return Err(OpenError::Anchor { path: path.to_owned(), problem }.into());
        }
        // A process that opened the log before the new line is written would acknowledge events under the epoch before.
        anchor.hold(&known)?;
        if known.seq() > 0 {
            anchor.keep_lost(&known)?;
        }
        unrecorded.resize(unrecorded.len() + short as usize, (known.seq(), known.hash));
        let mut events = Vec::new();
        for (anchored_seq, anchored_hash) in unrecorded {
            let loss = LossAcknowledged {
                head_seq: tail.seq,
                head_hash: tail.hash,
                anchored_seq,
                anchored_hash,
                reason: reason.to_owned(),
            };
            let event_id = EventId(random_id()?);
            events.push(NewEvent::own(LogEvent::LossAcknowledged(loss), event_id, actor, clock.now())?);
        }
        log.problems.clear();
        log.writing =
            Some(Writing { clock, anchor, epoch, seen: tail.clone(), seen_in: None, poisoned: None });
        let appended = log.append(&Transaction::of(events))?;
        log.fill_anchor()?;
        let (seq, anchored, left) = (appended.last_seq, known.seq(), tail.seq);
        let accepted = AcceptedLoss { seq, anchored, left, is_tree_rebuilt: false, copies };
        Ok((log, accepted))
    }

    /// Writes the newest line into both blocks, so that no line of an older epoch remains, and releases the anchor.
    fn fill_anchor(&mut self) -> Result<(), Fault> {
        match &mut self.writing {
            Some(writing) => writing.anchor.fill().and_then(|()| writing.anchor.release()),
            None => Ok(()),
        }
    }
}

fn can_be_accepted(problem: &OpenError) -> bool {
    matches!(problem, OpenError::Anchor { .. })
}

/// Copies database, write-ahead log and anchor to free names.
pub(crate) fn copy_aside(path: &Path, why: &str) -> Result<Vec<PathBuf>, Fault> {
    let doing = "copying the files aside";
    let free = |n: u32| {
        let aside = beside(path, &format!("{why}-{n}.db"));
        (!aside.exists()).then_some(aside)
    };
    let aside = (1..10_000)
        .find_map(free)
        .ok_or_else(|| Fault::new(FaultKind::Other, path, doing, "ten thousand copies are there already"))?;
    let pairs = [
        (path.to_owned(), aside.clone()),
        (wal_path(path), wal_path(&aside)),
        (anchor_path(path), anchor_path(&aside)),
    ];
    let mut copies = Vec::new();
    for (from, to) in pairs.into_iter().filter(|(from, _)| from.exists()) {
        std::fs::copy(&from, &to).map_err(|e| Fault::io(&to, doing, &e))?;
        let file = std::fs::File::open(&to).map_err(|e| Fault::io(&to, doing, &e))?;
        file.sync_all().map_err(|e| Fault::sync(&to, doing, &e))?;
        copies.push(to);
    }
    Ok(copies)
}
