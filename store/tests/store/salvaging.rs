//! Nothing that is intact is lost with what is damaged: what can be saved of a log is saved to the last event, and
//! nothing is saved that was not recorded.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use annals_events::RawEnvelope;
use annals_store::{Log, Salvaged, Transaction, VerifyOptions, salvage, verify};
use rusqlite::Connection;

use crate::flips::Recorded;
use crate::scene::{Scene, numbered, sample, stream, tempdir_in_memory};
use crate::tampering::{rehash, unprotected};

fn saved(path: &Path) -> (Salvaged, Vec<RawEnvelope>) {
    let mut lines = Vec::new();
    let salvaged = salvage(path, &mut lines).unwrap();
    let text = String::from_utf8(lines).unwrap();
    let events: Vec<RawEnvelope> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len() as u64, salvaged.written);
    (salvaged, events)
}

fn flip(path: &Path, bit: usize) {
    let file = OpenOptions::new().read(true).write(true).open(path).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, bit as u64 / 8).unwrap();
    file.write_all_at(&[byte[0] ^ 1 << (bit % 8)], bit as u64 / 8).unwrap();
}

#[test]
fn a_whole_log_is_saved_whole() {
    for recorded in [Recorded::closed(), Recorded::with_wal()] {
        let folder = tempdir_in_memory();
        recorded.write(folder.path());
        let (salvaged, events) = saved(&folder.path().join("log.db"));
        assert!(salvaged.is_complete(), "{salvaged:?}");
        assert_eq!(events, recorded.events);
        assert_eq!((salvaged.acknowledged, salvaged.readable), (Some(100), Some(100)));
    }
}

#[test]
fn what_a_flipped_bit_hides_in_the_write_ahead_log_is_saved_to_the_last_event() {
    let recorded = Recorded::with_wal();
    let (mut hidden, mut flips) = (0, 0);
    for bit in (0..recorded.bits_of("log.db-wal")).step_by(sample(4_999, 211)) {
        let folder = tempdir_in_memory();
        recorded.write(folder.path());
        let path = folder.path().join("log.db");
        let wal = folder.path().join("log.db-wal");
        flip(&wal, bit);
        let before = fs::read(&wal).unwrap();
        flips += 1;
        hidden += usize::from(Log::open(&path).is_err());
        let (salvaged, events) = saved(&path);
        assert!(salvaged.is_complete(), "bit {bit}: {salvaged:?}");
        assert!(events == recorded.events, "bit {bit}");
        assert!(fs::read(&wal).unwrap() == before, "the evidence was touched");
    }
    println!("{hidden} of {flips} flips hid acknowledged events; all events were saved each time");
    assert!(hidden > flips / 2);
}

#[test]
fn no_flipped_bit_of_the_database_costs_an_intact_event_or_makes_a_false_one() {
    let recorded = Recorded::closed();
    let (mut flips, mut complete) = (0, 0);
    for bit in (0..recorded.bits_of("log.db")).step_by(sample(997, 101)) {
        let folder = tempdir_in_memory();
        recorded.write(folder.path());
        let path = folder.path().join("log.db");
        flip(&path, bit);
        let (salvaged, events) = saved(&path);
        flips += 1;
        complete += usize::from(salvaged.is_complete());
        let saved_as_recorded = |event: &RawEnvelope| recorded.events[event.seq as usize - 1] == *event;
        assert!(events.iter().all(saved_as_recorded), "bit {bit}: a false event");
        if let Ok(report) = verify(&path, &VerifyOptions { threads: 1, ..VerifyOptions::default() }) {
            let has = |seq: u64| events.binary_search_by_key(&seq, |event| event.seq).is_ok();
            assert!(report.intact.iter().cloned().flatten().all(has), "bit {bit}: {salvaged:?}");
        }
    }
    println!("{flips} flips, of which {complete} cost no event at all");
    assert!(complete > flips * 9 / 10);
}

#[test]
fn what_stands_behind_worse_damage_in_the_write_ahead_log_is_saved() {
    let recorded = Recorded::with_wal();
    let folder = tempdir_in_memory();
    recorded.write(folder.path());
    let path = folder.path().join("log.db");
    let wal = folder.path().join("log.db-wal");
    // Half a page of the first transaction overwritten; the pages were all written again by later ones.
    File::options().write(true).open(&wal).unwrap().write_all_at(&[0xee; 2048], 32 + 24 + 1000).unwrap();
    assert!(Log::open(&path).unwrap_err().to_string().contains("acknowledged events are missing"));
    let before = fs::read(&wal).unwrap();
    let (salvaged, events) = saved(&path);
    assert_eq!((salvaged.mended_bits, salvaged.is_complete()), (0, true));
    assert_eq!(events, recorded.events);
    assert!(salvaged.readable < Some(100), "{salvaged:?}");
    assert!(fs::read(&wal).unwrap() == before, "the evidence was touched");
}

#[test]
fn events_are_saved_from_a_file_that_is_no_database_any_more() {
    let recorded = Recorded::closed();
    let folder = tempdir_in_memory();
    recorded.write(folder.path());
    let path = folder.path().join("log.db");
    // The header, the schema and every index are gone.
    let file = File::options().write(true).open(&path).unwrap();
    file.write_all_at(&[0; 4096], 0).unwrap();
    assert!(Log::open(&path).is_err());
    let (salvaged, events) = saved(&path);
    assert!(salvaged.is_complete(), "{salvaged:?}");
    assert_eq!((events.len(), salvaged.readable), (100, None));
    assert_eq!(events, recorded.events);
}

#[test]
fn what_was_tampered_with_is_named_missing_and_all_else_is_saved() {
    let tampered = |sql: &str| {
        let scene = Scene::with_events(60);
        let original: Vec<RawEnvelope> = scene.open().events(1..=u64::MAX).map(Result::unwrap).collect();
        let connection = Connection::open(scene.path()).unwrap();
        let triggers =
            "DROP TRIGGER event_no_update; DROP TRIGGER event_no_delete; DROP TRIGGER event_in_order;";
        connection.execute_batch(&format!("PRAGMA secure_delete = 1; {triggers} {sql}")).unwrap();
        drop(connection);
        let (salvaged, events) = saved(&scene.path());
        assert!(events.iter().all(|event| original.contains(event)), "{sql}: a false event");
        (salvaged, events.len())
    };
    let (salvaged, written) = tampered("UPDATE event SET actor = 'somebody' WHERE seq = 31");
    assert_eq!((salvaged.missing.as_slice(), written), ([31..=31].as_slice(), 59));
    assert!(salvaged.unproven.is_empty());
    // The content of 31 is borne out by 32, whatever hash is stored with it.
    let (salvaged, written) = tampered("UPDATE event SET hash = zeroblob(32) WHERE seq = 31");
    assert_eq!((salvaged.missing.len(), written), (0, 60));
    // What stands behind a deleted event cannot be proven; what stands behind that can.
    let (salvaged, written) = tampered("DELETE FROM event WHERE seq BETWEEN 40 AND 45");
    assert_eq!((salvaged.missing.as_slice(), written), ([40..=45].as_slice(), 53));
    assert_eq!(salvaged.unproven.iter().map(|event| event.seq).collect::<Vec<_>>(), [46]);
    let (salvaged, written) = tampered("DELETE FROM event WHERE seq > 50");
    assert_eq!((salvaged.missing.as_slice(), written), ([51..=60].as_slice(), 50));
}

#[test]
fn a_tail_that_was_rewritten_with_fresh_hashes_is_not_saved_as_what_was_recorded() {
    // With the end of the log, and with a gap that breaks the chain between it and what was rewritten.
    for (first, gap) in
        [(2, None), (17, None), (40, None), (57, None), (60, None), (20, Some(31)), (2, Some(59))]
    {
        let scene = Scene::with_events(60);
        let original: Vec<RawEnvelope> = scene.open().events(1..=u64::MAX).map(Result::unwrap).collect();
        unprotected(&scene, |connection| {
            connection.execute_batch("PRAGMA secure_delete = 1").unwrap();
            connection.execute("UPDATE event SET actor = 'x' WHERE seq = ?1", [first as i64]).unwrap();
            rehash(connection, first);
            let Some(gap) = gap else { return };
            // The events from the gap on have their hashes back, so that the anchored one is there.
            for event in &original[gap - 1..] {
                let hash = event.hash.0;
                let set = "UPDATE event SET hash = ?2 WHERE seq = ?1";
                connection.execute(set, rusqlite::params![event.seq as i64, hash]).unwrap();
            }
            connection.execute("UPDATE event SET payload = '{}' WHERE seq = ?1", [gap as i64]).unwrap();
        });
        let (salvaged, events) = saved(&scene.path());
        assert!(!salvaged.is_complete(), "{first}: {salvaged:?}");
        assert!(events.iter().all(|event| original.contains(event)), "{first}: a false event");
        assert!(salvaged.unproven.iter().any(|event| event.seq == first), "{first}: {:?}", salvaged.unproven);
        // What is under a peak before it is saved, and so is what the anchored hash bears out.
        let missing: u64 = salvaged.missing.iter().map(|range| range.end() - range.start() + 1).sum();
        assert_eq!(salvaged.written + salvaged.unproven.len() as u64 + missing, 60);
        let has = |seq: u64| events.iter().any(|event| event.seq == seq);
        assert!(first <= 32 || (1..=32).all(has), "{first}: {}", salvaged.written);
        assert!(first < 60 || (1..=59).all(has), "{first}: {}", salvaged.written);
        assert!(gap.is_none_or(|gap| (gap as u64 + 1..=60).all(has)), "{first}: {salvaged:?}");
    }
}

#[test]
fn a_flipped_bit_of_a_text_is_put_right_by_the_hash_of_its_event() {
    let scene = Scene::with_events(60);
    let log = Log::open(&scene.path()).unwrap();
    let original: Vec<RawEnvelope> = log.events(1..=u64::MAX).map(Result::unwrap).collect();
    drop(log);
    let mut bytes = fs::read(scene.path()).unwrap();
    let text = br#"{"number":33,"#;
    let at = bytes.windows(text.len()).position(|window| window == text).unwrap();
    bytes[at + 10] ^= 4;
    fs::write(scene.path(), bytes).unwrap();
    assert_eq!(verify(&scene.path(), &VerifyOptions::default()).unwrap().first_bad(), Some(33));
    let (salvaged, events) = saved(&scene.path());
    assert_eq!((salvaged.mended.as_slice(), events.len()), ([33].as_slice(), 60));
    assert_eq!(events, original);
}

#[test]
fn long_payloads_are_saved_from_the_pages_over_which_they_run() {
    let scene = Scene::empty();
    let mut log = scene.create();
    let mut events = Vec::new();
    for (n, length) in [10usize, 4_000, 4_100, 9_000, 300_000, 12].into_iter().enumerate() {
        let payload = format!(r#"{{"reason":"{}"}}"#, "x".repeat(length));
        let payload = annals_events::RawPayload::from_json(&payload).unwrap();
        let id = crate::scene::event_id(n as u64);
        let event =
            annals_store::NewEvent::from_parts(stream("game/a"), id, "game.halted", 1, 0, "omar", payload);
        events.push(event.unwrap());
    }
    log.append(&Transaction::of(events)).unwrap();
    log.checkpoint().unwrap();
    log.append(&Transaction::of(vec![numbered(99)])).unwrap();
    let original: Vec<RawEnvelope> = log.events(1..=u64::MAX).map(Result::unwrap).collect();
    drop(log);
    let (salvaged, events) = saved(&scene.path());
    assert!(salvaged.is_complete(), "{salvaged:?}");
    assert_eq!(events, original);
}
