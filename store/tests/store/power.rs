//! The power fails at any instant, also after processes were killed. On every disk that may be found then the log must open,
//! be whole, hold everything that had been acknowledged, and go on.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use annals_store::{Head, VerifyOptions, verify};

use crate::child::{Said, command, serving};
use crate::disk::Image;
use crate::process::Process;
use crate::scene::{START, sample, tempdir_in_memory};
use crate::trace::{Failure, How, Op, Trace};
use crate::work::dice;

/// The calls at which a writer is killed: more in a row than one append has, so that it is met at each of them.
const KILLED_AT: std::ops::Range<usize> = 120..132;

/// So many things are done in some three appends.
const SOON: usize = 24;

/// A recording, and where one process ended and the next began.
struct Recorded {
    trace: Trace,
    ends: Vec<usize>,
}

impl Recorded {
    /// A log that is created and filled; opened again, filled and closed; opened by a writer that is killed at some call; and
    /// by another that sends again what was not acknowledged, and more.
    fn with_a_kill_at(call: usize) -> Option<Recorded> {
        let folder = tempdir_in_memory();
        let path = folder.path().join("log.db");
        let mut recorded = Recorded { trace: Trace::of(folder.path()), ends: Vec::new() };
        let mut session = |first: u64, count: u64, fail: Option<Failure>| {
            let said =
                recorded.trace.record(command(&["wait", "append"], &path, &[0, first, count]), fail)?;
            recorded.ends.push(recorded.trace.ops.len());
            let said = Said::from_lines(&said);
            assert_eq!((said.refusals.len(), said.done), (0, fail.is_none()));
            Some(said.acks.last().map_or(first, |ack| ack.transaction + 1))
        };
        session(0, 60, None)?;
        session(60, 40, None)?;
        let next = session(100, 10_000, Some(Failure { call, how: How::Killed }))?;
        assert_eq!(session(next, 40, None), Some(next + 40));
        Some(recorded)
    }

    /// The power fails at any instant, or soon after one process ended and the next began.
    fn image(&self, seed: u64) -> Image {
        let ops = self.trace.ops.len();
        let span = match dice(&[31, seed]) as usize % (2 * self.ends.len()) {
            i if i < self.ends.len() => self.ends[i]..=ops.min(self.ends[i] + SOON),
            _ => 0..=ops,
        };
        Image::of(&self.trace, span, seed)
    }
}

fn recordings() -> Option<Vec<Recorded>> {
    KILLED_AT.step_by(sample(3, 1)).map(Recorded::with_a_kill_at).collect()
}

#[test]
fn no_loss_of_power_at_any_instant_loses_what_was_acknowledged() {
    let Some(recordings) = recordings() else {
        eprintln!(
            "skipped: this system does not permit to trace a process (ptrace), so no writes can be recorded"
        );
        return;
    };
    for Recorded { trace, .. } in &recordings {
        let count = |wanted: fn(&Op) -> bool| trace.ops.iter().filter(|op| wanted(op)).count();
        let (writes, syncs) =
            (count(|op| matches!(op, Op::Write { .. })), count(|op| matches!(op, Op::Sync { .. })));
        assert!(writes > 200 && syncs > 80, "{writes} writes and {syncs} syncs were recorded");
        println!("recorded {} operations, {writes} writes and {syncs} syncs among them", trace.ops.len());
    }
    let images = sample(150, 10_000);
    let (next, lossy) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let folder = tempdir_in_memory();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= images {
                break;
            }
            let image = recordings[seed % recordings.len()].image(seed as u64);
            lossy.fetch_add(usize::from(image.something_lost), Ordering::Relaxed);
            let checked = image.check(folder.path(), 0);
            assert_eq!(checked, Ok(()), "{}", image.what);
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(work);
        work();
        other.join().unwrap();
    });
    println!(
        "{images} disks after a loss of power, {lossy:?} of them with writes lost or torn: 0 acknowledged events lost"
    );
    assert!(lossy.into_inner() > images / 2);
}

/// A writer may be killed, or its sync fail, after it wrote a line of the anchor.
#[test]
fn a_receipt_of_a_reader_or_a_backup_holds_after_a_loss_of_power_whatever_became_of_the_writer() {
    use nix::errno::Errno;

    let serve = |path: &Path| Process::seeded(serving(path, "simulated"), 1);
    let (mut disks, mut lossy, disk) = (0, 0, tempdir_in_memory());
    for how in [How::Killed, How::Fails(Errno::EIO)] {
        for call in 0..40 {
            let folder = tempdir_in_memory();
            let path = folder.path().join("log.db");
            let mut trace = Trace::of(folder.path());
            let Some(mut writer) = serve(&path) else {
                eprintln!("skipped: this system does not permit to trace a process (ptrace)");
                return;
            };
            for line in [format!("create 1 {START}"), format!("append 1 {START}")] {
                assert!(writer.ask(&mut trace, &line, None).is_some_and(|said| said.starts_with("ok")));
            }
            let failure = Failure { call, how };
            let said = writer.ask(&mut trace, &format!("append 2 {START}"), Some(failure));
            drop(writer);
            let mut reader = serve(&path).unwrap();
            let backup = format!("backup {}", folder.path().join("copy.db").display());
            let mut receipts = Vec::new();
            for line in ["read", &backup] {
                let said = reader.ask(&mut trace, line, None).unwrap();
                receipts.push(said[said.find("annals-head").unwrap()..].parse::<Head>().unwrap());
                for seed in 0..sample(10, 100) as u64 {
                    let image = Image::of(&trace, trace.ops.len()..=trace.ops.len(), seed);
                    image.write(disk.path());
                    let options = VerifyOptions { receipts: receipts.clone(), ..VerifyOptions::default() };
                    let found = verify(&disk.path().join("log.db"), &options).unwrap();
                    assert!(found.is_whole(), "{line}, {failure:?}, {}: {:?}", image.what, found.findings);
                    lossy += usize::from(line == "read" && image.something_lost);
                    disks += 1;
                }
            }
            if said.is_some_and(|said| said.starts_with("ok")) {
                break;
            }
            assert!(call < 39, "an append has more calls");
        }
    }
    assert!(lossy > 0);
    println!("{disks} disks after a loss of power: the receipts of a reader and of a backup hold on each");
}

#[test]
fn a_disk_that_lies_about_its_syncs_is_found_out() {
    // The trial itself is tried: were nothing ever synced, it must fail.
    let Some(recordings) = recordings() else { return };
    let mut recorded = recordings.into_iter().next().unwrap();
    recorded.trace.ops.retain(|op| !matches!(op, Op::Sync { .. }));
    let (folder, end) = (tempdir_in_memory(), recorded.trace.ops.len());
    let mut wrong = 0;
    for seed in 0..40 {
        let image = Image::of(&recorded.trace, 0..=end, seed);
        wrong += usize::from(image.check(folder.path(), 0).is_err());
    }
    assert!(wrong > 20, "only {wrong} of 40 such disks were found wanting");
}
