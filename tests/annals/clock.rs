//! A clock that ran ahead once, or was set far ahead: refused until it is confirmed; then the log accepts events again.

use annals_events::Micros;
use annals_events::log::ClockKind;
use annals_store::{Clock, Log, NewLog};

use crate::program::Place;

/// A machine whose clock is wrong.
#[derive(Debug)]
struct WrongClock(Micros);

impl Clock for WrongClock {
    fn now(&self) -> Micros {
        self.0
    }

    fn kind(&self) -> ClockKind {
        ClockKind::Real
    }
}

const EVENT: &str = r#"{"stream":"people/NAME","type":"people.player_known","payload":{"kind":"human","name":"NAME","player":"NAME"}}"#;

/// A log that was created while the clock showed that time.
fn created_at(now: Micros) -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("home")).unwrap();
    let new = NewLog {
        log_id: annals_events::LogId([7; 16]),
        program: "test".to_owned(),
        note: None,
        actor: "omar".to_owned(),
    };
    Log::create(&place.path("home/log.db"), &new, Box::new(WrongClock(now))).unwrap();
    for name in ["anna", "bela"] {
        let event = EVENT.replace("NAME", name);
        place.write(&format!("{name}.jsonl"), &event);
        place.write(
            &format!("dated-{name}.jsonl"),
            event.replace("\"payload\"", "\"effective_at\":0,\"payload\""),
        );
    }
    place
}

fn goes_on_after_confirmation(place: &Place, refusal: &str) {
    let append = |name: &str| place.run(&["log", "append", &format!("{name}.jsonl"), "--actor", "omar"]);
    let head = place.ask(&["log", "head"]);
    for refused in [append("anna"), place.run(&["log", "import", "dated-anna.jsonl", "--actor", "omar"])] {
        assert_eq!(refused.status, 2, "{refused:?}");
        assert!(refused.talk.contains(refusal), "{refused:?}");
        assert!(refused.talk.contains("annals doctor --confirm-clock"), "{refused:?}");
    }
    assert_eq!(place.ask(&["log", "head"]), head);
    let doctor = place.run(&["doctor", "--no-probe"]);
    assert!(doctor.status == 1 && doctor.out.contains("annals doctor --confirm-clock"), "{doctor:?}");

    let said = place.ask(&["doctor", "--confirm-clock", "It is right now", "--actor", "omar"]);
    assert_eq!(said, "event 2 records that the clock is right; the log accepts events again\n");
    for name in ["anna", "bela"] {
        let run = append(name);
        assert_eq!(run.status, 0, "{run:?}");
    }
    let again = place.run(&["doctor", "--confirm-clock", "Once more", "--actor", "omar"]);
    assert!(again.status == 2 && again.talk.contains("nothing to confirm"), "{again:?}");
    assert_eq!(place.run(&["doctor", "--no-probe"]).status, 0);
    assert_eq!(place.run(&["log", "verify"]).status, 0);
    let shown = place.ask(&["log", "show", "log/annals"]);
    assert!(shown.contains("The clock was confirmed") && shown.contains("It is right now"), "{shown}");
    // What happens now happens in the present, whatever the time at which the log stands.
    let event: serde_json::Value =
        serde_json::from_str(place.ask(&["log", "export", "people/bela"]).lines().last().unwrap()).unwrap();
    let year = |micros: &serde_json::Value| 1970 + micros.as_i64().unwrap() / 31_556_952_000_000;
    assert!((2026..2050).contains(&year(&event["effective_at"])), "{event}");
}

const YEAR: Micros = 31_556_952_000_000;

#[test]
fn a_log_that_was_written_under_a_clock_thirty_years_ahead_goes_on() {
    goes_on_after_confirmation(&created_at(86 * YEAR), "error: the clock shows ");
}

#[test]
fn a_log_that_rested_for_years_asks_whether_the_clock_is_right() {
    goes_on_after_confirmation(&created_at(40 * YEAR), "error: the clock shows ");
}

#[test]
fn a_loss_is_accepted_under_a_clock_that_the_log_doubts() {
    let place = created_at(40 * YEAR);
    let path = place.path("home/log.db");
    annals_store::Log::open_for_append(&path, Box::new(WrongClock(40 * YEAR))).unwrap().checkpoint().unwrap();
    let database = std::fs::read(&path).unwrap();
    place.ask(&["doctor", "--confirm-clock", "It is right", "--actor", "omar"]);
    assert_eq!(place.run(&["log", "append", "anna.jsonl", "--actor", "omar"]).status, 0);
    for name in ["log.db-wal", "log.db-shm"] {
        let _ = std::fs::remove_file(place.path("home").join(name));
    }
    std::fs::write(&path, database).unwrap();
    assert_eq!(place.run(&["log", "append", "bela.jsonl", "--actor", "omar"]).status, 1);
    place.ask(&["doctor", "--accept-loss", "An old copy was restored", "--actor", "omar"]);
    assert_eq!(place.run(&["log", "append", "bela.jsonl", "--actor", "omar"]).status, 0);
    assert_eq!(place.run(&["log", "verify"]).status, 0);
}

#[test]
fn only_the_log_itself_confirms_the_clock() {
    let place = created_at(40 * YEAR);
    place.write(
        "forged.jsonl",
        r#"{"stream":"log/annals","type":"log.clock_confirmed","payload":{"last_recorded_at":0,"reason":"x","shows":0}}"#,
    );
    let run = place.run(&["log", "append", "forged.jsonl", "--actor", "omar"]);
    assert!(run.status == 2 && run.talk.contains("only the log itself writes"), "{run:?}");
}
