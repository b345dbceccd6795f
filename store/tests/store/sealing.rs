//! Backups that are cut off and backups at the same time: a file that has the name of a backup is a complete one, and what a
//! killed process left is in nobody's way.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use annals_store::{BackupError, Log, VerifyOptions, anchor_path, compare, digest_path, verify};

use crate::child::{command, hold, kill_after, let_go, listen};
use crate::scene::{Scene, sample};
use crate::work::dice;

/// The files whose names begin as that of the backup does.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("copy"))
        .collect();
    names.sort();
    names
}

const WHOLE: [&str; 3] = ["copy.anchor", "copy.db", "copy.db.sha256"];

/// A log of some hundred events, with all its files closed.
fn log_to_copy() -> Scene {
    let scene = Scene::on_disk();
    let said = listen(command(&["append"], &scene.path(), &[0, 0, 60]).spawn().unwrap());
    assert_eq!(said.acks.len(), 60);
    scene
}

fn assert_is_good(log: &Path, to: &Path) {
    let report = verify(to, &VerifyOptions::default()).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
    assert!(digest_path(to).exists() && anchor_path(to).exists());
    assert_eq!((compare(log, to).unwrap(), compare(to, log).unwrap()), (None, None));
}

/// Repeats a backup that was cut off. It succeeds, unless the one that was cut off has its name, and is complete; and it leaves
/// nothing but the three files. Whether there was one already. Then all three are deleted.
fn repeat(log: &Path, to: &Path, what: &str) -> bool {
    let folder = to.parent().unwrap();
    let was_made = to.exists();
    if was_made {
        assert_is_good(log, to);
    }
    match Log::open(log).unwrap().backup(to) {
        Ok(_) => assert!(!was_made, "{what}"),
        Err(BackupError::Exists { path }) => {
            assert!(was_made && path == to, "{what}: {path:?} is in the way")
        }
        Err(error) => panic!("{what}: {error}"),
    }
    assert_is_good(log, to);
    let names: Vec<String> = names(folder).into_iter().filter(|name| !name.contains(".sealing-")).collect();
    assert_eq!(names, WHOLE, "{what}");
    for name in WHOLE {
        fs::remove_file(folder.join(name)).unwrap();
    }
    was_made
}

#[test]
fn a_backup_whose_maker_is_killed_at_any_time_blocks_nothing_and_is_made_by_the_next() {
    let scene = log_to_copy();
    let (path, to) = (scene.path(), scene.file("copy.db"));
    let before = hold(&path, &[], "before the backups");
    let start = || {
        let mut child = command(&["wait", "backup"], &path, &[]).arg(&to).spawn().unwrap();
        let_go(&mut child);
        child
    };
    // How long a backup that nobody disturbs takes to get its name.
    let mut times: Vec<Duration> = (0..7)
        .map(|_| {
            let (child, since) = (start(), Instant::now());
            while !to.exists() {
                std::thread::sleep(Duration::from_micros(200));
            }
            let time = since.elapsed();
            assert!(listen(child).done);
            assert!(repeat(&path, &to, "a backup that is made already"));
            time
        })
        .collect();
    times.sort();
    let (mut cut_off, mut named, kills) = (0, 0, sample(20, 400) as u64);
    for kill in 0..kills {
        let after = times[3].mul_f64((dice(&[40, kill]) % 1_000) as f64 / 1_000.0);
        kill_after(start(), 0, after);
        let left = names(scene.folder.path());
        cut_off += usize::from(!left.is_empty() && !to.exists());
        named +=
            usize::from(repeat(&path, &to, &format!("kill {kill} after {after:?}, which left {left:?}")));
        assert_eq!(names(scene.folder.path()), [""; 0], "kill {kill}");
        assert_eq!(hold(&path, &[], "the log that is copied"), before);
    }
    println!(
        "{kills} backups of {:?} were killed: {cut_off} were cut off at work, {named} had their name and are complete; the \
         same command made each of the others",
        times[3]
    );
    assert!(cut_off > kills as usize / 3, "{cut_off} of {kills}");
}

#[test]
fn two_backups_at_once_both_succeed_under_two_names_and_do_not_disturb_each_other_under_one() {
    let scene = log_to_copy();
    let path = scene.path();
    let rounds = sample(4, 40);
    let (mut made, mut refused) = (0, 0);
    for round in 0..rounds {
        // Names that an earlier version took for one: all but their last part is the same.
        let to =
            ["annals-2026.11.21", "annals-2026.11.22", "copy.db", "copy.db"].map(|name| scene.file(name));
        let mut children: Vec<_> =
            to.iter().map(|to| command(&["wait", "backup"], &path, &[]).arg(to).spawn().unwrap()).collect();
        children.iter_mut().for_each(let_go);
        let said: Vec<_> = children.into_iter().map(listen).collect();
        assert!(said[0].done && said[1].done, "round {round}: {said:?}");
        // Under one name there is one winner.
        let of_one_name = said[2..].iter().filter(|said| said.done).count();
        assert_eq!(of_one_name, 1, "round {round}: {said:?}");
        for said in said.iter().filter(|said| !said.done) {
            let is_clear = |words: &str| said.refusals.iter().all(|refusal| refusal.contains(words));
            assert!(
                is_clear("another backup of that name is being made")
                    || is_clear("exists, and was not overwritten")
            );
            refused += 1;
        }
        for to in &to[..3] {
            assert_is_good(&path, to);
            for file in [to.clone(), digest_path(to), anchor_path(to)] {
                fs::remove_file(file).unwrap();
            }
            made += 1;
        }
        let left = fs::read_dir(scene.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = left.filter(|name| !name.to_string_lossy().starts_with("log.")).collect();
        assert!(left.is_empty(), "round {round}: {left:?}");
    }
    println!("{rounds} times four backups at once, two of them of one name: {made} made, {refused} refused");
}

#[test]
fn a_backup_replaces_no_file_next_to_its_name() {
    let scene = Scene::with_events(20);
    let log = Log::open(&scene.path()).unwrap();
    let to = scene.file("copy.db");
    for (name, text) in
        [("copy.anchor", "mine"), ("copy.db.sha256", ""), ("copy.sealing", "mine"), ("copy.db", "")]
    {
        fs::write(scene.file(name), text).unwrap();
        let error = log.backup(&to).unwrap_err();
        assert!(
            matches!(&error, BackupError::Exists { path } if *path == scene.file(name)),
            "{name}: {error}"
        );
        assert_eq!(names(scene.folder.path()), [name]);
        assert_eq!(fs::read_to_string(scene.file(name)).unwrap(), text);
        fs::remove_file(scene.file(name)).unwrap();
    }
    // The anchor of a log that is gone is not taken for that of a backup that was cut off.
    fs::rename(scene.path(), scene.file("gone.db")).unwrap();
    let anchor = fs::read(scene.anchor()).unwrap();
    assert!(matches!(log.backup(&scene.path()), Err(BackupError::Exists { .. })));
    assert!(fs::read(scene.anchor()).unwrap() == anchor);
}

/// The same, where each call to the kernel can be met.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod traced {
    use std::process::Command;

    use nix::errno::Errno;

    use super::*;
    use crate::disk::Image;
    use crate::scene::tempdir_in_memory;
    use crate::trace::{Failure, How, Op, Trace};

    fn backup(scene: &Scene) -> Command {
        let mut command = command(&["wait", "backup"], &scene.path(), &[]);
        command.arg(scene.file("copy.db"));
        command
    }

    /// A recording of a backup; none where the system does not permit to trace.
    fn recorded(scene: &Scene, fail: Option<Failure>) -> Option<Trace> {
        let mut trace = Trace::of(scene.folder.path());
        let said = trace.record(backup(scene), fail);
        if said.is_none() {
            eprintln!("skipped: this system does not permit to trace a process (ptrace)");
        }
        said.map(|_| trace)
    }

    #[test]
    fn a_backup_that_is_killed_or_refused_at_any_call_is_made_by_the_next() {
        let scene = log_to_copy();
        let (path, to) = (scene.path(), scene.file("copy.db"));
        let Some(whole) = recorded(&scene, None) else { return };
        assert!(repeat(&path, &to, "undisturbed"));
        let counts = |op: &&Op| !matches!(op, Op::Create { .. } | Op::Say { .. });
        let calls = whole.ops.iter().filter(counts).count();
        let (mut named, mut orphans, mut trials) = (0, 0, 0);
        for how in [How::Killed, How::Fails(Errno::EIO), How::Fails(Errno::ENOSPC)] {
            // The last calls give the files their names: each of them is met.
            for call in (0..calls).filter(|call| calls - call < 12 || call % sample(13, 1) == 0) {
                recorded(&scene, Some(Failure { call, how })).unwrap();
                trials += 1;
                named += usize::from(repeat(&path, &to, &format!("{how:?} at call {call} of {calls}")));
                let left = names(scene.folder.path());
                // Only where the disk refused to delete a file.
                assert!(left.is_empty() || !matches!(how, How::Killed), "call {call}: {left:?}");
                orphans += left.len();
                left.iter().for_each(|name| fs::remove_file(scene.file(name)).unwrap());
            }
        }
        println!(
            "a backup of {calls} calls was killed or refused at a call {trials} times: {named} had their name and are \
             complete, the same command made each of the others; {orphans} files could not be deleted"
        );
        assert!(calls > 50 && named < trials / 2, "{named} of {trials}");
    }

    #[test]
    fn a_backup_that_has_its_name_after_a_loss_of_power_is_complete() {
        let scene = log_to_copy();
        let Some(trace) = recorded(&scene, None) else { return };
        let (folder, end) = (tempdir_in_memory(), trace.ops.len());
        let (path, to) = (folder.path().join("log.db"), folder.path().join("copy.db"));
        let (mut named, images) = (0, sample(60, 3_000));
        for seed in 0..images {
            // Every second time while the files get their names.
            let first = if seed % 2 == 0 { 0 } else { end - 12 };
            let image = Image::of(&trace, first..=end, seed as u64);
            image.write(folder.path());
            named += usize::from(repeat(&path, &to, &image.what));
        }
        println!(
            "{images} disks after a loss of power during a backup: {named} backups had their name, all complete"
        );
        assert!((1..images).contains(&named), "{named} of {images}");
    }
}
