//! The common formats of the commands about the log, the engine and the event types.

use serde_json::Value;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;

const BEGINNING: &str = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";

/// The log of the demonstration.
fn place() -> Place {
    let place = Place::new();
    place.copy_folder(&DEMONSTRATION.0.path("annals-demo"), "home");
    place
}

/// The cells of TSV, whose rows are all as long as the first.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
    rows
}

#[test]
fn an_answer_has_the_common_formats_on_standard_output_and_in_a_file() {
    let place = place();
    // The command, and a word of its rows.
    let commands: [(&[&str], &str); 9] = [
        (&["log", "head"], "annals-head/1"),
        (&["log", "verify", "--quick"], "simulated clock"),
        (&["log", "show", "tournament/cup", "--limit", "3"], "tournament/cup"),
        (&["log", "show", "--streams"], "tournament/cup"),
        (&["doctor", "--no-probe"], "acknowledged"),
        (&["tournament", "audit", "cup"], "r1.1"),
        (&["schema", "events", "game"], "game.ended"),
        (&["engine", "evaluate", "--list"], "material"),
        (&["engine", "perft", BEGINNING, "--depth", "1"], "count"),
    ];
    for (number, (words, word)) in commands.into_iter().enumerate() {
        let text = place.run(words);
        assert!(text.status < 2, "{words:?}: {text:?}");
        for format in ["csv", "tsv", "html", "markdown"] {
            let run = place.run(&[words, &["--format", format]].concat());
            assert_eq!(run.status, text.status, "{words:?}: {run:?}");
            assert!(run.out.contains(word), "{words:?} as {format}: {}", run.out);
            assert_eq!(run.out.starts_with("<!DOCTYPE html>"), format == "html", "{words:?}: {}", run.out);
            if format == "tsv" && word != "count" {
                assert!(rows(&run.out).len() > 1, "{words:?}: {}", run.out);
            }
        }
        let file = format!("answer-{number}.csv");
        let written = place.run(&[words, &["-o", &file]].concat());
        assert_eq!((written.status, written.out.as_str()), (text.status, ""), "{words:?}: {written:?}");
        assert!(std::fs::read_to_string(place.path(&file)).unwrap().contains(word), "{words:?}");
        let again = place.run(&[words, &["-o", &file]].concat());
        assert!(again.status == 2 && again.talk.contains("--force"), "{words:?}: {again:?}");
    }
}

#[test]
fn the_rows_of_an_audit_are_its_verdicts() {
    let place = place();
    let json = place.ask_json(&["tournament", "audit", "cup", "--json"]);
    let verdicts =
        json["events"].as_array().unwrap().iter().flat_map(|event| event["verdicts"].as_array().unwrap());
    let open = verdicts.clone().filter(|verdict| verdict["holds"] != "compliant").count();
    for (all, expected) in [(false, open), (true, verdicts.count())] {
        let words = ["tournament", "audit", "cup", "--format", "tsv", "--all"];
        let text = place.ask(&words[..if all { 6 } else { 5 }]);
        let rows = rows(&text);
        let head =
            ["seq", "at", "event", "verdict", "rule", "paragraph", "subject", "expected", "found", "why"];
        assert_eq!(rows[0], head);
        let late = rows.iter().filter(|row| row[3] == "late").count();
        assert_eq!(rows.len() - 1 - late, expected);
    }
}

#[test]
fn the_rows_of_a_log_are_its_events() {
    let place = place();
    let text = place.ask(&["log", "show", "tournament/cup", "--format", "tsv"]);
    let rows = rows(&text);
    let lines = place.ask(&["log", "show", "tournament/cup", "--json"]);
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), events.len() + 1);
    for (row, event) in rows[1..].iter().zip(&events) {
        assert_eq!((row[0], row[5]), (event["seq"].to_string().as_str(), event["type"].as_str().unwrap()));
    }
    place.ask(&["log", "show", "tournament/cup", "-o", "events.json"]);
    assert_eq!(std::fs::read_to_string(place.path("events.json")).unwrap(), lines);
    let head = place.ask_json(&["log", "head", "--json"]);
    let text = place.ask(&["log", "head", "--format", "tsv"]);
    let row = &self::rows(&text)[1];
    assert_eq!((row[1], row[7]), (head["seq"].to_string().as_str(), head["receipt"].as_str().unwrap()));
}
