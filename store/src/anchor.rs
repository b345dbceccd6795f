//! The anchor: what the log has acknowledged, stored outside the database. SQLite treats a damaged frame as the end of
//! its write-ahead log and silently drops every later event, and the remaining chain is still whole; only an outside
//! record shows the loss.
//!
//! The file (`log.anchor` for `log.db`, see [`crate::anchor_path`]) has two lines, written alternately, each in a block
//! of 4 KiB with a checksum, so that an interrupted write damages at most the unacknowledged line:
//!
//! ```text
//! annals-anchor/1 epoch=0 log=… seq=… hash=… root=… peaks=…,… sum=…
//! ```
//!
//! A readable line need not be on the disk: its writer may have been killed, or its sync failed, after which the kernel
//! keeps the bytes as clean. So a line counts only once this process has synced it. A line of another process is first
//! written again in place and synced; only then is the other block written. So the only line surely on the disk is
//! never overwritten.
//!
//! The anchor never moves back. An accepted loss (`epoch` rises by one) keeps the line that can no longer be met as a
//! further block, `annals-lost/1 …`, and the log records who accepted it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use annals_events::{Hash, LogId};
use sha2::{Digest, Sha256};

use crate::fault::{Fault, FaultKind, sync_folder_of};
use crate::files::has_name;
use crate::head::{Head, whole_number};
use crate::merkle::Frontier;

/// One line per block, so that no sector, page or torn write spans two.
pub const BLOCK: usize = 4096;

/// How long to wait for another process that writes its line.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes that a disk writes atomically.
const SECTOR: usize = 512;

const LINE: &str = "annals-anchor/1";
const LOST: &str = "annals-lost/1";

/// What the log had acknowledged at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnchorLine {
    /// Accepted losses.
    pub epoch: u64,
    pub log: LogId,
    /// Of the last acknowledged event.
    pub hash: Hash,
    /// Over all acknowledged events; its size is the last `seq`.
    pub frontier: Frontier,
}

impl AnchorLine {
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.frontier.size()
    }

    /// As a receipt.
    #[must_use]
    pub fn head(&self) -> Head {
        Head { log: self.log, seq: self.seq(), hash: self.hash, root: self.frontier.root() }
    }

    fn order(&self) -> (u64, u64) {
        (self.epoch, self.seq())
    }

    /// The line, padded with spaces, and a line end.
    fn block(&self, label: &str) -> Vec<u8> {
        let peaks: Vec<String> = self.frontier.peaks().iter().map(Hash::to_string).collect();
        let head = self.head().words();
        let mut line = format!("{label} epoch={} {head} peaks={}", self.epoch, peaks.join(","));
        let sum = Hash(Sha256::digest(line.as_bytes()).into());
        line.push_str(" sum=");
        line.push_str(&sum.to_string());
        let mut block = line.into_bytes();
        block.resize(BLOCK - 1, b' ');
        block.push(b'\n');
        block
    }

    /// Reads exactly what [`AnchorLine::block`] writes.
    fn from_block(label: &str, block: &[u8]) -> Option<AnchorLine> {
        let text = std::str::from_utf8(block.trim_ascii_end()).ok()?;
        let mut words = text.split(' ');
        words.next().filter(|word| *word == label)?;
        let epoch = whole_number(words.next()?.strip_prefix("epoch=")?)?;
        let head = Head::from_words(&mut words)?;
        let peaks = words.next()?.strip_prefix("peaks=")?;
        let peaks: Vec<Hash> = match peaks {
            "" => Vec::new(),
            list => list.split(',').map(str::parse).collect::<Result<_, _>>().ok()?,
        };
        let frontier = Frontier::from_parts(head.seq, peaks)?;
        let line = AnchorLine { epoch, log: head.log, hash: head.hash, frontier };
        (line.block(label) == block).then_some(line)
    }
}

/// An anchor file. An unreadable line is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnchorFile {
    pub lines: [Option<AnchorLine>; 2],
    /// Lines of accepted losses, oldest first.
    pub lost: Vec<Option<AnchorLine>>,
    /// After the last whole block.
    pub stray_bytes: usize,
}

impl AnchorFile {
    fn from_bytes(bytes: &[u8]) -> AnchorFile {
        let mut blocks = bytes.chunks_exact(BLOCK);
        let mut line = || blocks.next().and_then(|block| AnchorLine::from_block(LINE, block));
        let lines = [line(), line()];
        let stray_bytes = blocks.remainder().len();
        let lost = blocks.map(|block| AnchorLine::from_block(LOST, block)).collect();
        AnchorFile { lines, lost, stray_bytes }
    }

    /// None without a file.
    pub(crate) fn read(path: &Path) -> Result<Option<AnchorFile>, Fault> {
        let doing = "reading the anchor";
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Fault::io(path, doing, &error)),
        };
        // A line being written must not look torn.
        wait_for(path, || file.try_lock_shared())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|e| Fault::io(path, doing, &e))?;
        Ok(Some(AnchorFile::from_bytes(&bytes)))
    }

    /// The newest readable line.
    #[must_use]
    pub fn newest(&self) -> Option<&AnchorLine> {
        self.lines[self.newest_slot()?].as_ref()
    }

    /// Its block; none if neither is readable.
    fn newest_slot(&self) -> Option<usize> {
        let readable = |slot: &usize| self.lines[*slot].is_some();
        (0..2).filter(readable).max_by_key(|slot| self.lines[*slot].as_ref().map(AnchorLine::order))
    }
}

/// Whether a file is a leftover of an interrupted creation: lines that acknowledge no event, each present or not. A
/// line fits into a sector, so it is not torn.
fn is_cut_off_creation(bytes: &[u8]) -> bool {
    let is_of_no_event = |block: &[u8]| {
        let start = &block[..block.len().min(SECTOR)];
        let holds = |words: &[u8]| start.windows(words.len()).any(|window| window == words);
        start.iter().all(|byte| *byte == 0)
            || (start.starts_with(b"annals-anchor/1 epoch=0 ") && holds(b" seq=0 ") && holds(b" peaks= "))
    };
    bytes.len() <= 2 * BLOCK && bytes.chunks(BLOCK).all(is_of_no_event)
}

#[derive(Debug)]
pub(crate) struct Anchor {
    path: PathBuf,
    file: File,
    /// The file's content when last read, so that it is read again only after another process wrote.
    seen: Vec<u8>,
    content: AnchorFile,
    /// Lines that this process has synced.
    synced: [bool; 2],
    /// Locked by [`Anchor::hold`].
    held: bool,
}

impl Anchor {
    /// Creates the anchor of a new log, locked, so that no two processes create one log. An anchor that has
    /// acknowledged nothing is a leftover of an interrupted creation, and is reused. The second value is the
    /// obstructing line of a log with events.
    ///
    /// # Errors
    /// If the file has other content: an anchor may be the last witness of a lost log.
    pub fn create(path: &Path, line: &AnchorLine) -> Result<(Anchor, Option<AnchorLine>), Fault> {
        let doing = "creating the anchor";
        let fault = |error: io::Error| Fault::io(path, doing, &error);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(fault)?;
        wait_for(path, || file.try_lock())?;
        let mut seen = Vec::new();
        file.read_to_end(&mut seen).map_err(fault)?;
        let content = AnchorFile::from_bytes(&seen);
        if let Some(newest) = content.newest().filter(|newest| newest.seq() > 0).cloned() {
            let synced = [false; 2];
            return Ok((
                Anchor { path: path.to_owned(), file, seen, content, synced, held: false },
                Some(newest),
            ));
        }
        if !is_cut_off_creation(&seen) {
            let detail = "it holds no line of an anchor: it was damaged, or is another file. Move it away";
            return Err(Fault::new(FaultKind::Damaged, path, doing, detail));
        }
        seen = [line.block(LINE), line.block(LINE)].concat();
        file.set_len(0).map_err(fault)?;
        write_at(&mut file, 0, &seen).map_err(fault)?;
        file.sync_all().map_err(|e| Fault::sync(path, doing, &e))?;
        sync_folder_of(path)?;
        let content = AnchorFile::from_bytes(&seen);
        Ok((Anchor { path: path.to_owned(), file, seen, content, synced: [true; 2], held: false }, None))
    }

    /// For writing; none without a file.
    pub fn open(path: &Path) -> Result<Option<Anchor>, Fault> {
        let file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Fault::io(path, "opening the anchor", &error)),
        };
        let content = AnchorFile::from_bytes(&[]);
        let (path, seen, synced) = (path.to_owned(), Vec::new(), [false; 2]);
        let mut anchor = Anchor { path, file, seen, content, synced, held: false };
        anchor.locked(|_| Ok(()))?;
        Ok(Some(anchor))
    }

    /// Locks the anchor for several changes, until [`Anchor::release`]: no other process can open the log. Its newest line must
    /// still be this one.
    pub fn hold(&mut self, newest: &AnchorLine) -> Result<(), Fault> {
        wait_for(&self.path, || self.file.try_lock())?;
        self.held = true;
        self.look()?;
        match self.content.newest() == Some(newest) {
            true => Ok(()),
            false => Err(self.replaced("another process wrote a line")),
        }
    }

    /// Releases the lock of [`Anchor::create`] or [`Anchor::hold`].
    pub fn release(&mut self) -> Result<(), Fault> {
        self.held = false;
        self.file.unlock().map_err(|e| Fault::io(&self.path, "unlocking the anchor", &e))
    }

    /// When last read.
    pub fn content(&self) -> &AnchorFile {
        &self.content
    }

    /// Advances the anchor to a line, synced. If another process has advanced it as far, its line is synced instead.
    pub fn advance(&mut self, line: &AnchorLine) -> Result<(), Fault> {
        self.locked(|anchor| {
            anchor.make_newest_safe()?;
            match anchor.content.newest() {
                Some(newest) if newest.epoch > line.epoch => Err(anchor.replaced("a loss was accepted")),
                Some(newest) if newest.order() >= line.order() => Ok(()),
                _ => anchor.write_other(line),
            }
        })
    }

    /// Writes the newest line also into the other block.
    pub fn fill(&mut self) -> Result<(), Fault> {
        self.locked(|anchor| {
            anchor.make_newest_safe()?;
            match anchor.content.newest().cloned() {
                Some(newest) => anchor.write_other(&newest),
                None => Ok(()),
            }
        })
    }

    /// Keeps a lost line as a block of its own. An existing one is written again, since it may not be synced.
    pub fn keep_lost(&mut self, lost: &AnchorLine) -> Result<(), Fault> {
        self.locked(|anchor| {
            let kept = &anchor.content.lost;
            let place = kept.iter().position(|kept| kept.as_ref() == Some(lost)).unwrap_or(kept.len());
            anchor.write_block(2 + place, &lost.block(LOST))
        })
    }

    /// Writes the newest line again in place, unless this process has synced it.
    fn make_newest_safe(&mut self) -> Result<(), Fault> {
        let Some(slot) = self.content.newest_slot().filter(|slot| !self.synced[*slot]) else {
            return Ok(());
        };
        let block = self.seen[slot * BLOCK..(slot + 1) * BLOCK].to_vec();
        self.write_block(slot, &block)
    }

    /// Writes a line into the block without the newest one, which is safe.
    fn write_other(&mut self, line: &AnchorLine) -> Result<(), Fault> {
        let slot = self.content.newest_slot().map_or(0, |newest| 1 - newest);
        self.write_block(slot, &line.block(LINE))?;
        // The block was made from this line: no need to read it back.
        self.content.lines[slot] = Some(line.clone());
        Ok(())
    }

    fn write_block(&mut self, number: usize, block: &[u8]) -> Result<(), Fault> {
        let fault = |e: io::Error| Fault::io(&self.path, "writing the anchor", &e);
        if let Some(synced) = self.synced.get_mut(number) {
            *synced = false;
        }
        let at = number * BLOCK;
        write_at(&mut self.file, at as u64, block).map_err(fault)?;
        self.file.sync_data().map_err(|e| Fault::sync(&self.path, "syncing the anchor", &e))?;
        if let Some(synced) = self.synced.get_mut(number) {
            *synced = true;
        }
        if self.seen.len() < at + BLOCK {
            self.seen.resize(at + BLOCK, 0);
            self.seen[at..].copy_from_slice(block);
            self.content = AnchorFile::from_bytes(&self.seen);
        } else {
            self.seen[at..at + BLOCK].copy_from_slice(block);
        }
        Ok(())
    }

    /// Runs `work` with the anchor locked and up to date.
    fn locked(&mut self, work: impl FnOnce(&mut Anchor) -> Result<(), Fault>) -> Result<(), Fault> {
        if self.held {
            return self.look().and_then(|()| work(self));
        }
        wait_for(&self.path, || self.file.try_lock())?;
        let result = self.look().and_then(|()| work(self));
        let unlocked = self.release();
        result.and(unlocked)
    }

    /// Why this process must open the log again: its line would not be in the anchor of the log.
    fn replaced(&self, meanwhile: &str) -> Fault {
        let detail = format!("{meanwhile} since this process opened the log");
        Fault::new(FaultKind::Replaced, &self.path, "writing the anchor", detail)
    }

    fn look(&mut self) -> Result<(), Fault> {
        if !has_name(&self.file, &self.path) {
            return Err(self.replaced("this file was removed or renamed"));
        }
        let fault = |e: io::Error| Fault::io(&self.path, "reading the anchor", &e);
        let mut bytes = Vec::with_capacity(self.seen.len() + 1);
        self.file.seek(SeekFrom::Start(0)).map_err(fault)?;
        self.file.read_to_end(&mut bytes).map_err(fault)?;
        if bytes != self.seen {
            let block = |bytes: &[u8], slot: usize| bytes.chunks(BLOCK).nth(slot).map(<[u8]>::to_vec);
            for slot in 0..2 {
                self.synced[slot] &= block(&bytes, slot) == block(&self.seen, slot);
            }
            self.content = AnchorFile::from_bytes(&bytes);
            self.seen = bytes;
        }
        Ok(())
    }
}

fn write_at(file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}

/// Retries a lock until it succeeds or times out: holders need two syncs at most.
fn wait_for(path: &Path, mut lock: impl FnMut() -> Result<(), TryLockError>) -> Result<(), Fault> {
    let doing = "locking the anchor";
    let start = Instant::now();
    let mut pause = Duration::from_micros(20);
    loop {
        match lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => {
                let detail = format!("it was held for more than {} seconds", PATIENCE.as_secs());
                return Err(Fault::new(FaultKind::Locked, path, doing, detail));
            }
            Err(TryLockError::Error(error)) => return Err(Fault::io(path, doing, &error)),
        }
    }
}

#[cfg(test)]
mod tests;
