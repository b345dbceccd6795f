//! Creating and opening: what is taken for a log, and what each thing that is none is told.

use std::fs;

use annals_store::{FaultKind, Log, MachineClock, NotALog, OpenError, Transaction, VerifyOptions, verify};
use rusqlite::Connection;

use crate::scene::{Scene, new_log, numbered};

#[test]
fn a_new_log_is_whole_and_says_what_it_is() {
    let scene = Scene::empty();
    let log = scene.create();
    assert_eq!(log.opened().note.as_deref(), Some("a log for a test"));
    assert_eq!(log.id(), new_log().log_id);
    drop(log);
    let names: Vec<_> =
        fs::read_dir(scene.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing but the log and its anchor: {names:?}");
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
    assert_eq!((report.last, report.intact_count()), (1, 1));
    assert_eq!(report.head, report.acknowledged);
}

#[test]
fn a_log_is_not_created_over_another_or_where_one_was() {
    let scene = Scene::with_events(5);
    let create = || Log::create(&scene.path(), &new_log(), Box::new(MachineClock)).unwrap_err();
    assert!(matches!(create(), OpenError::Exists { .. }));
    fs::remove_file(scene.path()).unwrap();
    let error = create();
    assert!(matches!(&error, OpenError::LogGone { anchored, .. } if anchored.seq == 5), "{error}");
    let error = Log::open(&scene.path()).unwrap_err();
    assert!(matches!(&error, OpenError::LogGone { anchored, .. } if anchored.seq == 5), "{error}");
    assert!(error.to_string().contains("annals-head/1 log=4242"), "{error}");
}

#[test]
fn what_a_cut_off_creation_leaves_is_taken_over() {
    let scene = Scene::with_events(1);
    fs::remove_file(scene.path()).unwrap();
    // The anchor as it is before the log has its name.
    let anchor = scene.anchor();
    fs::remove_file(&anchor).unwrap();
    fs::write(scene.file("log.unfinished"), b"half a log").unwrap();
    fs::write(&anchor, b"").unwrap();
    scene.create();
    assert!(verify(&scene.path(), &VerifyOptions::default()).unwrap().is_clean());
    assert!(!scene.file("log.unfinished").exists());
}

#[test]
fn a_file_that_is_no_log_is_told_so_and_left_alone() {
    let scene = Scene::empty();
    let path = scene.file("other.db");
    let open = || Log::open(&path).unwrap_err();
    let fault = |error: &OpenError, kind: FaultKind| match error {
        OpenError::NotALog(NotALog::Fault(fault)) | OpenError::Fault(fault) => fault.kind == kind,
        _ => false,
    };
    assert!(fault(&open(), FaultKind::NotFound), "{}", open());
    for (bytes, name) in [(vec![0u8; 0], "empty"), (vec![b'x'; 5000], "text")] {
        fs::write(&path, &bytes).unwrap();
        let error = open();
        let is_refused = fault(&error, FaultKind::NotADatabase)
            || matches!(error, OpenError::NotALog(NotALog::Foreign { .. }));
        assert!(is_refused, "{name}: {error}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name}");
    }
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE event (seq INTEGER PRIMARY KEY)").unwrap();
    let before = fs::read(&path).unwrap();
    let error = Log::open_for_append(&path, Box::new(MachineClock)).unwrap_err();
    assert!(matches!(error, OpenError::NotALog(NotALog::Foreign { found: 0, .. })), "{error}");
    assert!(error.to_string().contains("another SQLite database"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::create_dir(scene.file("folder.db")).unwrap();
    assert!(Log::open(&scene.file("folder.db")).is_err());
}

#[test]
fn what_stands_in_the_place_of_a_log_is_told_what_was_there() {
    let foreign = |path: &std::path::Path| {
        fs::remove_file(path).unwrap();
        Connection::open(path).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    };
    let emptied = |path: &std::path::Path| fs::write(path, b"").unwrap();
    let text = |path: &std::path::Path| fs::write(path, vec![b'x'; 5000]).unwrap();
    for replace in [&foreign as &dyn Fn(&std::path::Path), &emptied, &text] {
        let scene = Scene::with_events(12);
        replace(&scene.path());
        let before = fs::read(scene.path()).unwrap();
        let errors = [
            Log::open(&scene.path()).unwrap_err(),
            Log::open_for_append(&scene.path(), Box::new(scene.clock.clone())).unwrap_err(),
            verify(&scene.path(), &VerifyOptions::default()).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(&error, OpenError::NotTheLog { anchored, .. } if anchored.seq == 12), "{error}");
            assert!(error.to_string().contains("a log with 12 acknowledged events"), "{error}");
        }
        assert_eq!(fs::read(scene.path()).unwrap(), before);
    }
    // Every event is gone, and the tables are there.
    let scene = Scene::with_events(12);
    let sql = "DROP TRIGGER event_no_delete; DELETE FROM event";
    Connection::open(scene.path()).unwrap().execute_batch(sql).unwrap();
    let error = Log::open(&scene.path()).unwrap_err().to_string();
    assert!(error.contains("no first event") && error.contains("12 acknowledged events"), "{error}");
}

#[test]
fn a_log_of_a_newer_format_is_left_to_a_newer_program() {
    let scene = Scene::with_events(3);
    Connection::open(scene.path()).unwrap().pragma_update(None, "user_version", 2).unwrap();
    let error = Log::open(&scene.path()).unwrap_err();
    assert!(matches!(error, OpenError::NotALog(NotALog::NewerFormat { found: 2, .. })), "{error}");
    assert!(error.to_string().contains("format 2"), "{error}");
}

#[test]
fn a_real_log_and_a_simulated_one_are_never_mixed() {
    let scene = Scene::with_events(3);
    let error = Log::open_for_append(&scene.path(), Box::new(MachineClock)).unwrap_err();
    assert!(error.to_string().contains("declares a simulated clock"), "{error}");
    assert!(matches!(error, OpenError::WrongClock { .. }));
}

#[test]
fn a_read_only_file_can_be_read_and_not_appended_to() {
    let scene = Scene::with_events(7);
    let mut permissions = fs::metadata(scene.path()).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(scene.path(), permissions).unwrap();
    assert_eq!(Log::open(&scene.path()).unwrap().last_seq().unwrap(), 7);
    let error = Log::open_for_append(&scene.path(), Box::new(scene.clock.clone())).unwrap_err();
    assert!(matches!(&error, OpenError::Fault(fault) if fault.kind == FaultKind::ReadOnly), "{error}");
    assert!(error.to_string().contains("read-only"), "{error}");
}

#[test]
fn a_log_that_another_program_holds_is_reported_as_locked() {
    let scene = Scene::with_events(3);
    let mut log = scene.open();
    let other = Connection::open(scene.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = log.append(&Transaction::of(vec![numbered(9)])).unwrap_err();
    assert!(error.to_string().contains("another process holds it"), "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    log.append(&Transaction::of(vec![numbered(9)])).unwrap();
}
