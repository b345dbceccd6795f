//! An actor signs events with a key that the home does not have, and somebody who can write to the home rewrites them:
//! with new hashes, a new tree and a new anchor, so that only the signatures are left to show it.

use std::fs;

use annals_events::{Entry, Event, EventId, GameEvent, LogId, Side, TurnTaken};
use annals_store::tlog::actor::{EVENTS_TAG, SIGNATURE, key_name};
use annals_store::tlog::actor_signing::{ActorEvents, ActorSigningError};
use annals_store::tlog::key::PrivateKey;
use annals_store::tlog::note::{KeyKind, VerifierKey};
use annals_store::{Finding, Log, NewEvent, Remedy, Report, Transaction, VerifyOptions, verify};
use proptest::prelude::*;
use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};

use crate::scene::{START, Scene, event_id, new_log, stream};
use crate::tampering::{rehash, unprotected};

fn key_of(actor: &str, seed: u8) -> PrivateKey {
    PrivateKey::from_seed(&key_name(actor), KeyKind::Log, &[seed; 32])
}

fn turn_by(actor: &str, n: u64) -> NewEvent {
    let turn = GameEvent::TurnTaken(TurnTaken::plain(n as u32, Side::Gold, "Eb2n Eb3n"));
    let entry = Entry::from(Event::from(turn));
    NewEvent::new(stream(&format!("game/{}", n % 3)), event_id(n), START, actor, &entry).unwrap()
}

/// Appends an event by each of the actors.
fn append(log: &mut Log, actors: &[&str]) {
    let first = log.last_seq().unwrap() + 1;
    let events = (first..).zip(actors).map(|(n, actor)| turn_by(actor, n)).collect();
    log.append(&Transaction::of(events)).unwrap();
}

/// Events 2 to 7 are turns of Omar (2, 4, 5, 7) and Anna. Event 8 names Omar's key, and 9 signs what he has. Then 10 to 12
/// are turns, of which 11 is Anna's, and 13 signs 10 and 12.
fn signed() -> (Scene, PrivateKey) {
    let (scene, key) = (Scene::empty(), key_of("omar", 1));
    let mut log = scene.create();
    append(&mut log, &["omar", "anna", "omar", "omar", "anna", "omar"]);
    log.name_actor_key("omar", &key, None, None).unwrap();
    let signed = log.sign_actor_events("omar", &key).unwrap();
    assert_eq!(signed, Some(ActorEvents { first_seq: 2, last_seq: 8, events: 5 }));
    append(&mut log, &["omar", "anna", "omar"]);
    let signed = log.sign_actor_events("omar", &key).unwrap();
    assert_eq!(signed, Some(ActorEvents { first_seq: 10, last_seq: 12, events: 2 }));
    (scene, key)
}

fn report_with(scene: &Scene, keys: &[&PrivateKey]) -> Report {
    let actor_keys: Vec<VerifierKey> = keys.iter().map(|key| key.verifier()).collect();
    verify(&scene.path(), &VerifyOptions { actor_keys, ..VerifyOptions::default() }).unwrap()
}

fn payload(connection: &Connection, seq: u64) -> serde_json::Value {
    let text: String = connection
        .query_row("SELECT payload FROM event WHERE seq = ?1", [seq as i64], |row| row.get(0))
        .unwrap();
    serde_json::from_str(&text).unwrap()
}

fn set_payload(connection: &Connection, seq: u64, payload: &serde_json::Value) {
    // Keys of this kind of map are sorted, so it is canonical.
    let sql = "UPDATE event SET payload = ?2 WHERE seq = ?1";
    connection.execute(sql, params![seq as i64, payload.to_string()]).unwrap();
}

/// Writes both lines of the anchor for the log as it is.
fn forge_anchor(scene: &Scene) {
    let connection = Connection::open(scene.path()).unwrap();
    let (size, peaks): (i64, Vec<u8>) = connection
        .query_row("SELECT size, peaks FROM tree", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    let peaks: Vec<String> =
        peaks.chunks(32).map(|peak| annals_events::Hash::from_slice(peak).unwrap().to_string()).collect();
    drop(connection);
    fs::remove_file(scene.anchor()).unwrap();
    let head = Log::inspect(&scene.path()).unwrap().head().unwrap();
    assert_eq!(head.seq, size as u64);
    let words = head.to_string();
    let words = words.split_once(' ').unwrap().1;
    let line = format!("annals-anchor/1 epoch=0 {words} peaks={}", peaks.join(","));
    let sum = annals_events::Hash(Sha256::digest(&line).into());
    let block = format!("{:<4095}\n", format!("{line} sum={sum}"));
    fs::write(scene.anchor(), block.repeat(2)).unwrap();
}

/// Rewrites the log so that hashes, tree and anchor are consistent again.
fn rewrite(scene: &Scene, tamper: impl FnOnce(&Connection)) {
    unprotected(scene, |connection| {
        tamper(connection);
        rehash(connection, 2);
    });
    forge_anchor(scene);
}

/// The signatures that do not hold: the event, the first event that is not proven, and why.
fn broken(report: &Report) -> Vec<(u64, u64, String)> {
    let broken = |finding: &Finding| match finding {
        Finding::Signature { seq, first, problem, .. } => Some((*seq, *first, problem.clone())),
        other => panic!("{other}"),
    };
    report.findings.iter().filter_map(broken).collect()
}

#[test]
fn signatures_hold_and_what_is_not_yet_signed_is_counted() {
    let (scene, key) = signed();
    let report = report_with(&scene, &[]);
    assert!(report.is_clean(), "{:?}", report.findings);
    let [omar] = report.actors.as_slice() else { panic!("{:?}", report.actors) };
    assert_eq!((omar.actor.as_str(), omar.verifier_key.clone()), ("omar", key.verifier().to_string()));
    assert_eq!((omar.signed, omar.events, omar.signed_up_to, omar.not_yet_signed), (7, 7, 12, 0));
    assert_eq!(omar.given_key_up_to, None);
    assert_eq!(report_with(&scene, &[&key]).actors[0].given_key_up_to, Some(12));

    let mut log = scene.open();
    assert_eq!(log.sign_actor_events("omar", &key).unwrap(), None, "there is nothing to sign");
    assert_eq!(log.last_seq().unwrap(), 13);
    append(&mut log, &["omar", "anna", "omar"]);
    let state = log.actor_state("omar").unwrap();
    assert_eq!((state.key, state.signed_up_to), (Some(key.verifier()), 12));
    assert_eq!(state.unsigned, Some(ActorEvents { first_seq: 14, last_seq: 16, events: 2 }));
    // Another process signs in the meantime.
    let mut other = scene.open();
    assert!(other.sign_actor_events("omar", &key).unwrap().is_some());
    assert_eq!(log.sign_actor_events("omar", &key).unwrap(), None);
    append(&mut log, &["omar"]);
    drop((log, other));
    let report = report_with(&scene, &[]);
    assert!(report.is_clean(), "{:?}", report.findings);
    let omar = &report.actors[0];
    assert_eq!((omar.signed, omar.events, omar.signed_up_to, omar.not_yet_signed), (9, 10, 16, 1));
}

#[test]
fn the_note_of_a_signature_is_the_text_that_is_described_and_verifies_with_signed_note() {
    let (scene, key) = signed();
    let log = Log::open(&scene.path()).unwrap();
    let hashes = [2, 4, 5, 7, 8].map(|seq| log.event(seq).unwrap().unwrap().hash.0);
    let digest = Sha256::digest([EVENTS_TAG.as_slice(), &hashes.concat()].concat());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let connection = Connection::open(scene.path()).unwrap();
    let payload = payload(&connection, 9);
    let note = signed_note::Note::from_bytes(payload["signed_note"].as_str().unwrap().as_bytes()).unwrap();
    let text = format!("{SIGNATURE}\n{}\nomar\n1\n8\n5\n{digest}\n", "42".repeat(16));
    assert_eq!(String::from_utf8(note.text().to_vec()).unwrap(), text);
    let verifier = signed_note::StandardVerifier::new(&key.verifier().to_string()).unwrap();
    let known = signed_note::VerifierList::new(vec![Box::new(verifier)]);
    assert_eq!(note.verify(&known).unwrap().0.len(), 1);
}

#[test]
fn an_event_that_is_rewritten_with_new_hashes_tree_and_anchor_is_named_by_the_signature() {
    // The event that is rewritten, the signatures that do not hold after it, and the first event that is not proven.
    for (seq, signatures, first) in [(2, [9, 13].as_slice(), 1), (3, &[9, 13], 1), (8, &[9, 13], 1)] {
        let (scene, key) = signed();
        let what = if seq == 8 {
            "effective_at = effective_at - 1"
        } else {
            r#"payload = '{"number":3,"side":"gold","steps":"Ra1n"}'"#
        };
        rewrite(&scene, |connection| {
            connection.execute(&format!("UPDATE event SET {what} WHERE seq = ?1"), [seq]).unwrap();
        });
        let report = report_with(&scene, &[]);
        let found = broken(&report);
        assert_eq!(found.iter().map(|(seq, ..)| *seq).collect::<Vec<_>>(), signatures, "{found:?}");
        assert!(found.iter().all(|(_, _, why)| why.contains("was changed after it was signed")), "{found:?}");
        assert_eq!((report.first_bad(), report.intact_count()), (Some(first), 0));
        assert_eq!(report.remedy(), Some(Remedy::Signed));
        assert_eq!((report.actors[0].signed, report.actors[0].not_yet_signed), (0, 7));
        let given = report_with(&scene, &[&key]);
        assert!(
            given.findings.iter().any(|finding| finding.to_string().contains("no signature of it holds"))
        );
        let refused = Log::open_verified(&scene.path()).unwrap_err();
        assert!(refused.to_string().contains("is damaged"), "{refused}");
    }
    // An event after the first range: the first signature proves the events up to its end, also Anna's.
    for seq in [9, 10, 11, 12] {
        let (scene, key) = signed();
        rewrite(&scene, |connection| {
            connection.execute("UPDATE event SET effective_at = 7 WHERE seq = ?1", [seq]).unwrap();
        });
        let report = report_with(&scene, &[&key]);
        let found = broken(&report);
        let [(13, 9, why)] = found.as_slice() else { panic!("{seq}: {found:?}") };
        assert!(why.contains("was changed after it was signed"), "{why}");
        assert_eq!((report.first_bad(), report.intact.as_slice()), (Some(9), [1..=8].as_slice()));
        assert_eq!(report.actors[0].given_key_up_to, Some(8));
    }
    // What no signature covers yet.
    let (scene, key) = signed();
    let mut log = scene.open();
    append(&mut log, &["omar"]);
    drop(log);
    rewrite(&scene, |connection| {
        connection.execute("UPDATE event SET effective_at = 7 WHERE seq = 14", []).unwrap();
    });
    let report = report_with(&scene, &[&key]);
    assert!(report.is_clean() && report.actors[0].not_yet_signed == 1, "{:?}", report.findings);
}

#[test]
fn an_event_of_the_actor_that_is_added_or_taken_away_is_named_by_the_signature() {
    for (seq, actor, stated) in [(3, "omar", "has 6 events"), (4, "anna", "has 4 events")] {
        let (scene, _) = signed();
        rewrite(&scene, |connection| {
            connection.execute("UPDATE event SET actor = ?2 WHERE seq = ?1", params![seq, actor]).unwrap();
        });
        let found = broken(&report_with(&scene, &[]));
        assert!(found[0].2.contains(stated) && found[0].2.contains("5 were signed"), "{found:?}");
    }
}

/// Puts another payload into a signature, and gives why it does not hold.
fn refused(scene: &Scene, seq: u64, payload: &serde_json::Value) -> String {
    rewrite(scene, |connection| set_payload(connection, seq, payload));
    let report = report_with(scene, &[]);
    let found = broken(&report);
    let of_it = found.iter().find(|(at, ..)| *at == seq).unwrap_or_else(|| panic!("{payload}: {found:?}"));
    assert!(!report.is_whole() && report.first_bad().unwrap() <= seq, "{payload}");
    of_it.2.clone()
}

#[test]
fn a_changed_character_of_a_note_is_never_accepted() {
    let (scene, _) = signed();
    let original = payload(&Connection::open(scene.path()).unwrap(), 9);
    let note: Vec<char> = original["signed_note"].as_str().unwrap().chars().collect();
    for at in 0..note.len() {
        let mut changed = note.clone();
        changed[at] = if changed[at] == 'B' { 'C' } else { 'B' };
        let mut payload = original.clone();
        payload["signed_note"] = changed.into_iter().collect::<String>().into();
        refused(&scene, 9, &payload);
    }
    for bad in ["", "\n", "\n\n"] {
        let mut payload = original.clone();
        payload["signed_note"] = bad.into();
        refused(&scene, 9, &payload);
    }
    println!("{} characters of a note, each found", note.len());
}

#[test]
fn a_moved_range_and_a_signature_of_another_actor_or_log_do_not_hold() {
    let (scene, _) = signed();
    let original = payload(&Connection::open(scene.path()).unwrap(), 9);
    let fields = [
        ("first_seq", 2, "begins at event 2, where event 1 is next"),
        ("last_seq", 7, "not about these events"),
        ("last_seq", 9, "its range ends at event 9"),
        ("last_seq", 0, "its range ends at event 0"),
        ("events", 4, "not about these events"),
    ];
    for (field, value, why) in fields {
        let mut payload = original.clone();
        payload[field] = value.into();
        let found = refused(&scene, 9, &payload);
        assert!(found.contains(why), "{field}: {found}");
    }
    let mut payload = original.clone();
    payload["actor"] = "anna".into();
    let found = refused(&scene, 9, &payload);
    assert!(found.contains("names no key of the actor before it"), "{found}");
    // The envelope names another actor than the payload.
    let (scene, _) = signed();
    rewrite(&scene, |connection| {
        connection.execute("UPDATE event SET actor = 'anna' WHERE seq = 13", []).unwrap();
    });
    let found = broken(&report_with(&scene, &[]));
    assert!(matches!(found.as_slice(), [(13, 9, why)] if why == "`anna` recorded it"), "{found:?}");
    // The same signature in another log, with the same key.
    let (here, elsewhere) = (signed().0, Scene::empty());
    let other = annals_store::NewLog { log_id: LogId([7; 16]), ..new_log() };
    let mut log = Log::create(&elsewhere.path(), &other, Box::new(elsewhere.clock.clone())).unwrap();
    let key = key_of("omar", 1);
    append(&mut log, &["omar", "anna", "omar", "omar", "anna", "omar"]);
    log.name_actor_key("omar", &key, None, None).unwrap();
    log.sign_actor_events("omar", &key).unwrap();
    let of_other = self::payload(&Connection::open(elsewhere.path()).unwrap(), 9);
    assert_eq!(of_other["last_seq"], 8);
    let found = refused(&here, 9, &of_other);
    assert!(found.contains("not about these events of this log"), "{found}");
    println!("{} moved ranges, 2 other actors, another log: each reported", fields.len());
}

#[test]
fn a_signature_that_is_taken_away_or_repeated_leaves_a_gap_that_is_named() {
    // The first signature becomes a turn; the second one then has no beginning.
    let (scene, _) = signed();
    let first = payload(&Connection::open(scene.path()).unwrap(), 9);
    rewrite(&scene, |connection| {
        connection
            .execute(
                "UPDATE event SET (type, stream, version, payload) = ('game.halted', 'game/x', 1, '{}') WHERE seq = 9",
                [],
            )
            .unwrap();
        connection.execute("UPDATE event SET version = version - 1 WHERE seq = 13", []).unwrap();
    });
    let found = broken_of(&report_with(&scene, &[]));
    assert!(found.iter().any(|(seq, why)| *seq == 13 && why.contains("where event 1 is next")), "{found:?}");
    let (scene, _) = signed();
    let found = refused(&scene, 13, &first);
    assert!(found.contains("begins at event 1, where event 9 is next"), "{found}");
    println!("a signature that is missing, and one that is repeated: each reported");
}

/// As [`broken`], among other findings.
fn broken_of(report: &Report) -> Vec<(u64, String)> {
    let broken = |finding: &Finding| match finding {
        Finding::Signature { seq, problem, .. } => Some((*seq, problem.clone())),
        _ => None,
    };
    report.findings.iter().filter_map(broken).collect()
}

#[test]
fn the_old_key_signs_nothing_after_a_rotation_and_the_auditor_follows_signed_rotations_only() {
    let [first, second, third] = [1, 2, 3].map(|seed| key_of("omar", seed));
    let (scene, _) = signed();
    let mut log = scene.open();
    append(&mut log, &["omar"]);
    assert!(matches!(log.name_actor_key("omar", &second, None, None), Err(ActorSigningError::HasKey { .. })));
    assert!(matches!(
        log.name_actor_key("omar", &second, Some("stolen"), Some(&third)),
        Err(ActorSigningError::OtherKey { .. })
    ));
    log.name_actor_key("omar", &second, Some("stolen"), Some(&first)).unwrap();
    assert!(matches!(log.sign_actor_events("omar", &first), Err(ActorSigningError::OtherKey { .. })));
    let by_second = log.sign_actor_events("omar", &second).unwrap().unwrap();
    assert_eq!(by_second, ActorEvents { first_seq: 14, last_seq: 15, events: 2 });
    drop(log);
    for keys in [vec![], vec![&first], vec![&second], vec![&first, &second]] {
        let report = report_with(&scene, &keys);
        assert!(report.is_clean(), "{:?}", report.findings);
        assert_eq!((report.actors[0].signed, report.actors[0].events), (9, 9));
    }
    let report = report_with(&scene, &[&third]);
    assert!(
        matches!(report.findings.as_slice(), [Finding::ActorKey { first: 1, .. }]),
        "{:?}",
        report.findings
    );
    // The old key signs the same events, after its rotation.
    let original = payload(&Connection::open(scene.path()).unwrap(), 16);
    let text = original["signed_note"].as_str().unwrap();
    let (signed_text, _) = text.split_once("\n\n").unwrap();
    let signed_text = format!("{signed_text}\n");
    let mut by_old = original.clone();
    by_old["signed_note"] = format!("{signed_text}\n{}\n", first.sign(&signed_text, 0)).into();
    let found = refused(&scene, 16, &by_old);
    assert!(found.contains("did not sign it"), "{found}");

    // A rotation that the old key did not sign is a warning, and a finding for an auditor who has only the old key.
    let (scene, _) = signed();
    let mut log = scene.open();
    log.name_actor_key("omar", &second, Some("lost"), None).unwrap();
    log.sign_actor_events("omar", &second).unwrap();
    drop(log);
    let report = report_with(&scene, &[]);
    assert!(report.is_whole() && !report.is_clean(), "{:?}", report.findings);
    assert!(matches!(report.findings.as_slice(), [Finding::KeyNotSigned { seq: 14, .. }]));
    assert!(report_with(&scene, &[&second]).is_whole());
    let report = report_with(&scene, &[&first]);
    assert!(!report.is_whole());
    assert_eq!((report.first_bad(), report.intact.as_slice()), (Some(13), [1..=12].as_slice()));

    // A note of a rotation that the old key did not make.
    let (scene, _) = signed();
    let mut log = scene.open();
    log.name_actor_key("omar", &second, Some("sold"), Some(&first)).unwrap();
    drop(log);
    let mut forged = payload(&Connection::open(scene.path()).unwrap(), 14);
    forged["verifier_key"] = third.verifier().to_string().into();
    rewrite(&scene, |connection| set_payload(connection, 14, &forged));
    let found = broken_of(&report_with(&scene, &[]));
    assert!(
        matches!(found.as_slice(), [(14, why)] if why.contains("does not name this key after")),
        "{found:?}"
    );
    println!("a signature by the old key, a rotation without it, and a false one: each reported");
}

#[test]
fn a_log_that_is_made_again_with_another_key_is_found_with_the_key_that_the_actor_gave() {
    let (key, forged) = (key_of("omar", 1), key_of("omar", 9));
    // The forger has no key of Omar, and all the rest.
    let made = |names: &dyn Fn(&mut Log)| {
        let scene = Scene::empty();
        let mut log = scene.create();
        append(&mut log, &["omar", "anna", "omar", "anna"]);
        names(&mut log);
        drop(log);
        assert!(report_with(&scene, &[]).is_whole(), "nothing in the home shows it");
        let report = report_with(&scene, &[&key]);
        let [Finding::ActorKey { first: 1, problem, .. }, ..] = report.findings.as_slice() else {
            panic!("{:?}", report.findings)
        };
        assert_eq!((report.first_bad(), report.intact_count()), (Some(1), 0));
        assert_eq!(report.remedy(), Some(Remedy::Signed));
        problem.clone()
    };
    let without = made(&|_| {});
    assert_eq!(without, "the log names no key of the actor");
    let resigned = made(&|log| {
        log.name_actor_key("omar", &forged, None, None).unwrap();
        log.sign_actor_events("omar", &forged).unwrap();
    });
    assert!(resigned.contains("event 6 names another one"), "{resigned}");
    // The real key is named at the end, as if the forger's had been its predecessor.
    let appended = made(&|log| {
        log.name_actor_key("omar", &forged, None, None).unwrap();
        log.sign_actor_events("omar", &forged).unwrap();
        log.name_actor_key("omar", &key, Some("rotated"), Some(&forged)).unwrap();
    });
    assert_eq!(appended, "no signature of it holds in the log");
    println!("3 ways to make a log again: each reported to an auditor with the key of the director");
}

#[test]
fn what_cannot_be_signed_is_refused_and_nothing_is_appended() {
    let scene = Scene::with_events(3);
    let (key, other) = (key_of("omar", 1), key_of("anna", 1));
    let mut log = scene.open();
    assert!(matches!(log.actor_state("anna"), Err(ActorSigningError::NoEvents { .. })));
    assert!(matches!(log.sign_actor_events("omar", &key), Err(ActorSigningError::NoKey { .. })));
    assert!(matches!(
        log.name_actor_key("omar", &other, None, None),
        Err(ActorSigningError::NotOfActor { .. })
    ));
    assert!(matches!(
        log.name_actor_key("omar", &key, None, Some(&key)),
        Err(ActorSigningError::NoKey { .. })
    ));
    let witness = PrivateKey::from_seed("omar", KeyKind::Witness, &[1; 32]);
    assert!(matches!(
        log.name_actor_key("omar", &witness, None, None),
        Err(ActorSigningError::NotOfActor { .. })
    ));
    assert_eq!(log.last_seq().unwrap(), 3);
    let mut reader = Log::open(&scene.path()).unwrap();
    assert!(matches!(
        reader.name_actor_key("omar", &key, None, None),
        Err(ActorSigningError::Append(annals_store::AppendError::ReadOnly))
    ));
    // The same event cannot be appended as another one can.
    let payload = annals_events::RawPayload::from_stored(r#"{"actor":"omar","verifier_key":"x"}"#.to_owned());
    let by_hand = NewEvent::from_parts(
        stream("log/annals"),
        EventId([1; 16]),
        "log.actor_key_named",
        1,
        START,
        "omar",
        payload,
    );
    assert!(by_hand.unwrap_err().to_string().contains("annals log sign"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::scene::sample(24, 500) as u32))]

    /// Two actors append and sign in any order; `true` is Omar, and 0 signs.
    #[test]
    fn signed_digests_are_those_of_a_plain_recomputation(
        steps in proptest::collection::vec((any::<bool>(), 0usize..4), 1..24)
    ) {
        let scene = Scene::empty();
        let mut log = scene.create();
        let actors = [("omar", key_of("omar", 1)), ("Anna Bell", key_of("Anna Bell", 2))];
        for (actor, key) in &actors {
            log.name_actor_key(actor, key, None, None).unwrap();
        }
        for (is_omar, count) in steps {
            let (actor, key) = &actors[usize::from(!is_omar)];
            match count {
                0 => drop(log.sign_actor_events(actor, key).unwrap()),
                count => append(&mut log, &vec![*actor; count]),
            }
        }
        let events: Vec<_> = log.events(1..=u64::MAX).collect::<Result<_, _>>().unwrap();
        drop(log);
        let report = report_with(&scene, &[&actors[0].1, &actors[1].1]);
        let mut signs = [0, 0];
        for event in events.iter().filter(|event| event.event_type == "log.actor_signed") {
            let payload: serde_json::Value = serde_json::from_str(event.payload.as_str()).unwrap();
            let at = usize::from(event.actor != "omar");
            signs[at] += 1;
            let (first, last) = (payload["first_seq"].as_u64().unwrap(), payload["last_seq"].as_u64().unwrap());
            let mut all = b"annals/actor-events/v1\0".to_vec();
            let mut count = 0;
            for one in &events[first as usize - 1..last as usize] {
                if one.actor == event.actor && one.event_type != "log.actor_signed" {
                    all.extend(one.hash.0);
                    count += 1;
                }
            }
            prop_assert_eq!(payload["events"].as_u64(), Some(count));
            let digest: String = Sha256::digest(&all).iter().map(|byte| format!("{byte:02x}")).collect();
            let note = payload["signed_note"].as_str().unwrap();
            prop_assert_eq!(note.split("\n\n").next().unwrap().lines().last(), Some(digest.as_str()));
        }
        for (at, (actor, _)) in actors.iter().enumerate() {
            let of = report.actors.iter().find(|one| one.actor == *actor).unwrap();
            let own = events.iter().filter(|one| one.actor == *actor && one.event_type != "log.actor_signed");
            prop_assert_eq!(of.events, own.clone().count() as u64);
            prop_assert_eq!(of.not_yet_signed, own.filter(|one| one.seq > of.signed_up_to).count() as u64);
            prop_assert_eq!(of.signed + of.not_yet_signed, of.events);
            prop_assert_eq!(signs[at] > 0, of.signed_up_to > 0);
        }
        let unsigned = signs.iter().filter(|signs| **signs == 0).count();
        prop_assert_eq!(report.damage().count(), unsigned, "{:?}", report.findings);
    }
}
