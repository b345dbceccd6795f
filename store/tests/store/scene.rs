//! What the tests share: a folder with a log in it, events to fill it with, and the size of a run.

use std::path::{Path, PathBuf};

use annals_events::{Entry, Event, EventId, GameEvent, LogId, Side, StreamName, TurnTaken};
use annals_store::{Head, Log, NewEvent, NewLog, SetClock, Transaction, anchor_path};
use tempfile::TempDir;

/// The time at which every scene begins: 2020-09-13T12:26:40Z.
pub const START: i64 = 1_600_000_000_000_000;

/// A folder with a log, and the clock that it runs by.
pub struct Scene {
    pub folder: TempDir,
    pub clock: SetClock,
}

pub fn new_log() -> NewLog {
    NewLog {
        log_id: LogId([0x42; 16]),
        program: "test".to_owned(),
        note: Some("a log for a test".to_owned()),
        actor: "tester".to_owned(),
    }
}

impl Scene {
    /// A folder without a log.
    pub fn empty() -> Scene {
        Scene { folder: tempdir_in_memory(), clock: SetClock::at(START) }
    }

    /// The same on a disk, where a sync takes its time.
    pub fn on_disk() -> Scene {
        Scene { folder: tempfile::tempdir().unwrap(), clock: SetClock::at(START) }
    }

    /// A log of so many events (the first one opens it), closed again.
    pub fn with_events(count: u64) -> Scene {
        let scene = Scene::empty();
        let mut log = scene.create();
        scene.fill(&mut log, count);
        scene
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("log.db")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn anchor(&self) -> PathBuf {
        anchor_path(&self.path())
    }

    pub fn create(&self) -> Log {
        Log::create(&self.path(), &new_log(), Box::new(self.clock.clone())).unwrap()
    }

    pub fn open(&self) -> Log {
        Log::open_for_append(&self.path(), Box::new(self.clock.clone())).unwrap()
    }

    /// Appends until the log has so many events, some at a time.
    pub fn fill(&self, log: &mut Log, count: u64) {
        let mut seq = log.last_seq().unwrap();
        while seq < count {
            let size = (1 + seq % 4).min(count - seq);
            self.clock.advance(1_000_000);
            let events = (seq + 1..=seq + size).map(numbered).collect();
            seq = log.append(&Transaction::of(events)).unwrap().last_seq;
        }
    }
}

pub fn stream(name: &str) -> StreamName {
    name.parse().unwrap()
}

/// An event that says its number, in one of seven streams.
pub fn numbered(n: u64) -> NewEvent {
    turn(&format!("game/{}", n % 7), n)
}

/// A turn in a stream; the number is its identity.
pub fn turn(stream_name: &str, n: u64) -> NewEvent {
    let side = if n.is_multiple_of(2) { Side::Gold } else { Side::Silver };
    let entry = Entry::from(Event::from(GameEvent::TurnTaken(TurnTaken::plain(n as u32, side, "Eb2n Eb3n"))));
    NewEvent::new(stream(stream_name), event_id(n), START + n as i64, "omar", &entry).unwrap()
}

pub fn event_id(n: u64) -> EventId {
    EventId::for_import([7; 8], n)
}

/// The acknowledged head of a log, by its anchor.
pub fn acknowledged(path: &Path) -> Head {
    Log::inspect(path).unwrap().acknowledged().unwrap()
}

/// How much of a run is made: little where everything is tried at every change, all of it under `ANNALS_LONG=1`.
pub fn sample(short: usize, long: usize) -> usize {
    if std::env::var_os("ANNALS_LONG").is_some_and(|value| value != "0") { long } else { short }
}

/// A folder in memory where the machine has one: for trials by the thousand that ask nothing of a disk.
pub fn tempdir_in_memory() -> TempDir {
    let memory = Path::new("/dev/shm");
    tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).unwrap()
}
