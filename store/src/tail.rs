//! The end of a log: last event and stored Merkle tree. A stored tree is trusted only if it continues one known to be
//! right.

use annals_events::{Hash, LogId, Micros};
use rusqlite::Connection;

use crate::anchor::AnchorLine;
use crate::chain::genesis;
use crate::head::Head;
use crate::merkle::Frontier;
use crate::outside::{continued_tree, hash_at};

#[derive(Debug, Clone)]
pub(crate) struct Tail {
    pub seq: u64,
    pub hash: Hash,
    /// None before the first event.
    pub recorded_at: Option<Micros>,
    pub tree: Frontier,
}

impl Tail {
    pub fn read(connection: &Connection, log: LogId) -> rusqlite::Result<Result<Tail, String>> {
        let last = "SELECT seq, hash, recorded_at FROM event ORDER BY seq DESC LIMIT 1";
        let mut statement = connection.prepare_cached(last)?;
        let mut rows = statement.query([])?;
        let (seq, hash, recorded_at) = match rows.next()? {
            Some(row) => (row.get::<_, i64>(0)?, Hash(row.get(1)?), Some(row.get(2)?)),
            None => (0, genesis(log), None),
        };
        let Ok(seq) = u64::try_from(seq) else {
            return Ok(Err(format!("the last event has seq {seq}, but they count from 1")));
        };
        Ok(stored_tree_over(connection, seq)?.map(|tree| Tail { seq, hash, recorded_at, tree }))
    }

    /// An end that must continue an earlier one: same hash there, and the stored tree is the earlier one with all later
    /// hashes. Otherwise what is wrong.
    pub fn continuing(
        connection: &Connection,
        log: LogId,
        before: &AnchorLine,
    ) -> rusqlite::Result<Result<Tail, String>> {
        let tail = match Tail::read(connection, log)? {
            Ok(tail) => tail,
            problem => return Ok(problem),
        };
        let seq = before.seq();
        if tail.seq < seq {
            return Ok(Err(format!("it ended at event {seq} and ends at {} now", tail.seq)));
        }
        if seq > 0 && hash_at(connection, seq)? != Some(before.hash) {
            return Ok(Err(format!("event {seq} has another hash than when it was acknowledged")));
        }
        let tree = continued_tree(connection, before.frontier.clone(), tail.seq)?;
        if tree == tail.tree {
            return Ok(Ok(tail));
        }
        let (stored, computed) = (tail.tree.root(), tree.root());
        Ok(Err(format!("the stored Merkle tree has the root {stored}, but that of the events is {computed}")))
    }

    pub fn head(&self, log: LogId) -> Head {
        Head { log, seq: self.seq, hash: self.hash, root: self.tree.root() }
    }

    pub fn line(&self, log: LogId, epoch: u64) -> AnchorLine {
        AnchorLine { epoch, log, hash: self.hash, frontier: self.tree.clone() }
    }
}

/// The stored tree, which must have this size; otherwise what is wrong.
fn stored_tree_over(connection: &Connection, seq: u64) -> rusqlite::Result<Result<Frontier, String>> {
    let mut statement = connection.prepare_cached("SELECT only, size, peaks FROM tree LIMIT 2")?;
    let mut rows = statement.query([])?;
    let (mut found, mut count) = (None, 0);
    while let Some(row) = rows.next()? {
        count += 1;
        found = found.or(Some((row.get(0), row.get::<_, i64>(1), row.get::<_, Vec<u8>>(2))));
    }
    let (size, bytes) = match found {
        Some((Ok(1), Ok(size), Ok(bytes))) if count == 1 => (size, bytes),
        Some((Ok(1), Ok(_), Ok(_))) => {
            return Ok(Err("the table of the stored tree has a second row".to_owned()));
        }
        Some(_) => return Ok(Err("a value of the stored tree is not of its kind".to_owned())),
        None => return Ok(Err("the table of the stored tree is empty".to_owned())),
    };
    if u64::try_from(size) != Ok(seq) {
        return Ok(Err(format!("the stored tree is over {size} events, but the last event is {seq}")));
    }
    let peaks: Vec<Hash> = bytes.chunks(Hash::LEN).filter_map(Hash::from_slice).collect();
    let fits = peaks.len() * Hash::LEN == bytes.len();
    let tree = Frontier::from_parts(seq, peaks).filter(|_| fits);
    Ok(tree.ok_or_else(|| format!("the stored tree over {seq} events has {} bytes", bytes.len())))
}

/// The end, which must continue what was acknowledged.
pub(crate) fn checked_tail(
    connection: &Connection,
    log: LogId,
    known: Option<&AnchorLine>,
) -> rusqlite::Result<Result<Tail, String>> {
    match known {
        Some(known) => Tail::continuing(connection, log, known),
        None => Tail::read(connection, log),
    }
}

/// Stored.
pub(crate) fn last_seq(connection: &Connection) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM event")?;
    statement.query_row([], |row| row.get::<_, i64>(0)).map(not_negative)
}

/// How far to read a log: to its last event, limited by the number of events, the anchor and the stored tree. One row
/// with a huge `seq` must not make a log endless. Anchor and tree are limited by `bytes`, the size of the files: an
/// event needs more than one.
pub(crate) fn plausible_last(
    connection: &Connection,
    anchored: Option<u64>,
    bytes: u64,
) -> rusqlite::Result<u64> {
    let last = last_seq(connection)?;
    // Either may be unreadable in a damaged file.
    let ask = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).ok().map(not_negative);
    let count = ask("SELECT count(*) FROM event WHERE seq > 0");
    let told = anchored.max(ask("SELECT size FROM tree WHERE only = 1"));
    let told = if count.is_none() && told.is_none() { bytes } else { told.unwrap_or(0).min(bytes) };
    Ok(last.min(told.max(count.unwrap_or(0))))
}

fn not_negative(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
