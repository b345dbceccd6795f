//! A director signs events with a key outside the home, an auditor verifies with the key that the director gave, and a person
//! who can write to the home rewrites the log.

use std::env::var_os;
use std::fs;
use std::process::Command;

use annals_events::{EventId, Hash, LogId};
use annals_store::chain::{Chain, genesis};
use annals_store::merkle::Frontier;
use annals_store::{EventRef, Head};
use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};

use crate::drawing_lots::block_of;
use crate::program::{Place, Run};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/evidence.md");

/// Appends an event by an actor.
fn append(place: &Place, actor: &str, player: &str) {
    let line = format!(
        r#"{{"stream":"people/{player}","effective_at":"2015-01-02T03:04:05Z","type":"people.player_known","payload":{{"kind":"human","name":"{player} Zoë 🐘","player":"{player}"}}}}"#
    );
    place.write("one.jsonl", line);
    place.ask(&["log", "append", "--actor", actor, "one.jsonl"]);
}

fn sign(place: &Place, actor: &str, words: &[&str]) -> Run {
    place.run(&[&["log", "sign", "--actor", actor], words].concat())
}

/// The verifier key that a run states.
fn stated_key(run: &Run) -> String {
    let (_, key) = run.talk.split_once(" is now ").unwrap_or_else(|| panic!("{run:?}"));
    key.lines().next().unwrap().to_owned()
}

/// A log that Omar created, in which he and Anna have events. Omar has signed his, and gave the auditor his verifier key.
fn signed() -> (Place, String) {
    let place = Place::new();
    place.ask(&["log", "init", "--actor", "omar"]);
    append(&place, "omar", "bert");
    append(&place, "anna", "carl");
    append(&place, "omar", "dora");
    let run = sign(&place, "omar", &["--key", "omar.key", "--make-key"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(run.out, "signed 4 events of `omar`, from event 1 to event 5\n");
    assert!(run.talk.contains("omar.key: keep it secret, outside the home"), "{run:?}");
    let key = stated_key(&run);
    (place, key)
}

#[test]
fn a_director_signs_and_the_auditor_verifies_with_the_key_from_outside() {
    let (place, key) = signed();
    let nothing = sign(&place, "omar", &["--key", "omar.key"]);
    assert_eq!(nothing.status, 0, "{nothing:?}");
    assert_eq!(nothing.out, "nothing to sign: every event of `omar` is signed, up to event 5\n");
    append(&place, "anna", "emil");
    append(&place, "omar", "fred");
    let verified = place.ask(&["log", "verify"]);
    let later =
        format!("`omar`: 4 of 5 events are signed, the key is {key}; 1 after event 5 is not yet signed\n");
    assert!(verified.contains(&later) && verified.contains("WHOLE"), "{verified}");

    // The director looks at what there is to sign.
    let dry = sign(&place, "omar", &["--dry-run"]);
    assert_eq!(
        dry.out,
        "not yet signed: 1 event of `omar`, event 8\nannals log show --actor omar --from seq:8 --to seq:8\n"
    );
    let shown = place.ask(&["log", "show", "--actor", "omar", "--from", "seq:8", "--to", "seq:8"]);
    assert!(shown.contains("fred") && !shown.contains("emil"), "{shown}");
    let run = sign(&place, "omar", &["--key", "omar.key"]);
    assert_eq!((run.status, run.out.as_str()), (0, "signed 1 event of `omar`, event 8\n"), "{run:?}");

    let verified = place.ask(&["log", "verify", "--actor-key", &key]);
    for line in [
        format!("`omar`: 5 of 5 events are signed, the key is {key}\n"),
        "compared with the key that was given for `omar`: it fixes every event up to event 8\n".to_owned(),
        "WHOLE".to_owned(),
    ] {
        assert!(verified.contains(&line), "{line}: {verified}");
    }
    let value = place.ask_json(&["log", "verify", "--actor-key", &key, "--json"]);
    let [omar] = value["actors"].as_array().unwrap().as_slice() else { panic!("{value}") };
    for (field, expected) in
        [("events", 5), ("signed", 5), ("signed_up_to", 8), ("not_yet_signed", 0), ("given_key_up_to", 8)]
    {
        assert_eq!(omar[field], expected, "{field}: {value}");
    }
    assert_eq!((omar["actor"].as_str(), omar["verifier_key"].as_str()), (Some("omar"), Some(key.as_str())));
    let shown = place.ask(&["log", "show", "--type", "actor_signed"]);
    assert!(shown.contains("omar signed 4 events from event 1 to event 5."), "{shown}");
    // A signature needs the private key only: a backup has all signatures.
    place.ask(&["log", "backup", "copy.db"]);
    assert!(place.ask(&["log", "verify", "copy.db", "--actor-key", &key]).contains("WHOLE"));
}

/// Changes an event, and makes hashes, tree and anchor consistent with it.
fn rewrite(place: &Place, sql: &str) {
    let connection = Connection::open(place.path("home/log.db")).unwrap();
    let mut statement =
        connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
    let triggers: Vec<(String, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for (name, _) in &triggers {
        connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    connection.execute_batch(sql).unwrap();
    let opened: String =
        connection.query_row("SELECT payload FROM event WHERE seq = 1", [], |row| row.get(0)).unwrap();
    let opened: serde_json::Value = serde_json::from_str(&opened).unwrap();
    let log: LogId = opened["log_id"].as_str().unwrap().parse().unwrap();
    let (mut hash, mut tree, mut chain) = (genesis(log), Frontier::new(), Chain::default());
    let mut statement = connection
        .prepare(
            "SELECT seq, stream, version, id, type, schema, effective_at, recorded_at, actor, payload FROM event \
             ORDER BY seq",
        )
        .unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut hashes: Vec<Hash> = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let text = |i: usize| row.get::<_, String>(i).unwrap();
        let number = |i: usize| row.get::<_, i64>(i).unwrap();
        let event = EventRef {
            seq: number(0) as u64,
            stream: &text(1),
            version: number(2) as u64,
            id: EventId(row.get(3).unwrap()),
            event_type: &text(4),
            schema: number(5) as u32,
            effective_at: number(6),
            recorded_at: number(7),
            actor: &text(8),
            payload: &text(9),
            hash: Hash::default(),
        };
        hash = chain.hash(&hash, &event);
        tree.push(&hash);
        hashes.push(hash);
    }
    drop(rows);
    for (seq, hash) in (1i64..).zip(&hashes) {
        connection.execute("UPDATE event SET hash = ?2 WHERE seq = ?1", params![seq, hash.0]).unwrap();
    }
    let peaks: Vec<u8> = tree.peaks().iter().flat_map(|peak| peak.0).collect();
    connection.execute("UPDATE tree SET size = ?1, peaks = ?2", params![hashes.len() as i64, peaks]).unwrap();
    for (_, sql) in &triggers {
        connection.execute_batch(sql).unwrap();
    }
    let head = Head { log, seq: hashes.len() as u64, hash, root: tree.root() }.to_string();
    let peaks: Vec<String> = tree.peaks().iter().map(Hash::to_string).collect();
    let line =
        format!("annals-anchor/1 epoch=0 {} peaks={}", head.split_once(' ').unwrap().1, peaks.join(","));
    let sum = Hash(Sha256::digest(&line).into());
    let block = format!("{:<4095}\n", format!("{line} sum={sum}"));
    fs::write(place.path("home/log.anchor"), block.repeat(2)).unwrap();
}

#[test]
fn a_person_who_can_write_to_the_home_rewrites_the_log_and_has_no_key_of_the_director() {
    let (place, key) = signed();
    append(&place, "anna", "emil");
    append(&place, "omar", "fred");
    sign(&place, "omar", &["--key", "omar.key"]);
    let changed = r#"payload = replace(payload, 'emil', 'emma') WHERE seq = 7"#;
    rewrite(&place, &format!("UPDATE event SET {changed}"));
    // The receipt is missing; every hash, the tree and the anchor are consistent.
    for words in
        [&["log", "verify"][..], &["log", "verify", "--quick"], &["log", "verify", "--actor-key", &key]]
    {
        let run = place.run(words);
        assert_eq!(run.status, 1, "{words:?}: {run:?}");
        for line in [
            "damage  event 9, signed for `omar`, does not hold: an event up to the end of its range was changed after \
             it was signed\n",
            "intact: 5 of 9 events: 1 to 5\n",
            "`omar`: 4 of 5 events are signed",
            "DAMAGED: event 6 is the first event that is not verified\n",
            "next: restore a backup in which the signatures hold",
        ] {
            assert!(run.out.contains(line), "{line}: {run:?}");
        }
    }
    let refused = place.run(&["log", "show"]);
    assert!(refused.status == 1 && refused.talk.contains("event 6 is the first event"), "{refused:?}");
    let refused = sign(&place, "omar", &["--key", "omar.key"]);
    assert!(refused.status == 1 && refused.talk.contains("annals doctor"), "{refused:?}");

    // Another log, with events and a key that the forger made, is whole; the director's key shows it.
    let (forged, other) = signed();
    assert!(forged.ask(&["log", "verify", "--actor-key", &other]).contains("WHOLE"));
    let run = forged.run(&["log", "verify", "--actor-key", &key]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains(&format!("event 5 names another one, {other}\n")), "{run:?}");
    assert!(run.out.contains("it fixes no event\n"), "{run:?}");
    // So it is without any signature.
    let unsigned = Place::new();
    unsigned.ask(&["log", "init", "--actor", "omar"]);
    let run = unsigned.run(&["log", "verify", "--actor-key", &key]);
    assert!(run.status == 1 && run.out.contains("the log names no key of the actor\n"), "{run:?}");
}

/// A refusal with these texts, after which the log has the same head.
fn refused(place: &Place, actor: &str, words: &[&str], texts: &[&str]) {
    let before = place.ask(&["log", "head"]);
    let run = sign(place, actor, words);
    assert_eq!(run.status, 2, "{words:?}: {run:?}");
    for text in texts.iter().chain(&["  state: ", "  hint: "]) {
        assert!(run.talk.contains(text), "{words:?}, {text}: {run:?}");
    }
    assert_eq!(place.ask(&["log", "head"]), before);
}

#[test]
fn a_key_that_is_not_the_one_of_the_actor_signs_nothing() {
    let (place, _) = signed();
    append(&place, "anna", "emil");
    append(&place, "omar", "fred");
    let made = sign(&place, "anna", &["--key", "anna.key", "--make-key"]);
    assert_eq!(made.out, "signed 3 events of `anna`, from event 3 to event 9\n", "{made:?}");
    fs::create_dir(place.path("keys")).unwrap();
    place.write("garbage.key", "PRIVATE+KEY+x");
    let no_file = ["missing.key: there is no such file", "`--make-key` makes a key"];
    refused(&place, "omar", &["--key", "missing.key"], &no_file);
    let garbage = ["garbage.key: the key cannot be read", "not a valid private key"];
    refused(&place, "omar", &["--key", "garbage.key"], &garbage);
    refused(&place, "omar", &["--key", "keys"], &["keys: the key cannot be read"]);
    let no_folder = ["none: there is no such folder", "mkdir -p none"];
    refused(&place, "omar", &["--key", "none/2.key", "--make-key"], &no_folder);
    refused(&place, "omar", &["--key", "anna.key"], &["is not the one that the log names for `omar`"]);
    refused(&place, "bela", &["--key", "anna.key"], &["the log has no event of `bela`"]);
    refused(
        &place,
        "omar",
        &["--key", "omar.key", "--make-key"],
        &["omar.key: the file exists already", "--name-key"],
    );
    let in_home = ["home/omar.key: a key is not kept in the home", "any person who can write to the log"];
    refused(&place, "omar", &["--key", "home/omar.key", "--make-key"], &in_home);
    refused(
        &place,
        "omar",
        &["--key", "new.key", "--make-key"],
        &["the log names a key of `omar` already", "--reason TEXT"],
    );
    refused(&place, "omar", &["--key", "omar.key", "--reason", "x"], &["`--reason` is about a new key"]);
    let wrong_old = ["--key", "new.key", "--make-key", "--reason", "x", "--old-key", "anna.key"];
    refused(&place, "omar", &wrong_old, &["is not the one that the log names for `omar`"]);
    let of_other = ["--key", "anna.key", "--name-key", "--reason", "x"];
    refused(&place, "omar", &of_other, &["is not one of `omar`", "the name in a key is that of its actor"]);
    assert!(!place.path("new.key").exists() && !place.path("home/omar.key").exists());
    assert!(sign(&place, "omar", &[]).talk.contains("--key <FILE>"));
    let run = place.run(&["--home", "none", "log", "sign", "--actor", "omar", "--key", "omar.key"]);
    assert!(run.status == 2 && run.talk.contains("there is no log"), "{run:?}");
    append(&place, "bela", "gerd");
    refused(&place, "bela", &["--key", "omar.key"], &["the log names no key of `bela`", "--name-key"]);
    let run = place.run(&["log", "verify", "--actor-key", "omar"]);
    assert!(run.status == 2 && run.talk.contains("not a valid verifier key"), "{run:?}");
}

#[test]
fn a_new_key_is_signed_by_the_old_one_or_verify_warns() {
    let (place, first) = signed();
    append(&place, "omar", "emil");
    let rotated = sign(
        &place,
        "omar",
        &["--key", "2.key", "--make-key", "--old-key", "omar.key", "--reason", "a new laptop"],
    );
    assert_eq!(rotated.out, "signed 2 events of `omar`, from event 7 to event 8\n", "{rotated:?}");
    let second = stated_key(&rotated);
    for key in [&first, &second] {
        let verified = place.ask(&["log", "verify", "--actor-key", key]);
        assert!(verified.contains("WHOLE") && !verified.contains("warning"), "{verified}");
    }
    let shown = place.ask(&["log", "show", "--type", "actor_key_named"]);
    assert!(
        shown.contains("The key before it signed that.") && shown.contains("why: A new laptop."),
        "{shown}"
    );
    refused(&place, "omar", &["--key", "omar.key"], &["is not the one that the log names"]);

    // The present key is lost. Its holder's word alone is what the auditor has.
    let lost = sign(&place, "omar", &["--key", "3.key", "--make-key", "--reason", "lost"]);
    assert!(lost.status == 0 && lost.talk.contains("the old key did not sign that"), "{lost:?}");
    let third = stated_key(&lost);
    let verified = place.ask(&["log", "verify", "--actor-key", &third]);
    let warning =
        "warning event 10 names another key of `omar`, and no signature of the key before shows that\n";
    assert!(verified.contains(warning) && verified.contains("WHOLE"), "{verified}");
    let run = place.run(&["log", "verify", "--actor-key", &second]);
    assert!(run.status == 1 && run.out.contains("event 10 names"), "{run:?}");
    assert!(run.out.contains("DAMAGED: event 9 is the first event that is not verified"), "{run:?}");
    // A key whose file was made, and whose naming was interrupted.
    append(&place, "Anna Bell", "fred");
    fs::copy(place.path("3.key"), place.path("copy.key")).unwrap();
    let other = Place::new();
    other.ask(&["log", "init", "--actor", "omar"]);
    fs::copy(place.path("3.key"), other.path("3.key")).unwrap();
    let named = sign(&other, "omar", &["--key", "3.key", "--name-key"]);
    assert_eq!((named.status, stated_key(&named)), (0, third), "{named:?}");
    let again = sign(&other, "omar", &["--key", "3.key", "--name-key"]);
    assert!(again.status == 0 && again.out.starts_with("nothing to sign"), "{again:?}");
    let bell = sign(&place, "Anna Bell", &["--key", "bell.key", "--make-key"]);
    let key = stated_key(&bell);
    assert!(key.starts_with("Anna%20Bell+"), "{key}");
    assert!(
        place.ask(&["log", "verify", "--actor-key", &key]).contains("for `Anna Bell`: it fixes every event")
    );
}

/// Runs Python that has the package `cryptography`; none, with a note, elsewhere.
fn with_cryptography(text: &str) -> Option<String> {
    let python = var_os("ANNALS_PYTHON").unwrap_or_else(|| "python3".into());
    let run = |text: &str| Command::new(&python).args(["-c", text]).output();
    if !run("import cryptography").is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no Python with the package `cryptography`; name one in ANNALS_PYTHON");
        return None;
    }
    let output = run(text).unwrap();
    let (out, errors) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    Some(if output.status.success() { out } else { format!("{out}{errors}") })
}

#[test]
fn the_recipe_of_the_document_checks_the_signatures_of_an_exported_log() {
    let (place, key) = signed();
    append(&place, "anna", "emil");
    append(&place, "omar", "fred");
    sign(&place, "omar", &["--key", "omar.key"]);
    place.write("log.jsonl", place.ask(&["log", "export"]));
    let recipe = block_of(PAGE, "## Signatures of actors", "python");
    let check = |name: &str| {
        let file = place.path(name);
        let more = format!(
            "lines = open({file:?}, encoding='utf-8', newline='\\n')\ncheck_signatures(lines, {key:?})\n"
        );
        with_cryptography(&(recipe.clone() + &more))
    };
    let Some(printed) = check("log.jsonl") else { return };
    assert_eq!(printed, "4 events from 1 to 5 are signed\n1 events from 6 to 8 are signed\n");
    let export = fs::read_to_string(place.path("log.jsonl")).unwrap();
    let hash = export.lines().nth(3).unwrap().split_once(r#""hash":""#).unwrap().1[..64].to_owned();
    place.write("changed.jsonl", export.replace(&hash, &"0".repeat(64)));
    let printed = check("changed.jsonl").unwrap();
    assert!(printed.contains("AssertionError") && !printed.contains("are signed"), "{printed}");
}
