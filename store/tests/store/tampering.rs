//! Somebody tampers: with the sqlite3 shell and a free hand, with or without knowing how the hashes are made. Each way is
//! reported, and the first event that is not what was acknowledged is named.

use std::fs;

use annals_events::{EventId, Hash};
use annals_store::chain::{Chain, genesis};
use annals_store::{
    EventRef, Finding, Log, OpenError, Report, SchemaDifference, Transaction, VerifyOptions,
    merkle::Frontier, verify,
};
use rusqlite::{Connection, params};

use crate::scene::{Scene, new_log, numbered};

const EVENTS: u64 = 60;

fn scene() -> Scene {
    Scene::with_events(EVENTS)
}

/// A connection without protection: the triggers are out of the way, and come back when it is done.
pub fn unprotected(scene: &Scene, tamper: impl FnOnce(&Connection)) {
    let connection = Connection::open(scene.path()).unwrap();
    let mut statement =
        connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
    let triggers: Vec<(String, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    drop(statement);
    for (name, _) in &triggers {
        connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    tamper(&connection);
    for (_, sql) in &triggers {
        connection.execute_batch(sql).unwrap();
    }
}

/// Makes hashes and tree anew from an event on, as somebody would who knows how.
pub fn rehash(connection: &Connection, from: u64) {
    let mut statement = connection
        .prepare(
            "SELECT seq, stream, version, id, type, schema, effective_at, recorded_at, actor, payload, hash
             FROM event ORDER BY seq",
        )
        .unwrap();
    let mut rows = statement.query([]).unwrap();
    let (mut before, mut tree, mut chain) = (genesis(new_log().log_id), Frontier::new(), Chain::default());
    let mut anew: Vec<(u64, Hash)> = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let text = |i: usize| row.get::<_, String>(i).unwrap();
        let number = |i: usize| row.get::<_, i64>(i).unwrap();
        let (stream, event_type, actor, payload) = (text(1), text(4), text(8), text(9));
        let event = EventRef {
            seq: number(0) as u64,
            stream: &stream,
            version: number(2) as u64,
            id: EventId(row.get(3).unwrap()),
            event_type: &event_type,
            schema: number(5) as u32,
            effective_at: number(6),
            recorded_at: number(7),
            actor: &actor,
            payload: &payload,
            hash: Hash::default(),
        };
        if event.seq >= from {
            before = chain.hash(&before, &event);
            anew.push((event.seq, before));
        } else {
            before = Hash(row.get(10).unwrap());
        }
        tree.push(&before);
    }
    drop(rows);
    for (seq, hash) in anew {
        connection.execute("UPDATE event SET hash = ?2 WHERE seq = ?1", params![seq as i64, hash.0]).unwrap();
    }
    let peaks: Vec<u8> = tree.peaks().iter().flat_map(|peak| peak.0).collect();
    connection.execute("UPDATE tree SET size = ?1, peaks = ?2", params![tree.size() as i64, peaks]).unwrap();
}

fn report(scene: &Scene) -> Report {
    verify(&scene.path(), &VerifyOptions::default()).unwrap()
}

/// Tampers without making hashes anew; the first bad event must be named exactly.
fn plainly(what: &str, first_bad: u64, sql: &str) {
    let scene = scene();
    unprotected(&scene, |connection| connection.execute_batch(sql).unwrap());
    let report = report(&scene);
    assert!(!report.is_whole(), "{what}: nothing was reported");
    assert_eq!(report.first_certain(), Some(first_bad), "{what}: {:?}", report.findings);
    assert!(report.first_bad().unwrap() <= first_bad, "{what}: {:?}", report.findings);
    // All before the first bad event is intact, as far as the anchor does not doubt it.
    let vouched = report.intact.first().map_or(0, |range| if *range.start() == 1 { *range.end() } else { 0 });
    assert!(vouched >= report.first_bad().unwrap() - 1, "{what}: {:?}", report.intact);
}

#[test]
fn every_column_of_an_event_that_is_edited_is_reported_by_its_event() {
    let edits = [
        "stream = 'game/99'",
        "version = 99",
        "id = x'00112233445566778899aabbccddeeff'",
        "type = 'game.halted'",
        "schema = 7",
        "effective_at = effective_at - 1",
        "recorded_at = recorded_at - 1",
        "actor = 'somebody'",
        r#"payload = '{"number":30,"side":"gold","steps":"Ra1n"}'"#,
        "payload = payload || ' '",
        "hash = zeroblob(32)",
    ];
    for set in edits {
        plainly(set, 31, &format!("UPDATE event SET {set} WHERE seq = 31"));
    }
    println!("{} edits over every column of an event, each named", edits.len());
}

#[test]
fn an_edited_event_leaves_all_others_intact() {
    let scene = scene();
    unprotected(&scene, |connection| {
        connection.execute_batch("UPDATE event SET actor = 'x' WHERE seq = 31").unwrap();
    });
    assert_eq!(report(&scene).intact, [1..=30, 32..=EVENTS]);
    // When only the stored hash was changed, the report says so.
    unprotected(&scene, |connection| {
        connection
            .execute_batch("UPDATE event SET actor = 'omar', hash = zeroblob(32) WHERE seq = 31")
            .unwrap();
    });
    let report = report(&scene);
    let of_31 = report.findings.iter().find(|finding| finding.seq() == Some(31)).unwrap();
    assert!(matches!(of_31, Finding::Hash { content_intact: true, .. }), "{of_31}");
    let of_anchor = report.findings.iter().find_map(|finding| match finding {
        Finding::Anchor(problem) => Some(problem.word()),
        _ => None,
    });
    assert_eq!(of_anchor, Some("anchor_of_another_root"));
}

#[test]
fn an_event_that_is_deleted_inserted_moved_or_swapped_is_reported() {
    plainly("delete the second", 2, "DELETE FROM event WHERE seq = 2");
    plainly("delete in the middle", 40, "DELETE FROM event WHERE seq = 40");
    plainly("delete some", 40, "DELETE FROM event WHERE seq BETWEEN 40 AND 45");
    plainly(
        "close the gap",
        40,
        "DELETE FROM event WHERE seq = 40; UPDATE event SET seq = seq - 1 WHERE seq > 40",
    );
    plainly(
        "insert in the middle",
        20,
        "UPDATE event SET seq = seq + 1000 WHERE seq >= 20; UPDATE event SET seq = seq - 999 WHERE seq > 1000;
         INSERT INTO event SELECT 20, 'game/new', 1, x'00112233445566778899aabbccddeeff', type, schema,
           effective_at, recorded_at, actor, payload, hash FROM event WHERE seq = 19",
    );
    plainly(
        "swap two",
        10,
        "UPDATE event SET seq = 999 WHERE seq = 10; UPDATE event SET seq = 10 WHERE seq = 50;
         UPDATE event SET seq = 50 WHERE seq = 999",
    );
    plainly(
        "swap the streams of two",
        10,
        "UPDATE event SET stream = 'game/x' WHERE seq = 10;
         UPDATE event SET (stream, version) = ('game/y', 1) WHERE seq = 11",
    );
    println!("7 ways to delete, insert, move and swap, each named");
}

#[test]
fn a_deleted_first_event_makes_it_no_log() {
    let scene = scene();
    unprotected(&scene, |connection| connection.execute_batch("DELETE FROM event WHERE seq = 1").unwrap());
    let report = report(&scene);
    assert_eq!(report.first_bad(), Some(1));
    assert!(Log::open(&scene.path()).unwrap_err().to_string().contains("no first event"));
}

#[test]
fn a_log_that_is_cut_short_is_reported_even_when_everything_left_fits_together() {
    let lengths = [1, 2, 30, EVENTS - 1];
    for left in lengths {
        let scene = scene();
        unprotected(&scene, |connection| {
            connection.execute("DELETE FROM event WHERE seq > ?1", [left as i64]).unwrap();
            rehash(connection, EVENTS);
        });
        let report = report(&scene);
        assert_eq!(report.first_bad(), Some(left + 1), "{:?}", report.findings);
        assert_eq!(report.intact, [1..=left]);
        let error = Log::open(&scene.path()).unwrap_err();
        assert!(matches!(error, OpenError::Anchor { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.contains(&format!("the log ends at {left}, but {EVENTS} had been acknowledged")),
            "{text}"
        );
        assert!(Log::open_for_append(&scene.path(), Box::new(scene.clock.clone())).is_err());
        assert_eq!(Log::inspect(&scene.path()).unwrap().last_seq().unwrap(), left);
    }
    println!("truncated to {} lengths: each reported", lengths.len());
}

#[test]
fn a_tail_that_is_rewritten_with_fresh_hashes_is_reported_and_its_beginning_narrowed_down() {
    // The anchor states the roots of 32, 16, 8 and 4 events, and of all events but the last.
    let tails = [(2, 1), (17, 1), (33, 33), (49, 49), (57, 57), (EVENTS, EVENTS)];
    for (first, named) in tails {
        let scene = scene();
        let log = Log::open(&scene.path()).unwrap();
        let backup = log.backup(&scene.file("copy.db")).unwrap();
        drop(log);
        unprotected(&scene, |connection| {
            connection.execute("UPDATE event SET actor = 'x' WHERE seq = ?1", [first as i64]).unwrap();
            rehash(connection, first);
        });
        let error = Log::open(&scene.path()).unwrap_err();
        let differs =
            if named == EVENTS { "the first that differs is 60" } else { "the first that differs is one of" };
        assert!(error.to_string().contains(differs), "{error}");
        let report = report(&scene);
        let spans: Vec<(u64, u64)> = report
            .findings
            .iter()
            .filter_map(|finding| match finding {
                Finding::Anchor(annals_store::AnchorProblem::Rewritten { first, latest, .. }) => {
                    Some((*first, *latest))
                }
                _ => None,
            })
            .collect();
        assert!(
            !spans.is_empty() && spans.iter().all(|(from, to)| (*from..=*to).contains(&first)),
            "{spans:?}"
        );
        let first_bad = report.first_bad().unwrap();
        assert_eq!(first_bad, named, "{first}");
        // Alone, the file is faultless; yet nothing that can be another one is called intact.
        let proven: Vec<_> = (first_bad > 1).then(|| 1..=first_bad - 1).into_iter().collect();
        assert_eq!(report.intact, proven);
        assert!(report.findings.iter().all(|f| matches!(f, Finding::Anchor(_))), "{:?}", report.findings);
        // With a backup the event is named exactly, and a receipt contradicts the log too.
        let options = VerifyOptions {
            backups: vec![backup.path],
            receipts: vec![backup.head],
            ..VerifyOptions::default()
        };
        let report = verify(&scene.path(), &options).unwrap();
        let named = report.findings.iter().find(|finding| matches!(finding, Finding::Backup { .. })).unwrap();
        assert_eq!(named.seq(), Some(first));
        assert!(report.findings.iter().any(|finding| matches!(finding, Finding::Receipt { .. })));
        assert_eq!((report.first_bad(), report.intact), (Some(first), vec![1..=first - 1]));
        // A receipt alone, where the anchor was forged too, vouches for nothing before it.
        fs::remove_file(scene.anchor()).unwrap();
        let options = VerifyOptions { receipts: vec![backup.head], ..VerifyOptions::default() };
        let report = verify(&scene.path(), &options).unwrap();
        assert_eq!((report.first_bad(), report.intact_count()), (Some(1), 0));
    }
    println!("{} rewritten tails: each narrowed down, and named exactly with a backup", tails.len());
}

#[test]
fn dating_back_is_reported_with_and_without_fresh_hashes() {
    plainly("happened earlier", 25, "UPDATE event SET effective_at = 0 WHERE seq = 25");
    plainly("recorded earlier", 25, "UPDATE event SET recorded_at = 0 WHERE seq = 25");
    for column in ["effective_at", "recorded_at"] {
        let scene = scene();
        unprotected(&scene, |connection| {
            connection.execute(&format!("UPDATE event SET {column} = 0 WHERE seq = 25"), []).unwrap();
            rehash(connection, 25);
        });
        let report = report(&scene);
        assert!(!report.is_whole() && report.first_bad().unwrap() <= 25, "{:?}", report.findings);
        let backwards = report.findings.iter().any(|f| matches!(f, Finding::Backwards { seq: 25, .. }));
        assert_eq!(backwards, column == "recorded_at");
    }
    println!("2 ways to date back, each named, and each reported with new hashes");
}

#[test]
fn a_log_put_back_from_earlier_is_reported() {
    let scene = scene();
    let earlier = fs::read(scene.path()).unwrap();
    let mut log = scene.open();
    scene.fill(&mut log, EVENTS + 10);
    drop(log);
    fs::write(scene.path(), earlier).unwrap();
    assert_eq!(report(&scene).first_bad(), Some(EVENTS + 1));
}

#[test]
fn whoever_puts_back_log_and_anchor_together_is_found_out_by_a_receipt() {
    let scene = scene();
    let earlier = [fs::read(scene.path()).unwrap(), fs::read(scene.anchor()).unwrap()];
    let mut log = scene.open();
    scene.fill(&mut log, EVENTS + 10);
    let receipt = log.acknowledged().unwrap();
    drop(log);
    fs::write(scene.path(), &earlier[0]).unwrap();
    fs::write(scene.anchor(), &earlier[1]).unwrap();
    assert!(report(&scene).is_clean(), "nothing on this disk can tell");
    let options = VerifyOptions { receipts: vec![receipt], ..VerifyOptions::default() };
    let report = verify(&scene.path(), &options).unwrap();
    assert!(matches!(report.findings.as_slice(), [Finding::Receipt { .. }]), "{:?}", report.findings);
    let error = Log::open(&scene.path()).unwrap().prove_consistency(&receipt).unwrap_err();
    assert!(error.to_string().contains("the log ends at 60"), "{error}");
}

#[test]
fn the_log_or_the_anchor_of_another_log_is_reported() {
    let (scene, other) = (scene(), Scene::empty());
    let mut new = new_log();
    new.log_id = annals_events::LogId([0x66; 16]);
    let mut log = Log::create(&other.path(), &new, Box::new(other.clock.clone())).unwrap();
    other.fill(&mut log, EVENTS);
    drop(log);
    fs::copy(other.path(), scene.path()).unwrap();
    let error = Log::open(&scene.path()).unwrap_err();
    assert!(error.to_string().contains("the anchor belongs to log 4242"), "{error}");
    assert!(!report(&scene).is_whole());
}

#[test]
fn what_was_done_to_tables_and_triggers_is_reported_and_nothing_is_appended_to_it() {
    let trigger = "CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN SELECT 1; END";
    let changes = [
        ("DROP TRIGGER event_no_update".to_owned(), "trigger event_no_update", "is missing"),
        (format!("DROP TRIGGER event_no_delete; {trigger}"), "trigger event_no_delete", "was changed"),
        ("ALTER TABLE event ADD COLUMN note TEXT".to_owned(), "table event", "was changed"),
        ("CREATE TABLE notes (text TEXT)".to_owned(), "table notes", "was added"),
        ("CREATE VIEW v AS SELECT 1".to_owned(), "view v", "was added"),
        ("CREATE INDEX by_actor ON event (actor)".to_owned(), "index by_actor", "was added"),
    ];
    for (sql, object, what) in &changes {
        let scene = scene();
        Connection::open(scene.path()).unwrap().execute_batch(sql).unwrap();
        let findings = report(&scene).findings;
        let said = findings.iter().any(|finding| match finding {
            Finding::Schema(SchemaDifference { object: found, what: how, .. }) => {
                (found.as_str(), *how) == (*object, *what)
            }
            _ => false,
        });
        assert!(said, "{sql}: {findings:?}");
        let error = Log::open_for_append(&scene.path(), Box::new(scene.clock.clone())).unwrap_err();
        assert!(error.to_string().contains(object), "{error}");
        let left = Connection::open(scene.path()).unwrap();
        let count = left.query_row("SELECT count(*) FROM event", [], |row| row.get::<_, i64>(0));
        assert_eq!(count, Ok(EVENTS as i64));
        // Events are read only from a table that is as it should be.
        match Log::inspect(&scene.path()) {
            Ok(log) => assert_eq!(log.events(1..=99).count() as u64, EVENTS),
            Err(error) => assert!(*object == "table event" && error.to_string().contains(object), "{error}"),
        }
    }
    println!("{} changes of the schema: each named, and nothing was appended", changes.len());
}

#[test]
fn the_triggers_stop_what_is_done_by_accident() {
    let scene = scene();
    let connection = Connection::open(scene.path()).unwrap();
    for (sql, words) in [
        ("UPDATE event SET actor = 'x' WHERE seq = 5", "no event is ever changed"),
        ("DELETE FROM event WHERE seq = 60", "no event is ever removed"),
        ("DELETE FROM tree", "never removed"),
        ("UPDATE tree SET size = 3", "only grows"),
        ("INSERT INTO event SELECT 70, 'game/z', 1, randomblob(16), type, schema, effective_at, recorded_at,
          actor, payload, hash FROM event WHERE seq = 60", "seq must be the next"),
        ("INSERT INTO event SELECT 61, 'game/z', 2, randomblob(16), type, schema, effective_at, recorded_at,
          actor, payload, hash FROM event WHERE seq = 60", "version must be the next"),
        ("INSERT INTO event SELECT 61, 'game/z', 1, randomblob(16), type, schema, effective_at, 0,
          actor, payload, hash FROM event WHERE seq = 60", "recorded_at must not be earlier"),
        ("INSERT OR REPLACE INTO event SELECT seq, stream, version, id, type, schema, effective_at, recorded_at,
          'x', payload, hash FROM event WHERE seq = 60", "seq must be the next"),
    ] {
        let error = connection.execute_batch(sql).unwrap_err();
        assert!(error.to_string().contains(words), "{sql}: {error}");
    }
    drop(connection);
    assert!(report(&scene).is_clean());
}

#[test]
fn an_event_smuggled_in_at_the_end_without_the_tree_is_reported() {
    let scene = scene();
    let insert = "INSERT INTO event SELECT 61, 'game/z', 1, randomblob(16), type, schema, effective_at, recorded_at + 1,
       actor, payload, hash FROM event WHERE seq = 60";
    Connection::open(scene.path()).unwrap().execute_batch(insert).unwrap();
    let report = report(&scene);
    assert_eq!(report.first_bad(), Some(61), "{:?}", report.findings);
    let error = Log::open_for_append(&scene.path(), Box::new(scene.clock.clone())).unwrap_err();
    assert!(error.to_string().contains("tree"), "{error}");
}

#[test]
fn a_log_that_is_cut_while_it_is_open_takes_nothing_more() {
    let scene = scene();
    let mut log = scene.open();
    unprotected(&scene, |connection| {
        connection.execute_batch("DELETE FROM event WHERE seq > 50").unwrap();
        rehash(connection, EVENTS);
    });
    let error = log.append(&Transaction::of(vec![numbered(1_000)])).unwrap_err();
    assert!(error.to_string().contains("ended at event 60 and ends at 50 now"), "{error}");
}

#[test]
fn nothing_is_appended_after_an_event_whose_hash_changed_while_the_log_was_open() {
    let scene = scene();
    let mut log = scene.open();
    unprotected(&scene, |connection| {
        connection.execute("UPDATE event SET hash = zeroblob(32) WHERE seq = ?1", [EVENTS as i64]).unwrap();
    });
    let error = log.append(&Transaction::of(vec![numbered(1_000)])).unwrap_err();
    assert!(error.to_string().contains("event 60 has another hash than when it was acknowledged"), "{error}");
}

#[test]
fn one_event_with_a_huge_or_negative_seq_is_one_finding_and_the_end_of_the_search() {
    for (moved, to) in
        [(60, i64::MAX), (31, i64::MAX), (31, i64::MAX - 1), (31, 1 << 40), (31, -5), (60, i64::MIN)]
    {
        let scene = scene();
        unprotected(&scene, |connection| {
            connection.execute_batch("PRAGMA ignore_check_constraints = 1").unwrap();
            connection.execute("UPDATE event SET seq = ?2 WHERE seq = ?1", params![moved, to]).unwrap();
        });
        let report = report(&scene);
        assert_eq!(report.first_certain(), Some(moved as u64), "{moved} to {to}: {:?}", report.findings);
        let misplaced: Vec<&Finding> =
            report.findings.iter().filter(|f| matches!(f, Finding::Misplaced { .. })).collect();
        let [Finding::Misplaced { count: 1, lowest, highest, .. }] = misplaced.as_slice() else {
            panic!("{moved} to {to}: {:?}", report.findings)
        };
        assert_eq!((*lowest, *highest), (to, to));
        assert_eq!(report.intact.first(), Some(&(1..=moved as u64 - 1)));
        assert!(report.last <= EVENTS);
        // Nor do the others search for ever, with the anchor or without it, and even where the tree lies too.
        unprotected(&scene, |connection| {
            connection.execute_batch("PRAGMA ignore_check_constraints = 1").unwrap();
            connection.execute("UPDATE tree SET size = ?1", [i64::MAX]).unwrap();
        });
        assert!(!self::report(&scene).is_whole());
        // The hash shows which event it is.
        let salvage = || annals_store::salvage(&scene.path(), &mut Vec::new()).unwrap();
        let salvaged = salvage();
        assert_eq!((salvaged.written, &salvaged.mended), (EVENTS, &vec![moved as u64]), "{salvaged:?}");
        fs::remove_file(scene.anchor()).unwrap();
        let salvaged = salvage();
        assert!(salvaged.written >= moved as u64 - 1 && !salvaged.is_complete(), "{salvaged:?}");
        assert!(!self::report(&scene).is_whole());
    }
}
