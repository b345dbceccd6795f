//! State files in and out: rounds that no file marks, and what a file cannot hold.

use serde_json::Value;

use crate::program::Place;

/// Two pairs that meet twice, in a file that marks no rounds.
const UNMARKED: &str = "player ada 1900\nplayer bob 1800\nplayer cal 1700\nplayer dan 1600\n\
    game ada bob winner ada\ngame cal dan winner cal\ngame bob ada winner ada\ngame dan cal winner cal\n";

/// Reads a file as a tournament of this name in the log, with the same name to be shown.
fn read(place: &Place, file: &str, tournament: &str) {
    let words = ["tournament", "read-state", file, "--as", tournament, "--name", "A final"];
    place.ask(&[&words[..], &["--date", "2015-01-14", "--actor=omar"]].concat());
}

fn payloads(place: &Place, tournament: &str) -> Vec<(Value, Value)> {
    let lines = place.ask(&["log", "export", &format!("tournament/{tournament}")]);
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.map(|event| (event["type"].clone(), event["payload"].clone())).collect()
}

/// How many verdicts depart.
fn departures(place: &Place, tournament: &str) -> Value {
    let audit: Value = serde_json::from_str(&place.run(&["audit", tournament, "--json"]).out).unwrap();
    audit["counts"]["departs"].clone()
}

#[test]
fn rounds_that_no_file_marks_are_inferred_again_from_what_is_written() {
    let place = Place::new();
    place.write("file.txt", UNMARKED);
    read(&place, "file.txt", "first");
    let out = place.run(&["tournament", "write-state", "first"]);
    assert!(out.out.contains("\nround 2 # inferred\n"), "{out:?}");
    assert!(!out.talk.contains("written"), "nothing is lost: {out:?}");
    place.write("again.txt", &out.out);
    read(&place, "again.txt", "second");
    assert_eq!(payloads(&place, "second"), payloads(&place, "first"));
    assert_eq!((departures(&place, "first"), departures(&place, "second")), (0.into(), 0.into()));

    // The same games with rounds that the director marked are held against the pairing of the rulebook.
    place.write("marked.txt", out.out.replace(" # inferred", ""));
    read(&place, "marked.txt", "marked");
    assert_ne!(departures(&place, "marked"), Value::from(0));
    let told = place.ask(&["tournament", "read-state", "again.txt", "--as", "x", "--dry-run"]);
    assert!(told.contains("2 rounds, inferred from the order of the games"), "{told}");
}

/// What is left out of the state file of a tournament, as standard error lists it.
fn lost(place: &Place, tournament: &str) -> Vec<String> {
    let run = place.run(&["tournament", "write-state", tournament]);
    assert_eq!(run.status, 0, "{run:?}");
    let line = run.talk.lines().find_map(|line| line.strip_prefix("annals: not written: "));
    line.unwrap_or_else(|| panic!("{run:?}")).split(", ").map(str::to_owned).collect()
}

#[test]
fn every_kind_that_a_state_file_cannot_hold_is_printed() {
    let place = Place::new();
    place.ask(&["tournament", "import-history", "london-2000", "--actor=omar"]);
    let london = lost(&place, "london-2000");
    for kind in ["the published totals and their source", "the final order", "the site", "the year"] {
        assert!(london.iter().any(|lost| lost == kind), "{kind}: {london:?}");
    }
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/v1/championship-2015.jsonl");
    let place = Place::new();
    place.ask(&["log", "create", "--actor=omar"]);
    place.ask(&["log", "import", golden, "--actor=omar"]);
    let list = place.ask_json(&["tournament", "list", "--json"]);
    let tournament = list["tournaments"][0]["tournament"].as_str().unwrap();
    let found = lost(&place, tournament);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("what_a_state_file_cannot_hold", found.join("\n"));
    });
}
