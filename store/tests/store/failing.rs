//! Disks that are full, and disks that fail: each is said to be what it is, nothing acknowledged is lost, and when the disk
//! is well again the same transactions go in, each once. After a failed sync the power fails too: what nobody synced is gone.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::child::{Ack, Said, command, events_of, held, hold, listen};
use crate::scene::{sample, tempdir_in_memory};

const TRANSACTIONS: u64 = 40;

fn of_writer_0(acks: &[Ack]) -> Vec<(u64, Ack)> {
    acks.iter().map(|ack| (0, *ack)).collect()
}

/// Whether what a child left behind has what it acknowledged, and takes all its transactions once more.
fn check(folder: &Path, said: &Said, what: &str) {
    check_and(folder, said, what, |path| {
        listen(command(&["append"], path, &[0, 0, TRANSACTIONS]).spawn().unwrap())
    });
}

fn check_and(folder: &Path, said: &Said, what: &str, send_again: impl FnOnce(&Path) -> Said) {
    let path = folder.join("log.db");
    if path.exists() {
        hold(&path, &of_writer_0(&said.acks), what);
    } else {
        assert!(said.acks.is_empty(), "{what}: the log is gone");
    }
    let again = send_again(&path);
    assert!(again.done && again.refusals.is_empty(), "{what}: {:?}", again.refusals);
    assert!(said.acks.iter().all(|ack| again.acks.contains(ack)), "{what}: stored twice");
    assert_eq!(hold(&path, &of_writer_0(&again.acks), what), 1 + events_of(0, TRANSACTIONS), "{what}");
}

fn said_in(file: &Path) -> Said {
    Said::from_lines(&fs::read(file).unwrap_or_default())
}

#[test]
fn a_full_disk_is_said_to_be_full_and_costs_nothing_that_was_acknowledged() {
    // A file system of so many KiB in memory, seen by the shell and the child alone; later it has room again.
    let script = "mount -t tmpfs -o size=$1k none disk || exit 77
        \"$2\" append disk/log.db 0 0 $3 > full.txt; mkdir full; cp disk/* full
        mount -o remount,size=64m disk && \"$2\" append disk/log.db 0 0 $3 > room.txt; mkdir room; cp disk/* room";
    let (mut refused, mut sizes) = (0, 0);
    for size in (8..=320).step_by(sample(52, 4)) {
        let folder = tempdir_in_memory();
        fs::create_dir(folder.path().join("disk")).unwrap();
        let status = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
            .arg(size.to_string())
            .arg(env!("CARGO_BIN_EXE_annals-store-child"))
            .arg(TRANSACTIONS.to_string())
            .current_dir(folder.path())
            .stderr(Stdio::null())
            .status();
        if !folder.path().join("full.txt").exists() {
            eprintln!(
                "skipped: no small file system can be mounted here ({status:?}); see the trial with ENOSPC"
            );
            return;
        }
        let what = format!("a disk of {size} KiB");
        let said = said_in(&folder.path().join("full.txt"));
        assert!(
            said.refusals.iter().all(|no| no.contains("the disk is full")),
            "{what}: {:?}",
            said.refusals
        );
        refused += said.refusals.len();
        sizes += 1;
        check(&folder.path().join("full"), &said, &what);
        let room = said_in(&folder.path().join("room.txt"));
        assert!(room.done && room.refusals.is_empty(), "{what}: {:?}", room.refusals);
        assert!(said.acks.iter().all(|ack| room.acks.contains(ack)), "{what}: stored twice");
        let events = held(&folder.path().join("room/log.db"), &of_writer_0(&room.acks));
        assert_eq!(events, Ok(1 + events_of(0, TRANSACTIONS)), "{what}");
    }
    println!(
        "{sizes} sizes of a disk, {refused} appends refused as on a full disk, 0 acknowledged events lost"
    );
    assert!(refused > 10);
}

#[test]
fn a_file_that_may_grow_no_further_costs_nothing_that_was_acknowledged() {
    let (mut limits, mut refused) = (0, 0);
    for blocks in (8..=400).step_by(sample(56, 8)) {
        let folder = tempdir_in_memory();
        let path = folder.path().join("log.db");
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f $1; exec \"$2\" append \"$3\" 0 0 $4", "sh"])
            .arg(blocks.to_string())
            .arg(env!("CARGO_BIN_EXE_annals-store-child"))
            .arg(&path)
            .arg(TRANSACTIONS.to_string())
            .output()
            .unwrap();
        let said = Said::from_lines(&output.stdout);
        limits += 1;
        refused += said.refusals.len();
        check(
            folder.path(),
            &said,
            &format!("files of at most {blocks} blocks: {:?}", said.refusals.first()),
        );
    }
    println!("{limits} limits of a file, {refused} appends refused, 0 acknowledged events lost");
    assert!(refused > 10);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_disk_that_fails_at_any_call_costs_nothing_that_was_acknowledged() {
    use crate::disk::Image;
    use crate::trace::{Failure, How, Trace};
    use nix::errno::Errno;

    let (mut failures, mut refused, mut images) = (0, 0, 0);
    // Which call it is moves with every run a little; more calls than there are do no harm.
    let step = sample(83, 1);
    let any = (0..sample(600, 900)).step_by(step).map(|call| (call, (call / step).is_multiple_of(2)));
    // Every call of one append, its two syncs among them.
    let of_one_append = (150..164).map(|call| (call, true));
    for (call, broken) in any.chain(of_one_append) {
        let errno = if broken { Errno::EIO } else { Errno::ENOSPC };
        let failure = Failure { call, how: How::Fails(errno) };
        let folder = tempdir_in_memory();
        let path = folder.path().join("log.db");
        let send = || command(&["wait", "append"], &path, &[0, 0, TRANSACTIONS]);
        let mut trace = Trace::of(folder.path());
        let Some(said) = trace.record(send(), Some(failure)) else {
            eprintln!(
                "skipped: this system does not permit to trace a process (ptrace), so no call can fail"
            );
            return;
        };
        let said = Said::from_lines(&said);
        failures += 1;
        refused += usize::from(!said.refusals.is_empty());
        let is_clear = |no: &String| !no.contains("SQLite refused") && !no.contains("damaged");
        assert!(said.refusals.iter().all(is_clear), "{failure:?}: {:?}", said.refusals);
        let what = format!("{failure:?}: {:?}", said.refusals.first());
        let failed = trace.ops.len();
        check_and(folder.path(), &said, &what, |_| Said::from_lines(&trace.record(send(), None).unwrap()));
        // The power fails while everything is sent again.
        let found = tempdir_in_memory();
        for seed in 0..sample(10, 4) as u64 {
            let image = Image::of(&trace, failed..=trace.ops.len(), 1_000 * call as u64 + seed);
            assert_eq!(image.check(found.path(), 0), Ok(()), "{what}: {}", image.what);
            images += 1;
        }
    }
    println!(
        "{failures} disks that fail once, {refused} made an append fail, and {images} losses of power after that: 0 \
         acknowledged events lost"
    );
    assert!(refused > failures / 4);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_call_that_fails_after_opening_costs_nothing_that_is_acknowledged_before_the_power_fails() {
    use crate::disk::Image;
    use crate::trace::{Failure, How, Trace};
    use nix::errno::Errno;

    // The name of a new write-ahead log is synced among these.
    for call in 0..24 {
        let (folder, found) = (tempdir_in_memory(), tempdir_in_memory());
        let path = folder.path().join("log.db");
        let append = |first, count| command(&["wait", "append"], &path, &[0, first, count]);
        let mut trace = Trace::of(folder.path());
        if trace.record(append(0, 3), None).is_none() {
            eprintln!(
                "skipped: this system does not permit to trace a process (ptrace), so no call can fail"
            );
            return;
        }
        let begun = trace.ops.len();
        trace.record(append(3, 4), Some(Failure { call, how: How::Fails(Errno::EIO) })).unwrap();
        for seed in 0..sample(20, 100) as u64 {
            let image = Image::of(&trace, begun..=trace.ops.len(), 1_000 * call as u64 + seed);
            assert_eq!(image.check(found.path(), 0), Ok(()), "call {call} fails; {}", image.what);
        }
    }
}
