//! After a real loss: the log stands still until somebody says that they know, then goes on, and neither forgets.

use std::fs;

use annals_events::{Event, LogEvent};
use annals_store::{
    AnchorProblem, AppendError, Finding, Log, LossError, MachineClock, OpenError, Remedy, Severity,
    Transaction, VerifyOptions, diagnose, restore_schema, salvage, verify,
};
use rusqlite::Connection;
use sha2::Digest as _;

use crate::scene::{Scene, acknowledged, numbered, sample};
use crate::tampering::unprotected;

/// A log of which the last events are gone for good: an older state under a newer anchor.
fn shortened(left: u64, acknowledged: u64) -> Scene {
    let scene = Scene::with_events(left);
    lengthen_only_the_anchor(&scene, acknowledged);
    scene
}

fn lengthen_only_the_anchor(scene: &Scene, acknowledged: u64) {
    let earlier = fs::read(scene.path()).unwrap();
    let mut log = scene.open();
    scene.fill(&mut log, acknowledged);
    drop(log);
    fs::write(scene.path(), earlier).unwrap();
}

fn accept(scene: &Scene) -> Result<(Log, annals_store::AcceptedLoss), LossError> {
    Log::accept_loss(&scene.path(), Box::new(scene.clock.clone()), "omar", "the disk died")
}

#[test]
fn a_loss_is_accepted_once_and_remembered_for_ever() {
    let scene = shortened(20, 30);
    let before = fs::read(scene.path()).unwrap();
    let refused = Log::open(&scene.path());
    let Err(OpenError::Anchor { problem, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(problem.word(), "acknowledged_events_missing");
    let missing = "10 acknowledged events are missing: the log ends at 20, but 30 had been acknowledged";
    assert_eq!(problem.to_string(), missing);
    assert_eq!(fs::read(scene.path()).unwrap(), before, "looking changed something");
    let (mut log, accepted) = accept(&scene).unwrap();
    assert_eq!((accepted.seq, accepted.anchored, accepted.left), (21, 30, 20));
    assert!(fs::read(&accepted.copies[0]).unwrap() == before, "the copy is not what was there");
    let event = log.event(21).unwrap().unwrap();
    let Ok(Event::Log(LogEvent::LossAcknowledged(loss))) = event.decode() else { panic!("{event:?}") };
    assert_eq!((loss.anchored_seq, loss.head_seq, loss.reason.as_str()), (30, 20, "the disk died"));
    scene.fill(&mut log, 25);
    drop(log);
    // The log goes on below the lost head, past it, and is whole each time.
    for length in [26, 40] {
        let mut log = scene.open();
        scene.fill(&mut log, length);
        drop(log);
        let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
        assert!(report.is_clean(), "{:?}", report.findings);
        let noted = |f: &Finding| matches!(f, Finding::LossAccepted { seq: 21, anchored: 30, left: 20, .. });
        assert!(report.findings.iter().any(noted), "{:?}", report.findings);
    }
    assert!(matches!(accept(&scene), Err(LossError::NothingLost { .. })));
}

#[test]
fn the_message_counts_the_missing_events() {
    for (end, counted) in [(21, "1 acknowledged event is missing"), (22, "2 acknowledged events are missing")]
    {
        let message = Log::open(&shortened(20, end).path()).unwrap_err().to_string();
        assert!(message.contains(counted), "{message}");
    }
}

#[test]
fn a_loss_after_a_loss_is_another_one() {
    let scene = shortened(10, 15);
    drop(accept(&scene).unwrap());
    lengthen_only_the_anchor(&scene, 20);
    assert!(Log::open(&scene.path()).is_err());
    let (log, accepted) = accept(&scene).unwrap();
    assert_eq!((accepted.anchored, accepted.left), (20, 11));
    drop(log);
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
    let losses = report.findings.iter().filter(|f| matches!(f, Finding::LossAccepted { .. })).count();
    assert_eq!(losses, 2);
    let second = accepted.copies[0].to_string_lossy().into_owned();
    assert!(second.contains("before-loss-2"), "{second}");
}

#[test]
fn a_record_of_an_accepted_loss_cannot_be_lost_with_what_it_accepts() {
    // The events that accept the loss are lost themselves.
    let scene = shortened(10, 15);
    let earlier = fs::read(scene.path()).unwrap();
    drop(accept(&scene).unwrap());
    fs::write(scene.path(), earlier).unwrap();
    let error = Log::open(&scene.path()).unwrap_err();
    assert!(
        matches!(error, OpenError::Anchor { problem: AnchorProblem::EventsMissing { .. }, .. }),
        "{error}"
    );
    drop(accept(&scene).unwrap());
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
}

#[test]
fn a_log_without_its_anchor_stands_still_until_somebody_says_so() {
    for spoiled in [None, Some(vec![0u8; 8192]), Some(b"no anchor".to_vec())] {
        let scene = Scene::with_events(12);
        match &spoiled {
            None => fs::remove_file(scene.anchor()).unwrap(),
            Some(bytes) => fs::write(scene.anchor(), bytes).unwrap(),
        }
        let error = Log::open(&scene.path()).unwrap_err();
        assert!(error.to_string().contains("nothing outside the database says"), "{error}");
        let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
        assert!(!report.is_whole());
        assert_eq!(report.intact, [1..=12]);
        let (mut log, accepted) = accept(&scene).unwrap();
        assert_eq!((accepted.seq, accepted.anchored), (13, 0));
        log.append(&Transaction::of(vec![numbered(100)])).unwrap();
        drop(log);
        assert!(verify(&scene.path(), &VerifyOptions::default()).unwrap().is_clean());
    }
}

#[test]
fn a_writer_acknowledges_nothing_when_a_loss_was_accepted_since_it_opened_the_log() {
    for block in [None, Some(0), Some(1)] {
        let scene = Scene::with_events(12);
        let mut log = scene.open();
        match block {
            None => fs::remove_file(scene.anchor()).unwrap(),
            Some(block) => {
                let mut bytes = fs::read(scene.anchor()).unwrap();
                bytes[block * 4096 + 40] ^= 1;
                fs::write(scene.anchor(), bytes).unwrap();
            }
        }
        let Ok((accepting, _)) = accept(&scene) else { continue };
        drop(accepting);
        // Its line would go into an anchor that no reader sees, or would be older than the one that is there.
        let error = log.append(&Transaction::of(vec![numbered(100)])).unwrap_err();
        assert!(matches!(error, AppendError::NotAcknowledged { .. }), "{error}");
        assert!(error.to_string().contains("another process replaced it"), "{error}");
        // After a failure of the anchor the handle accepts nothing more.
        for number in [100, 101] {
            let error = log.append(&Transaction::of(vec![numbered(number)])).unwrap_err();
            assert!(matches!(error, AppendError::Poisoned { .. }), "{error}");
        }
        drop(log);
        let mut log = scene.open();
        let again = log.append(&Transaction::of(vec![numbered(100)])).unwrap();
        assert_eq!((again.repeated, acknowledged(&scene.path()).seq), (true, again.last_seq));
    }
}

#[test]
fn one_damaged_line_of_the_anchor_is_a_warning_and_mended_by_the_next_appends() {
    let scene = Scene::with_events(12);
    for block in [0, 1] {
        let mut bytes = fs::read(scene.anchor()).unwrap();
        bytes[block * 4096 + 40] ^= 1;
        fs::write(scene.anchor(), bytes).unwrap();
        let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
        assert!(report.is_whole() && !report.is_clean());
        let worst = report.findings.iter().map(Finding::severity).max();
        assert_eq!(worst, Some(Severity::Warning), "{:?}", report.findings);
        let mut log = scene.open();
        let count = log.last_seq().unwrap();
        scene.fill(&mut log, count + 5);
        drop(log);
        assert!(verify(&scene.path(), &VerifyOptions::default()).unwrap().is_clean());
    }
}

#[test]
fn a_loss_is_not_accepted_where_something_else_is_wrong() {
    let scene = shortened(10, 15);
    Connection::open(scene.path()).unwrap().execute_batch("DROP TRIGGER event_no_update").unwrap();
    let error = accept(&scene).unwrap_err();
    assert!(error.to_string().contains("event_no_update"), "{error}");
    let healthy = Scene::with_events(3);
    assert!(matches!(accept(&healthy), Err(LossError::NothingLost { .. })));
}

#[test]
fn the_next_step_for_a_log_without_its_events_is_a_backup_or_salvage() {
    let scene = Scene::with_events(12);
    unprotected(&scene, |connection| connection.execute_batch("DELETE FROM event").unwrap());
    for sql in ["", "DROP TRIGGER event_no_update"] {
        Connection::open(scene.path()).unwrap().execute_batch(sql).unwrap();
        let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
        assert_eq!(report.remedy(), Some(Remedy::Salvage), "{:?}", report.findings);
    }
    // Nothing states that it had any: it is no whole log either.
    fs::write(scene.anchor(), anchor_of_no_event(&scene)).unwrap();
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert_eq!((report.is_whole(), report.first_bad()), (false, Some(1)), "{:?}", report.findings);
    // No other command would be accepted.
    assert!(accept(&scene).is_err() && restore_schema(&scene.path()).is_err());
    let mut saved = Vec::new();
    assert_eq!(salvage(&scene.path(), &mut saved).unwrap().acknowledged, Some(0));
}

/// What the anchor of a new log has before its first acknowledgement.
fn anchor_of_no_event(scene: &Scene) -> Vec<u8> {
    let log = Log::inspect(&scene.path());
    let id = annals_events::LogId([0x42; 16]);
    assert!(log.is_err(), "a log without events was opened");
    let root = annals_store::merkle::Frontier::new().root();
    let head = format!("log={id} seq=0 hash={} root={root}", annals_store::chain::genesis(id));
    let line = format!("annals-anchor/1 epoch=0 {head} peaks=");
    let sum = annals_events::Hash(sha2::Sha256::digest(line.as_bytes()).into());
    let mut block = format!("{line} sum={sum}").into_bytes();
    block.resize(4095, b' ');
    block.push(b'\n');
    block.repeat(2)
}

#[test]
fn the_doctor_says_what_is_the_case_and_what_to_do() {
    let scene = Scene::with_events(12);
    let well = diagnose(&scene.path(), &scene.clock, true);
    assert!(well.is_well(), "{:?}", well.advice);
    assert_eq!((well.last, well.acknowledged, well.clock), (Some(12), Some(12), Some("simulated")));
    assert!(well.sync_micros.is_some() && well.bytes.unwrap() > 10_000 && well.free_bytes.is_some());
    assert!(!scene.file("annals-doctor.probe").exists());
    let json = serde_json::to_value(&well).unwrap();
    assert_eq!((json["last"].as_u64(), json["log"].as_str().map(str::len)), (Some(12), Some(32)));

    let ill = shortened(10, 15);
    let advice = diagnose(&ill.path(), &ill.clock, false);
    assert!(!advice.is_well());
    assert!(advice.advice[0].text.contains("the loss can be accepted"), "{:?}", advice.advice);
    let report = verify(&ill.path(), &VerifyOptions::default()).unwrap();
    assert_eq!(report.remedy(), Some(Remedy::AcceptLoss));
    assert_eq!((advice.last, advice.acknowledged), (Some(10), Some(15)));

    scene.clock.set(0);
    let behind = diagnose(&scene.path(), &scene.clock, false);
    assert!(behind.advice.iter().any(|advice| advice.text.contains("annals doctor --confirm-clock")));
    // The machine's clock says nothing about a simulated log.
    assert!(diagnose(&scene.path(), &MachineClock, false).is_well());
}

#[test]
fn the_doctor_finds_what_is_wrong_around_a_log() {
    let says = |scene: &Scene, path: &str, words: &str| {
        let found = diagnose(&scene.file(path), &scene.clock, false);
        assert!(!found.is_well(), "{:?}", found.advice);
        assert!(found.advice.iter().any(|advice| advice.text.contains(words)), "{:?}", found.advice);
        found
    };
    let scene = Scene::with_events(12);
    let nothing = says(&scene, "nothing.db", "no such file");
    assert_eq!((nothing.last, nothing.bytes), (None, None));

    let anchor = fs::read(scene.anchor()).unwrap();
    let mut spoiled = anchor.clone();
    spoiled[50] ^= 1;
    fs::write(scene.anchor(), &spoiled).unwrap();
    says(&scene, "log.db", "one of its two lines cannot be read");
    spoiled[4096 + 50] ^= 1;
    fs::write(scene.anchor(), &spoiled).unwrap();
    says(&scene, "log.db", "Look for the anchor in a backup");
    fs::remove_file(scene.anchor()).unwrap();
    says(&scene, "log.db", "Look for the anchor in a backup");
    fs::write(scene.anchor(), &anchor).unwrap();

    Connection::open(scene.path()).unwrap().execute_batch("DROP TRIGGER event_no_update").unwrap();
    says(&scene, "log.db", "trigger event_no_update is missing");
    fs::write(scene.path(), b"not a database, but something longer than the header of one").unwrap();
    says(&scene, "log.db", "save what is intact");
    fs::remove_file(scene.path()).unwrap();
    let gone = says(&scene, "log.db", "its anchor states 12 acknowledged events");
    assert_eq!(gone.acknowledged, Some(12));
}

#[test]
fn dropped_and_added_triggers_are_restored_and_the_head_stays() {
    let scene = Scene::with_events(12);
    let head = Log::open(&scene.path()).unwrap().acknowledged();
    let sql = "DROP TRIGGER event_no_update; DROP TRIGGER tree_no_delete;
        CREATE TRIGGER tree_no_delete BEFORE DELETE ON tree BEGIN SELECT 1; END;
        CREATE TABLE \"my \"\"notes\" (a); INSERT INTO \"my \"\"notes\" VALUES (1);
        CREATE VIEW seen AS SELECT seq FROM event; CREATE INDEX by_actor ON event (actor);
        CREATE TRIGGER spy AFTER INSERT ON event BEGIN DELETE FROM tree; END";
    Connection::open(scene.path()).unwrap().execute_batch(sql).unwrap();
    let before = fs::read(scene.path()).unwrap();
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert_eq!(report.remedy(), Some(Remedy::RestoreSchema), "{:?}", report.findings);
    let restored = restore_schema(&scene.path()).unwrap();
    assert_eq!(restored.objects.len(), 6, "{:?}", restored.objects);
    assert!(fs::read(&restored.copies[0]).unwrap() == before || restored.copies.len() > 2, "no copy");
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert!(report.is_clean() && report.remedy().is_none(), "{:?}", report.findings);
    assert_eq!(Log::open(&scene.path()).unwrap().acknowledged(), head);
    assert!(restore_schema(&scene.path()).is_err());
}

#[test]
fn what_is_named_for_a_flipped_bit_of_the_schema_is_accepted() {
    let scene = Scene::with_events(3);
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
    Connection::open(scene.path()).unwrap().query_row(checkpoint, [], |_| Ok(())).unwrap();
    let (log, anchor) = (fs::read(scene.path()).unwrap(), fs::read(scene.anchor()).unwrap());
    // The rows of `sqlite_schema` are in the first page, after the header of the file.
    let page = usize::from(u16::from_be_bytes([log[16], log[17]]));
    let (mut restored, mut saved) = (0, 0);
    for bit in (100 * 8..page * 8).step_by(sample(13, 1)) {
        let scene = Scene::empty();
        let mut flipped = log.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(scene.path(), flipped).unwrap();
        fs::write(scene.anchor(), &anchor).unwrap();
        let verified = || verify(&scene.path(), &VerifyOptions::default());
        let Ok(report) = verified() else { continue };
        match report.remedy() {
            Some(Remedy::RestoreSchema) => {
                let done = restore_schema(&scene.path());
                assert!(done.is_ok(), "bit {bit}: {:?}: {done:?}", report.findings);
                let report = verified().unwrap();
                assert!(report.is_clean() && report.intact == [1..=3], "bit {bit}: {:?}", report.findings);
                restored += 1;
            }
            Some(remedy) => {
                assert_eq!(remedy, Remedy::Salvage, "bit {bit}: {:?}", report.findings);
                saved += 1;
            }
            None => assert!(report.is_clean(), "bit {bit}: {:?}", report.findings),
        }
    }
    println!("flipped bits of the schema: {restored} restored, {saved} left to salvage");
    assert!(restored > 0 && saved > 0);
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_loss_accepted_again_after_a_failed_call_survives_a_loss_of_power() {
    use crate::child::{command, listen};
    use crate::disk::Image;
    use crate::trace::{Failure, How, Trace};
    use nix::errno::Errno;

    for call in 0..40 {
        let scene = Scene::empty();
        let append = |first| {
            let mut writer = command(&["append"], &scene.path(), &[0, first, 5]);
            assert!(listen(writer.spawn().unwrap()).done);
        };
        append(0);
        let earlier = fs::read(scene.path()).unwrap();
        let left = Log::inspect(&scene.path()).unwrap().last_seq().unwrap();
        append(5);
        fs::write(scene.path(), earlier).unwrap();
        let mut trace = Trace::of(scene.folder.path());
        let accept = || command(&["wait", "accept"], &scene.path(), &[]);
        let failure = Failure { call, how: How::Fails(Errno::EIO) };
        let Some(_) = trace.record(accept(), Some(failure)) else { return };
        let Some(said) = trace.record(accept(), None) else { return };
        let said = String::from_utf8(said).unwrap();
        // The line of the new epoch may be readable and not safe; then nothing was accepted, and nothing is missing.
        assert!(said.contains("done") || said.contains("nothing acknowledged is missing"), "{call}: {said}");
        if !said.contains("done") {
            continue;
        }
        let end = trace.ops.len();
        let found = Scene::empty();
        for seed in 0..crate::scene::sample(3, 20) as u64 {
            let image = Image::of(&trace, end..=end, seed);
            image.write(found.folder.path());
            let log = Log::inspect(&found.path()).unwrap();
            assert!(log.problems().is_empty(), "call {call}, {}: {:?}", image.what, log.problems());
            assert!(log.last_seq().unwrap() > left, "call {call}, {}", image.what);
        }
    }
}

/// The same, where each call to the kernel can be met.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod traced {
    use super::*;
    use crate::child::serving;
    use crate::process::Process;
    use crate::scene::START;
    use crate::trace::{Failure, How, Trace};
    use annals_store::Report;

    #[test]
    fn an_acceptance_that_is_killed_at_any_call_is_recorded_or_is_the_next_step_again() {
        for without_anchor in [true, false] {
            let killed_at = |call| acceptance_killed_at(call, without_anchor);
            let calls = (0..60).take_while(|call| killed_at(*call)).count();
            assert!((20..60).contains(&calls), "{calls}");
        }
    }

    /// Whether it was killed before its end; each time the loss is recorded, or to be accepted again.
    fn acceptance_killed_at(call: usize, without_anchor: bool) -> bool {
        let scene = shortened(10, 15);
        if without_anchor {
            fs::remove_file(scene.anchor()).unwrap();
        }
        let mut process =
            Process::start(serving(&scene.path(), "simulated")).expect("a process that can be traced");
        let failure = Failure { call, how: How::Killed };
        let line = format!("accept {}", START + 1_000_000_000);
        let said = process.ask(&mut Trace::of(scene.folder.path()), &line, Some(failure));
        drop(process);
        let what = format!("killed at call {call}, which left");
        let found = verify(&scene.path(), &VerifyOptions::default()).unwrap();
        match found.remedy() {
            Some(Remedy::AcceptLoss) => drop(accept(&scene).unwrap()),
            other => {
                assert!(other.is_none() && recorded(&found) > 0, "{what} {other:?}: {:?}", found.findings)
            }
        }
        let found = verify(&scene.path(), &VerifyOptions::default()).unwrap();
        assert!(found.is_clean() && recorded(&found) > 0, "{what} {:?}", found.findings);
        said.is_none()
    }

    fn recorded(found: &Report) -> usize {
        found.findings.iter().filter(|finding| matches!(finding, Finding::LossAccepted { .. })).count()
    }
}
