//! Recovers the intact events of a damaged log. Pages of database and write-ahead log are searched for events, also
//! those that SQLite skips: after a damaged frame, under a damaged index, on a page or in a file with a damaged header.
//! The hash chain links them, downwards from the anchor. An event is written only if its hash proves it; a single
//! flipped bit is repaired by that hash. The log is not changed.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use annals_events::log::{ClockKind, Opened};
use annals_events::{Event, Hash, LogEvent, LogId, RawEnvelope};
use serde::Serialize;

use crate::anchor::{AnchorFile, AnchorLine};
use crate::comparison::open_tables;
use crate::connection::bytes_of;
use crate::fault::{Fault, FaultKind};
use crate::merkle::root_of;
use crate::names::{anchor_path, wal_path};
use crate::page::{Found, Pages};
use crate::record::Record;
use crate::row::EventRef;
use crate::tail::plausible_last;

mod link;
use link::{How, Link, Salvaging, TRIED, read};

/// The result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Salvaged {
    /// If its first event or anchor identifies it.
    pub log: Option<LogId>,
    pub written: u64,
    /// By the anchor.
    pub acknowledged: Option<u64>,
    /// By SQLite; none if it finds nothing.
    pub readable: Option<u64>,
    /// Not found, or found changed.
    #[serde(serialize_with = "ranges")]
    pub missing: Vec<RangeInclusive<u64>>,
    /// Found after a missing one, without proof that they are unchanged, or in a log that the anchor shows to be
    /// rewritten with fresh hashes. Not written.
    #[serde(serialize_with = "numbers")]
    pub unproven: Vec<RawEnvelope>,
    /// Events with one repaired bit: in the event, or in the number, length or page pointer that leads to it.
    pub mended: Vec<u64>,
    /// Flipped bits of the write-ahead log repaired by frame checksums.
    pub mended_bits: u32,
}

fn ranges<S: serde::Serializer>(ranges: &[RangeInclusive<u64>], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(ranges.iter().map(|range| [*range.start(), *range.end()]))
}

fn numbers<S: serde::Serializer>(events: &[RawEnvelope], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(events.iter().map(|event| event.seq))
}

impl Salvaged {
    /// Every known event was saved.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.unproven.is_empty() && self.acknowledged.is_some()
    }

    /// Adds `from..to` to the missing ones.
    fn lack(&mut self, from: u64, to: u64) {
        match self.missing.last_mut() {
            _ if from >= to => {}
            Some(range) if range.end() + 1 == from => *range = *range.start()..=to - 1,
            _ => self.missing.push(from..=to - 1),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SalvageError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("what was saved cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Writes every intact event of a log as one line of JSON, by `seq`. No handle on the log may be open in this process.
///
/// # Errors
/// If there is neither a log nor a write-ahead log, they cannot be read, or `out` cannot be written.
pub fn salvage(path: &Path, out: &mut dyn Write) -> Result<Salvaged, SalvageError> {
    let doing = "looking for intact events";
    if !path.exists() && !wal_path(path).exists() {
        return Err(Fault::new(FaultKind::NotFound, path, doing, "neither it nor its write-ahead log").into());
    }
    let anchor = AnchorFile::read(&anchor_path(path))?;
    let anchored = anchor.as_ref().and_then(AnchorFile::newest).map(AnchorLine::seq);
    // If the tables are not a log's, SQLite's answer means nothing.
    let last = |log| plausible_last(&log, anchored, bytes_of(path)).ok();
    let readable = open_tables(path).ok().and_then(last);
    let mut pages = Pages::open(path)?;
    let mut found: Vec<Found> = Vec::new();
    pages.each_found(|each| found.push(each)).map_err(|e| Fault::io(path, doing, &e))?;
    found.sort_unstable();

    let mut openings: Vec<Opened> = Vec::new();
    for first in found.iter().filter(|found| found.seq <= 1).take(TRIED as usize) {
        openings.extend(read(&mut pages, path, first.seq, first.place)?.and_then(|record| opening(&record)));
    }
    let mut logs: Vec<LogId> = openings.iter().map(|opened| opened.log_id).collect();
    // The anchor of another log makes no statement about these events.
    let is_of_these = |line: &&AnchorLine| logs.is_empty() || logs.contains(&line.log);
    let acknowledged = anchor.as_ref().and_then(AnchorFile::newest).filter(is_of_these).cloned();
    let anchor = anchor.filter(|_| acknowledged.is_some());
    logs.splice(0..0, acknowledged.iter().map(|line| line.log));
    logs.dedup();
    let lines: Vec<AnchorLine> =
        anchor.iter().flat_map(|anchor| anchor.lines.iter().flatten().cloned()).collect();
    // Never acknowledged and not found by SQLite means never committed.
    let end = match &acknowledged {
        Some(line) => line.seq().max(readable.unwrap_or(0)),
        None => found.last().map_or(0, |found| found.seq.min(i64::MAX as u64)),
    };

    let mut salvaging = Salvaging::new(path, pages, found, lines, end);
    let links = salvaging.link(&logs)?;
    let chosen = salvaging.choose(&links, end);
    let mut salvaged = Salvaged {
        log: logs.first().copied(),
        written: 0,
        acknowledged: acknowledged.map(|line| line.seq()),
        readable,
        missing: Vec::new(),
        unproven: Vec::new(),
        mended: Vec::new(),
        mended_bits: salvaging.pages.mended_bits,
    };
    let of_log = openings.iter().find(|opened| Some(opened.log_id) == salvaged.log);
    let clock = of_log.map_or(ClockKind::Real, |opened| opened.clock);
    salvaging.write(&links, &chosen, end, (clock, out), &mut salvaged)?;
    out.flush()?;
    Ok(salvaged)
}

/// A log's first event.
fn opening(record: &Record) -> Option<Opened> {
    let event = record.event_but_seq()?;
    match Event::from_payload(event.event_type, event.schema, event.payload) {
        Ok(Event::Log(LogEvent::Opened(opened))) => Some(opened),
        _ => None,
    }
}

/// Events that the anchor contradicts,
struct Disowned {
    first: u64,
    /// except these.
    vouched: Vec<RangeInclusive<u64>>,
}

impl Disowned {
    fn has(&self, seq: u64) -> bool {
        seq >= self.first && !self.vouched.iter().any(|range| range.contains(&seq))
    }
}

/// The first event under the first anchored peak that the found events do not produce. A peak with an unknown hash
/// decides nothing: its events are partly lost, not necessarily rewritten.
fn first_disowned(line: &AnchorLine, leaves: &HashMap<u64, Hash>) -> Option<u64> {
    let peaks = line.frontier.ranges().zip(line.frontier.peaks());
    let differs = |range: &Range<u64>, peak: &Hash| {
        if range.end - range.start > leaves.len() as u64 {
            return false;
        }
        let hashes: Option<Vec<&Hash>> = (range.start + 1..=range.end).map(|seq| leaves.get(&seq)).collect();
        hashes.is_some_and(|hashes| root_of(hashes) != *peak)
    };
    peaks.into_iter().find(|(range, peak)| differs(range, peak)).map(|(range, _)| range.start + 1)
}

impl Salvaging<'_> {
    fn write(
        &mut self,
        links: &[Link],
        chosen: &[usize],
        end: u64,
        (clock, out): (ClockKind, &mut dyn Write),
        salvaged: &mut Salvaged,
    ) -> Result<(), SalvageError> {
        let disowned = self.disowned(links, chosen);
        let (mut next, mut line) = (1, String::new());
        for link in chosen.iter().map(|i| &links[*i]) {
            let Some(mut record) = read(&mut self.pages, self.path, link.seq, link.place)? else {
                continue;
            };
            match link.how {
                How::Mended(bit) => {
                    record.bytes[bit as usize / 8] ^= 1 << (bit % 8);
                    salvaged.mended.push(link.seq);
                }
                How::FoundElsewhere => salvaged.mended.push(link.seq),
                How::AsStored | How::IfBorneOut => {}
            }
            let Some(event) = record.event().map(|event| EventRef { hash: link.hash, ..event }) else {
                continue;
            };
            let Ok(envelope) = event.to_envelope() else { continue };
            self.gap(links, next, link.seq, salvaged)?;
            next = link.seq + 1;
            if disowned.as_ref().is_some_and(|disowned| disowned.has(link.seq)) {
                salvaged.mended.retain(|seq| *seq != link.seq);
                salvaged.unproven.push(envelope);
                continue;
            }
            line.clear();
            event.write_json_line(clock, &mut line);
            out.write_all(line.as_bytes())?;
            salvaged.written += 1;
        }
        self.gap(links, next, end + 1, salvaged)?;
        Ok(())
    }

    /// Events rewritten with fresh hashes, which fit together in any case: if an anchored peak differs, nothing shows
    /// which event under it changed, nor the history after it. Events on the chain down from, and up from, an anchored
    /// hash are valid.
    fn disowned(&self, links: &[Link], chosen: &[usize]) -> Option<Disowned> {
        let epoch = self.lines.iter().map(|line| line.epoch).max()?;
        let lines = || self.lines.iter().filter(|line| line.epoch == epoch && line.seq() > 0);
        // A lost event's hash is known from the next one.
        let mut leaves: HashMap<u64, Hash> = HashMap::new();
        for link in chosen.iter().map(|i| &links[*i]) {
            leaves.insert(link.seq, link.hash);
            leaves.insert(link.seq - 1, link.before);
        }
        let first = lines().filter_map(|line| first_disowned(line, &leaves)).min()?;
        let mut vouched = Vec::new();
        for line in lines() {
            let at = chosen.partition_point(|i| links[*i].seq < line.seq());
            let is_anchored = |i: &usize| links[*i].seq == line.seq() && links[*i].hash == line.hash;
            if !chosen.get(at).is_some_and(is_anchored) {
                continue;
            }
            let follows = |pair: &[usize]| {
                let (before, after) = (&links[pair[0]], &links[pair[1]]);
                before.seq + 1 == after.seq && before.hash == after.before
            };
            let down = chosen[..=at].windows(2).rev().take_while(|pair| follows(pair)).count();
            // What follows the older line was acknowledged too, and the newer one must confirm it.
            let is_newest = lines().all(|other| other.seq() <= line.seq());
            let up = chosen[at..].windows(2).take_while(|pair| is_newest && follows(pair)).count();
            vouched.push(line.seq() - down as u64..=line.seq() + up as u64);
        }
        Some(Disowned { first, vouched })
    }

    /// Unwritten events: found without proof, and not found.
    fn gap(&mut self, links: &[Link], from: u64, to: u64, salvaged: &mut Salvaged) -> Result<(), Fault> {
        // There may be far more numbers than events in between.
        let mut next = from;
        let mut at = self.found.partition_point(|found| found.seq < from);
        while let Some(seq) = self.found.get(at).map(|found| found.seq).filter(|seq| *seq < to) {
            let has_link = links.binary_search_by_key(&seq, |link| link.seq).is_ok();
            let place = self.found[at].place;
            let record = if has_link { None } else { read(&mut self.pages, self.path, seq, place)? };
            let envelope = record.and_then(|record| record.event().and_then(|e| e.to_envelope().ok()));
            if let Some(envelope) = envelope {
                salvaged.lack(next, seq);
                salvaged.unproven.push(envelope);
                next = seq + 1;
            }
            at += self.found[at..].partition_point(|found| found.seq == seq);
        }
        salvaged.lack(next, to);
        Ok(())
    }
}
