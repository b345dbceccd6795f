//! Backups: sealed, whole, and of use.

use std::fs;
use std::process::Command;

use annals_store::{
    BackupError, Finding, Log, OpenError, Transaction, VerifyOptions, anchor_path, compare, diagnose,
    digest_path, verify,
};
use rusqlite::Connection;

use crate::scene::{Scene, numbered, sample};

#[test]
fn a_backup_is_sealed_whole_and_stands_for_itself() {
    let scene = Scene::with_events(50);
    let mut log = scene.open();
    let sealed = log.backup(&scene.file("copy.db")).unwrap();
    assert_eq!(sealed.head, log.head().unwrap());
    // The log goes on; the copy stays as it is.
    scene.fill(&mut log, 60);
    let copy = Log::open(&sealed.path).unwrap();
    assert_eq!(copy.head().unwrap(), sealed.head);
    assert_eq!(copy.acknowledged(), Some(sealed.head));
    assert!(verify(&sealed.path, &VerifyOptions::default()).unwrap().is_clean());
    assert_eq!(compare(&scene.path(), &sealed.path).unwrap(), None);
    assert_eq!(compare(&sealed.path, &scene.path()).unwrap(), Some(51));
    assert!(log.prove_consistency(&sealed.head).unwrap().holds());
    assert!(fs::metadata(&sealed.path).unwrap().permissions().readonly());
    let names: Vec<String> = fs::read_dir(scene.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("copy"))
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
    let error = Log::open_for_append(&sealed.path, Box::new(scene.clock.clone())).unwrap_err();
    assert!(error.to_string().contains("sealed"), "{error}");
    assert!(matches!(log.backup(&sealed.path), Err(BackupError::Exists { .. })));
    assert!(matches!(log.backup(&scene.path()), Err(BackupError::Exists { .. })));
    // Where the usual tool is, it agrees with the digest.
    let checked = Command::new("sha256sum")
        .arg("--check")
        .arg(digest_path(&sealed.path))
        .current_dir(scene.folder.path())
        .output();
    assert!(checked.map_or(true, |output| output.status.success()));
}

/// A log with 20 events of which there is a backup.
fn backed_up() -> Scene {
    let scene = Scene::with_events(20);
    Log::open(&scene.path()).unwrap().backup(&scene.file("copy.db")).unwrap();
    scene
}

/// The backup in the place of a log.
fn put_back(scene: &Scene) -> Scene {
    let restored = Scene::empty();
    restored.clock.set(annals_store::Clock::now(&scene.clock));
    // Written again, it has no mark of a sealed file.
    fs::write(restored.path(), fs::read(scene.file("copy.db")).unwrap()).unwrap();
    fs::write(restored.anchor(), fs::read(scene.file("copy.anchor")).unwrap()).unwrap();
    restored
}

#[test]
fn a_backup_becomes_a_log_again_when_it_is_put_back() {
    let scene = backed_up();
    let restored = put_back(&scene);
    let mut log = restored.open();
    assert_eq!(log.append(&Transaction::of(vec![numbered(500)])).unwrap().first_seq, 21);
    drop(log);
    assert!(verify(&restored.path(), &VerifyOptions::default()).unwrap().is_clean());
    // Put back over a log that had come further, it is a loss, and said to be one.
    let mut log = scene.open();
    scene.fill(&mut log, 30);
    drop(log);
    fs::remove_file(scene.path()).unwrap();
    fs::copy(scene.file("copy.db"), scene.path()).unwrap();
    assert!(matches!(Log::open(&scene.path()), Err(OpenError::Anchor { .. })));
}

#[test]
fn a_backup_of_an_earlier_version_names_the_file_that_holds_its_anchor() {
    let scene = Scene::with_events(20);
    let to = scene.file("annals-2026.11.21");
    Log::open(&scene.path()).unwrap().backup(&to).unwrap();
    let earlier = scene.file("annals-2026.11.anchor");
    fs::rename(anchor_path(&to), &earlier).unwrap();
    let command = format!("run `mv {} {}`", earlier.display(), anchor_path(&to).display());
    let error = Log::open(&to).unwrap_err();
    assert!(error.to_string().contains(&command), "{error}");
    let report = verify(&to, &VerifyOptions::default()).unwrap();
    assert!(report.findings.iter().any(|finding| finding.to_string().contains(&command)));
    let advice = diagnose(&to, &scene.clock, false).advice;
    assert!(advice.iter().any(|advice| advice.text.contains(&command)), "{advice:?}");
    fs::rename(&earlier, anchor_path(&to)).unwrap();
    assert!(verify(&to, &VerifyOptions::default()).unwrap().is_clean());
}

#[test]
fn every_flipped_bit_of_a_sealed_file_is_reported_used_or_not() {
    let scene = Scene::with_events(10);
    Log::open(&scene.path()).unwrap().backup(&scene.file("copy.db")).unwrap();
    let original = fs::read(scene.file("copy.db")).unwrap();
    fs::remove_file(scene.file("copy.db")).unwrap();
    let mut flips = 0;
    for bit in (0..original.len() * 8).step_by(sample(4_999, 101)) {
        let mut bytes = original.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(scene.file("copy.db"), &bytes).unwrap();
        flips += 1;
        match verify(&scene.file("copy.db"), &VerifyOptions::default()) {
            Err(_) => {}
            Ok(report) => {
                assert!(report.findings.iter().any(|f| matches!(f, Finding::Digest { .. })), "bit {bit}");
            }
        }
    }
    println!("{flips} flips in a sealed file, all reported");
}

#[test]
fn a_damaged_backup_is_no_witness_for_or_against_a_log() {
    let scene = Scene::with_events(30);
    let sealed = Log::open(&scene.path()).unwrap().backup(&scene.file("copy.db")).unwrap();
    let options = VerifyOptions { backups: vec![sealed.path.clone()], ..VerifyOptions::default() };
    assert!(verify(&scene.path(), &options).unwrap().is_clean());
    let original = fs::read(&sealed.path).unwrap();
    fs::remove_file(&sealed.path).unwrap();
    let found = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|window| window == what);
    // In a payload, which no stored hash shows to be another one; then in a stored hash.
    let payload = found(&original, br#"{"number":17,"#).unwrap() + 10;
    let hash = Log::open(&scene.path()).unwrap().event(17).unwrap().unwrap().hash;
    let hash = found(&original, hash.as_bytes()).unwrap();
    for at in [payload, hash] {
        let mut bytes = original.clone();
        bytes[at] ^= 1;
        fs::write(&sealed.path, &bytes).unwrap();
        let report = verify(&scene.path(), &options).unwrap();
        let digest = digest_path(&sealed.path);
        let is_said = |finding: &Finding| matches!(finding, Finding::Digest { path, .. } if *path == digest);
        assert!(report.findings.iter().any(is_said), "{:?}", report.findings);
        assert_eq!((report.first_bad(), report.intact), (None, vec![1..=30]));
    }
}

#[test]
fn a_damaged_log_yields_no_backup() {
    let scene = Scene::with_events(20);
    let connection = Connection::open(scene.path()).unwrap();
    connection
        .execute_batch("DROP TRIGGER event_no_update; UPDATE event SET actor = 'x' WHERE seq = 7")
        .unwrap();
    drop(connection);
    let log = Log::inspect(&scene.path()).unwrap();
    let error = log.backup(&scene.file("copy.db")).unwrap_err();
    assert!(matches!(error, BackupError::Damaged { .. }), "{error}");
    let left = fs::read_dir(scene.folder.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("copy"));
    assert_eq!(left.count(), 0);
}

#[test]
fn a_log_in_a_folder_that_cannot_be_written_is_read_all_the_same() {
    let scene = Scene::with_events(20);
    let folder = scene.folder.path();
    let mut permissions = fs::metadata(folder).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder, permissions.clone()).unwrap();
    let read = Log::open(&scene.path()).map(|log| log.last_seq().unwrap());
    #[allow(clippy::permissions_set_readonly_false)]
    permissions.set_readonly(false);
    fs::set_permissions(folder, permissions).unwrap();
    assert_eq!(read.unwrap(), 20);
}

/// The first use of a backup in the place of its log, with each instant of it met.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_power_may_fail_at_any_instant_of_the_first_use_of_a_backup_that_was_put_back() {
    use crate::child::serving;
    use crate::disk::Image;
    use crate::process::Process;
    use crate::scene::START;
    use crate::trace::Trace;

    let scene = backed_up();
    let restored = put_back(&scene);
    let mut trace = Trace::of(restored.folder.path());
    let Some(mut process) = Process::start(serving(&restored.path(), "simulated")) else {
        eprintln!("skipped: this system does not permit to trace a process (ptrace)");
        return;
    };
    let now = START + 1_000_000_000;
    for line in [format!("open {now}"), format!("append 1 {now}"), "close".to_owned()] {
        let said = process.ask(&mut trace, &line, None).unwrap();
        assert!(said.starts_with("ok"), "{line}: {said}");
    }
    drop(process);
    for instant in 0..=trace.ops.len() {
        for seed in 0..sample(4, 40) as u64 {
            let image = Image::of(&trace, instant..=instant, seed);
            image.write(restored.folder.path());
            let report = verify(&restored.path(), &VerifyOptions::default()).unwrap_or_else(|error| {
                panic!("{}: {error}", image.what);
            });
            assert!(report.is_whole() && report.last >= 20, "{}: {:?}", image.what, report.findings);
            restored.clock.set(now);
            restored.open().append(&Transaction::of(vec![numbered(100)])).unwrap();
        }
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn two_processes_open_a_backup_that_was_put_back_wherever_one_is_when_the_other_begins() {
    use crate::child::serving;
    use crate::process::{Process, Progress};
    use crate::scene::START;
    use crate::trace::Trace;

    let scene = backed_up();
    for calls in (0..1_000).step_by(sample(5, 1)) {
        let restored = put_back(&scene);
        let mut trace = Trace::of(restored.folder.path());
        let started = |seed| {
            let mut process = Process::seeded(serving(&restored.path(), "simulated"), seed)?;
            process.begin(&format!("open {}", START + 1_000_000_000), None);
            Some(process)
        };
        let (Some(mut one), Some(mut other)) = (started(1), started(2)) else {
            eprintln!("skipped: this system does not permit to trace a process (ptrace)");
            return;
        };
        let was_done = (0..calls).any(|_| one.go_on(&mut trace) == Progress::Idle);
        // Each goes on until it waits for the other, or is done.
        let mut working = vec![&mut other];
        if !was_done {
            working.push(&mut one);
        }
        while !working.is_empty() {
            working.retain_mut(|process| {
                let mut stops = std::iter::repeat_with(|| process.go_on(&mut trace));
                match stops.find(|progress| *progress != Progress::Working) {
                    Some(Progress::Idle) => {
                        assert_eq!(process.answer(), "ok", "after {calls} calls of the other");
                        false
                    }
                    Some(Progress::Sleeping) => true,
                    progress => panic!("{progress:?} after {calls} calls of the other"),
                }
            });
        }
        if was_done {
            assert_eq!(one.answer(), "ok");
            return;
        }
    }
    panic!("a process does not come to the end of its opening");
}
