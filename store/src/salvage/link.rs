//! Links candidates by the hash chain: which event follows which, and which of several was recorded.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use annals_events::{Hash, LogId};

use crate::anchor::AnchorLine;
use crate::chain::{Chain, genesis};
use crate::fault::Fault;
use crate::page::{Found, Pages, Place};
use crate::record::Record;

/// Longest record whose bits are tried.
const MENDABLE: usize = 4096;

/// Most events whose bits are tried, and most unnumbered ones; more damage is not from single bits.
pub(super) const TRIED: u32 = 10_000;

/// Limit of bytes read or hashed to find flipped bits: a minute or two.
const TRIED_BYTES: u64 = 1 << 35;

/// Cost of reading a record again, in bytes.
const READING: u64 = 4096;

/// Alternatives followed per event.
const BRANCHES: usize = 8;

/// An event that follows another.
pub(super) struct Link {
    pub seq: u64,
    pub place: Place,
    pub hash: Hash,
    pub before: Hash,
    pub how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Its content has the stored hash.
    AsStored,
    /// So, but its number or an overflow pointer is stored differently.
    FoundElsewhere,
    /// So, with one bit repaired.
    Mended(u32),
    /// Its content has another hash, valid if the next event follows it.
    IfBorneOut,
}

pub(super) struct Salvaging<'s> {
    pub path: &'s Path,
    pub pages: Pages,
    /// By `seq`.
    pub found: Vec<Found>,
    /// Without a number, or with an impossible one.
    stray: Vec<Found>,
    pub lines: Vec<AnchorLine>,
    end: u64,
    chain: Chain,
    /// Events whose bits were tried.
    tried: u32,
    /// Remaining budget.
    bytes_left: u64,
}

impl<'s> Salvaging<'s> {
    /// From sorted candidates of a log that ends with event `end`.
    pub fn new(path: &'s Path, pages: Pages, found: Vec<Found>, lines: Vec<AnchorLine>, end: u64) -> Self {
        let (found, mut stray): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|found| (1..=end).contains(&found.seq));
        // Remains of a moved cell are stray too, and useless if the event is found.
        let mut known: HashSet<Hash> = found.iter().filter_map(|found| found.hash).collect();
        stray.retain(|stray| stray.hash.is_some_and(|hash| known.insert(hash)));
        stray.truncate(TRIED as usize);
        let chain = Chain::default();
        let (tried, bytes_left) = (0, TRIED_BYTES);
        Salvaging { path, pages, found, stray, lines, end, chain, tried, bytes_left }
    }

    /// All links, by `seq`.
    pub fn link(&mut self, logs: &[LogId]) -> Result<Vec<Link>, Fault> {
        let mut links: Vec<Link> = Vec::new();
        let mut before: BTreeSet<Hash> = logs.iter().map(|log| genesis(*log)).collect();
        let mut at = 0;
        let mut last = 0;
        while last < self.end {
            let next = self.found.get(at).map(|found| found.seq);
            if next != Some(last + 1) {
                before.extend(self.anchored(last));
                if let Some(link) = self.elsewhere(last + 1, &before)? {
                    before = BTreeSet::from([link.hash]);
                    links.push(link);
                    last += 1;
                    continue;
                }
                before.clear();
            }
            let Some(seq) = next else { break };
            let end = at + self.found[at..].iter().take_while(|found| found.seq == seq).count();
            before.extend(self.anchored(seq - 1));
            let first = links.len();
            for found in at..end {
                self.follow(found, &before, &mut links)?;
            }
            let is_stored = |link: &Link| link.how == How::AsStored;
            if links[first..].iter().any(is_stored) {
                // The others need no confirmation.
                let kept = links.split_off(first).into_iter().filter(is_stored).collect::<Vec<_>>();
                links.extend(kept);
            } else {
                links.extend(self.elsewhere(seq, &before)?);
                for found in at..end {
                    self.mend(found, &before, &mut links)?;
                }
            }
            before = self.found[at..end].iter().filter_map(|found| found.hash).collect();
            // Events with their own hash come before those that only the next confirms.
            let (unsure, sure): (Vec<&Link>, Vec<&Link>) =
                links[first..].iter().partition(|link| link.how == How::IfBorneOut);
            before.extend(sure.into_iter().chain(unsure).take(BRANCHES).map(|link| link.hash));
            (at, last) = (end, seq);
        }
        Ok(links)
    }

    /// Of an event.
    fn anchored(&self, seq: u64) -> Vec<Hash> {
        self.lines.iter().filter(|line| line.seq() == seq).map(|line| line.hash).collect()
    }

    fn follow(&mut self, found: usize, before: &BTreeSet<Hash>, links: &mut Vec<Link>) -> Result<(), Fault> {
        let Found { seq, place, .. } = self.found[found];
        let Some(record) = read(&mut self.pages, self.path, seq, place)? else { return Ok(()) };
        let Some(event) = record.event() else { return Ok(()) };
        for before in before {
            let hash = self.chain.hash(before, &event);
            let how = if hash == event.hash { How::AsStored } else { How::IfBorneOut };
            links.push(Link { seq, place, hash, before: *before, how });
        }
        Ok(())
    }

    /// The previous hash with which a record has its stored hash.
    fn fits(&mut self, record: &Record, before: &BTreeSet<Hash>) -> Option<(Hash, Hash)> {
        let event = record.event()?;
        let before = before.iter().find(|before| self.chain.hash(before, &event) == event.hash)?;
        Some((*before, event.hash))
    }

    /// Whether the budget allows it; then it is used.
    fn may_spend(&mut self, bytes: u64) -> bool {
        let left = self.bytes_left.checked_sub(bytes);
        self.bytes_left = left.unwrap_or(self.bytes_left);
        left.is_some()
    }

    /// An event stored without or with another number, with one flipped bit.
    fn elsewhere(&mut self, seq: u64, before: &BTreeSet<Hash>) -> Result<Option<Link>, Fault> {
        if before.is_empty() || before.len() > 2 * BRANCHES {
            return Ok(None);
        }
        let mut places: Vec<Place> = self.stray.iter().map(|stray| stray.place).collect();
        for bit in 0..63 {
            let other = seq ^ 1 << bit;
            let at = self.found.partition_point(|found| found.seq < other);
            let of_other = self.found[at..].iter().take_while(|found| found.seq == other);
            places.extend(of_other.take(BRANCHES).map(|found| found.place));
        }
        for place in places {
            if !self.may_spend(READING + u64::from(place.length)) {
                break;
            }
            let record = read(&mut self.pages, self.path, seq, place)?;
            if let Some((before, hash)) = record.and_then(|record| self.fits(&record, before)) {
                return Ok(Some(Link { seq, place, hash, before, how: How::FoundElsewhere }));
            }
        }
        Ok(None)
    }

    /// Tries every bit of a short record, and every overflow pointer.
    fn mend(&mut self, found: usize, before: &BTreeSet<Hash>, links: &mut Vec<Link>) -> Result<(), Fault> {
        let Found { seq, place, .. } = self.found[found];
        if before.is_empty() || before.len() > 2 * BRANCHES || self.tried == TRIED {
            return Ok(());
        }
        if self.pages.pointers(place) > 0 {
            return self.mend_way(seq, place, before, links);
        }
        let Some(mut record) = read(&mut self.pages, self.path, seq, place)? else { return Ok(()) };
        let length = record.bytes.len() as u64;
        if record.bytes.len() > MENDABLE || !self.may_spend(8 * length * length * before.len() as u64) {
            return Ok(());
        }
        self.tried += 1;
        for bit in 0..record.bytes.len() * 8 {
            record.bytes[bit / 8] ^= 1 << (bit % 8);
            if let Some((before, hash)) = self.fits(&record, before) {
                links.push(Link { seq, place, hash, before, how: How::Mended(bit as u32) });
                return Ok(());
            }
            record.bytes[bit / 8] ^= 1 << (bit % 8);
        }
        Ok(())
    }

    fn mend_way(
        &mut self,
        seq: u64,
        place: Place,
        before: &BTreeSet<Hash>,
        links: &mut Vec<Link>,
    ) -> Result<(), Fault> {
        let fault = |e: std::io::Error| Fault::io(self.path, "looking for intact events", &e);
        self.tried += 1;
        for place in self.pages.turned(place).map_err(fault)? {
            if !self.may_spend(READING + u64::from(place.length)) {
                break;
            }
            let record = read(&mut self.pages, self.path, seq, place)?;
            if let Some((before, hash)) = record.and_then(|record| self.fits(&record, before)) {
                links.push(Link { seq, place, hash, before, how: How::FoundElsewhere });
                break;
            }
        }
        Ok(())
    }

    /// The link of each event, from the end downwards: the one that the next follows, else the anchored one, else the
    /// newest.
    pub fn choose(&self, links: &[Link], end: u64) -> Vec<usize> {
        let mut chosen = Vec::new();
        let mut wanted: Option<Hash> = None;
        let mut last = end;
        let mut at = links.len();
        while at > 0 {
            let seq = links[at - 1].seq;
            let first = links[..at].partition_point(|link| link.seq < seq);
            if seq != last {
                wanted = None;
            }
            let anchored = self.lines.iter().find(|line| line.seq() == seq).map(|line| line.hash);
            let of_seq = || links[first..at].iter().enumerate().rev();
            let with = |hash: Hash| of_seq().find(|(_, link)| link.hash == hash);
            let sure = || of_seq().find(|(_, link)| link.how != How::IfBorneOut);
            let choice = match (wanted, anchored) {
                (Some(hash), _) => with(hash),
                (None, Some(hash)) => with(hash).or_else(sure),
                (None, None) => sure(),
            };
            wanted = choice.map(|(_, link)| link.before);
            chosen.extend(choice.map(|(i, _)| first + i));
            last = seq - 1;
            at = first;
        }
        chosen.reverse();
        chosen
    }
}

pub(super) fn read(pages: &mut Pages, path: &Path, seq: u64, place: Place) -> Result<Option<Record>, Fault> {
    pages.record(seq, place).map_err(|e| Fault::io(path, "looking for intact events", &e))
}
