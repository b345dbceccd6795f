//! How fast a log is verified, held against the least that anybody must do who wants to know whether the hashes hold:
//! read every row in order and take SHA-256 over the same bytes, without checking anything else.
//!
//! `cargo bench -p annals-store --bench verify` (`ANNALS_LONG=1` for a million events, and the figures that are quoted).
//! Each figure is the median of rounds in which the two take turns.

// Each benchmark uses its part of it.
#[allow(dead_code)]
mod store_bench;

use std::path::Path;
use std::time::{Duration, Instant};

use annals_store::{VerifyOptions, chain::EVENT_TAG, verify};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest, Sha256};
use store_bench::{Turns, batches, median, new_log, rate, rounds};

fn main() {
    let events = rounds(200_000, 1_000_000);
    let folder = tempfile::tempdir().unwrap();
    let mut log = new_log(folder.path(), "verified");
    let mut turns = Turns::from_game(0);
    while (log.last_seq().unwrap() as usize) < events {
        for transaction in batches(&mut turns, 1, 10_000) {
            log.append(&transaction).unwrap();
        }
    }
    let count = log.last_seq().unwrap() as usize;
    let path = log.path().to_owned();
    drop(log);

    let size = std::fs::metadata(&path).unwrap().len();
    println!(
        "verify, {count} events in {} MB (median of rounds; ratio = ours / peer in the same round)",
        size >> 20
    );
    let all = VerifyOptions::default();
    let chain_only =
        VerifyOptions { integrity: false, tree: false, payloads: false, threads: 1, ..all.clone() };
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let (mut one_thread, mut all_threads) = (Vec::new(), Vec::new());
    for round in 0..=rounds(5, 9) {
        // Who goes first changes, since the first warms the caches for the second.
        let first = round % 2 == 0;
        let before = first.then(|| timed(&path, &chain_only));
        let peer_time = peer(&path, count);
        let our_time = before.unwrap_or_else(|| timed(&path, &chain_only));
        let full_one = timed(&path, &VerifyOptions { threads: 1, ..all.clone() });
        let full = timed(&path, &all);
        if round > 0 {
            ours.push(rate(count, our_time));
            theirs.push(rate(count, peer_time));
            ratios.push(peer_time.as_secs_f64() / our_time.as_secs_f64());
            one_thread.push(rate(count, full_one));
            all_threads.push(rate(count, full));
        }
    }
    let (ours, theirs, ratio) = (median(ours), median(theirs), median(ratios));
    println!(
        "  {:<34} ours {ours:>9.0}   peer {theirs:>9.0}   ratio {ratio:.2}",
        "the chain, one thread, events/s"
    );
    println!("  {:<34} {:>14.0}", "everything, one thread, events/s", median(one_thread));
    println!("  {:<34} {:>14.0}", "everything, all threads, events/s", median(all_threads));
}

fn timed(path: &Path, options: &VerifyOptions<'_>) -> Duration {
    let start = Instant::now();
    let report = verify(path, options).unwrap();
    let time = start.elapsed();
    assert!(report.is_clean(), "{:?}", report.findings);
    time
}

/// Reads every row in the order of the table and hashes what its hash covers.
fn peer(path: &Path, count: usize) -> Duration {
    let start = Instant::now();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT seq, stream, version, id, type, schema, effective_at, recorded_at, actor, payload, hash
             FROM event ORDER BY seq",
        )
        .unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut input: Vec<u8> = Vec::new();
    let (mut before, mut wrong, mut found) = ([0; 32], 0, 0);
    while let Some(row) = rows.next().unwrap() {
        input.clear();
        input.extend_from_slice(EVENT_TAG);
        input.extend_from_slice(&before);
        for column in 0..10 {
            let number;
            let bytes: &[u8] = match row.get_ref(column).unwrap() {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
                ValueRef::Integer(value) => {
                    number = value.to_be_bytes();
                    &number
                }
                _ => &[],
            };
            input.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
            input.extend_from_slice(bytes);
        }
        before = Sha256::digest(&input).into();
        wrong += usize::from(row.get_ref(10).unwrap().as_blob().unwrap() != before);
        // The first event follows the genesis, which the peer does not know; so it goes on from what is stored.
        before.copy_from_slice(row.get_ref(10).unwrap().as_blob().unwrap());
        found += 1;
    }
    assert_eq!((found, wrong), (count, 1));
    start.elapsed()
}
