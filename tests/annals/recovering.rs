//! The way out of each damage: what the doctor prints is run until the log is whole again, or until the documented end. No
//! command that it names is refused, and none is named twice.

use std::fs;

use rusqlite::Connection;

use crate::program::{Place, Run};
use crate::tournament::{ROUND_1, START};

const MORE: &str = r#"{"stream":"people/dora","type":"people.player_known","payload":{"kind":"human","name":"Dora","player":"dora"}}
{"stream":"people/emil","type":"people.player_known","payload":{"kind":"human","name":"Emil","player":"emil"}}
"#;

/// A log of eleven events with the anchor as it was at the ninth, and the anchor of another log.
fn log() -> Place {
    let place = Place::new();
    place.write("start.jsonl", START);
    place.write("more.jsonl", MORE);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar"]);
    fs::copy(place.path("home/log.anchor"), place.path("older.anchor")).unwrap();
    place.ask(&["log", "append", "more.jsonl", "--actor", "omar"]);
    place.ask(&["--home", "other", "log", "init", "--actor", "omar"]);
    fs::copy(place.path("other/log.anchor"), place.path("other.anchor")).unwrap();
    place
}

/// Runs statements with the named triggers dropped, and creates these again.
fn unguarded(place: &Place, triggers: &[&str], statements: &str) {
    let connection = Connection::open(place.path("home/log.db")).unwrap();
    let mut again = Vec::new();
    for trigger in triggers {
        let sql = "SELECT sql FROM sqlite_schema WHERE name = ?1";
        let Ok(sql) = connection.query_row(sql, [trigger], |row| row.get::<_, String>(0)) else { continue };
        connection.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
        again.push(sql);
    }
    connection.execute_batch(statements).unwrap();
    again.iter().for_each(|sql| connection.execute_batch(sql).unwrap());
}

fn delete_last(place: &Place) {
    unguarded(place, &["event_no_delete"], "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)");
}

fn drop_triggers(place: &Place) {
    unguarded(place, &[], "DROP TRIGGER IF EXISTS event_no_delete; DROP TRIGGER IF EXISTS tree_only_grows");
}

fn add_objects(place: &Place) {
    unguarded(place, &[], "CREATE TABLE notes (a); CREATE INDEX by_actor ON event (actor)");
}

fn damage_tree(place: &Place) {
    unguarded(place, &["tree_only_grows"], "UPDATE tree SET peaks = zeroblob(length(peaks))");
}

fn change_event(place: &Place) {
    unguarded(place, &["event_no_update"], "UPDATE event SET actor = 'eve' WHERE seq = 4");
}

fn put_other_anchor(place: &Place) {
    fs::copy(place.path("other.anchor"), place.path("home/log.anchor")).unwrap();
}

fn put_older_anchor(place: &Place) {
    fs::copy(place.path("older.anchor"), place.path("home/log.anchor")).unwrap();
}

fn remove_anchor(place: &Place) {
    let _ = fs::remove_file(place.path("home/log.anchor"));
}

/// A way to damage a log.
struct Damage {
    name: &'static str,
    done_by: fn(&Place),
    loses_events: bool,
    is_of_the_anchor: bool,
}

const fn damage(name: &'static str, done_by: fn(&Place)) -> Damage {
    Damage { name, done_by, loses_events: false, is_of_the_anchor: false }
}

const fn of_the_anchor(name: &'static str, done_by: fn(&Place)) -> Damage {
    Damage { is_of_the_anchor: true, ..damage(name, done_by) }
}

const CHANGED: &str = "an event changed";

const DAMAGES: [Damage; 8] = [
    Damage { loses_events: true, ..damage("the last event deleted", delete_last) },
    damage("triggers dropped", drop_triggers),
    damage("a table and an index added", add_objects),
    damage("the tree damaged", damage_tree),
    damage(CHANGED, change_event),
    of_the_anchor("the anchor of another log", put_other_anchor),
    of_the_anchor("an older anchor", put_older_anchor),
    of_the_anchor("no anchor", remove_anchor),
];

/// The command that an answer names.
fn next(run: &Run) -> Vec<String> {
    let line = run.out.lines().find_map(|line| line.strip_prefix("next: "));
    let line = line.unwrap_or_else(|| panic!("no next command: {run:?}"));
    shlex::split(line).unwrap()
}

/// Runs what the doctor prints, and returns the options of the doctor that it named, in order.
fn walk(place: &Place, what: &str) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    loop {
        let doctor = place.run(&["doctor", "--no-probe"]);
        if doctor.status == 0 {
            let verify = place.run(&["log", "verify"]);
            assert!(verify.status == 0 && verify.out.contains("WHOLE"), "{what}: {verify:?}");
            return named;
        }
        let words = next(&doctor);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(words[..2], ["annals", "doctor"], "{what}: {words:?}");
        assert!(!named.contains(&words[2].to_owned()), "{what}: a circle of {words:?} after {named:?}");
        // `log verify` names the same command.
        assert_eq!(next(&place.run(&["log", "verify"])), words, "{what}");
        let run = place.run(&words[1..]);
        named.push(words[2].to_owned());
        if words[2] == "--salvage" {
            assert!(run.status < 2 && run.out.contains("another identity"), "{what}: {run:?}");
            assert!(
                run.out.contains("next: restore a backup, or annals --home NEW log import intact.jsonl"),
                "{what}"
            );
            place.ask(&["--home", "new", "log", "import", "intact.jsonl", "--actor", "omar"]);
            assert!(place.ask(&["--home", "new", "log", "verify"]).contains("WHOLE"), "{what}");
            return named;
        }
        assert_eq!(run.status, 0, "{what}: {words:?} is refused: {run:?}");
    }
}

/// Damages a log in several ways, repairs it, and checks what is left of its receipt.
fn damaged_and_repaired(damages: &[&Damage]) {
    let names: Vec<&str> = damages.iter().map(|damage| damage.name).collect();
    let what = names.join(" and ");
    let place = log();
    let receipt = place.ask(&["log", "head"]);
    damages.iter().for_each(|damage| (damage.done_by)(&place));
    let named = walk(&place, &what);
    assert_eq!(named.contains(&"--salvage".to_owned()), names.contains(&CHANGED), "{what}: {named:?}");
    if names.contains(&CHANGED) {
        return;
    }
    let verified = place.run(&["log", "verify", "--receipt", receipt.trim()]);
    let loses = damages.iter().any(|damage| damage.loses_events);
    assert_eq!(verified.status, i32::from(loses), "{what}: {verified:?}");
    let accepted = named.contains(&"--accept-loss".to_owned());
    assert_eq!(verified.out.contains("accepts a loss"), accepted, "{what}: {verified:?}");
    let keeps_anchor = !damages.iter().any(|damage| damage.is_of_the_anchor);
    if loses && keeps_anchor {
        assert!(
            verified.out.contains("11 events had been acknowledged, 10 were left"),
            "{what}: {verified:?}"
        );
    }
}

#[test]
fn what_the_doctor_prints_leads_out_of_each_damage() {
    DAMAGES.iter().for_each(|damage| damaged_and_repaired(&[damage]));
    println!("{} kinds of damage: each command was accepted", DAMAGES.len());
}

#[test]
fn what_the_doctor_prints_leads_out_of_two_damages_at_once() {
    for (at, one) in DAMAGES.iter().enumerate() {
        let others = DAMAGES[at + 1..].iter();
        others.for_each(|other| damaged_and_repaired(&[one, other]));
    }
    let pairs = DAMAGES.len() * (DAMAGES.len() - 1) / 2;
    println!("{pairs} pairs of damage: each command was accepted");
}

#[test]
fn what_the_doctor_prints_leads_out_of_damage_to_triggers_tree_anchor_and_end() {
    let [end, triggers, added, tree, _, anchors @ ..] = &DAMAGES;
    anchors.iter().for_each(|anchor| damaged_and_repaired(&[end, triggers, added, tree, anchor]));
    damaged_and_repaired(&[triggers, added, tree, end]);
}

#[test]
fn a_dropped_trigger_is_restored_in_place_and_receipts_stay_valid() {
    let place = log();
    let receipt = place.ask(&["log", "head"]);
    drop_triggers(&place);
    let restored = place.ask(&["doctor", "--restore-schema"]);
    assert!(
        restored.contains("trigger event_no_delete is missing") && restored.contains("before-restore-1"),
        "{restored}"
    );
    assert_eq!(place.ask(&["log", "head"]), receipt);
    let again = place.run(&["doctor", "--restore-schema"]);
    assert!(again.status == 2 && again.talk.contains("are those of a log"), "{again:?}");
}

#[test]
fn the_anchor_of_another_log_acknowledges_nothing() {
    let place = log();
    put_other_anchor(&place);
    let doctor = place.run(&["doctor", "--no-probe"]);
    assert!(!doctor.out.contains("acknowledged  "), "{doctor:?}");
    assert!(doctor.out.contains("find the one that belongs here"), "{doctor:?}");
    let accepted = place.ask(&["doctor", "--accept-loss", "The anchor is of another log", "--actor", "omar"]);
    assert!(accepted.contains("how many events had been acknowledged is not known"), "{accepted}");
    // Neither does a later answer state a number.
    for words in [&["log", "verify"][..], &["replay", "log/annals"], &["log", "show", "log/annals"]] {
        let later = place.ask(words);
        assert!(later.contains("how many events had been acknowledged is not known"), "{words:?}: {later}");
    }
    // The other anchor is among the copies.
    let kept = fs::read(place.path("home/log.before-loss-1.anchor")).unwrap();
    assert!(kept == fs::read(place.path("other.anchor")).unwrap());
}

#[test]
fn events_after_a_backup_are_added_from_a_log_that_is_damaged_in_the_middle() {
    let place = log();
    place.ask(&["log", "backup", "backup.db"]);
    place.write("later.jsonl", ROUND_1);
    place.ask(&["log", "append", "later.jsonl", "--actor", "omar"]);
    unguarded(
        &place,
        &["event_no_update"],
        "PRAGMA secure_delete = ON; UPDATE event SET actor = 'eve' WHERE seq = 6; VACUUM",
    );
    fs::create_dir(place.path("damaged")).unwrap();
    for (file, saved) in [("log.db", "backup.db"), ("log.anchor", "backup.anchor")] {
        fs::rename(place.path(&format!("home/{file}")), place.path(&format!("damaged/{file}"))).unwrap();
        // Without the mark of a sealed backup, which is read-only.
        fs::write(place.path(&format!("home/{file}")), fs::read(place.path(saved)).unwrap()).unwrap();
    }
    let saved = place.run(&["--home", "damaged", "doctor", "--salvage", "intact.jsonl"]);
    assert!(saved.out.contains("missing") || saved.talk.contains("missing"), "{saved:?}");
    place.ask(&["log", "import", "intact.jsonl", "--actor", "omar"]);
    let history = place.ask(&["tournament", "history", "spring-2015"]);
    assert!(history.contains("The result of r1.1 was recorded"), "{history}");
    let again = place.run(&["log", "import", "intact.jsonl", "--actor", "omar"]);
    assert_eq!(again.status, 0, "{again:?}");
}

#[test]
fn the_doctor_lists_each_damage_once() {
    for damage in &DAMAGES {
        let place = log();
        (damage.done_by)(&place);
        let doctor = place.run(&["doctor", "--no-probe"]).out;
        let listed: Vec<&str> = doctor.lines().filter_map(|line| line.strip_prefix("damage  ")).collect();
        for (at, one) in listed.iter().enumerate() {
            let others = listed.iter().enumerate().filter(|(other, _)| *other != at);
            let again: Vec<&&str> = others.map(|(_, text)| text).filter(|text| text.contains(one)).collect();
            assert!(again.is_empty(), "{}: `{one}` is in {again:?}", damage.name);
        }
    }
}

#[test]
fn an_older_anchor_is_reported_where_a_receipt_shows_it_and_is_written_again() {
    let place = log();
    let receipt = place.ask(&["log", "head"]);
    put_older_anchor(&place);
    let head = place.run(&["log", "head"]);
    assert!(head.status == 0 && head.out.contains(" seq=9 "), "{head:?}");
    assert!(head.talk.contains("2 events are after it") && head.talk.contains("older anchor"), "{head:?}");
    assert_eq!(place.ask_json(&["log", "head", "--json"])["later"], 2);
    let verified = place.ask(&["log", "verify", "--receipt", receipt.trim()]);
    assert!(verified.contains("warning the anchor is older than a receipt"), "{verified}");
    assert!(verified.contains("next: annals doctor --acknowledge"), "{verified}");
    assert_eq!(verified.lines().last(), Some(receipt.trim()));
    let told = place.ask(&["doctor", "--acknowledge"]);
    // The receipt is a line of its own.
    assert_eq!(told.lines().last(), Some(receipt.trim()), "{told}");
    assert_eq!(place.ask(&["log", "head"]), receipt);
    let verified = place.ask(&["log", "verify", "--receipt", receipt.trim()]);
    assert!(!verified.contains("older than a receipt"), "{verified}");
}

#[test]
fn a_receipt_that_only_a_backup_can_meet_leads_to_the_backup() {
    let place = log();
    let receipt = place.ask(&["log", "head"]);
    delete_last(&place);
    put_older_anchor(&place);
    walk(&place, "log and anchor replaced");
    let verified = place.run(&["log", "verify", "--receipt", receipt.trim()]);
    assert!(
        verified.status == 1
            && verified
                .out
                .contains("next: check that the receipt is as it was printed; if it is, restore a backup"),
        "{verified:?}"
    );
}

#[test]
fn a_hint_has_the_home_of_the_command_line() {
    let place = log();
    drop_triggers(&place);
    fs::rename(place.path("home"), place.path("my home")).unwrap();
    for words in [&["--home", "my home", "doctor", "--no-probe"][..], &["log", "verify", "--home", "my home"]]
    {
        let run = place.run(words);
        assert!(run.out.contains("next: annals --home 'my home' doctor --restore-schema"), "{run:?}");
    }
    let refused = place.run(&["--home", "my home", "log", "head"]);
    assert!(refused.talk.contains("hint: `annals --home 'my home' doctor` lists"), "{refused:?}");
    place.ask(&["--home", "my home", "doctor", "--restore-schema"]);
    let refused = place.run(&["--home", "none", "log", "head"]);
    assert!(refused.talk.contains("`annals --home none log init`"), "{refused:?}");
    // A home of the environment stays valid for the next command.
    let refused = place.run(&["log", "head"]);
    assert!(refused.talk.contains("`annals log init`"), "{refused:?}");
}

#[test]
fn a_command_that_begins_no_record_creates_no_log() {
    let place = log();
    for words in [
        &["tournament", "entry", "add", "spring-2015", "zed"][..],
        &["tournament", "game", "result", "spring-2015", "r1.1", "anna", "--termination", "goal"],
        &["tournament", "close", "spring-2015"],
        &["player", "rename", "anna", "Anne"],
        &["log", "append", "more.jsonl"],
        &["engine", "match", "annals:nodes=1", "annals:nodes=1", "--games", "1", "--turns", "2", "--log"],
    ] {
        let run = place.run(&[&["--home", "typo"], words, &["--actor", "omar"]].concat());
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        assert!(run.talk.contains("annals --home typo log init"), "{words:?}: {run:?}");
        assert!(!place.path("typo").exists(), "{words:?}");
    }
}

#[test]
fn a_new_log_in_which_nothing_was_recorded_is_removed() {
    let place = Place::new();
    place.write("bad.jsonl", "{}\n");
    place.write("start.jsonl", START);
    for words in [
        &["log", "import", "bad.jsonl"][..],
        &["tournament", "announce", "cup", "--rulebook", "no-such-rulebook"],
        &["game", "enter", "trial", "--new", "amazons", "--position", "nonsense"],
    ] {
        let run = place.run(&[words, &["--actor", "omar"]].concat());
        assert_ne!(run.status, 0, "{words:?}");
        assert!(!place.path("home").exists(), "{words:?}: {run:?}");
    }
    // A log with events stays, and so does one that was there.
    place.ask(&["log", "init", "--actor", "omar"]);
    assert_ne!(place.run(&["log", "import", "bad.jsonl", "--actor", "omar"]).status, 0);
    assert!(place.ask(&["log", "verify"]).contains("1 event, all intact"));
}

#[test]
fn a_backup_into_a_missing_folder_names_the_folder() {
    let place = log();
    let run = place.run(&["log", "backup", "backups/log.db"]);
    assert!(
        run.status == 2 && run.talk.contains("error: backups/log.db: the folder backups does not exist"),
        "{run:?}"
    );
    assert!(run.talk.contains("hint: mkdir -p backups"), "{run:?}");
    fs::create_dir(place.path("backups")).unwrap();
    place.ask(&["log", "backup", "backups/log.db"]);
}

#[test]
fn a_bundle_is_compared_with_a_receipt_of_another_moment() {
    let place = Place::new();
    place.write("start.jsonl", START);
    place.write("more.jsonl", MORE);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar"]);
    let early = place.ask(&["log", "head"]);
    place.ask(&["log", "bundle", "spring-2015", "-o", "early.json"]);
    place.ask(&["log", "append", "more.jsonl", "--actor", "omar"]);
    let late = place.ask(&["log", "head"]);
    place.ask(&["log", "bundle", "spring-2015", "-o", "late.json"]);
    for (file, receipt, said) in [
        ("early.json", &late, "a later moment of the same log: event 11, and the bundle's head event 9"),
        ("late.json", &early, "an earlier moment of the same log: event 9, and the bundle's head event 11"),
    ] {
        let run = place.run(&["log", "check-bundle", file, "--receipt", receipt.trim()]);
        assert!(run.status == 1 && run.out.contains(said), "{run:?}");
        let words = next(&run);
        let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        assert!(place.ask(&words).contains("consistent: the 2 receipts are of one history"), "{words:?}");
    }
    place.ask(&["--home", "other", "log", "init", "--actor", "omar"]);
    let other = place.ask(&["--home", "other", "log", "head"]);
    let run = place.run(&["log", "check-bundle", "late.json", "--receipt", other.trim()]);
    assert!(run.status == 1 && run.out.contains("the receipt is of log "), "{run:?}");
}

#[test]
fn a_receipt_that_no_longer_holds_leaves_what_an_earlier_one_or_a_backup_proves() {
    let place = log();
    let receipt = |place: &Place| place.ask(&["log", "head"]).trim().to_owned();
    let early = receipt(&place);
    place.ask(&["log", "backup", "early.db"]);
    let add = |player: &str| {
        let event = format!(
            r#"{{"stream":"people/{player}","type":"people.player_known","payload":{{"kind":"human","name":"{player}","player":"{player}"}}}}"#
        );
        place.write("one.jsonl", event);
        place.ask(&["log", "append", "one.jsonl", "--actor", "omar"]);
    };
    add("fred");
    let lost = receipt(&place);
    // The backup is restored, and the event is entered again: it has another hash.
    for (from, to) in [("early.db", "home/log.db"), ("early.anchor", "home/log.anchor")] {
        fs::remove_file(place.path(to)).unwrap();
        fs::copy(place.path(from), place.path(to)).unwrap();
    }
    let mut permissions = fs::metadata(place.path("home/log.db")).unwrap().permissions();
    #[allow(clippy::permissions_set_readonly_false, reason = "a copy in the folder of the test")]
    permissions.set_readonly(false);
    fs::set_permissions(place.path("home/log.db"), permissions.clone()).unwrap();
    fs::set_permissions(place.path("home/log.anchor"), permissions).unwrap();
    add("gina");
    let doubtful = |words: &[&str]| {
        let run = place.run(&[&["log", "verify", "--quick", "--json"], words].concat());
        assert_eq!(run.status, 1, "{run:?}");
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        report["first_bad"].as_u64()
    };
    assert_eq!(doubtful(&["--receipt", &lost]), Some(1), "nothing else proves the beginning");
    assert_eq!(doubtful(&["--receipt", &early, "--receipt", &lost]), Some(12));
    assert_eq!(doubtful(&["--receipt", &lost, "--backup", "early.db"]), Some(12));
    let run = place.run(&["log", "verify", "--receipt", &lost, "--receipt", &early]);
    assert!(run.out.contains("intact: 11 of 12 events: 1 to 11"), "{run:?}");
    assert!(run.out.contains("event 12 is the first event that is not verified"), "{run:?}");
    // A receipt that is later than the lost one does not hide it.
    let now = receipt(&place);
    assert_eq!(doubtful(&["--receipt", &lost, "--receipt", &now]), Some(1));
}

#[test]
fn a_damaged_backup_or_a_receipt_of_another_log_asks_for_no_repair_of_a_whole_log() {
    let place = log();
    place.ask(&["log", "backup", "copy.db"]);
    let sound = fs::read(place.path("copy.db")).unwrap();
    let mut damaged = sound.clone();
    let at = damaged.len() - 100;
    damaged[at] ^= 1;
    fs::remove_file(place.path("copy.db")).unwrap();
    place.write("copy.db", &damaged);
    let other = place.ask(&["--home", "other", "log", "head"]);
    for (words, expected) in [
        (["--backup", "copy.db"], "annals log backup FILE"),
        (["--receipt", other.trim()], "a receipt of this log"),
    ] {
        let run = place.run(&[&["log", "verify"], &words[..]].concat());
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.out.contains("11 events, all intact") && run.out.contains("the log is whole"), "{run:?}");
        let next = run.out.lines().find_map(|line| line.strip_prefix("next: ")).unwrap();
        assert!(next.contains(expected) && !next.contains("restore a backup"), "{next}");
    }
    assert!(place.ask(&["doctor", "--no-probe"]).contains("nothing needs to be done"));
}

#[test]
fn an_unreadable_line_of_the_anchor_is_written_again_by_the_named_command() {
    let place = log();
    let mut anchor = fs::read(place.path("home/log.anchor")).unwrap();
    // The line that is not the newest.
    let newest = place.ask(&["log", "head"]);
    let text = String::from_utf8_lossy(&anchor[..64]).into_owned();
    let is_first =
        text.contains(&format!("seq={}", newest.split("seq=").nth(1).unwrap().split(' ').next().unwrap()));
    let from = if is_first { anchor.len() / 2 } else { 0 };
    anchor[from..from + 16].fill(b'#');
    fs::write(place.path("home/log.anchor"), &anchor).unwrap();
    let doctor = place.run(&["doctor", "--no-probe"]);
    assert_eq!(doctor.status, 1, "{doctor:?}");
    assert_eq!(next(&doctor), ["annals", "doctor", "--acknowledge"]);
    place.ask(&["doctor", "--acknowledge"]);
    assert!(place.ask(&["doctor", "--no-probe"]).contains("nothing needs to be done"));
}

#[test]
fn a_folder_in_place_of_a_log_file_names_the_log_in_it() {
    let place = log();
    let run = place.run(&["log", "verify", "home"]);
    assert!(run.status == 2 && run.talk.contains("home: it is a folder"), "{run:?}");
    assert!(run.talk.contains("hint: annals log verify home/log.db"), "{run:?}");
    place.ask(&["log", "verify", "home/log.db"]);
}
