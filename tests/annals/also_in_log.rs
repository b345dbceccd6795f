//! The same game from two ways: a file that is imported into the log, the log's games in the dataset, and the file itself. The
//! same game is told as such; what differs still is told as a difference.

use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, real_archive};

fn games(rows: &[String]) -> String {
    header() + "\n" + &rows.join("\n")
}

fn game(id: &str, end: &str) -> String {
    row(id, &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n{end}"))
}

/// A log with three games of a file, and a dataset with the games of the log.
fn logged() -> Place {
    let place = Place::new();
    place.write("first.txt", games(&["1", "2", "3"].map(|id| game(id, "3w"))));
    place.ask(&["log", "import", "--actor", "archivist", "first.txt"]);
    place.ask(&["ingest", "--log"]);
    place
}

fn rejects(place: &Place) -> String {
    place.ask(&["query", "--no-header", "SELECT game_id, reason FROM rejects ORDER BY game_id"])
}

#[test]
fn a_file_whose_games_the_log_has_is_counted_as_also_in_the_log() {
    let place = logged();
    let told = place.run(&["ingest", "first.txt", "--strict"]);
    assert_eq!(told.status, 0, "{told:?}");
    let sum = "first.txt: 3 rows = 0 accepted + 0 flagged + 0 rejected + 3 also in the log; 0 turns";
    assert!(told.out.contains(sum), "{told:?}");
    assert!(told.out.contains("  the log imported first.txt: event "), "{told:?}");
    assert!(told.out.contains("the dataset holds 3 games of 2 sources"), "{told:?}");
    assert_eq!(rejects(&place), "");
    let again = place.ask(&["ingest", "first.txt"]);
    assert!(again.contains("first.txt: stored already, unchanged"), "{again}");
    let streams = "SELECT count(*) FROM games WHERE stream IS NOT NULL";
    assert_eq!(place.ask(&["query", "--no-header", streams]), "3\n");

    // With a row that the log does not have, and one that the log has otherwise.
    place.write("second.txt", games(&[game("2", "3w"), game("3", "3w Ee3n"), game("4", "3w")]));
    let json = place.ask_json(&["ingest", "second.txt", "--json"]);
    assert_eq!(json["counts"]["also_in_log"], 1, "{json}");
    assert_eq!(json["counts"]["accepted"], 1, "{json}");
    assert_eq!(json["reasons"], serde_json::json!({"duplicate_differs": 1}), "{json}");
    assert_eq!(rejects(&place), "3\tduplicate_differs\n");
}

#[test]
fn a_game_that_goes_on_in_the_log_is_another_one_than_in_the_file() {
    let place = logged();
    let annulled =
        r#"{"stream":"game/arimaa-2","type":"game.annulled","payload":{"reason":"the server failed"}}"#;
    place.write("drafts.jsonl", annulled);
    place.ask(&["log", "append", "--actor", "director", "drafts.jsonl"]);
    place.ask(&["ingest", "--log"]);
    let told = place.ask(&["ingest", "first.txt"]);
    assert!(told.contains("0 flagged + 1 rejected + 2 also in the log"), "{told}");
    assert_eq!(rejects(&place), "2\tduplicate_differs\n");
}

#[test]
fn a_game_that_is_stored_from_a_file_stays_and_the_log_is_told_so() {
    let place = Place::new();
    place.write("first.txt", games(&["1", "2"].map(|id| game(id, "3w"))));
    place.ask(&["ingest", "first.txt"]);
    place.ask(&["log", "import", "--actor", "archivist", "first.txt"]);
    let told = place.run(&["ingest", "--log", "--strict"]);
    assert_eq!(told.status, 0, "{told:?}");
    assert!(told.out.contains("rejected: stored_from_file 2"), "{told:?}");
    assert_eq!(rejects(&place), "1\tstored_from_file\n2\tstored_from_file\n");
}

#[test]
fn a_game_of_the_log_that_differs_from_the_file_is_told_with_the_first_difference() {
    let place = Place::new();
    let other_name = game("4", "3w").replace("\tanna\t", "\tclara\t");
    place.write("first.txt", games(&[game("1", "3w"), game("2", "3w Ee3n"), game("3", "3w"), other_name]));
    place.ask(&["ingest", "first.txt"]);
    place.write("second.txt", games(&["1", "2", "3", "4"].map(|id| game(id, "3w"))));
    place.ask(&["log", "import", "--actor", "archivist", "second.txt"]);
    let ruled = r#"{"stream":"game/arimaa-3","type":"game.rated_changed","payload":{"rated":false}}"#;
    place.write("drafts.jsonl", ruled);
    place.ask(&["log", "append", "--actor", "director", "drafts.jsonl"]);
    let told = place.run(&["ingest", "--log", "--strict"]);
    assert_eq!(told.status, 1, "{told:?}");
    assert!(told.out.contains("rejected: duplicate_differs 3, stored_from_file 1"), "{told:?}");
    let details = place.ask(&[
        "query",
        "--no-header",
        "SELECT game_id, detail FROM rejects WHERE reason = 'duplicate_differs' ORDER BY game_id",
    ]);
    let says = |id, what| {
        format!("{id}\tanother record of this game is stored from first.txt: its {what} differs\n")
    };
    let expected = says(2, "turn 3 of gold")
        + &says(3, "statement whether the game is rated")
        + &says(4, "names, kinds or ratings of the players");
    assert_eq!(details, expected);
}

#[test]
fn a_game_file_is_recognised_in_the_log_too() {
    let place = Place::new();
    place.write("day.sgf", "(;GM[18]RE[B+T]DT[2000-08-22];B[djddgd];W[addgad])");
    place.write("undated.sgf", "(;GM[18]RE[B+T];B[djddgd];W[addgad])");
    place.run(&["log", "import", "--actor", "archivist", "day.sgf", "undated.sgf"]);
    place.ask(&["ingest", "--log"]);
    for name in ["day.sgf", "undated.sgf"] {
        let told = place.ask(&["ingest", name]);
        assert!(told.contains("0 rejected + 1 also in the log"), "{told}");
    }
    let other = Place::new();
    for name in ["day.sgf", "undated.sgf"] {
        other.write(name, std::fs::read_to_string(place.path(name)).unwrap());
    }
    other.ask(&["ingest", "day.sgf", "undated.sgf"]);
    other.run(&["log", "import", "--actor", "archivist", "day.sgf", "undated.sgf"]);
    let told = other.ask(&["ingest", "--log"]);
    assert!(told.contains("rejected: stored_from_file 2"), "{told}");
}

#[test]
fn every_real_game_that_the_log_imported_is_recognised() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    let files = ["allgames2002.txt", "allgames202602.txt"].map(|name| folder.join(name));
    let files = files.each_ref().map(|file| file.to_str().unwrap());
    place.ask(&["log", "import", "--actor", "archivist", files[0], files[1]]);
    place.ask(&["ingest", "--log"]);
    let told = place.ask(&["ingest", files[0], files[1]]);
    let sum = "in all: 211 rows = 0 accepted + 0 flagged + 0 rejected + 211 also in the log; 0 turns";
    assert!(told.contains(sum), "{told}");

    // The other way round: the files first.
    let other = Place::new();
    other.ask(&["ingest", files[0], files[1]]);
    other.ask(&["log", "import", "--actor", "archivist", files[0], files[1]]);
    let told = other.ask(&["ingest", "--log"]);
    assert!(told.contains("rejected: stored_from_file 211\n"), "{told}");
}

#[test]
fn a_player_of_games_without_a_tournament_is_sent_to_the_games() {
    let place = Place::new();
    place.write("first.txt", games(&[game("1", "3w")]));
    place.ask(&["log", "import", "--actor", "archivist", "first.txt"]);
    place.ask(&["tournament", "import", "history", "--actor", "archivist"]);
    let run = place.run(&["player", "record", "anna"]);
    let unknown = "no player called `anna` is known by the tournaments and identities of the log";
    assert!(run.status == 2 && run.talk.contains(unknown), "{run:?}");
    assert!(run.talk.contains("games of the log without a tournament are in no record"), "{run:?}");
    assert!(run.talk.contains("hint: `annals ingest --log` stores the games of the log"), "{run:?}");
    place.ask(&["ingest", "--log"]);
    let run = place.run(&["player", "record", "anna"]);
    assert!(run.talk.contains("hint: `annals player show anna` shows the games of the dataset"), "{run:?}");
    assert!(place.ask(&["player", "show", "anna"]).contains("anna"));
}
