//! Compares the anchor with the log. It runs on every opening and costs two lookups; only on a contradiction is the log
//! read, to find where it begins.

use std::fmt;
use std::path::{Path, PathBuf};

use annals_events::{Event, Hash, LogEvent, LogId};
use rusqlite::{Connection, OptionalExtension};

use crate::anchor::{AnchorFile, AnchorLine};
use crate::head::Head;
use crate::merkle::Frontier;
use crate::names::{anchor_path, earlier_anchor};
use crate::row::clamp;

/// A contradiction, or an unusable anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnchorProblem {
    Missing {
        log: PathBuf,
        /// A possible anchor under an earlier version's name.
        earlier: Option<PathBuf>,
    },
    Unreadable,
    /// One line is unreadable, and no event follows the other's.
    LineUnreadable {
        /// The last event, acknowledged by the other line.
        last: u64,
    },
    /// The anchor's Merkle root is not that of its events.
    OtherRoot {
        anchored: Box<Head>,
        /// Of the present events.
        found: Hash,
    },
    OtherLog {
        anchored: LogId,
        found: LogId,
    },
    /// The log ends before the last acknowledged event.
    EventsMissing {
        anchored: Box<Head>,
        last: u64,
    },
    /// An acknowledged event has changed.
    Rewritten {
        anchored: Box<Head>,
        found: Hash,
        /// The first event that may have changed.
        first: u64,
        /// The last candidate: something in `first..=latest` was rewritten.
        latest: u64,
    },
    /// The anchor has accepted losses that the log does not record.
    LossNotRecorded {
        accepted: u64,
        recorded: u64,
    },
}

impl AnchorProblem {
    pub(crate) fn missing(log: &Path) -> AnchorProblem {
        AnchorProblem::Missing { log: log.to_owned(), earlier: earlier_anchor(log) }
    }

    /// The first event that is missing or may have changed.
    #[must_use]
    pub fn first_bad(&self) -> Option<u64> {
        match self {
            AnchorProblem::EventsMissing { last, .. } => Some(last + 1),
            AnchorProblem::Rewritten { first, .. } => Some(*first),
            _ => None,
        }
    }

    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            AnchorProblem::Missing { .. } => "anchor_missing",
            AnchorProblem::Unreadable => "anchor_unreadable",
            AnchorProblem::LineUnreadable { .. } => "anchor_line_unreadable",
            AnchorProblem::OtherRoot { .. } => "anchor_of_another_root",
            AnchorProblem::OtherLog { .. } => "anchor_of_another_log",
            AnchorProblem::EventsMissing { .. } => "acknowledged_events_missing",
            AnchorProblem::Rewritten { .. } => "acknowledged_events_rewritten",
            AnchorProblem::LossNotRecorded { .. } => "loss_not_recorded",
        }
    }
}

impl fmt::Display for AnchorProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnchorProblem::Missing { log, earlier } => {
                f.write_str(
                    "the anchor is missing: nothing outside the database says how far the log had come, so a loss \
                     at its end would not be noticed",
                )?;
                let Some(earlier) = earlier else { return Ok(()) };
                let (earlier, anchor) = (earlier.display(), anchor_path(log));
                let anchor = anchor.display();
                write!(f, ". Earlier versions kept it in {earlier}; if that is it, run `mv {earlier} {anchor}`")
            }
            AnchorProblem::Unreadable => f.write_str(
                "neither line of the anchor can be read: nothing outside the database says how far the log had \
                 come, so a loss at its end would not be noticed",
            ),
            AnchorProblem::LineUnreadable { last } => write!(
                f,
                "one line of the anchor cannot be read, and no event follows event {last}, which the other line \
                 acknowledges: if the unreadable line was the newer one, acknowledged events behind {last} are missing"
            ),
            AnchorProblem::OtherRoot { anchored, found } => write!(
                f,
                "the anchor states the Merkle root {} for the events up to {}, but theirs is {found}",
                anchored.root, anchored.seq
            ),
            AnchorProblem::OtherLog { anchored, found } => {
                write!(f, "the anchor belongs to log {anchored}, but this is log {found}")
            }
            AnchorProblem::EventsMissing { anchored, last } => {
                let (lost, end) = (anchored.seq - last, anchored.seq);
                let (events, are) = if lost == 1 { ("event", "is") } else { ("events", "are") };
                write!(f, "{lost} acknowledged {events} {are} missing: the log ends at {last}, but {end} had been acknowledged")
            }
            AnchorProblem::Rewritten { anchored, found, first, latest } => {
                write!(
                    f,
                    "acknowledged events were rewritten: event {} had the hash {} when it was acknowledged and has \
                     {found} now; ",
                    anchored.seq, anchored.hash
                )?;
                if first == latest {
                    write!(f, "the first that differs is {first}")
                } else {
                    write!(f, "the first that differs is one of {first} to {latest}")
                }
            }
            AnchorProblem::LossNotRecorded { accepted, recorded } => write!(
                f,
                "the anchor counts {accepted} accepted losses, and the log records {recorded} of them"
            ),
        }
    }
}

/// A log's facts for the comparison.
#[derive(Debug, Clone)]
pub(crate) struct Inside {
    pub log: LogId,
    /// 0 if none.
    pub last: u64,
}

pub(crate) fn check(
    connection: &Connection,
    path: &Path,
    inside: &Inside,
    anchor: Option<&AnchorFile>,
) -> rusqlite::Result<Vec<AnchorProblem>> {
    let Some(anchor) = anchor else { return Ok(vec![AnchorProblem::missing(path)]) };
    let Some(newest) = anchor.newest() else { return Ok(vec![AnchorProblem::Unreadable]) };
    if newest.log != inside.log {
        return Ok(vec![AnchorProblem::OtherLog { anchored: newest.log, found: inside.log }]);
    }
    let mut problems = Vec::new();
    // Events are synced before their line is written, so a newer torn line has its events.
    if anchor.lines.iter().any(Option::is_none) && newest.seq() == inside.last {
        problems.push(AnchorProblem::LineUnreadable { last: inside.last });
    }
    if newest.seq() > inside.last {
        problems.push(AnchorProblem::EventsMissing { anchored: Box::new(newest.head()), last: inside.last });
    }
    // The older line may be within the remaining part, or narrow down a rewriting.
    let lines = || anchor.lines.iter().flatten().filter(|line| line.epoch == newest.epoch);
    let (mut proven, mut contradicted) = (0, Vec::new());
    for line in lines() {
        match contradiction(connection, inside, line)? {
            Some(problem) => contradicted.push(problem),
            None => proven = proven.max(line.seq().min(inside.last)),
        }
    }
    // A confirmed line proves all events up to it.
    let witness = lines().find(|line| line.seq() == proven && !contradicted.is_empty());
    let bears_out = |line: &AnchorLine| {
        stored_tree(connection, 0..line.seq()).map(|tree| tree.root() == line.frontier.root())
    };
    if !witness.map(bears_out).transpose()?.unwrap_or(false) {
        proven = 0;
    }
    for mut problem in contradicted {
        if let AnchorProblem::Rewritten { first, latest, .. } = &mut problem
            && proven < *latest
        {
            *first = (*first).max(proven + 1);
        }
        problems.push(problem);
    }
    if newest.epoch > 0 || !anchor.lost.is_empty() {
        let recorded = recorded_losses(connection)?;
        let is_recorded = |line: &AnchorLine| recorded.contains(&(line.seq(), line.hash));
        let unnamed = anchor.lost.iter().flatten().any(|line| !is_recorded(line));
        // Each accepted loss raised the epoch by one.
        if unnamed || newest.epoch > recorded.len() as u64 {
            let accepted = newest.epoch.max(anchor.lost.len() as u64);
            let recorded = recorded.len() as u64;
            problems.push(AnchorProblem::LossNotRecorded { accepted, recorded });
        }
    }
    Ok(problems)
}

/// Whether a line's event has changed.
fn contradiction(
    connection: &Connection,
    inside: &Inside,
    line: &AnchorLine,
) -> rusqlite::Result<Option<AnchorProblem>> {
    if line.seq() == 0 || line.seq() > inside.last {
        return Ok(None);
    }
    let found = hash_at(connection, line.seq())?;
    if found == Some(line.hash) {
        return Ok(None);
    }
    let (first, latest) = first_difference(connection, &line.frontier)?;
    let found = found.unwrap_or_default();
    Ok(Some(AnchorProblem::Rewritten { anchored: Box::new(line.head()), found, first, latest }))
}

/// The anchored Merkle root, if it is not that of the events. Reads the hashes of all of them.
pub(crate) fn other_root(
    connection: &Connection,
    anchored: Option<&AnchorLine>,
) -> rusqlite::Result<Option<AnchorProblem>> {
    let Some(line) = anchored else { return Ok(None) };
    let found = stored_tree(connection, 0..line.seq())?.root();
    let is_other = found != line.frontier.root();
    Ok(is_other.then(|| AnchorProblem::OtherRoot { anchored: Box::new(line.head()), found }))
}

/// As stored.
pub(crate) fn hash_at(connection: &Connection, seq: u64) -> rusqlite::Result<Option<Hash>> {
    connection
        .prepare_cached("SELECT hash FROM event WHERE seq = ?1")?
        .query_row([seq as i64], |row| row.get::<_, [u8; 32]>(0))
        .optional()
        .map(|hash| hash.map(Hash))
}

/// Over events `range.start + 1` to `range.end`, from stored hashes.
pub(crate) fn stored_tree(
    connection: &Connection,
    range: std::ops::Range<u64>,
) -> rusqlite::Result<Frontier> {
    let mut tree = Frontier::new();
    each_hash(connection, range, |hash| tree.push(hash))?;
    Ok(tree)
}

/// Continues an earlier tree.
pub(crate) fn continued_tree(
    connection: &Connection,
    mut tree: Frontier,
    end: u64,
) -> rusqlite::Result<Frontier> {
    each_hash(connection, tree.size()..end, |hash| tree.push(hash))?;
    Ok(tree)
}

/// Stored hashes of a leaf range up to the first missing one: damaged pages can form cycles.
fn each_hash(
    connection: &Connection,
    range: std::ops::Range<u64>,
    mut each: impl FnMut(&Hash),
) -> rusqlite::Result<()> {
    let sql = "SELECT seq, hash FROM event WHERE seq > ?1 AND seq <= ?2 ORDER BY seq";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([clamp(range.start), clamp(range.end)])?;
    for leaf in range {
        match rows.next()? {
            Some(row) if row.get::<_, i64>(0)? == clamp(leaf + 1) => each(&Hash(row.get(1)?)),
            _ => break,
        }
    }
    Ok(())
}

/// The events that contain the first one not under the anchored peaks.
fn first_difference(connection: &Connection, anchored: &Frontier) -> rusqlite::Result<(u64, u64)> {
    for (range, peak) in anchored.ranges().zip(anchored.peaks()) {
        let (first, latest) = (range.start + 1, range.end);
        if stored_tree(connection, range)?.root() != *peak {
            return Ok((first, latest));
        }
    }
    Ok((anchored.size(), anchored.size()))
}

/// Lost heads (`seq`, hash) recorded by the log.
pub(crate) fn recorded_losses(connection: &Connection) -> rusqlite::Result<Vec<(u64, Hash)>> {
    let mut statement =
        connection.prepare("SELECT type, schema, payload FROM event WHERE stream = ?1 ORDER BY version")?;
    let mut rows = statement.query([annals_events::log::LOG_STREAM])?;
    let mut losses = Vec::new();
    while let Some(row) = rows.next()? {
        let (event_type, schema, payload): (String, u32, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if let Ok(Event::Log(LogEvent::LossAcknowledged(loss))) =
            Event::from_payload(&event_type, schema, &payload)
        {
            losses.push((loss.anchored_seq, loss.anchored_hash));
        }
    }
    Ok(losses)
}
