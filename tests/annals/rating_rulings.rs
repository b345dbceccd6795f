//! Rulings on games that came from an archive file first, games whose ends no record tells, and records that are chosen by a condition.

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;

/// Two games of Anna against Bela, the second a day after the first.
fn two_games() -> String {
    let moves = format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w");
    let second = row("2", &moves).replace("1769941051", "1770027451").replace("1769942363", "1770028763");
    [header(), row("1", &moves), second].join("\n")
}

fn games_counted(place: &Place, words: &[&str]) -> (u64, u64) {
    let ratings = place.ask_json(&[&["rating", "list", "--json"], words].concat());
    (ratings["games"].as_u64().unwrap(), ratings["left_out"]["unrated"].as_u64().unwrap())
}

#[test]
fn a_ruling_is_followed_for_a_game_that_was_ingested_from_its_archive_file_first() {
    let place = Place::new();
    place.write("games.txt", two_games());
    place.ask(&["ingest", "games.txt"]);
    place.ask(&["log", "import", "--actor", "archivist", "games.txt"]);
    let ruling = r#"{"stream":"game/arimaa-2","type":"game.rated_changed","effective_at":"2026-03-01T12:00:00Z","payload":{"rated":false,"reason":"played by another hand"}}"#;
    place.write("ruling.jsonl", ruling);
    place.ask(&["log", "append", "--actor", "director", "ruling.jsonl"]);
    place.ask(&["ingest", "--log"]);
    let streams = place.ask(&["query", "SELECT game_id, stream FROM games ORDER BY game_id"]);
    assert_eq!(streams, "game_id\tstream\n1\t\n2\t\n", "both rows are the file's");
    assert_eq!(games_counted(&place, &[]), (1, 1));
    assert_eq!(games_counted(&place, &["--as-of", "2026-02-28"]), (2, 0), "before the ruling");
    assert_eq!(games_counted(&place, &["--as-of", "2026-03-01"]), (1, 1));
}

#[test]
fn a_comparison_says_how_many_games_have_no_end_and_which_system_each_line_is_of() {
    let place = Place::new();
    place.write("games.txt", two_games().replace("1769942363", ""));
    place.ask(&["ingest", "games.txt"]);
    let compared = place.ask_json(&["rating", "compare", "--systems", "elo", "--json"]);
    let note = compared["notes"][0].as_str().unwrap();
    assert!(note.contains("when 1 of the games were over"), "{note}");
    // The first may still be played when the second begins.
    assert_eq!(compared["systems"][0]["bins"][0]["predicted"], 0.5);
    let text = place.ask(&["rating", "compare", "--systems", "elo k=30", "whr"]);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("elo k=30")).collect();
    assert_eq!(lines.len(), 2, "the system itself, and its one bin: {text}");
    assert!(text.contains("system\tfrom\tto\tgames\tpredicted\tobserved"), "{text}");
}

#[test]
fn a_condition_chooses_the_records_that_are_reported_and_leaves_the_games_between_in_place() {
    let place = Place::new();
    // 1400 against 1400, then 1460 against 1340, then 1499 against 1301 by the formula.
    let stated = [["1400\t1400\t120\t120"], ["1460\t1340\t118\t118"], ["1499\t1301\t116\t116"]];
    let moves = format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w");
    let rows = (0..3).map(|n| {
        let times = [1_769_941_051 + 7_200 * n, 1_769_942_363 + 7_200 * n].map(|time| time.to_string());
        row(&(n + 1).to_string(), &moves)
            .replace("1500\t1600\t120\t120", stated[n][0])
            .replace("1769941051", &times[0])
            .replace("1769942363", &times[1])
    });
    place.write("games.txt", [header()].into_iter().chain(rows).collect::<Vec<_>>().join("\n"));
    place.ask(&["ingest", "games.txt"]);
    let found = |words: &[&str]| {
        let found = place.ask_json(&[&["rating", "verify", "--json"], words].concat());
        (found["transitions"].as_u64().unwrap(), found["mismatches"].as_array().unwrap().len())
    };
    assert_eq!(found(&[]), (4, 0));
    assert_eq!(found(&["--where", "game_id <> 2"]), (2, 0));
    let run = place.run(&["rating", "verify", "--where", "game_id = 9"]);
    assert!(run.status == 2 && run.talk.contains("hint: `annals query"), "{run:?}");
    let run = place.run(&["rating", "list", "--where", "1 = 0"]);
    assert!(run.status == 2 && run.talk.contains("hint: `annals query"), "{run:?}");
}
