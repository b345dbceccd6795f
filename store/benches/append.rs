//! How fast the log appends, held against bare SQLite in the same minute on the same disk.
//!
//! `cargo bench -p annals-store --bench append` (`ANNALS_LONG=1` for the figures that are quoted). Each figure is the
//! median of rounds in which the log and its peer take turns, since a disk's speed drifts.

// Each benchmark uses its part of it.
#[allow(dead_code)]
mod store_bench;

use std::time::{Duration, Instant};

use annals_store::{Transaction, Writer};
use store_bench::{Peer, Turns, batches, median, new_log, rate, rounds, rows_of, used};

fn main() {
    println!("append, events/s (median of rounds; ratio = ours / peer in the same round)");
    against_peer("one by one", 1, 300);
    against_peer("batches of 10", 10, 100);
    against_peer("batches of 1,000", 1_000, 20);
    writers();
}

/// Appends `count` batches of `size` to both, by turns.
fn against_peer(name: &str, size: usize, count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut log = new_log(folder.path(), "ours");
    let mut peer = Peer::new(folder.path(), "peer");
    let mut turns = Turns::from_game(0);
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut processor = Vec::new();
    for round in 0..=rounds(5, 15) {
        let transactions = batches(&mut turns, count, size);
        let from = log.last_seq().unwrap() + 1;
        let (start, used_before) = (Instant::now(), used());
        for transaction in &transactions {
            log.append(transaction).unwrap();
        }
        let (our_time, our_work) = (start.elapsed(), used() - used_before);
        let rows = rows_of(&log, from);
        let (start, used_before) = (Instant::now(), used());
        for batch in rows.chunks(size) {
            peer.append(batch);
        }
        let (peer_time, peer_work) = (start.elapsed(), used() - used_before);
        if round > 0 {
            ours.push(rate(count * size, our_time));
            theirs.push(rate(count * size, peer_time));
            ratios.push(peer_time.as_secs_f64() / our_time.as_secs_f64());
            processor.push(peer_work.as_secs_f64() / our_work.as_secs_f64());
        }
    }
    let (ours, theirs, ratio, work) = (median(ours), median(theirs), median(ratios), median(processor));
    println!(
        "  {name:<18} ours {ours:>9.0}   peer {theirs:>9.0}   ratio {ratio:.2}   of processor time {work:.2}"
    );
}

/// One writer, then eight threads through the group commit, by turns.
fn writers() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = new_log(folder.path(), "writers");
    let (mut alone, mut together, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    const EACH: usize = 200;
    let mut games = 0;
    let mut mine = |count: usize| -> Vec<Transaction> {
        games += 1_000;
        batches(&mut Turns::from_game(games), count, 1)
    };
    for round in 0..=rounds(5, 15) {
        let transactions = mine(EACH);
        let start = Instant::now();
        for transaction in &transactions {
            log.append(transaction).unwrap();
        }
        let one = rate(EACH, start.elapsed());

        let work: Vec<Vec<Transaction>> = (0..8).map(|_| mine(EACH)).collect();
        let writer = Writer::start(log);
        let start = Instant::now();
        std::thread::scope(|scope| {
            for transactions in work {
                let appender = writer.appender();
                scope.spawn(move || {
                    for transaction in transactions {
                        appender.append(transaction).unwrap();
                    }
                });
            }
        });
        let time: Duration = start.elapsed();
        log = writer.stop();
        let eight = rate(8 * EACH, time);
        if round > 0 {
            alone.push(one);
            together.push(eight);
            ratios.push(eight / one);
        }
    }
    let (alone, together, ratio) = (median(alone), median(together), median(ratios));
    println!("  {:<18} one  {alone:>9.0}   eight {together:>8.0}   ratio {ratio:.2}", "eight writers");
}
