//! The stored Merkle tree is damaged, or the anchor speaks of a loss that nobody recorded: nothing false is printed or anchored,
//! and the tree is made again from the hashes.

use std::fs;

use annals_events::Hash;
use annals_store::{
    AnchorProblem, AppendError, Finding, Log, LossError, OpenError, Remedy, RepairError, Transaction,
    VerifyOptions, diagnose, rebuild_tree, verify,
};
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::scene::{Scene, numbered, sample};
use crate::tampering::unprotected;

const EVENTS: u64 = 13;

/// Does something to the table of the tree.
fn change_tree(scene: &Scene, sql: &str) {
    unprotected(scene, |connection| {
        connection.execute_batch("PRAGMA ignore_check_constraints = 1").unwrap();
        connection.execute_batch(sql).unwrap();
    });
}

fn peaks(scene: &Scene) -> Vec<u8> {
    let connection = Connection::open(scene.path()).unwrap();
    connection.query_row("SELECT peaks FROM tree", [], |row| row.get(0)).unwrap()
}

/// The log is refused, everything says so, and the tree is made again.
fn refused_and_rebuilt(scene: &Scene, what: &str) {
    let before = (fs::read(scene.path()).unwrap(), fs::read(scene.anchor()).unwrap());
    let acknowledged = Log::inspect(&scene.path()).unwrap().acknowledged().unwrap();
    for error in [
        Log::open(&scene.path()).unwrap_err(),
        Log::open_for_append(&scene.path(), Box::new(scene.clock.clone())).unwrap_err(),
    ] {
        assert!(matches!(error, OpenError::Tree { .. }), "{what}: {error}");
    }
    let looked = Log::inspect(&scene.path()).unwrap();
    assert!(looked.head().is_err(), "{what}: a false root");
    assert!(looked.prove_inclusion(3).is_err(), "{what}: a proof of a false root");
    assert!(looked.backup(&scene.file("copy.db")).is_err(), "{what}");
    drop(looked);
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert!(
        report.findings.iter().any(|f| matches!(f, Finding::Tree { .. })),
        "{what}: {:?}",
        report.findings
    );
    assert_eq!((report.is_whole(), &report.intact), (false, &vec![1..=EVENTS]), "{what}");
    let advice = diagnose(&scene.path(), &scene.clock, false).advice;
    assert!(advice.iter().any(|advice| advice.text.contains("tree can be made again")), "{what}: {advice:?}");
    assert_eq!(report.remedy(), Some(Remedy::RebuildTree), "{what}");
    let accepted = Log::accept_loss(&scene.path(), Box::new(scene.clock.clone()), "omar", "no loss");
    assert!(matches!(accepted, Err(LossError::Open(OpenError::Tree { .. }))), "{what}: {accepted:?}");
    assert!((fs::read(scene.path()).unwrap(), fs::read(scene.anchor()).unwrap()) == before, "{what}");

    let rebuilt = rebuild_tree(&scene.path()).unwrap();
    assert_eq!(rebuilt.head, acknowledged, "{what}");
    assert!(fs::read(&rebuilt.copies[0]).unwrap() == before.0, "{what}: the copy is not what was there");
    let mut log = scene.open();
    scene.fill(&mut log, EVENTS + 4);
    drop(log);
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert!(report.is_clean(), "{what}: {:?}", report.findings);
    assert!(matches!(rebuild_tree(&scene.path()), Err(RepairError::Sound { .. })), "{what}");
}

#[test]
fn every_flipped_bit_of_the_stored_tree_is_refused_and_the_tree_is_made_again() {
    let bits = 8 * peaks(&Scene::with_events(EVENTS)).len();
    let mut flips = 0;
    for bit in (0..bits).step_by(sample(59, 1)) {
        let scene = Scene::with_events(EVENTS);
        let mut peaks = peaks(&scene);
        peaks[bit / 8] ^= 1 << (bit % 8);
        unprotected(&scene, |connection| {
            connection.execute("UPDATE tree SET peaks = ?1", [peaks]).unwrap();
        });
        refused_and_rebuilt(&scene, &format!("bit {bit}"));
        flips += 1;
    }
    println!("{flips} flips of the {bits} bits of a stored tree: all refused, all made again");
}

#[test]
fn a_tree_of_another_size_or_with_a_second_row_or_with_none_is_refused_and_made_again() {
    let changes = [
        "UPDATE tree SET size = size - 1",
        "UPDATE tree SET peaks = x'00'",
        "UPDATE tree SET only = 2",
        "INSERT INTO tree SELECT 2, size, peaks FROM tree",
        "DELETE FROM tree",
    ];
    for sql in changes {
        let scene = Scene::with_events(EVENTS);
        change_tree(&scene, sql);
        refused_and_rebuilt(&scene, sql);
    }
    println!("{} other changes of a stored tree: all refused, all made again", changes.len());
}

#[test]
fn a_tree_that_is_changed_while_the_log_is_open_is_never_anchored() {
    let scene = Scene::with_events(EVENTS);
    let mut log = scene.open();
    let before = log.acknowledged();
    change_tree(&scene, "UPDATE tree SET peaks = zeroblob(length(peaks))");
    let error = log.append(&Transaction::of(vec![numbered(100)])).unwrap_err();
    assert!(matches!(error, AppendError::Damaged { .. }) && error.to_string().contains("root"), "{error}");
    assert_eq!((log.acknowledged(), log.last_seq().unwrap()), (before, EVENTS));
    assert!(log.head().is_err());
    drop(log);
    refused_and_rebuilt(&scene, "while it was open");
}

#[test]
fn a_tree_is_not_made_over_damaged_events() {
    let scene = Scene::with_events(EVENTS);
    change_tree(
        &scene,
        "UPDATE tree SET peaks = zeroblob(length(peaks)); UPDATE event SET actor = 'x' WHERE seq = 5",
    );
    let before = fs::read(scene.path()).unwrap();
    let error = rebuild_tree(&scene.path()).unwrap_err();
    assert!(matches!(error, RepairError::Damaged { .. }) && error.to_string().contains("event 5"), "{error}");
    assert!(fs::read(scene.path()).unwrap() == before);
}

#[test]
fn a_false_tree_without_an_anchor_is_not_anchored_by_accepting_the_loss() {
    let scene = Scene::with_events(EVENTS);
    change_tree(&scene, "UPDATE tree SET peaks = zeroblob(length(peaks))");
    fs::remove_file(scene.anchor()).unwrap();
    let accept =
        || Log::accept_loss(&scene.path(), Box::new(scene.clock.clone()), "omar", "the anchor is gone");
    let error = accept().unwrap_err();
    assert!(matches!(error, LossError::Open(OpenError::Tree { .. })), "{error}");
    rebuild_tree(&scene.path()).unwrap();
    drop(accept().unwrap());
    assert!(verify(&scene.path(), &VerifyOptions::default()).unwrap().is_clean());
}

/// Gives both lines of the anchor another epoch, with the checksum that goes with it.
fn set_epoch(scene: &Scene, epoch: u64) {
    let bytes = fs::read(scene.anchor()).unwrap();
    let mut forged = Vec::new();
    for block in bytes.chunks(4096) {
        let text = std::str::from_utf8(block).unwrap();
        let (line, _) = text.split_once(" sum=").unwrap();
        let line = line.replace("epoch=0", &format!("epoch={epoch}"));
        let mut block = format!("{line} sum={}", Hash(Sha256::digest(line.as_bytes()).into())).into_bytes();
        block.resize(4095, b' ');
        block.push(b'\n');
        forged.extend(block);
    }
    fs::write(scene.anchor(), forged).unwrap();
}

#[test]
fn an_epoch_without_a_recorded_loss_is_a_finding_and_is_never_counted_past_the_end() {
    for epoch in [1, 3, u64::MAX] {
        let scene = Scene::with_events(EVENTS);
        set_epoch(&scene, epoch);
        let error = Log::open(&scene.path()).unwrap_err();
        let problem = AnchorProblem::LossNotRecorded { accepted: epoch, recorded: 0 };
        assert!(matches!(&error, OpenError::Anchor { problem: found, .. } if *found == problem), "{error}");
        let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
        assert!(report.findings.contains(&Finding::Anchor(problem)), "{:?}", report.findings);
        let accepted = Log::accept_loss(&scene.path(), Box::new(scene.clock.clone()), "omar", "forged");
        assert_eq!(accepted.is_ok(), epoch < 100, "{accepted:?}");
        drop(accepted);
        if epoch < 100 {
            let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
            assert!(report.is_clean(), "{:?}", report.findings);
        }
    }
}
