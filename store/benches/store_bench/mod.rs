//! What the benchmarks share: the events that they append, the peer that they are held against, and how a ratio is
//! taken on a disk whose speed drifts.
//!
//! The peer is rusqlite without this crate: the same rows (hashes and all, computed beforehand) into a table of
//! the same columns and indexes with the same pragmas, and after each commit one line written and synced to a
//! second file. It has no triggers, no checks, no chain, no tree, and looks nothing up.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use annals_events::{Entry, Event, EventId, GameEvent, Hash, LogId, Side, TurnTaken};
use annals_store::{Log, MachineClock, NewEvent, NewLog, Transaction};
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

/// A new log in a folder.
pub fn new_log(folder: &Path, name: &str) -> Log {
    let new = NewLog {
        log_id: LogId([7; 16]),
        program: "benchmark".to_owned(),
        note: None,
        actor: "benchmark".to_owned(),
    };
    Log::create(&folder.join(format!("{name}.db")), &new, Box::new(MachineClock)).unwrap()
}

/// Turns of games of 80 plies each, as an import writes them: about 90 bytes of payload.
pub struct Turns {
    next: u64,
    game_base: u64,
}

impl Turns {
    /// Turns of games counted from a number.
    pub fn from_game(game_base: u64) -> Turns {
        Turns { next: 0, game_base }
    }
}

impl Iterator for Turns {
    type Item = NewEvent;

    fn next(&mut self) -> Option<NewEvent> {
        let (game, ply) = (self.game_base + self.next / 80, self.next % 80);
        self.next += 1;
        let stream = format!("game/{game}");
        let digest: [u8; 32] = Sha256::digest(stream.as_bytes()).into();
        let id = EventId::for_import(*digest.first_chunk().unwrap(), ply + 1);
        let side = if ply % 2 == 0 { Side::Gold } else { Side::Silver };
        let number = 1 + ply as u32 / 2;
        let mut turn = TurnTaken::plain(number, side, "Eb2n Eb3n hd7s hd6s");
        turn.used = Some(17 + number % 60);
        turn.gold_reserve = Some(300 - i64::from(number));
        let at = 1_700_000_000_000_000 + game as i64 * 1_000_000_000 + ply as i64 * 30_000_000;
        let entry = Entry::from(Event::from(GameEvent::TurnTaken(turn)));
        Some(NewEvent::new(stream.parse().unwrap(), id, at, "gameroom", &entry).unwrap())
    }
}

/// One row, ready for the peer.
pub struct Row {
    pub seq: i64,
    pub stream: String,
    pub version: i64,
    pub id: [u8; 16],
    pub event_type: String,
    pub schema: u32,
    pub effective_at: i64,
    pub recorded_at: i64,
    pub actor: String,
    pub payload: String,
    pub hash: [u8; 32],
}

/// The rows of a log from a `seq` on.
pub fn rows_of(log: &Log, from: u64) -> Vec<Row> {
    let row = |event: annals_events::RawEnvelope| Row {
        seq: event.seq as i64,
        stream: event.stream.as_str().to_owned(),
        version: event.version as i64,
        id: event.id.0,
        event_type: event.event_type,
        schema: event.schema,
        effective_at: event.effective_at,
        recorded_at: event.recorded_at,
        actor: event.actor,
        payload: event.payload.into_string(),
        hash: event.hash.0,
    };
    log.events(from..=u64::MAX).map(|event| row(event.unwrap())).collect()
}

/// Bare rusqlite with a second file.
pub struct Peer {
    connection: Connection,
    line: File,
}

const INSERT: &str = "INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

impl Peer {
    /// A new database beside a file for the line.
    pub fn new(folder: &Path, name: &str) -> Peer {
        let connection = Connection::open(folder.join(format!("{name}.db"))).unwrap();
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON;
                 PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 64;
                 CREATE TABLE event (seq INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL,
                   id BLOB NOT NULL UNIQUE, type TEXT NOT NULL, schema INTEGER NOT NULL,
                   effective_at INTEGER NOT NULL, recorded_at INTEGER NOT NULL, actor TEXT NOT NULL,
                   payload TEXT NOT NULL, hash BLOB NOT NULL, UNIQUE (stream, version)) STRICT;",
            )
            .unwrap();
        let mut line = File::create(folder.join(format!("{name}.line"))).unwrap();
        line.write_all(&[b' '; 4096]).unwrap();
        line.sync_all().unwrap();
        Peer { connection, line }
    }

    /// Inserts rows in one commit, and syncs a line.
    pub fn append(&mut self, rows: &[Row]) {
        self.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        for row in rows {
            let mut statement = self.connection.prepare_cached(INSERT).unwrap();
            let values = params![
                row.seq, row.stream, row.version, row.id, row.event_type, row.schema, row.effective_at,
                row.recorded_at, row.actor, row.payload, row.hash
            ];
            statement.execute(values).unwrap();
        }
        self.connection.execute_batch("COMMIT").unwrap();
        let last = rows.last().unwrap();
        self.line.seek(SeekFrom::Start(0)).unwrap();
        // In one piece: a formatter that writes into a file makes a call of the system for each byte.
        let line = format!("seq={} hash={}\n", last.seq, Hash(last.hash));
        self.line.write_all(line.as_bytes()).unwrap();
        self.line.sync_data().unwrap();
    }
}

/// The processor time that this thread has used, in the system as well: it does not drift with the disk. Where the system does
/// not tell it, the time on the wall.
pub fn used() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| BEGUN.elapsed(), Duration::from_nanos)
}

/// Transactions of so many events each.
pub fn batches(turns: &mut Turns, count: usize, size: usize) -> Vec<Transaction> {
    (0..count).map(|_| Transaction::of(turns.by_ref().take(size).collect())).collect()
}

/// The middle of some values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Events per second.
pub fn rate(events: usize, time: Duration) -> f64 {
    events as f64 / time.as_secs_f64()
}

/// How many rounds: few in a quick look, more where figures are to be quoted (`ANNALS_LONG=1`).
pub fn rounds(quick: usize, long: usize) -> usize {
    if std::env::var_os("ANNALS_LONG").is_some() { long } else { quick }
}
