//! Verifies whether a log is what was acknowledged, trusting nothing in the file: schema, SQLite's own check, the chain
//! over every field, versions and times, payloads, Merkle tree, anchor, signatures of actors, and an auditor's receipts,
//! backups and keys. Damage is reported, never repaired; intact ranges are listed.

mod chunk;
mod report;
mod signatures;
mod witnesses;

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use annals_events::log::Opened;
use annals_events::{Event, LogEvent, LogId};
use rusqlite::Connection;

pub use report::{Finding, Report, Severity};
pub use signatures::ActorSignatures;

use crate::anchor::{AnchorFile, AnchorLine};
use crate::comparison::digest_problem;
use crate::connection::{self, bytes_of};
use crate::fault::Fault;
use crate::head::Head;
use crate::log::Log;
use crate::merkle::Frontier;
use crate::names::{anchor_path, digest_path, wal_path};
use crate::open_error::OpenError;
use crate::outside::{self, AnchorProblem, Inside};
use crate::row::clamp;
use crate::schema::SchemaDifference;
use crate::tail::{Tail, plausible_last};
use crate::tlog::checkpoint::SignedCheckpoint;
use crate::tlog::note::VerifierKey;
use crate::wal::Wal;
use chunk::{Checked, Checks, RUN, Versions};

#[derive(Clone)]
pub struct VerifyOptions<'a> {
    /// SQLite's own check of pages and indexes.
    pub integrity: bool,
    /// Over all events.
    pub tree: bool,
    /// Canonical, known, decodable.
    pub payloads: bool,
    /// 0 for as many as the machine has.
    pub threads: usize,
    /// That the log must contain.
    pub receipts: Vec<Head>,
    /// As the receipts, and signed by a key that the log names.
    pub checkpoints: Vec<SignedCheckpoint>,
    /// One of log and backup must begin with the other.
    pub backups: Vec<PathBuf>,
    /// That actors gave: the log must name them, or keys that they signed.
    pub actor_keys: Vec<VerifierKey>,
    /// Called with the number of events checked.
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
}

impl VerifyOptions<'_> {
    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

impl Default for VerifyOptions<'_> {
    /// All checks without outside records.
    fn default() -> Self {
        VerifyOptions {
            integrity: true,
            tree: true,
            payloads: true,
            threads: 0,
            receipts: Vec::new(),
            checkpoints: Vec::new(),
            backups: Vec::new(),
            actor_keys: Vec::new(),
            progress: None,
        }
    }
}

/// Verifies a log. Any damage is in the report.
///
/// # Errors
/// If there is nothing to report on: no file, not a log, or unreadable by SQLite.
pub fn verify(path: &Path, options: &VerifyOptions<'_>) -> Result<Report, OpenError> {
    let start = Instant::now();
    let digest = digest_problem(path).map(|problem| Finding::Digest { path: digest_path(path), problem });
    let mut findings: Vec<Finding> = digest.into_iter().collect();
    let anchor = AnchorFile::read(&anchor_path(path))?;
    let connection = match connection::open_bounded(path) {
        Ok(connection) => connection,
        // The error of opening is the most precise: the log may be lost, with its anchor left.
        Err(error) => return Err(Log::open(path).err().unwrap_or(error.into())),
    };
    let is_readable = match connection::schema_differences(path, &connection) {
        Ok(differences) => {
            let is_readable = !differences.iter().any(SchemaDifference::is_of_a_table);
            findings.extend(differences.into_iter().map(Finding::Schema));
            is_readable
        }
        Err(fault) => {
            findings.push(Finding::Fault(fault));
            false
        }
    };
    findings.extend(cut_of(path));
    if !is_readable {
        findings.push(Finding::NotRead);
        let acknowledged = anchor.as_ref().and_then(AnchorFile::newest).map(AnchorLine::head);
        let mut report = Report {
            path: path.to_owned(),
            opened: None,
            last: 0,
            head: None,
            acknowledged,
            findings,
            intact: Vec::new(),
            actors: Vec::new(),
            hashed_bytes: 0,
            elapsed: start.elapsed(),
        };
        report.sort();
        return Ok(report);
    }
    let mut verifying = Verifying { path, options, connection, findings, agreed: 0 };
    let opened = verifying.opened();
    let anchored = anchor.as_ref().and_then(AnchorFile::newest);
    let log = opened.as_ref().map(|opened| opened.log_id).or(anchored.map(|line| line.log));
    let bytes = bytes_of(path);
    let anchored_seq = anchored.map(AnchorLine::seq);
    let find = |connection: &Connection| plausible_last(connection, anchored_seq, bytes);
    let last = verifying.ask("finding the last event", find).unwrap_or(0);
    verifying.misplaced(last);
    if last == 0 {
        // A log has its first event from its creation on.
        verifying.findings.push(Finding::Missing { first: 1, last: 1 });
    }
    let (checked, integrity) = std::thread::scope(|scope| {
        // One thread does everything in sequence.
        let alone = options.threads() == 1;
        let other = (options.integrity && !alone).then(|| scope.spawn(|| integrity_apart(path)));
        let checked = check_runs(path, &verifying.connection, log, last, options);
        let found = match other {
            Some(thread) => thread.join().unwrap_or_default(),
            None if options.integrity => integrity(&verifying.connection),
            None => Vec::new(),
        };
        (checked, found)
    });
    verifying.findings.extend(integrity);
    let (mut intact, tree, hashed_bytes) = verifying.join_runs(checked);
    let head = verifying.stored_tree(log, last, tree.as_ref());
    let mut actors = Vec::new();
    if let Some(log) = log {
        verifying.anchor(&Inside { log, last }, anchor.as_ref());
        verifying.backups(last);
        verifying.receipts(log, last, anchored.filter(|line| line.log == log));
        actors = verifying.signatures(log, last);
    }
    if let Some(first) = verifying.first_contradicted() {
        cut_off(&mut intact, first);
    }
    let mut report = Report {
        path: path.to_owned(),
        opened,
        last,
        head,
        acknowledged: anchored.filter(|line| log == Some(line.log)).map(AnchorLine::head),
        findings: verifying.findings,
        intact,
        actors,
        hashed_bytes,
        elapsed: start.elapsed(),
    };
    report.sort();
    Ok(report)
}

struct Verifying<'v> {
    path: &'v Path,
    options: &'v VerifyOptions<'v>,
    connection: Connection,
    findings: Vec<Finding>,
    /// The last event up to which a sound backup has the same events.
    agreed: u64,
}

/// SQLite's own check, on its own connection.
fn integrity_apart(path: &Path) -> Vec<Finding> {
    match connection::open_bounded(path) {
        Ok(connection) => integrity(&connection),
        Err(error) => vec![Finding::Integrity { line: error.to_string() }],
    }
}

fn integrity(connection: &Connection) -> Vec<Finding> {
    let lines = connection.prepare("PRAGMA integrity_check").and_then(|mut statement| {
        statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()
    });
    match lines {
        Ok(lines) => {
            let bad = lines.into_iter().filter(|line| line != "ok");
            bad.map(|line| Finding::Integrity { line }).collect()
        }
        Err(error) => vec![Finding::Integrity { line: error.to_string() }],
    }
}

fn cut_of(path: &Path) -> Option<Finding> {
    let wal = wal_path(path);
    match Wal::read(&wal) {
        Ok(read) => read.and_then(|wal| wal.cut()).map(Finding::Wal),
        Err(error) => Some(Finding::Fault(Fault::io(&wal, "reading the write-ahead log", &error))),
    }
}

/// Checks all runs in parallel; results are in order.
fn check_runs(
    path: &Path,
    connection: &Connection,
    log: Option<LogId>,
    last: u64,
    options: &VerifyOptions<'_>,
) -> Vec<Checked> {
    let checks = Checks { tree: options.tree, payloads: options.payloads };
    let runs = last.div_ceil(RUN);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let results: Mutex<Vec<(u64, Checked)>> = Mutex::new(Vec::new());
    let work = |opened: Result<&Connection, &connection::NotALog>| {
        loop {
            let run = next.fetch_add(1, Ordering::Relaxed);
            if run >= runs {
                break;
            }
            let range = run * RUN + 1..=((run + 1) * RUN).min(last);
            let events = range.end() - range.start() + 1;
            let checked = match opened {
                Ok(connection) => chunk::check(connection, log, range, checks),
                Err(error) => {
                    let (first, last) = (*range.start(), *range.end());
                    let finding = Finding::Unreadable { first, last, detail: error.to_string() };
                    Checked { findings: vec![finding], ..Checked::default() }
                }
            };
            if let Ok(mut results) = results.lock() {
                results.push((run, checked));
            }
            let sum = done.fetch_add(events, Ordering::Relaxed) + events;
            if let Some(progress) = options.progress {
                progress(sum);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.threads().min(usize::try_from(runs).unwrap_or(usize::MAX)) {
            scope.spawn(|| work(connection::open_bounded(path).as_ref()));
        }
        work(Ok(connection));
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(run, _)| *run);
    results.into_iter().map(|(_, checked)| checked).collect()
}

/// Removes one event from the ranges.
fn take_out(ranges: &mut Vec<RangeInclusive<u64>>, seq: u64) {
    let Some(i) = ranges.iter().position(|range| range.contains(&seq)) else { return };
    let (first, last) = (*ranges[i].start(), *ranges[i].end());
    ranges.splice(i..=i, [first..=seq - 1, seq + 1..=last].into_iter().filter(|range| !range.is_empty()));
}

/// Removes all events from one on.
fn cut_off(ranges: &mut Vec<RangeInclusive<u64>>, from: u64) {
    ranges.retain_mut(|range| {
        *range = *range.start()..=(*range.end()).min(from.saturating_sub(1));
        !range.is_empty()
    });
}

impl Verifying<'_> {
    /// The first event that outside records contradict: fresh hashes make any content consistent.
    fn first_contradicted(&self) -> Option<u64> {
        let rewritten = self.findings.iter().filter_map(|finding| match finding {
            Finding::Anchor(AnchorProblem::Rewritten { first, .. }) => Some(*first),
            Finding::Receipt { first, .. } | Finding::Backup { first, .. } => *first,
            Finding::Signature { first, .. } | Finding::ActorKey { first, .. } => Some(*first),
            _ => None,
        });
        rewritten.min()
    }

    /// A backup shows the first rewritten event, which narrows the anchor's range.
    fn narrow_down(&mut self, found: u64) {
        for finding in &mut self.findings {
            if let Finding::Anchor(AnchorProblem::Rewritten { first, latest, .. }) = finding
                && (*first..=*latest).contains(&found)
            {
                (*first, *latest) = (found, found);
            }
        }
    }

    /// An error is a finding.
    fn ask<T>(
        &mut self,
        doing: &'static str,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Option<T> {
        match ask(&self.connection) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.findings.push(Finding::Fault(Fault::sqlite(self.path, doing, &error)));
                None
            }
        }
    }

    /// From the first event. Errors appear where all events are checked.
    fn opened(&mut self) -> Option<Opened> {
        let sql = "SELECT type, schema, payload FROM event WHERE seq = 1";
        let get = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let (event_type, schema, payload): (String, u32, String) =
            self.connection.query_row(sql, [], get).ok()?;
        match Event::from_payload(&event_type, schema, &payload) {
            Ok(Event::Log(LogEvent::Opened(opened))) => Some(opened),
            _ => None,
        }
    }

    /// Events with an impossible `seq`.
    fn misplaced(&mut self, last: u64) {
        let sql = "SELECT count(*), min(seq), max(seq) FROM event WHERE seq < 1 OR seq > ?1";
        let found = self.ask("looking for misplaced events", |connection| {
            let get = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?));
            let (count, lowest, highest): (_, Option<i64>, Option<i64>) =
                connection.query_row(sql, [clamp(last)], get)?;
            Ok((count.unsigned_abs(), lowest.zip(highest)))
        });
        // An event appended meanwhile is the next one.
        if let Some((count, Some((lowest, highest)))) = found
            && (lowest < 1 || highest.unsigned_abs() - last != count)
        {
            self.findings.push(Finding::Misplaced { last, count, lowest, highest });
        }
    }

    /// Joins the runs: findings, intact ranges, order across borders.
    fn join_runs(&mut self, runs: Vec<Checked>) -> (Vec<RangeInclusive<u64>>, Option<Frontier>, u64) {
        let mut intact: Vec<RangeInclusive<u64>> = Vec::new();
        let mut tree = Some(Frontier::new());
        let mut streams: HashMap<String, u64> = HashMap::new();
        let mut last_recorded = None;
        let (mut hashed_bytes, mut not_listed) = (0, 0);
        let mut twice = Vec::new();
        for run in runs {
            twice.extend(run.twice);
            hashed_bytes += run.hashed_bytes;
            not_listed += run.not_listed;
            self.findings.extend(run.findings);
            for range in run.intact {
                match intact.last_mut() {
                    Some(before) if before.end() + 1 == *range.start() => {
                        *before = *before.start()..=*range.end()
                    }
                    _ => intact.push(range),
                }
            }
            tree = tree.zip(run.tree).map(|(mut whole, part)| {
                for (range, peak) in part.ranges().zip(part.peaks()) {
                    whole.push_perfect(*peak, range.end - range.start);
                }
                whole
            });
            if let (Some(before), Some(first)) = (last_recorded, run.first_recorded)
                && first < before
            {
                let seq = run.streams.values().map(|versions| versions.first_seq).min().unwrap_or(0);
                self.findings.push(Finding::Backwards { seq, recorded_at: first, before });
            }
            last_recorded = run.last_recorded.or(last_recorded);
            for (stream, Versions { first, last, first_seq }) in run.streams {
                let expected = streams.get(&stream).copied().unwrap_or(0) + 1;
                if first != expected {
                    let (seq, stream, found) = (first_seq, stream.clone(), first);
                    self.findings.push(Finding::Version { seq, stream, expected, found });
                }
                streams.insert(stream, last);
            }
        }
        if not_listed > 0 {
            self.findings.push(Finding::More { count: not_listed });
        }
        for seq in twice {
            take_out(&mut intact, seq);
        }
        (intact, tree, hashed_bytes)
    }

    /// Compares the stored end with the tree over stored hashes.
    fn stored_tree(&mut self, log: Option<LogId>, last: u64, tree: Option<&Frontier>) -> Option<Head> {
        let log = log?;
        let tail = match self.ask("reading the Merkle tree", |connection| Tail::read(connection, log))? {
            Ok(tail) => tail,
            Err(problem) => {
                self.findings.push(Finding::Tree { problem });
                return None;
            }
        };
        // Events may have been appended since; then the stored tree is later.
        if tail.seq == last && self.options.tree {
            match tree {
                Some(tree) if *tree == tail.tree => {}
                Some(tree) => {
                    let problem =
                        format!("its stored root is {}, computed {}", tail.tree.root(), tree.root());
                    self.findings.push(Finding::Tree { problem });
                }
                None => {
                    let problem = "it cannot be computed, since events are missing".to_owned();
                    self.findings.push(Finding::Tree { problem });
                }
            }
        }
        Some(tail.head(log))
    }

    fn anchor(&mut self, inside: &Inside, anchor: Option<&AnchorFile>) {
        let path = self.path;
        let problems = self.ask("holding the log against its anchor", |connection| {
            outside::check(connection, path, inside, anchor)
        });
        let problems = problems.unwrap_or_default();
        let is_sound = problems.is_empty();
        self.findings.extend(problems.into_iter().map(Finding::Anchor));
        let Some(anchor) = anchor else { return };
        if let Some(newest) = anchor.newest().filter(|newest| is_sound && newest.seq() <= inside.last) {
            let other =
                self.ask("computing the tree of the anchor", |c| outside::other_root(c, Some(newest)));
            self.findings.extend(other.flatten().map(Finding::Anchor));
        }
        let blocks = anchor.lines.iter().chain(&anchor.lost);
        let bad = blocks.enumerate().filter(|(_, line)| line.is_none()).map(|(block, _)| block);
        self.findings.extend(bad.map(|block| Finding::AnchorLine { block }));
        if anchor.stray_bytes > 0 {
            self.findings.push(Finding::AnchorLine { block: 2 + anchor.lost.len() });
        }
        let newest = anchor.newest().filter(|newest| newest.log == inside.log);
        if let Some(newest) = newest.filter(|newest| newest.seq() < inside.last) {
            self.findings.push(Finding::NotAcknowledged { first: newest.seq() + 1, last: inside.last });
        }
    }
}
