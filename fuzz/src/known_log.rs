//! A small log that is the same in every process: targets compare what a proof or a salvage claims with it.

use std::fs;
use std::path::PathBuf;

use annals_events::log::ClockKind;
use annals_events::{
    Entry, Event, EventId, GameEvent, GameKind, LogId, Side, Started, StreamName, TurnTaken,
};
use annals_store::tlog::checkpoint::{Checkpoint, Origin, SignedCheckpoint};
use annals_store::tlog::key::PrivateKey;
use annals_store::tlog::note::KeyKind;
use annals_store::{EventRef, Head, Log, NewEvent, NewLog, ProvenEvent, SetClock, Transaction, anchor_path};
use tempfile::TempDir;

pub(crate) const START: i64 = 1_600_000_000_000_000;
pub(crate) const LOG: LogId = LogId([0x42; 16]);

/// Events of the log.
pub const EVENTS: u64 = 12;

pub struct KnownLog {
    folder: TempDir,
    /// By `seq`, from 1.
    pub heads: Vec<Head>,
    /// By `seq`, from 1.
    pub events: Vec<ProvenEvent>,
}

/// A turn; event 5 is longer than a page.
pub(crate) fn event(seq: u64) -> NewEvent {
    let event = match seq {
        5 => {
            let mut started = Started::plain(GameKind::Arimaa, None);
            started.event = Some("long ".repeat(1200).into());
            GameEvent::Started(Box::new(started))
        }
        _ => GameEvent::TurnTaken(TurnTaken::plain(seq as u32, Side::Gold, "Eb2n Eb3n")),
    };
    let id = EventId::for_import([7; 8], seq);
    NewEvent::new(stream(seq), id, START + seq as i64, "omar", &Entry::from(Event::from(event))).unwrap()
}

pub fn stream(seq: u64) -> StreamName {
    format!("game/{}", seq % 3).parse().unwrap()
}

/// A folder in memory, where the machine has one (`TMPDIR`).
pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

impl KnownLog {
    pub fn create() -> KnownLog {
        let folder = folder();
        let new = NewLog { log_id: LOG, program: "fuzz".to_owned(), note: None, actor: "omar".to_owned() };
        let clock = Box::new(SetClock::at(START));
        let mut log = Log::create(&folder.path().join("log.db"), &new, clock).unwrap();
        let mut heads = vec![log.acknowledged().unwrap()];
        while (heads.len() as u64) < EVENTS {
            let appended = log.append(&Transaction::of(vec![event(heads.len() as u64 + 1)])).unwrap();
            heads.push(appended.head);
        }
        let events = (1..=EVENTS).map(|seq| log.prove_inclusion(seq).unwrap().event).collect();
        drop(log);
        KnownLog { folder, heads, events }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("log.db")
    }

    pub fn open(&self) -> Log {
        Log::open(&self.path()).unwrap()
    }

    pub fn head(&self) -> Head {
        self.heads[EVENTS as usize - 1]
    }

    pub fn database(&self) -> Vec<u8> {
        fs::read(self.path()).unwrap()
    }

    pub fn anchor(&self) -> Vec<u8> {
        fs::read(anchor_path(&self.path())).unwrap()
    }

    /// The events as lines of JSON.
    pub fn lines(&self) -> Vec<String> {
        let line = |event: &ProvenEvent| {
            let mut line = String::new();
            let ProvenEvent { stream, event_type, actor, payload, .. } = event;
            let event = EventRef {
                seq: event.seq,
                stream,
                version: event.version,
                id: event.id,
                event_type,
                schema: event.schema,
                effective_at: event.effective_at,
                recorded_at: event.recorded_at,
                actor,
                payload,
                hash: event.hash,
            };
            event.write_json_line(ClockKind::Simulated, &mut line);
            line
        };
        self.events.iter().map(line).collect()
    }

    /// The database as a write-ahead log without a database.
    pub fn write_ahead_log(&self) -> Vec<u8> {
        let database = self.database();
        let page_size = usize::from(u16::from_be_bytes([database[16], database[17]]));
        let pages: Vec<&[u8]> = database.chunks_exact(page_size).collect();
        let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_be_bytes()).collect() };
        let salts = [0x1234_5678, 0x9abc_def0];
        let mut wal = words(&[0x377f_0683, 3_007_000, page_size as u32, 0, salts[0], salts[1]]);
        let mut sums = checksum(&wal, (0, 0));
        wal.extend(words(&[sums.0, sums.1]));
        for (number, page) in (1..).zip(&pages) {
            let commit = if number as usize == pages.len() { number } else { 0 };
            let head = words(&[number, commit]);
            sums = checksum(page, checksum(&head, sums));
            wal.extend(head);
            wal.extend(words(&[salts[0], salts[1], sums.0, sums.1]));
            wal.extend_from_slice(page);
        }
        wal
    }

    /// The key that signed the checkpoints of all sizes.
    pub fn key(&self) -> PrivateKey {
        let origin = Origin { log: LOG, losses: 0, last_loss: None };
        PrivateKey::from_seed(&origin.to_string(), KeyKind::Log, &[5; 32])
    }

    pub fn checkpoint(&self, size: u64) -> SignedCheckpoint {
        let key = self.key();
        let origin = key.verifier().name().to_owned();
        let text = Checkpoint { origin, size, root: self.heads[size as usize - 1].root }.text();
        format!("{text}\n{}\n", key.sign(&text, 0)).parse().unwrap()
    }

    /// Whether an event is one of the log.
    pub fn has(&self, event: &ProvenEvent) -> bool {
        self.events.contains(event)
    }
}

fn checksum(bytes: &[u8], from: (u32, u32)) -> (u32, u32) {
    let word = |bytes: &[u8]| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    bytes.chunks_exact(8).fold(from, |(a, b), piece| {
        let a = a.wrapping_add(word(piece)).wrapping_add(b);
        (a, b.wrapping_add(word(&piece[4..])).wrapping_add(a))
    })
}
