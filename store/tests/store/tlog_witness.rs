//! A log that signs checkpoints, and witnesses that watch it: rewritten logs and anchors, losses, keys that change.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use annals_events::{Entry, Event, EventId, GameEvent, LogId, Side, TurnTaken};
use annals_store::tlog::checkpoint::SignedCheckpoint;
use annals_store::tlog::key::PrivateKey;
use annals_store::tlog::note::Signed;
use annals_store::tlog::signing::{SigningError, key_path, signed_path};
use annals_store::tlog::witness::{Refusal, Witness};
use annals_store::{
    Finding, Log, LossError, NewEvent, NewLog, SetClock, Transaction, VerifyOptions, anchor_path, verify,
};
use sha2::{Digest, Sha256};

/// Of the thousand rewrites, which wait for the disk.
const THREADS: u64 = 8;

const START: i64 = 1_600_000_000_000_000;

/// Events of a log: a number that each one states.
fn written(folder: &Path, key: Option<&Path>, numbers: &[u64]) -> Log {
    let path = folder.join("log.db");
    let new = NewLog { log_id: LogId([3; 16]), program: "test".into(), note: None, actor: "omar".into() };
    let mut log = Log::create(&path, &new, Box::new(SetClock::at(START))).unwrap();
    if let Some(key) = key {
        std::fs::copy(key, key_path(&path)).unwrap();
    }
    log.create_key("omar").unwrap();
    append(&mut log, numbers);
    log
}

fn append(log: &mut Log, numbers: &[u64]) {
    let events = numbers.iter().enumerate().map(|(at, number)| {
        let turn = GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, format!("Ra1 {number}")));
        let stream = format!("game/{number}-{at}").parse().unwrap();
        let digest: [u8; 32] = Sha256::digest(format!("{number} {at} {:?}", log.last_seq())).into();
        let id = EventId(digest[..16].try_into().unwrap());
        NewEvent::new(stream, id, START, "omar", &Entry::from(Event::from(turn))).unwrap()
    });
    let events: Vec<NewEvent> = events.collect();
    log.append(&Transaction::of(events)).unwrap();
}

fn witnesses(folder: &Path, count: usize) -> Vec<Witness> {
    (1..=count)
        .map(|n| Witness::create(&folder.join(format!("w{n}")), &format!("club.example/w{n}")).unwrap())
        .collect()
}

fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

/// Who rewrites has the log, its anchor and its private key, and removes the list of what was signed.
#[test]
fn three_witnesses_catch_a_thousand_rewrites_of_log_and_anchor() {
    let folder = tempfile::tempdir().unwrap();
    let numbers: Vec<u64> = (0..40).collect();
    let home = folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let mut log = written(&home, None, &numbers);
    let watching = witnesses(folder.path(), 3);
    let key = log.verifier_key().unwrap().unwrap();
    let request = log.request_cosignature(0).unwrap().to_string();
    for witness in &watching {
        witness.watch(&key, None, false).unwrap();
        witness.cosign(&request, 1).unwrap();
    }
    let seen = log.last_seq().unwrap();
    // The honest log grows, and is cosigned again.
    append(&mut log, &[1000]);
    let request = log.request_cosignature(seen).unwrap().to_string();
    assert!(watching.iter().all(|witness| witness.cosign(&request, 2).is_ok()));
    let seen = log.last_seq().unwrap();
    let mut all = numbers.clone();
    all.push(1000);

    let caught = AtomicU32::new(0);
    let rewrites = &|thread: u64| {
        let mut seed = 6 + thread;
        for n in 0..1000 / THREADS {
            let mut forged = all.clone();
            let at = next(&mut seed) as usize % forged.len();
            match n % 4 {
                0 => forged[at] += 5000,
                1 => drop(forged.remove(at)),
                2 => forged.insert(at, 7000),
                _ => {
                    let other = (at + 1 + next(&mut seed) as usize % (forged.len() - 1)) % forged.len();
                    forged.swap(at, other);
                }
            }
            // Later events hide that the log is shorter.
            forged.extend((0..next(&mut seed) % 4).map(|more| 9000 + more));
            let rewritten = tempfile::tempdir().unwrap();
            let mut log = written(rewritten.path(), Some(&key_path(&home.join("log.db"))), &forged);
            let options = VerifyOptions { integrity: false, threads: 1, ..VerifyOptions::default() };
            assert!(verify(log.path(), &options).unwrap().is_clean(), "the log alone shows nothing");
            let last = log.last_seq().unwrap();
            let request = log.request_cosignature(seen.min(last)).unwrap().to_string();
            let is_caught = |witness: &Witness| match witness.cosign(&request, 3) {
                Err(Refusal::Inconsistent { .. } | Refusal::OtherRoot { .. }) => last >= seen,
                Err(Refusal::OtherSize { .. }) => last < seen,
                _ => false,
            };
            caught.fetch_add(u32::from(watching.iter().all(is_caught)), Ordering::Relaxed);
            let as_if_first = log.request_cosignature(0).unwrap().to_string();
            let refused = watching[0].cosign(&as_if_first, 3);
            assert!(matches!(refused, Err(Refusal::OtherSize { old: 0, size }) if size == seen));
        }
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|thread| drop(scope.spawn(move || rewrites(thread)))));
    let caught = caught.into_inner();
    println!("{caught} of 1000 rewrites refused by all three witnesses");
    assert_eq!(caught, 1000);
    // The honest log is still cosigned.
    append(&mut log, &[1001]);
    let request = log.request_cosignature(seen).unwrap().to_string();
    assert!(watching.iter().all(|witness| witness.cosign(&request, 4).is_ok()));
}

#[test]
fn each_reason_of_a_refusal_has_its_status_and_leaves_what_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = written(folder.path(), None, &[1, 2, 3]);
    let witness = witnesses(folder.path(), 1).remove(0);
    let request = log.request_cosignature(0).unwrap();
    let status = |text: &str| witness.cosign(text, 1).map_err(|refusal| refusal.status());
    let text = request.to_string();
    assert_eq!(status(&text), Err(404), "nobody watches it yet");
    assert_eq!(status("old 0\n"), Err(400));
    let other =
        PrivateKey::random(log.origin().unwrap().as_str(), annals_store::tlog::note::KeyKind::Log).unwrap();
    witness.watch(&other.verifier(), None, false).unwrap();
    assert_eq!(status(&text), Err(403), "another key is trusted");
    assert!(witness.watch(&witness.verifier_key(), None, false).is_err());
    witness.watch(&log.verifier_key().unwrap().unwrap(), None, true).unwrap();
    assert_eq!(status(&text.replacen("old 0", "old 99", 1)), Err(400));
    assert_eq!(status(&text.replacen("old 0", "old 2", 1)), Err(409));
    let with_path = text.replacen("old 0\n", "old 0\nPlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n", 1);
    assert_eq!(status(&with_path), Err(422), "the proof from nothing is empty");
    assert!(witness.watched().unwrap().values().all(|watched| watched.checkpoint.is_none()));
    let line = witness.cosign(&text, 7).unwrap();
    let mut cosigned: SignedCheckpoint = request.checkpoint.to_string().parse().unwrap();
    cosigned.note.add_lines(&line).unwrap();
    assert_eq!(cosigned.note.signed_by(&witness.verifier_key()), Signed::Yes(7));
    // The same again is cosigned again, and an older state is not.
    let size = request.checkpoint.checkpoint.size;
    let again = text.replacen("old 0", &format!("old {size}"), 1);
    assert!(status(&again).is_ok());
    assert_eq!(status(&text), Err(409));
    std::fs::write(folder.path().join("w1/witness.json"), "{").unwrap();
    assert_eq!(status(&again), Err(500));
}

#[test]
fn an_accepted_loss_begins_an_origin_of_its_own_which_no_witness_cosigns_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let log = written(folder.path(), None, &[1, 2, 3]);
    let path: PathBuf = log.path().to_owned();
    let witness = witnesses(folder.path(), 1).remove(0);
    let key = log.verifier_key().unwrap().unwrap();
    witness.watch(&key, None, false).unwrap();
    drop(log);
    let before = std::fs::read(&path).unwrap();
    let clock = || Box::new(SetClock::at(START));
    let mut log = Log::open_for_append(&path, clock()).unwrap();
    append(&mut log, &[4]);
    let first = log.request_cosignature(0).unwrap();
    witness.cosign(&first.to_string(), 1).unwrap();
    drop(log);
    std::fs::write(&path, before).unwrap();
    let (mut log, _) = Log::accept_loss(&path, clock(), "omar", "the disk failed").unwrap();
    let after = log.request_cosignature(0).unwrap();
    assert_ne!(after.checkpoint.checkpoint.origin, first.checkpoint.checkpoint.origin);
    assert!(after.checkpoint.checkpoint.origin.contains("/1-"), "{}", after.checkpoint.checkpoint.origin);
    assert!(matches!(witness.cosign(&after.to_string(), 2), Err(Refusal::UnknownOrigin { .. })));
    // The private key is the same, and the verifier key has the new origin.
    let new_key = log.verifier_key().unwrap().unwrap();
    assert!(new_key.is_same_key(&key) && new_key != key);
    witness.watch(&new_key, None, false).unwrap();
    assert!(witness.cosign(&after.to_string(), 3).is_ok());
    drop(log);
    let with = |checkpoint: &SignedCheckpoint| {
        let options = VerifyOptions { checkpoints: vec![checkpoint.clone()], ..VerifyOptions::default() };
        verify(&path, &options).unwrap()
    };
    assert!(with(&after.checkpoint).is_whole());
    assert!(matches!(with(&first.checkpoint).damage().next(), Some(Finding::Receipt { .. })));
}

#[test]
fn a_log_put_back_with_its_anchor_signs_nothing_that_contradicts_what_it_signed() {
    let folder = tempfile::tempdir().unwrap();
    let log = written(folder.path(), None, &[1, 2, 3]);
    let path: PathBuf = log.path().to_owned();
    drop(log);
    let (before, anchor) = (std::fs::read(&path).unwrap(), std::fs::read(anchor_path(&path)).unwrap());
    let clock = || Box::new(SetClock::at(START));
    let mut log = Log::open_for_append(&path, clock()).unwrap();
    append(&mut log, &[4]);
    log.sign_checkpoint().unwrap();
    append(&mut log, &[5]);
    log.sign_checkpoint().unwrap();
    drop(log);
    std::fs::write(&path, &before).unwrap();
    std::fs::write(anchor_path(&path), &anchor).unwrap();
    let mut log = Log::open_for_append(&path, clock()).unwrap();
    assert!(matches!(log.sign_checkpoint(), Err(SigningError::Contradicts { .. })), "it is shorter");
    append(&mut log, &[6, 7]);
    assert!(matches!(log.sign_checkpoint(), Err(SigningError::Contradicts { .. })), "it is another one");
    drop(log);
    let (mut log, accepted) = Log::accept_loss(&path, clock(), "omar", "a restored backup").unwrap();
    let signed = log.sign_checkpoint().unwrap().checkpoint;
    assert!(signed.origin.contains("/1-") && signed.size == accepted.seq, "{signed:?}");
    drop(log);
    assert!(matches!(Log::accept_loss(&path, clock(), "omar", "again"), Err(LossError::NothingLost { .. })));
    assert!(verify(&path, &VerifyOptions::default()).unwrap().is_whole());
    let mut log = Log::open_for_append(&path, clock()).unwrap();
    std::fs::write(signed_path(&path), "[]").unwrap();
    assert!(matches!(log.sign_checkpoint(), Err(SigningError::Fault(_))));
}

#[test]
fn a_key_that_changes_is_recorded_and_both_keys_sign_the_checkpoint_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = written(folder.path(), None, &[1, 2]);
    let path: PathBuf = log.path().to_owned();
    let first = log.verifier_key().unwrap().unwrap();
    let kept = log.sign_checkpoint().unwrap();
    assert!(matches!(log.create_key("omar"), Err(SigningError::HasKey { .. })));
    let both = log.rotate_key("omar", "a new machine").unwrap();
    let second = log.verifier_key().unwrap().unwrap();
    assert!(!first.is_same_key(&second));
    for key in [&first, &second] {
        assert!(matches!(both.note.signed_by(key), Signed::Yes(_)));
    }
    let now = log.sign_checkpoint().unwrap();
    assert_eq!((now.note.signed_by(&first), now.note.signed_by(&second)), (Signed::No, Signed::Yes(0)));
    let mut forged = kept.to_string();
    forged = forged.replace("annals/", "annals-/");
    for (checkpoint, is_whole) in [(kept, true), (both, true), (now, true), (forged.parse().unwrap(), false)]
    {
        let options = VerifyOptions { checkpoints: vec![checkpoint], ..VerifyOptions::default() };
        assert_eq!(verify(&path, &options).unwrap().is_whole(), is_whole);
    }
    // A rotation that stopped after its event is finished when the next checkpoint is signed.
    std::fs::rename(key_path(&path), folder.path().join("log.key-next")).unwrap();
    PrivateKey::random(first.name(), first.kind()).unwrap().create(&key_path(&path)).unwrap();
    assert_eq!(log.sign_checkpoint().unwrap().note.signed_by(&second), Signed::Yes(0));
    // A lost key is replaced, and cannot sign.
    std::fs::remove_file(key_path(&path)).unwrap();
    assert!(matches!(log.sign_checkpoint(), Err(SigningError::OtherKey { .. })));
    let alone = log.rotate_key("omar", "the key was lost").unwrap();
    assert_eq!((alone.note.signatures().len(), alone.note.signed_by(&second)), (1, Signed::No));
}

#[test]
fn a_proof_is_under_a_kept_checkpoint_and_brings_its_event() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = written(folder.path(), None, &[1, 2, 3]);
    let kept = log.sign_checkpoint().unwrap();
    append(&mut log, &[4]);
    let proof = log.prove_inclusion_in(4, &kept).unwrap();
    let read: annals_store::tlog::proof::TlogProof = proof.to_string().parse().unwrap();
    assert_eq!(read, proof);
    let event = read.event().unwrap();
    assert!(event.seq == 4 && read.holds(&event.hash));
    assert!(log.prove_inclusion_in(6, &kept).is_err(), "the checkpoint does not cover it");
    assert!(log.prove_inclusion_in(0, &kept).is_err());
    // Another event in the extra data is not at the index.
    let mut other = log.prove_inclusion_in(3, &kept).unwrap();
    other.extra = proof.extra;
    assert!(other.event().is_none());
}
