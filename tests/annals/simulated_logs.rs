//! The events of a simulated log are no record of what happened, in any log into which their lines are imported.

use crate::director::Director;
use crate::program::Place;

/// The mark, as `log verify` prints it.
const MARK: &str = "under a simulated clock (no record of what happened)";

/// A simulated log with a tournament and its JSON lines: of all streams, of one, and as the doctor saves them.
fn simulated() -> Place {
    let place = Place::new();
    let director = Director::opened(&place, "open-2009", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --director omar --year 2009");
    director.does("2008-12-20", "entry add anna --rating 2100");
    place.ask(&["log", "export", "-o", "all.jsonl"]);
    place.ask(&["log", "export", "tournament/open-2009", "-o", "stream.jsonl"]);
    place.ask(&["doctor", "--salvage", "saved.jsonl"]);
    place
}

#[test]
fn the_lines_of_a_simulated_log_make_a_simulated_log() {
    let place = simulated();
    for file in ["all.jsonl", "stream.jsonl", "saved.jsonl"] {
        let home = format!("of-{file}");
        let of = |words: &[&str]| place.run(&[&["--home", &home], words].concat());
        let import = of(&["log", "import", file, "--actor", "omar"]);
        assert!(import.status == 0 && import.talk.contains(MARK), "{file}: {import:?}");
        let verified = of(&["log", "verify"]).out;
        assert!(verified.contains(MARK) && verified.contains("WHOLE"), "{file}: {verified}");
        let head: serde_json::Value = serde_json::from_str(&of(&["log", "head", "--json"]).out).unwrap();
        assert_eq!(head["clock"], "simulated", "{file}");
        let doctor = of(&["doctor", "--no-probe"]).out;
        assert!(
            doctor.lines().any(|line| line.starts_with("clock") && line.ends_with("simulated")),
            "{doctor}"
        );
        // Its own lines have the mark again, and a second import adds nothing.
        let again = of(&["log", "export"]).out;
        assert!(again.lines().all(|line| line.contains(r#""clock":"simulated""#)), "{again}");
        assert_eq!(of(&["log", "import", file, "--actor", "omar"]).status, 0);
        let after = of(&["log", "export"]).out;
        assert_eq!(after, again, "{file}");
        // When the events were recorded first is not known here.
        let audit = of(&["tournament", "audit", "open-2009"]).out;
        assert!(
            audit.contains("2 events were imported: whether they were recorded late is not known."),
            "{audit}"
        );
    }
}

/// The events of a home as they were exported, without positions, hashes and times of recording, and those times.
fn recorded(place: &Place, home: &str) -> (Vec<serde_json::Value>, Vec<i64>) {
    let lines = place.ask(&["--home", home, "log", "export", "tournament/open-2009"]);
    let events = lines.lines().map(|line| {
        let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
        let fields = event.as_object_mut().unwrap();
        fields.retain(|key, _| !["seq", "hash"].contains(&key.as_str()));
        let at = fields.remove("recorded_at").unwrap().as_i64().unwrap();
        (event, at)
    });
    events.unzip()
}

#[test]
fn an_import_gives_new_times_of_recording_and_keeps_the_rest() {
    let place = simulated();
    place.ask(&["--home", "real", "log", "init", "--actor", "omar"]);
    for words in [
        &["tournament", "announce", "open-2009", "--rulebook", "wc-2009", "--year", "2009"][..],
        &["tournament", "entry", "add", "open-2009", "anna", "--rating", "2100"],
    ] {
        place.ask(&[&["--home", "real"], words, &["--actor", "omar"]].concat());
    }
    place.ask(&["--home", "real", "log", "export", "-o", "real.jsonl"]);
    for (home, file) in [("home", "all.jsonl"), ("real", "real.jsonl")] {
        let copy = format!("copy-of-{home}");
        place.ask(&["--home", &copy, "log", "import", file, "--actor", "omar"]);
        let (events, recorded_first) = recorded(&place, home);
        let (imported, recorded_again) = recorded(&place, &copy);
        assert_eq!(imported, events, "{home}");
        let last = recorded_first.last().unwrap();
        assert!(
            recorded_again.iter().all(|again| again > last),
            "{home}: {recorded_first:?} {recorded_again:?}"
        );
    }
    let help = place.ask(&["log", "export", "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("new positions, hashes and times of recording (`recorded_at`)"), "{help}");
}

#[test]
fn a_log_with_the_clock_of_the_machine_rejects_the_lines_of_a_simulated_log() {
    let place = simulated();
    place.ask(&["--home", "real", "log", "init", "--actor", "omar"]);
    let before = place.ask(&["--home", "real", "log", "head"]);
    for file in ["all.jsonl", "stream.jsonl", "saved.jsonl"] {
        let run = place.run(&["--home", "real", "log", "import", file, "--actor", "omar"]);
        assert_eq!(run.status, 2, "{file}: {run:?}");
        let hint = format!("`annals --home NEW log import {file}` makes a simulated log");
        for words in ["are those of a simulated log", "nothing was imported", hint.as_str()] {
            assert!(run.talk.contains(words), "{file}: without `{words}`: {}", run.talk);
        }
        assert_eq!(place.ask(&["--home", "real", "log", "head"]), before, "{file}");
    }
    // The lines of a real log have no mark, and make a real log.
    place.ask(&["--home", "real", "log", "export", "-o", "real.jsonl"]);
    assert!(!std::fs::read_to_string(place.path("real.jsonl")).unwrap().contains("simulated"));
    place.ask(&["--home", "other", "log", "import", "real.jsonl", "--actor", "omar"]);
    let verified = place.ask(&["--home", "other", "log", "verify"]);
    assert!(verified.contains("under the clock of the machine"), "{verified}");
}
