//! Imports of rows that no log can hold, of changed lines, of the same archive twice at once, and of events sent again.

use std::process::{Command, Stdio};

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;

#[test]
fn a_row_that_no_log_can_hold_is_refused_and_the_others_are_imported() {
    let place = Place::new();
    let turns = format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w");
    let takebacks = "2w Ee2n\\n2w takeback\\n".repeat(20_000);
    let rows = [
        header(),
        row("1", &turns),
        row("2", &turns).replace("2\t1\t2\tanna", "2\t9007199254740992\t2\tanna"),
        row("3", &turns).replace("Casual game", &"x".repeat(5 << 20)),
        row("4", &format!("{SETUPS}{takebacks}2w")),
        row("5", &turns),
    ];
    place.write("hostile.txt", rows.join("\n") + "\n");
    let run = place.run(&["log", "import", "hostile.txt", "--json", "--actor", "omar"]);
    assert_eq!(run.status, 1, "{}", run.talk);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let file = &answer["files"][0];
    assert_eq!(file["rejected"], 3, "{file}");
    let refused: Vec<(u64, &str)> = file["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|refused| (refused["line"].as_u64().unwrap(), refused["code"].as_str().unwrap()))
        .collect();
    assert_eq!(refused, [(3, "no_event"), (4, "field_too_long"), (5, "too_many_events")], "{file}");
    let streams = place.ask(&["log", "show", "--streams"]);
    assert!(streams.contains("game/arimaa-1") && streams.contains("game/arimaa-5"), "{streams}");
    assert!(!streams.contains("game/arimaa-2"), "{streams}");
    assert_eq!(place.run(&["log", "verify"]).status, 0);
}

#[test]
fn a_line_that_was_changed_after_it_was_exported_is_refused() {
    let place = Place::new();
    place.write("a.txt", format!("{}\n{}\n", header(), row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w"))));
    place.ask(&["log", "import", "a.txt", "--actor", "omar"]);
    place.ask(&["log", "export", "-o", "all.jsonl"]);
    let lines = std::fs::read_to_string(place.path("all.jsonl")).unwrap();
    assert!(lines.contains("\"ed7s\""), "{lines}");
    let forged = Place::new();
    for changed in
        [lines.replace("\"ed7s\"", "\"ee7s\""), lines.replace("\"actor\":\"omar\"", "\"actor\":\"zoe\"")]
    {
        forged.write("all.jsonl", changed);
        let run = forged.run(&["log", "import", "all.jsonl", "--actor", "omar"]);
        assert!(run.status != 0 && run.talk.contains("changed after it was exported"), "{run:?}");
    }
    let whole = Place::new();
    whole.write("all.jsonl", lines);
    whole.ask(&["log", "import", "all.jsonl", "--actor", "omar"]);
}

#[test]
fn two_imports_of_one_archive_at_once_both_succeed_and_each_event_is_taken_once() {
    let place = Place::new();
    place.grow("grown.txt", 60, 5);
    let alone = Place::new();
    alone.write("grown.txt", std::fs::read(place.path("grown.txt")).unwrap());
    alone.ask(&["log", "import", "grown.txt", "--actor", "omar"]);
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_annals"))
            .current_dir(place.path("."))
            .env("ANNALS_HOME", "home")
            .args(["log", "import", "grown.txt", "--actor", "omar"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let both = [start(), start(), start()];
    for child in both {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let games = |place: &Place| {
        let lines = place.ask(&["log", "export"]);
        let mut games: Vec<String> = lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .filter(|event| event["stream"].as_str().unwrap().starts_with("game/"))
            .map(|event| format!("{} {} {}", event["stream"], event["version"], event["payload"]))
            .collect();
        games.sort_unstable();
        games
    };
    assert!(games(&place) == games(&alone), "the two imports did not give the events of one");
    assert_eq!(place.run(&["log", "verify"]).status, 0);
}

#[test]
fn an_event_without_a_time_that_is_sent_again_with_its_id_is_a_repetition() {
    let place = Place::new();
    place.write(
        "one.jsonl",
        r#"{"stream":"people/anna","id":"00112233445566778899aabbccddeeff","type":"people.player_known","payload":{"kind":"human","name":"Anna","player":"anna"}}"#,
    );
    let receipt = place.ask(&["log", "append", "one.jsonl", "--actor", "omar"]);
    let again = place.run(&["log", "append", "one.jsonl", "--actor", "omar"]);
    assert!(again.status == 0 && again.talk.contains("in the log already, the same"), "{again:?}");
    assert_eq!(again.out, receipt);
    // Another content under the same id is still refused.
    let text = std::fs::read_to_string(place.path("one.jsonl")).unwrap();
    place.write("one.jsonl", text.replace("\"Anna\"", "\"Hanna\""));
    let other = place.run(&["log", "append", "one.jsonl", "--actor", "omar"]);
    assert_eq!(other.status, 2, "{other:?}");
}
