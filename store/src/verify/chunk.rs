//! The chain over a run of events: every row, hash and order checked. Runs are independent given the stored hash before
//! each, so threads share them.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use annals_events::{Entry, Event, Hash, LogEvent, LogId, Micros, canonical};
use rusqlite::{Connection, Row};

use super::report::Finding;
use crate::chain::{Chain, genesis};
use crate::merkle::Frontier;
use crate::outside::hash_at;
use crate::row::{COLUMNS, EventRef, clamp};

/// Events per run: a power of two, so that a full run is a perfect subtree.
pub(super) const RUN: u64 = 1 << 14;

/// Findings listed per run; the rest is counted.
const LISTED: usize = 100;

/// Checks besides the chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checks {
    pub tree: bool,
    pub payloads: bool,
}

/// The result of a run.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub findings: Vec<Finding>,
    pub not_listed: u64,
    pub intact: Vec<RangeInclusive<u64>>,
    /// Events with a second copy: lookups may return either.
    pub twice: Vec<u64>,
    /// Over stored hashes; none if one is missing.
    pub tree: Option<Frontier>,
    /// First and last version of each stream, and its first event.
    pub streams: HashMap<String, Versions>,
    pub first_recorded: Option<Micros>,
    pub last_recorded: Option<Micros>,
    pub hashed_bytes: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Versions {
    pub first: u64,
    pub last: u64,
    pub first_seq: u64,
}

/// The previous hash.
#[derive(Clone, Copy)]
struct Before {
    /// None if unreadable.
    stored: Option<Hash>,
    /// If it differs from the stored one, with the index of its finding.
    computed: Option<(Hash, usize)>,
}

struct Run {
    checks: Checks,
    log: Option<LogId>,
    checked: Checked,
    chain: Chain,
    tree: Option<Frontier>,
    before: Before,
    expected: u64,
}

/// Checks `first..=last`.
pub(super) fn check(
    connection: &Connection,
    log: Option<LogId>,
    range: RangeInclusive<u64>,
    checks: Checks,
) -> Checked {
    let (first, last) = (*range.start(), *range.end());
    let stored = match first {
        1 => log.map(genesis),
        _ => hash_at(connection, first - 1).ok().flatten(),
    };
    let mut run = Run {
        checks,
        log,
        checked: Checked::default(),
        chain: Chain::default(),
        tree: checks.tree.then(Frontier::new),
        before: Before { stored, computed: None },
        expected: first,
    };
    if run.read_through(connection, last).is_err() {
        // An unreadable event: the surroundings are read one by one.
        run.read_one_by_one(connection, last);
    }
    if run.expected <= last {
        run.missing(last);
    }
    run.checked.tree = run.tree;
    run.checked
}

impl Run {
    fn read_through(&mut self, connection: &Connection, last: u64) -> rusqlite::Result<()> {
        let sql = format!("SELECT {COLUMNS} FROM event WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq");
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([clamp(self.expected), clamp(last)])?;
        while let Some(row) = rows.next()? {
            self.take(row);
        }
        Ok(())
    }

    fn read_one_by_one(&mut self, connection: &Connection, last: u64) {
        let sql = format!("SELECT {COLUMNS} FROM event WHERE seq = ?1");
        while self.expected <= last {
            let seq = self.expected;
            let read = connection.prepare_cached(&sql).and_then(|mut statement| {
                let mut rows = statement.query([clamp(seq)])?;
                Ok(match rows.next()? {
                    Some(row) => {
                        self.take(row);
                        true
                    }
                    None => false,
                })
            });
            match read {
                Ok(true) if self.expected > seq => {}
                Ok(_) => self.missing(seq),
                Err(error) => self.unreadable(seq, &error.to_string()),
            }
        }
    }

    fn find(&mut self, finding: Finding) -> Option<usize> {
        if self.checked.findings.len() == LISTED {
            self.checked.not_listed += 1;
            return None;
        }
        self.checked.findings.push(finding);
        Some(self.checked.findings.len() - 1)
    }

    fn lose_the_thread(&mut self) {
        self.before = Before { stored: None, computed: None };
        self.tree = None;
    }

    fn missing(&mut self, last: u64) {
        let first = self.expected;
        match self.checked.findings.last_mut() {
            Some(Finding::Missing { last: end, .. }) if *end + 1 == first => *end = last,
            _ => {
                self.find(Finding::Missing { first, last });
            }
        }
        self.lose_the_thread();
        self.expected = last + 1;
    }

    fn unreadable(&mut self, seq: u64, detail: &str) {
        match self.checked.findings.last_mut() {
            Some(Finding::Unreadable { last, detail: same, .. }) if *last + 1 == seq && same == detail => {
                *last = seq;
            }
            _ => {
                let detail = detail.to_owned();
                self.find(Finding::Unreadable { first: seq, last: seq, detail });
            }
        }
        self.lose_the_thread();
        self.expected = seq + 1;
    }

    fn take(&mut self, row: &Row<'_>) {
        match EventRef::from_row(row) {
            Ok(event) => self.check_event(&event),
            Err(problem) => {
                let seq = self.expected;
                self.find(Finding::Row { seq, problem: problem.to_string() });
                // The next event can still be checked with this stored hash, if readable.
                let stored = row.get::<_, [u8; 32]>(10).ok().map(Hash);
                self.before = Before { stored, computed: None };
                match (&mut self.tree, stored) {
                    (Some(tree), Some(hash)) => tree.push(&hash),
                    _ => self.tree = None,
                }
                self.expected += 1;
            }
        }
    }

    fn check_event(&mut self, event: &EventRef<'_>) {
        if event.seq > self.expected {
            self.missing(event.seq - 1);
        } else if event.seq < self.expected {
            self.find(Finding::OutOfOrder { expected: self.expected, found: event.seq });
            self.checked.twice.push(event.seq);
            self.tree = None;
            return;
        }
        self.expected += 1;
        self.check_hash(event);
        if let Some(tree) = &mut self.tree {
            tree.push(&event.hash);
        }
        self.check_order(event);
        if self.checks.payloads {
            self.check_payload(event);
        }
    }

    fn check_hash(&mut self, event: &EventRef<'_>) {
        let mut hash_after = |before: &Hash| self.chain.hash(before, event);
        let follows_stored = self.before.stored.map(|before| hash_after(&before));
        let mut good = follows_stored == Some(event.hash);
        if !good && let Some((computed, place)) = self.before.computed {
            good = hash_after(&computed) == event.hash;
            if good && let Some(Finding::Hash { content_intact, .. }) = self.checked.findings.get_mut(place) {
                *content_intact = true;
            }
        }
        self.checked.hashed_bytes += self.chain.hashed_bytes() as u64;
        self.before = Before { stored: Some(event.hash), computed: None };
        if good {
            match self.checked.intact.last_mut() {
                Some(range) if range.end() + 1 == event.seq => *range = *range.start()..=event.seq,
                _ => self.checked.intact.push(event.seq..=event.seq),
            }
        } else if let Some(computed) = follows_stored {
            let (seq, stored) = (event.seq, event.hash);
            let place = self.find(Finding::Hash { seq, stored, computed, content_intact: false });
            self.before.computed = place.map(|place| (computed, place));
        }
    }

    fn check_order(&mut self, event: &EventRef<'_>) {
        let seq = event.seq;
        match self.checked.last_recorded {
            Some(before) if event.recorded_at < before => {
                self.find(Finding::Backwards { seq, recorded_at: event.recorded_at, before });
            }
            Some(_) => {}
            None => self.checked.first_recorded = Some(event.recorded_at),
        }
        self.checked.last_recorded = Some(event.recorded_at);
        let found = event.version;
        match self.checked.streams.get_mut(event.stream) {
            Some(versions) => {
                let expected = versions.last + 1;
                versions.last = found;
                if found != expected {
                    let stream = event.stream.to_owned();
                    self.find(Finding::Version { seq, stream, expected, found });
                }
            }
            None => {
                let versions = Versions { first: found, last: found, first_seq: seq };
                self.checked.streams.insert(event.stream.to_owned(), versions);
            }
        }
    }

    fn check_payload(&mut self, event: &EventRef<'_>) {
        let seq = event.seq;
        if let Err(error) = canonical::check(event.payload) {
            self.find(Finding::Payload { seq, problem: format!("the payload is not canonical: {error}") });
            return;
        }
        if let Err(error) = event.stream.parse::<annals_events::StreamName>() {
            self.find(Finding::Payload { seq, problem: error.to_string() });
        }
        match Entry::from_payload(event.event_type, event.schema, event.payload) {
            Err(error) => {
                self.find(Finding::Payload { seq, problem: error.to_string() });
            }
            Ok(Entry { event: Event::Log(LogEvent::Opened(opened)), .. }) => {
                if seq != 1 {
                    let problem = "opens a log, which only the first event does".to_owned();
                    self.find(Finding::Opening { seq, problem });
                } else if self.log.is_some_and(|log| log != opened.log_id) {
                    let problem = format!("opens log {}, which is another one", opened.log_id);
                    self.find(Finding::Opening { seq, problem });
                }
            }
            Ok(Entry { event: Event::Log(LogEvent::LossAcknowledged(loss)), .. }) => {
                let (anchored, left) = (loss.anchored_seq, loss.head_seq);
                self.find(Finding::LossAccepted { seq, anchored, left, reason: loss.reason });
            }
            Ok(other) => {
                if seq == 1 {
                    let problem = format!("is `{}`, where a log is opened", other.event.event_type());
                    self.find(Finding::Opening { seq, problem });
                }
            }
        }
    }
}
