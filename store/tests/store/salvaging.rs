//! Nothing that is intact is lost with what is damaged: what can be saved of a log is saved to the last event, and
//! nothing is saved that was not recorded.

use std::fs::{self, File, OpenOptions};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use annals_events::RawEnvelope;
use annals_store::{Log, Salvaged, Transaction, VerifyOptions, salvage, verify};
use rusqlite::Connection;

use crate::flips::{Recorded, with_payloads};
use crate::scene::{Scene, numbered, sample, tempdir_in_memory};
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

/// The parts of a page that say what is in it and where: of the file its header, of each page its header and the pointers to its
/// cells; and of each cell of a table its length and its number. As ranges of bytes of the file.
fn headers(file: &[u8]) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut pages, mut cells) = (Vec::new(), Vec::new());
    pages.push(0..100);
    for (i, page) in file.chunks(4096).enumerate() {
        let start = if i == 0 { 100 } else { 0 };
        let header = match page[start] {
            2 | 5 => 12,
            10 | 13 => 8,
            // A page of the Merkle tree's peaks or of a long payload: no header.
            _ => continue,
        };
        let count = usize::from(u16::from_be_bytes([page[start + 3], page[start + 4]]));
        pages.push(i * 4096 + start..i * 4096 + start + header + 2 * count);
        for pointer in (0..count).filter(|_| page[start] == 13).map(|cell| start + 8 + 2 * cell) {
            let cell = usize::from(u16::from_be_bytes([page[pointer], page[pointer + 1]]));
            let varint = |at: usize| 1 + page[at..].iter().take_while(|byte| **byte >= 0x80).count();
            let length = varint(cell);
            let end = cell + length + varint(cell + length);
            cells.push(i * 4096 + cell..i * 4096 + end);
        }
    }
    (pages, cells)
}

/// Flips bits of a log, one at a time, and saves what is there. How many of the flips there were, and how many cost an event.
fn flip_all(
    recorded: &Recorded,
    ranges: Vec<Range<usize>>,
    stride: usize,
) -> (usize, Vec<(usize, Salvaged)>) {
    let bits: Vec<usize> = ranges.into_iter().flatten().flat_map(|byte| 8 * byte..8 * byte + 8).collect();
    let folder = tempdir_in_memory();
    let path = folder.path().join("log.db");
    let (mut flips, mut costly) = (0, Vec::new());
    for bit in bits.into_iter().step_by(stride) {
        recorded.write(folder.path());
        flip(&path, bit);
        flips += 1;
        let (salvaged, events) = saved(&path);
        let saved_as_recorded = |event: &RawEnvelope| recorded.events[event.seq as usize - 1] == *event;
        assert!(events.iter().all(saved_as_recorded), "bit {bit}: a false event");
        if events.len() < recorded.events.len() {
            costly.push((bit, salvaged));
        }
    }
    (flips, costly)
}

#[test]
fn no_flipped_bit_of_a_page_header_or_of_a_pointer_to_a_cell_costs_an_event() {
    let recorded = Recorded::closed();
    let (pages, cells) = headers(recorded.bytes_of("log.db"));
    let (flips, costly) = flip_all(&recorded, pages, sample(41, 1));
    println!(
        "{flips} flips in headers of the file, of pages and in pointers to cells: {} cost an event",
        costly.len()
    );
    assert!(costly.is_empty(), "{costly:?}");
    assert!(flips > 50, "{flips}");
    let (flips, costly) = flip_all(&recorded, cells, sample(41, 1));
    println!("{flips} flips in lengths and numbers of cells: {} cost an event", costly.len());
    assert!(costly.is_empty(), "{costly:?}");
    assert!(flips > 50, "{flips}");
}

#[test]
fn no_flipped_bit_of_a_pointer_to_an_overflow_page_costs_an_event() {
    let recorded = Recorded::of_payloads(&[9_000, 300_000, 12, 30_000, 5_000]);
    let file = recorded.bytes_of("log.db");
    // A page over which a payload of `x` runs has the next page in its first bytes; the first page is in the cell.
    let is_overflow = |page: &[u8]| page[4..104].iter().all(|byte| *byte == b'x');
    let pages = file.chunks(4096).enumerate().filter(|(_, page)| is_overflow(page));
    let mut pointers: Vec<Range<usize>> = pages.map(|(i, _)| i * 4096..i * 4096 + 4).collect();
    let chained = pointers.len();
    let overflow: Vec<u32> = pointers.iter().map(|range| (range.start / 4096 + 1) as u32).collect();
    for (i, page) in file.chunks(4096).enumerate().filter(|(_, page)| page[0] == 13) {
        let first = (28..=4092).filter(|at| {
            let pointer = u32::from_be_bytes(page[*at..at + 4].try_into().unwrap());
            overflow.contains(&pointer) && page[at - 20..*at].iter().all(|byte| *byte == b'x')
        });
        pointers.extend(first.map(|at| i * 4096 + at..i * 4096 + at + 4));
    }
    assert_eq!(pointers.len() - chained, 4, "each long payload has a pointer in its cell");
    let (flips, costly) = flip_all(&recorded, pointers, sample(41, 1));
    println!("{flips} flips in pointers to overflow pages: {} cost an event", costly.len());
    assert!(costly.is_empty() && flips > 50, "{flips}: {costly:?}");
}

#[test]
fn a_large_log_is_saved_in_bounded_time() {
    let scene = Scene::empty();
    let mut log = scene.create();
    let count = sample(3_000, 100_000) as u64;
    for first in (1..count).step_by(1_000) {
        log.append(&Transaction::of((first..(first + 1_000).min(count)).map(numbered).collect())).unwrap();
    }
    drop(log);
    let bytes = fs::metadata(scene.path()).unwrap().len();
    let since = Instant::now();
    let (salvaged, events) = saved(&scene.path());
    let whole = since.elapsed();
    assert!(salvaged.is_complete());
    assert_eq!(events.len() as u64, count);
    // The header of each page is gone, and with it every cell that SQLite could find.
    let file = OpenOptions::new().write(true).open(scene.path()).unwrap();
    for page in 0..bytes / 4096 {
        file.write_all_at(&[0xff; 8], page * 4096 + if page == 0 { 100 } else { 0 }).unwrap();
    }
    let since = Instant::now();
    let (salvaged, again) = saved(&scene.path());
    let carved = since.elapsed();
    assert!(salvaged.is_complete() && again == events, "{salvaged:?}");
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{count} events, {:.1} MB: saved at {:.1} MB/s, and without any page header at {:.1} MB/s",
        bytes as f64 / 1e6,
        rate(whole),
        rate(carved)
    );
    assert!(carved < whole * 20 + Duration::from_secs(5), "{carved:?} instead of {whole:?}");
}

#[test]
fn a_file_of_cells_that_lead_around_is_searched_in_bounded_time() {
    let recorded = Recorded::of_payloads(&[9_000, 12]);
    let folder = tempdir_in_memory();
    recorded.write(folder.path());
    let path = folder.path().join("log.db");
    let whole = recorded.bytes_of("log.db").len() as u64;
    // What looks like the header of an event with a payload of 4 MB, again and again; and each page leads to itself.
    let header = [15, 0, 25, 9, 44, 31, 1, 6, 6, 21, 0x83, 0xff, 0x8f, 0x7f, 76, 0];
    let pages = 400;
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    for page in 0..pages {
        let number = ((whole / 4096 + page + 1) as u32).to_be_bytes();
        let mut bytes: Vec<u8> = number.iter().copied().cycle().take(4096).collect();
        // The pointers to the overflow pages of all these cells, 1112 bytes behind, are read as that number.
        bytes[16..1_024].copy_from_slice(&header.repeat(63));
        file.write_all_at(&bytes, whole + page * 4096).unwrap();
    }
    let since = Instant::now();
    let (salvaged, events) = saved(&path);
    println!("{pages} pages of cells that lead around: searched in {:?}", since.elapsed());
    assert!(salvaged.is_complete() && events == recorded.events, "{salvaged:?}");
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
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
    println!("{} of 100 events saved without header, schema and indexes", events.len());
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
    let ways = [(2, None), (17, None), (40, None), (57, None), (60, None), (20, Some(31)), (2, Some(59))];
    for (first, gap) in ways {
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
    println!("{} rewritten tails: 0 false events", ways.len());
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
    log.append(&with_payloads(&[10, 4_000, 4_100, 9_000, 300_000, 12])).unwrap();
    log.checkpoint().unwrap();
    log.append(&Transaction::of(vec![numbered(99)])).unwrap();
    let original: Vec<RawEnvelope> = log.events(1..=u64::MAX).map(Result::unwrap).collect();
    drop(log);
    let (salvaged, events) = saved(&scene.path());
    assert!(salvaged.is_complete(), "{salvaged:?}");
    assert_eq!(events, original);
}
