//! What goes in, what is refused, and that a refusal leaves nothing behind.

use annals_events::RawPayload;
use annals_events::log::ClockKind;
use annals_store::{
    AppendError, Clock, ConfirmError, EventError, Expected, FaultKind, LONGEST_PAUSE, Log, NewEvent,
    SetClock, Transaction, VerifyOptions, verify,
};

use crate::scene::{START, Scene, acknowledged, event_id, new_log, numbered, stream, turn};

#[test]
fn events_get_their_places_and_come_back_as_they_went_in() {
    let scene = Scene::empty();
    let mut log = scene.create();
    scene.clock.set(START + 500);
    let done =
        log.append(&Transaction::of(vec![turn("game/a", 1), turn("game/b", 2), turn("game/a", 3)])).unwrap();
    assert_eq!((done.first_seq, done.last_seq, done.recorded_at, done.repeated), (2, 4, START + 500, false));
    let events: Vec<_> = log.events(1..=u64::MAX).map(Result::unwrap).collect();
    let places: Vec<_> = events.iter().map(|e| (e.seq, e.stream.as_str(), e.version)).collect();
    assert_eq!(places, [(1, "log/annals", 1), (2, "game/a", 1), (3, "game/b", 1), (4, "game/a", 2)]);
    assert_eq!(events[2].id, event_id(2));
    assert_eq!(events[2].effective_at, START + 2);
    assert_eq!(events[2].actor, "omar");
    assert_eq!(events[2].payload.as_str(), r#"{"number":2,"side":"gold","steps":"Eb2n Eb3n"}"#);
    assert_eq!(done.head.hash, events[3].hash);
    assert_eq!(done.head, log.head().unwrap());
    assert_eq!(log.acknowledged(), Some(done.head));
    assert_eq!(log.find(event_id(3)).unwrap().unwrap().seq, 4);
    assert_eq!(log.find(event_id(99)).unwrap(), None);
    assert_eq!(log.event(9).unwrap(), None);
    let of_a: Vec<u64> = log.stream(&stream("game/a"), u64::MAX).unwrap().iter().map(|e| e.seq).collect();
    assert_eq!(of_a, [2, 4]);
    assert_eq!(log.stream(&stream("game/a"), 3).unwrap().len(), 1);
    let names: Vec<_> =
        log.streams(None).unwrap().into_iter().map(|s| (s.name.to_string(), s.version)).collect();
    assert_eq!(names, [("game/a".to_owned(), 2), ("game/b".to_owned(), 1), ("log/annals".to_owned(), 1)]);
    assert_eq!(log.streams(Some("game")).unwrap().len(), 2);
    assert_eq!(log.streams(Some("gam")).unwrap().len(), 0);
}

#[test]
fn every_transaction_has_one_time_and_it_is_later_than_the_last() {
    let scene = Scene::empty();
    let mut log = scene.create();
    // The clock stands still, then runs back a little: the log goes on a microsecond at a time.
    for n in 1..=3 {
        log.append(&Transaction::of(vec![numbered(2 * n), numbered(2 * n + 1)])).unwrap();
    }
    scene.clock.set(START - 5_000_000);
    log.append(&Transaction::of(vec![numbered(20)])).unwrap();
    let times: Vec<i64> = log.events(1..=99).map(|e| e.unwrap().recorded_at - START).collect();
    assert_eq!(times, [0, 1, 1, 2, 2, 3, 3, 4]);
    for (at, seq) in [(-1, 0), (0, 1), (1, 3), (2, 5), (99, 8)] {
        assert_eq!(log.seq_known_at(START + at).unwrap(), seq, "{at}");
    }
}

#[test]
fn time_that_runs_backwards_is_refused_and_nothing_is_taken() {
    let scene = Scene::with_events(5);
    let mut log = scene.open();
    let last = log.event(5).unwrap().unwrap().recorded_at;
    scene.clock.set(last - 10_000_001);
    let error = log.append(&Transaction::of(vec![numbered(50)])).unwrap_err();
    assert_eq!(error, AppendError::ClockBehind { now: last - 10_000_001, last });
    assert!(error.to_string().contains("10 seconds later"), "{error}");
    scene.clock.set(last - 10_000_000);
    assert_eq!(log.append(&Transaction::of(vec![numbered(50)])).unwrap().recorded_at, last + 1);
}

#[test]
fn a_clock_that_is_confirmed_lets_the_log_go_on_until_it_jumps_again() {
    let scene = Scene::with_events(5);
    let mut log = scene.open();
    assert!(matches!(log.confirm_clock("omar", "no reason"), Err(ConfirmError::NothingToConfirm)));
    let ahead = START + 30 * 365 * 86_400_000_000;
    scene.clock.set(ahead);
    log.append(&Transaction::of(vec![numbered(6)])).unwrap();
    scene.clock.set(START + 60_000_000);
    let refused = |log: &mut Log, n: u64| {
        let error = log.append(&Transaction::of(vec![numbered(n)])).unwrap_err();
        assert!(matches!(error, AppendError::ClockBehind { .. }), "{error}");
    };
    refused(&mut log, 7);
    let confirmed = log.confirm_clock("omar", "The clock had been thirty years ahead").unwrap();
    assert_eq!((confirmed.last_seq, confirmed.recorded_at), (7, ahead + 1));
    for n in [8, 9] {
        let taken = log.append(&Transaction::of(vec![numbered(n), numbered(n + 100)])).unwrap();
        assert_eq!(taken.recorded_at, ahead + n as i64 - 6);
    }
    drop(log);
    let mut log = scene.open();
    log.append(&Transaction::of(vec![numbered(10)])).unwrap();
    // It runs ahead once more: what was confirmed does not cover that.
    scene.clock.set(ahead + 60_000_000);
    log.append(&Transaction::of(vec![numbered(11)])).unwrap();
    scene.clock.set(START + 120_000_000);
    refused(&mut log, 12);
    drop(log);
    assert!(verify(&scene.path(), &VerifyOptions::default()).unwrap().is_whole());
}

/// A clock that a test sets and that passes for the machine's.
#[derive(Debug)]
struct SetReal(SetClock);

impl Clock for SetReal {
    fn now(&self) -> i64 {
        self.0.now()
    }

    fn kind(&self) -> ClockKind {
        ClockKind::Real
    }
}

#[test]
fn a_clock_that_was_confirmed_while_it_was_ahead_is_doubted_again_when_it_falls_back() {
    let scene = Scene::empty();
    let mut log = Log::create(&scene.path(), &new_log(), Box::new(SetReal(scene.clock.clone()))).unwrap();
    scene.clock.set(START + LONGEST_PAUSE + 1);
    let error = log.append(&Transaction::of(vec![numbered(2)])).unwrap_err();
    assert!(matches!(error, AppendError::ClockAhead { .. }), "{error}");
    assert_eq!(log.last_seq().unwrap(), 1);
    log.confirm_clock("omar", "It seems right").unwrap();
    log.append(&Transaction::of(vec![numbered(2)])).unwrap();
    scene.clock.set(START + 1_000_000);
    let error = log.append(&Transaction::of(vec![numbered(3)])).unwrap_err();
    assert!(matches!(error, AppendError::ClockBehind { .. }), "{error}");
    log.confirm_clock("omar", "It was wrong, and is right now").unwrap();
    log.append(&Transaction::of(vec![numbered(3)])).unwrap();
    // An even earlier time was not confirmed.
    scene.clock.set(START - 86_400_000_000);
    let error = log.append(&Transaction::of(vec![numbered(4)])).unwrap_err();
    assert!(matches!(error, AppendError::ClockBehind { .. }), "{error}");
}

#[test]
fn an_append_is_refused_when_a_stream_is_not_as_expected() {
    let scene = Scene::empty();
    let mut log = scene.create();
    let a = stream("game/a");
    let first = Transaction::of(vec![turn("game/a", 1)]);
    log.append(&first.clone().expecting(a.clone(), Expected::NoStream)).unwrap();
    let second = Transaction::of(vec![turn("game/a", 2)]);
    let conflict =
        |expected| AppendError::Conflict { stream: stream("game/a"), expected, version: 1, last_seq: 2 };
    for wrong in [Expected::NoStream, Expected::Version(0), Expected::Version(2), Expected::UnchangedSince(1)]
    {
        let error = log.append(&second.clone().expecting(a.clone(), wrong)).unwrap_err();
        assert_eq!(error, conflict(wrong));
        assert_eq!(log.last_seq().unwrap(), 2);
    }
    let done = log.append(&second.expecting(a.clone(), Expected::Version(1))).unwrap();
    assert_eq!(done.last_seq, 3);
    let unchanged = Expected::UnchangedSince(3);
    let third = Transaction::of(vec![turn("game/b", 3)]);
    log.append(&third.expecting(a, unchanged).expecting(stream("game/none"), unchanged)).unwrap();
}

#[test]
fn a_decision_is_refused_when_a_stream_that_it_only_read_has_grown() {
    let scene = Scene::with_events(10);
    let mut director = scene.open();
    let mut other = Log::open_for_append(&scene.path(), Box::new(scene.clock.clone())).unwrap();
    let read_at = director.last_seq().unwrap();
    other.append(&Transaction::of(vec![turn("game/3", 100)])).unwrap();
    let decision = Transaction::of(vec![turn("game/5", 101)]);
    let reading = |seq| decision.clone().expecting(stream("game/3"), Expected::UnchangedSince(seq));
    let error = director.append(&reading(read_at)).unwrap_err();
    assert!(matches!(error, AppendError::Conflict { last_seq: 11, .. }), "{error}");
    director.append(&reading(11)).unwrap();
}

#[test]
fn the_same_transaction_again_succeeds_with_its_old_places() {
    let scene = Scene::with_events(20);
    let mut log = scene.open();
    let transaction = Transaction::of(vec![turn("game/a", 100), turn("game/b", 101)])
        .expecting(stream("game/a"), Expected::NoStream);
    let once = log.append(&transaction).unwrap();
    log.append(&Transaction::of(vec![turn("game/c", 102)])).unwrap();
    let again = log.append(&transaction).unwrap();
    assert_eq!((again.first_seq, again.last_seq), (once.first_seq, once.last_seq));
    assert_eq!((again.recorded_at, again.repeated), (once.recorded_at, true));
    assert_eq!(log.last_seq().unwrap(), 23);
    drop(log);
    assert!(scene.open().append(&transaction).unwrap().repeated);
}

#[test]
fn the_same_transaction_again_succeeds_under_a_clock_that_is_wrong_by_now() {
    let scene = Scene::empty();
    let mut log = scene.create();
    let both = Transaction::of(vec![numbered(2), numbered(9)]);
    log.append(&both).unwrap();
    scene.clock.set(START - 86_400_000_000);
    let again = log.append(&both).unwrap();
    assert_eq!((again.first_seq, again.last_seq, again.repeated), (2, 3, true));
    // The next goes on as if nothing had been tried.
    scene.clock.set(START + 1_000);
    assert_eq!(log.append(&Transaction::of(vec![numbered(16)])).unwrap().first_seq, 4);
    assert_eq!(log.stream(&stream("game/2"), u64::MAX).unwrap().len(), 3);
}

#[test]
fn an_id_that_is_used_for_another_event_is_refused_and_what_differs_is_named() {
    let scene = Scene::empty();
    let mut log = scene.create();
    let payload = |text: &str| RawPayload::from_stored(text.to_owned());
    let halted = |stream_name: &str, kind: &str, at: i64, actor: &str, text: &str| {
        NewEvent::from_parts(stream(stream_name), event_id(1), kind, 1, at, actor, payload(text)).unwrap()
    };
    log.append(&Transaction::of(vec![halted("game/a", "game.halted", 5, "omar", "{}")])).unwrap();
    let others = [
        (halted("game/b", "game.halted", 5, "omar", "{}"), "stream"),
        (halted("game/a", "game.annulled", 5, "omar", "{}"), "type"),
        (halted("game/a", "game.halted", 6, "omar", "{}"), "effective time"),
        (halted("game/a", "game.halted", 5, "fritz", "{}"), "actor"),
        (halted("game/a", "game.halted", 5, "omar", r#"{"reason":"rain"}"#), "payload"),
    ];
    for (other, differs) in others {
        let expected = AppendError::IdReused { id: event_id(1), seq: 2, differs };
        assert_eq!(log.append(&Transaction::of(vec![other.clone()])).unwrap_err(), expected);
        // Not as the first of its transaction, either.
        assert_eq!(log.append(&Transaction::of(vec![turn("game/x", 9), other])).unwrap_err(), expected);
        assert_eq!(log.last_seq().unwrap(), 2);
    }
}

#[test]
fn a_transaction_that_is_partly_recorded_is_refused() {
    let scene = Scene::empty();
    let mut log = scene.create();
    log.append(&Transaction::of(vec![turn("game/a", 1), turn("game/a", 2)])).unwrap();
    let partly = [
        (vec![turn("game/a", 2), turn("game/a", 3)], 1, 2, 3),
        (vec![turn("game/a", 3), turn("game/a", 1)], 1, 2, 2),
        (vec![turn("game/a", 2), turn("game/a", 1)], 2, 2, 3),
    ];
    for (events, known, of, first_known) in partly {
        let error = log.append(&Transaction::of(events)).unwrap_err();
        assert_eq!(error, AppendError::PartlyRecorded { known, of, first_known });
    }
    let twice = Transaction::of(vec![turn("game/a", 7), turn("game/b", 8), turn("game/a", 7)]);
    assert_eq!(log.append(&twice).unwrap_err(), AppendError::IdTwice { id: event_id(7) });
    assert_eq!(log.last_seq().unwrap(), 3);
    assert_eq!(log.append(&Transaction::default()).unwrap_err(), AppendError::Empty);
    log.append(&Transaction::of(vec![turn("game/a", 3)])).unwrap();
    assert_eq!(log.event(4).unwrap().unwrap().version, 3);
}

#[test]
fn what_cannot_be_an_event_is_refused_when_it_is_made() {
    let make = |stream_name: &str, kind: &str, schema: u32, at: i64, actor: &str, text: &str| {
        let payload = RawPayload::from_stored(text.to_owned());
        NewEvent::from_parts(stream(stream_name), event_id(1), kind, schema, at, actor, payload)
            .map_err(|error| error.to_string())
    };
    let says = |result: Result<NewEvent, String>, words: &[&str]| {
        let error = result.unwrap_err();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    assert!(make("game/a", "game.halted", 1, 0, "omar", "{}").is_ok());
    says(
        make("game/a", "game.stopped", 1, 0, "omar", "{}"),
        &["game.stopped", "not an event type", "newer program"],
    );
    says(make("game/a", "game.halted", 2, 0, "omar", "{}"), &["schema 2", "newer", "schema 1"]);
    says(make("game/a", "game.halted", 1, 0, "omar", "{ }"), &["canonical"]);
    says(make("game/a", "game.halted", 1, 0, "omar", r#"{"b":1}"#), &["game.halted", "unknown field"]);
    says(make("game/a", "game.halted", 1, 0, "", "{}"), &["actor"]);
    says(make("game/a", "game.halted", 1, 0, "a\nb", "{}"), &["actor"]);
    says(make("game/a", "game.halted", 1, 1 << 53, "omar", "{}"), &["285 years"]);
    says(make("people/a", "game.halted", 1, 0, "omar", "{}"), &["people/a", "game/…"]);
    let long = format!(r#"{{"reason":"{}"}}"#, "x".repeat(5 << 20));
    says(make("game/a", "game.halted", 1, 0, "omar", &long), &["at most 4194304"]);
    let opened = format!(r#"{{"clock":"real","log_id":"{}","program":"x"}}"#, "0".repeat(32));
    says(make("log/annals", "log.opened", 1, 0, "omar", &opened), &["not appended by hand"]);
    let error = NewEvent::from_parts(
        stream("game/a"),
        event_id(1),
        "game.stopped",
        1,
        0,
        "omar",
        RawPayload::from_stored("{}".to_owned()),
    );
    assert!(matches!(error, Err(EventError::Decode(_))));
}

#[test]
fn a_log_that_is_open_for_reading_takes_nothing_and_sees_what_others_append() {
    let scene = Scene::with_events(5);
    let mut reader = Log::open(&scene.path()).unwrap();
    assert_eq!(reader.append(&Transaction::of(vec![numbered(9)])).unwrap_err(), AppendError::ReadOnly);
    let mut log = scene.open();
    assert_eq!((reader.now(), log.now()), (None, Some(scene.clock.now())));
    scene.fill(&mut log, 9);
    assert_eq!(reader.last_seq().unwrap(), 9);
    assert_eq!(reader.head().unwrap(), log.head().unwrap());
}

#[test]
fn the_anchor_moves_with_every_append() {
    let scene = Scene::empty();
    let mut log = scene.create();
    assert_eq!(acknowledged(&scene.path()).seq, 1);
    for n in 2..=9 {
        let done = log.append(&Transaction::of(vec![numbered(n)])).unwrap();
        assert_eq!(acknowledged(&scene.path()), done.head);
    }
}

#[test]
fn a_checkpoint_empties_the_write_ahead_log_unless_a_reader_is_in_the_way() {
    let scene = Scene::empty();
    let mut log = scene.create();
    scene.fill(&mut log, 9);
    let bytes = || std::fs::metadata(scene.file("log.db-wal")).unwrap().len();
    assert!(bytes() > 0);
    log.checkpoint().unwrap();
    assert_eq!(bytes(), 0);
    let reader = rusqlite::Connection::open(scene.path()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM event").unwrap();
    scene.fill(&mut log, 12);
    let fault = log.checkpoint().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Locked, "{fault}");
    reader.execute_batch("COMMIT").unwrap();
    log.checkpoint().unwrap();
    assert_eq!((bytes(), log.last_seq().unwrap()), (0, 12));
}

#[test]
fn threads_share_a_writer_and_each_transaction_stands_or_falls_alone() {
    let scene = Scene::empty();
    let writer = annals_store::Writer::start(scene.create());
    let results: Vec<_> = std::thread::scope(|scope| {
        let append = |k: u64| {
            let appender = writer.appender();
            scope.spawn(move || {
                let mut conflicts = 0;
                for n in 0..50 {
                    let number = 1_000 * (k + 1) + n;
                    let events =
                        vec![turn("game/shared", number), turn(&format!("game/own-{k}"), number + 500)];
                    let own = stream(&format!("game/own-{k}"));
                    let expected = if n == 0 { Expected::NoStream } else { Expected::Version(n) };
                    appender.append(Transaction::of(events).expecting(own.clone(), expected)).unwrap();
                    // Two events, of which the first could go in: the second refuses both.
                    let wrong = vec![turn("game/shared", number + 100_000), turn("game/shared", number)];
                    let error = appender.append(Transaction::of(wrong)).unwrap_err();
                    conflicts += u64::from(matches!(error, AppendError::PartlyRecorded { known: 1, .. }));
                }
                conflicts
            })
        };
        let threads: Vec<_> = (0..8).map(append).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(results, [50; 8]);
    let left_over = writer.appender();
    let log = writer.stop();
    assert_eq!(left_over.append(Transaction::of(vec![numbered(1)])).unwrap_err(), AppendError::Stopped);
    assert_eq!(log.last_seq().unwrap(), 1 + 8 * 50 * 2);
    assert_eq!(log.stream(&stream("game/shared"), u64::MAX).unwrap().len(), 400);
    let times: Vec<i64> = log.events(1..=u64::MAX).map(|e| e.unwrap().recorded_at).collect();
    assert!(times[1..].chunks(2).all(|pair| pair[0] == pair[1]), "one time for each transaction");
    assert!(times[1..].chunks(2).zip(times[3..].chunks(2)).all(|(a, b)| a[0] < b[0]), "later than the last");
}

#[test]
fn what_rests_on_a_family_is_refused_when_a_new_stream_of_it_appeared() {
    let scene = Scene::with_events(10);
    let mut log = scene.open();
    let read_at = log.last_seq().unwrap();
    let expected = Expected::FamilyUnchangedSince(read_at);
    let first = Transaction::of(vec![turn("game/new", 100)]).expecting(stream("game/other"), expected);
    assert_eq!(log.append(&first).unwrap().last_seq, 11);
    let second = Transaction::of(vec![turn("game/other", 101)]);
    let error = log.append(&second.clone().expecting(stream("game/other"), expected)).unwrap_err();
    let conflict = AppendError::Conflict { stream: stream("game/other"), expected, version: 0, last_seq: 11 };
    assert_eq!(error, conflict);
    assert!(error.to_string().contains("event 11 is in one"), "{error}");
    // Another family has not grown.
    log.append(&second.expecting(stream("people/anna"), expected)).unwrap();
}
