//! Every bit of a log flipped, one at a time: in the database, in the write-ahead log, in the anchor. Each flip is either
//! reported, or it changes nothing that anybody can read; and what the report calls intact is what was recorded.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use annals_events::RawEnvelope;
use annals_store::{Head, Log, NewEvent, Report, Transaction, VerifyOptions, verify};
use rusqlite::Connection;

use crate::scene::{Scene, event_id, numbered, sample, stream, tempdir_in_memory};

/// A log as files, and what was recorded in it.
pub struct Recorded {
    files: Vec<(String, Vec<u8>)>,
    pub events: Vec<RawEnvelope>,
    head: Head,
}

impl Recorded {
    fn of(scene: &Scene, log: &Log) -> Recorded {
        let files = ["log.db", "log.db-wal", "log.anchor"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), fs::read(scene.file(name)).ok()?)))
            .filter(|(_, bytes)| !bytes.is_empty())
            .collect();
        let events = log.events(1..=u64::MAX).map(Result::unwrap).collect();
        Recorded { files, events, head: log.head().unwrap() }
    }

    /// A hundred events, all in the database.
    pub fn closed() -> Recorded {
        let scene = Scene::with_events(100);
        let log = Log::open(&scene.path()).unwrap();
        Recorded::of(&scene, &log)
    }

    /// A hundred events, the last ones still in the write-ahead log.
    pub fn with_wal() -> Recorded {
        let scene = Scene::empty();
        let mut log = scene.create();
        scene.fill(&mut log, 97);
        log.checkpoint().unwrap();
        for n in 98..=100 {
            log.append(&Transaction::of(vec![numbered(n)])).unwrap();
        }
        Recorded::of(&scene, &log)
    }

    pub fn write(&self, folder: &Path) {
        for (name, bytes) in &self.files {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }

    /// Events with payloads of these lengths, all in the database.
    pub fn of_payloads(lengths: &[usize]) -> Recorded {
        let scene = Scene::empty();
        let mut log = scene.create();
        log.append(&with_payloads(lengths)).unwrap();
        drop(log);
        Connection::open(scene.path()).unwrap().pragma_update(None, "wal_checkpoint", "TRUNCATE").unwrap();
        Recorded::of(&scene, &Log::open(&scene.path()).unwrap())
    }

    pub fn bytes_of(&self, name: &str) -> &[u8] {
        &self.files.iter().find(|(found, _)| found == name).unwrap().1
    }

    pub fn bits_of(&self, name: &str) -> usize {
        self.bytes_of(name).len() * 8
    }

    /// Whether a log reads, through every way of reading, as it was recorded.
    fn reads_the_same(&self, path: &Path) -> bool {
        let Ok(log) = Log::open(path) else { return false };
        let events: Result<Vec<_>, _> = log.events(1..=u64::MAX).collect();
        let same_streams = || {
            log.streams(None).is_ok_and(|streams| {
                streams.iter().all(|info| {
                    let of_stream = self.events.iter().filter(|event| event.stream == info.name);
                    log.stream(&info.name, u64::MAX).is_ok_and(|found| found.iter().eq(of_stream))
                }) && streams.iter().map(|info| info.version).sum::<u64>() == self.events.len() as u64
            })
        };
        let same_ids = || {
            let found =
                |event: &RawEnvelope| log.find(event.id).is_ok_and(|found| found.as_ref() == Some(event));
            self.events.iter().all(found)
        };
        events.is_ok_and(|events| events == self.events)
            && log.head() == Ok(self.head)
            && same_streams()
            && same_ids()
    }

    /// Whether everything that a report calls intact is as it was recorded.
    fn intact_is_true(&self, path: &Path, report: &Report) -> bool {
        let Ok(log) = Log::inspect(path) else { return true };
        // In order, as far as that goes; what lies behind, one by one.
        let in_order: Vec<RawEnvelope> = log.events(1..=u64::MAX).map_while(Result::ok).collect();
        let is_true = |event: &RawEnvelope| {
            *event == self.events[event.seq as usize - 1]
                || !report.intact.iter().any(|r| r.contains(&event.seq))
        };
        let behind = |seq: &u64| *seq > in_order.len() as u64;
        in_order.iter().all(is_true)
            && report.intact.iter().cloned().flatten().filter(behind).all(|seq| match log.event(seq) {
                Ok(Some(event)) => event == self.events[seq as usize - 1],
                // A damaged page on the way is an error, and no wrong answer.
                _ => true,
            })
    }
}

/// One transaction of events with payloads of these lengths.
pub fn with_payloads(lengths: &[usize]) -> Transaction {
    let event = |(n, length): (usize, &usize)| {
        let payload = format!(r#"{{"reason":"{}"}}"#, "x".repeat(*length));
        let payload = annals_events::RawPayload::from_stored(payload);
        let (stream, id) = (stream("game/a"), event_id(n as u64));
        NewEvent::from_parts(stream, id, "game.halted", 1, 0, "omar", payload).unwrap()
    };
    Transaction::of(lengths.iter().enumerate().map(event).collect())
}

#[derive(Debug, Default)]
struct Tally {
    flips: AtomicUsize,
    reported: AtomicUsize,
    without_effect: AtomicUsize,
}

/// Flips every `stride`-th bit of a file, on two threads.
fn flip(recorded: &Recorded, name: &str, stride: usize) -> Tally {
    let tally = Tally::default();
    let bits = recorded.bits_of(name);
    let next = AtomicUsize::new(0);
    let work = || {
        let folder = tempdir_in_memory();
        let path = folder.path().join("log.db");
        recorded.write(folder.path());
        let file = OpenOptions::new().write(true).open(folder.path().join(name)).unwrap();
        let original = &recorded.files.iter().find(|(found, _)| found == name).unwrap().1;
        loop {
            let bit = next.fetch_add(stride, Ordering::Relaxed);
            if bit >= bits {
                break;
            }
            let (at, byte) = (bit / 8, original[bit / 8] ^ 1 << (bit % 8));
            file.write_all_at(&[byte], at as u64).unwrap();
            tally.flips.fetch_add(1, Ordering::Relaxed);
            let reported = match verify(&path, &VerifyOptions { threads: 1, ..VerifyOptions::default() }) {
                Err(_) => true,
                Ok(report) if report.is_clean() => false,
                Ok(report) => {
                    let is_true = recorded.intact_is_true(&path, &report);
                    assert!(is_true, "{name}, bit {bit}: {:?}", report.findings);
                    true
                }
            };
            if reported {
                tally.reported.fetch_add(1, Ordering::Relaxed);
            } else {
                assert!(
                    recorded.reads_the_same(&path),
                    "{name}, bit {bit}: a wrong answer that nobody reports"
                );
                tally.without_effect.fetch_add(1, Ordering::Relaxed);
            }
            file.write_all_at(&original[at..=at], at as u64).unwrap();
            // Looking must change nothing of what is looked at.
            if bit.is_multiple_of(4_096) {
                for (name, bytes) in &recorded.files {
                    assert!(fs::read(folder.path().join(name)).unwrap() == *bytes, "{name} was written to");
                }
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    println!("{name}: {tally:?} of {bits} bits, 0 wrong answers");
    tally
}

fn stride() -> usize {
    // A number without common factor with 8, so that a sample meets every bit of a byte.
    sample(101, 1)
}

#[test]
fn every_flipped_bit_of_the_database_is_reported_or_changes_nothing() {
    let tally = flip(&Recorded::closed(), "log.db", stride());
    assert!(tally.reported.into_inner() > tally.flips.into_inner() / 2);
}

#[test]
fn every_flipped_bit_of_the_anchor_is_reported() {
    let tally = flip(&Recorded::closed(), "log.anchor", stride());
    assert_eq!(tally.reported.into_inner(), tally.flips.into_inner());
}

#[test]
fn every_flipped_bit_of_the_write_ahead_log_is_reported_or_changes_nothing() {
    let tally = flip(&Recorded::with_wal(), "log.db-wal", stride());
    assert!(tally.reported.into_inner() > tally.flips.into_inner() / 2);
}
