//! Games of the Amazons in the dataset, beside those of Arimaa: taken in from game files, asked for, shown and explored.

use serde_json::Value;

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;

macro_rules! snapshot {
    ($name:expr, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        })
    };
}

/// A finished game on a small board: White is walled in, and Black's queen reaches seventeen squares.
const SMALL: &str = "\
White: Ada
Black: Bela
Event: Small boards
Date: 2000-08-22
Position: w [...../...B./xx.../.x.../Wx...]
Result: 0-1 (immobilization)

1. a1-a2(a1) d4-e4(d4)
";

/// The same first move three times: as it is, in the mirror, and a game that goes on from a different one.
const OPENINGS: &str = "\
White: Ada
Black: Bela
Date: 2000-08-21
Result: 1-0 (resignation)

1. d1-d7(g7) a7-b8(b3)

White: Cleo
Black: Dan
Date: 2000-08-21
Result: 0-1 (time)

1. g1-g7(d7) d10-d8(e8)

White: Ada
Black: Dan
Date: 2000-08-22
Result: 1-0 (resignation)

1. a4-b4(c4)
";

/// Comments and another line of play; a game on a smaller board than its moves need; a game that breaks off.
const ODD: &str = "(;FF[4]GM[18]SZ[10]AW[dj][gj][ag][jg]AB[da][ga][ad][jd]PL[W]PW[Ada]PB[Bela]DT[2000-08-23]RE[W+R]\n\
                   ;W[djddgd]C[bold]\n(;B[adbcbh]\n;W[gjgegg])\n(;B[adadad]))\n\
                   (;GM[18]SZ[8]AW[aa]AB[hh]DT[2000-08-21]\n;W[aabbcc]\n;B[jjhhgg])\n\
                   (;FF[4]GM[18]SZ[10]AW[dj][gj][ag][jg]AB[da][ga][ad][jd]PL[W]PW[Ada]PB[Cleo]DT[2000-08-24];W[djddgd];B[ad";

/// White moves through the block that the first move shot at g7.
const THROUGH_A_BLOCK: &str = "\
White: Ada
Black: Bela
Date: 2000-08-25
Result: 1-0 (resignation)

1. d1-d7(g7) a7-b8(b3)
2. g1-g8(g9) j7-i7(i6)
";

fn stored() -> Place {
    let place = Place::new();
    place.write("small.txt", SMALL);
    place.write("openings.txt", OPENINGS);
    place.write("odd.sgf", ODD);
    place.write("through.txt", THROUGH_A_BLOCK);
    place.write("arimaa.txt", header() + "\n" + &row("5", &format!("{SETUPS}2w Ee2n\\n2b")));
    let told = place.run(&["ingest", "small.txt", "openings.txt", "odd.sgf", "through.txt", "arimaa.txt"]);
    assert_eq!(told.status, 0, "{told:?}");
    place
}

fn rows(place: &Place, sql: &str) -> Vec<Value> {
    place.ask_json(&["query", "--format", "json", sql]).as_array().unwrap().clone()
}

#[test]
fn games_of_both_kinds_stand_in_the_same_tables_and_every_one_is_accounted_for() {
    let place = stored();
    let games = rows(
        &place,
        "SELECT game, gold, silver, result, termination, board_size, territory, plies, array_to_string(flags, ' ') \
         AS flags FROM games ORDER BY game, started_at, gold, silver",
    );
    let told: Vec<String> = games
        .iter()
        .map(|game| {
            let word = |key: &str| match &game[key] {
                Value::Null => "-".to_owned(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            ["game", "gold", "silver", "result", "termination", "board_size", "territory", "plies", "flags"]
                .map(word)
                .join(" | ")
        })
        .collect();
    snapshot!("amazons_games", told.join("\n"));
    let rejects = rows(&place, "SELECT source, line, reason FROM rejects");
    assert_eq!(rejects.len(), 1, "{rejects:?}");
    assert_eq!(rejects[0]["source"], "odd.sgf");
    let summary = place.run(&["ingest", "odd.sgf", "--json"]);
    assert_eq!(summary.status, 0, "{summary:?}");
}

#[test]
fn what_was_noticed_and_an_illegal_move_stand_with_file_line_and_move() {
    let place = stored();
    let notes = rows(
        &place,
        "SELECT source, array_to_string(notes, chr(10)) AS notes FROM games WHERE cardinality(notes) > 0 ORDER BY source, line",
    );
    let told: Vec<String> = notes
        .iter()
        .map(|game| format!("{}\n{}", game["source"].as_str().unwrap(), game["notes"].as_str().unwrap()))
        .collect();
    snapshot!("amazons_notes", told.join("\n\n"));
    let fallen = rows(&place, "SELECT illegal_code FROM rejected_turns WHERE illegal_code IS NOT NULL");
    assert!(fallen.iter().any(|turn| turn["illegal_code"] == "queen_obstructed"), "{fallen:?}");
}

#[test]
fn the_list_the_game_and_the_career_speak_of_white_and_black() {
    let place = stored();
    let list = place.ask_json(&["game", "list", "--game", "amazons", "--json"]);
    assert_eq!(list.as_array().unwrap().len(), 7, "{list}");
    let small = rows(&place, "SELECT game_id FROM games WHERE source = 'small.txt'");
    let id = small[0]["game_id"].to_string();
    let shown = place.ask(&["game", "show", &id]);
    snapshot!("amazons_game", shown.replace(&id, "ID"));
    let career = place.ask(&["player", "show", "Ada"]);
    assert!(career.contains("Ada"), "{career}");
    let arimaa = place.ask_json(&["game", "list", "--game", "arimaa", "--json"]);
    assert_eq!(arimaa.as_array().unwrap().len(), 1, "{arimaa}");
}

#[test]
fn an_opening_and_its_images_are_explored_as_one() {
    let place = stored();
    let told = place.ask_json(&["game", "explore", "--game", "amazons", "--json"]);
    let choices = told["choices"].as_array().unwrap();
    // d1-d7(g7), in the mirror too, was played five times: the games of the three files that begin so.
    let first: Vec<(u64, &str)> = choices
        .iter()
        .map(|choice| (choice["played"].as_u64().unwrap(), choice["turn"].as_str().unwrap()))
        .collect();
    assert_eq!(first.len(), 2, "{told}");
    assert_eq!(first[0].0, 5, "{told}");
    assert_eq!(first[1], (1, "a4-b4(c4)"), "{told}");
}

#[test]
fn the_same_game_in_both_formats_is_one_game() {
    let place = Place::new();
    place.write("game.txt", OPENINGS.split("\nWhite: Cleo").next().unwrap());
    place.ask(&["log", "import", "--actor", "archivist", "game.txt"]);
    let listed = place.ask(&["log", "show", "--streams", "--json"]);
    let game = listed
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["stream"].as_str().unwrap().to_owned())
        .find(|name| name.starts_with("game/"))
        .unwrap();
    place.ask(&["game", "export", &game, "-o", "game.sgf"]);
    let told = place.run(&["ingest", "game.txt", "game.sgf"]);
    assert_eq!(told.status, 0, "{told:?}");
    assert_eq!(rows(&place, "SELECT count(*) AS n FROM games")[0]["n"], 1);
    assert_eq!(rows(&place, "SELECT count(*) AS n FROM rejects")[0]["n"], 1);
}

#[test]
fn questions_about_arimaa_leave_the_amazons_out() {
    let place = stored();
    let rated = place.run(&["rating", "list", "--unrated", "--json"]);
    assert_eq!(rated.status, 0, "{rated:?}");
    assert!(!rated.out.contains("Ada"), "{}", rated.out);
    let amazons = place.ask(&["rating", "list", "--unrated", "--game", "amazons", "--json"]);
    assert!(amazons.contains("Ada") && amazons.contains("Bela"), "{amazons}");
}

#[test]
fn one_game_is_stored_once_from_a_list_from_sgf_and_from_the_log() {
    const FINAL: &str = "\
White: Ada
Black: Bela
Event: Olympiad
Date: 2000-08-21T10:15:00Z
Time: game 30m
Result: 1-0 (resignation)

1. d1-d7(g7) 14s a7-b8(b3) 9s
2. g1-g3(g1) 20s
retracted: mistyped
2. g1-g4(g1) 20s
";
    let place = Place::new();
    place.write("final.txt", FINAL);
    place.ask(&["log", "import", "--actor", "archivist", "final.txt"]);
    let streams = place.ask(&["query", "SELECT DISTINCT stream FROM events WHERE type = 'game.started'"]);
    let game = streams.lines().nth(1).unwrap();
    place.ask(&["game", "export", game, "-o", "final.sgf"]);
    place.ask(&["ingest", "final.txt", "final.sgf"]);
    place.ask(&["ingest", "--log"]);
    let numbers = rows(&place, "SELECT game_id FROM games");
    assert_eq!(numbers.len(), 1, "{numbers:?}");
    let number = numbers[0]["game_id"].as_u64().unwrap();
    assert!((1 << 52..1 << 53).contains(&number), "{number}");
    let rejects = rows(&place, "SELECT reason FROM rejects");
    assert_eq!(rejects.len(), 2, "{rejects:?}");

    // The log alone gives the same number, and where only the day is known, the day.
    let other = Place::new();
    other.write("final.sgf", std::fs::read_to_string(place.path("final.sgf")).unwrap());
    other.ask(&["log", "import", "--actor", "archivist", "final.sgf"]);
    other.ask(&["ingest", "--log"]);
    let logged = rows(&other, "SELECT game_id, year FROM games");
    assert_eq!(logged[0]["game_id"].as_u64(), Some(number));
    assert_eq!(logged[0]["year"], 2000);
    assert_eq!(other.ask_json(&["game", "list", "--year", "2000", "--json"]).as_array().unwrap().len(), 1);
    // It is found by the position that it starts from.
    let start = "w [...B..B.../........../........../B........B/........../........../W........W/........../........../...W..W...]";
    let found = other.ask_json(&["game", "list", "--position", start, "--json"]);
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    let other_side = other.ask_json(&["game", "list", "--position", &start.replace("w [", "b ["), "--json"]);
    assert!(other_side.as_array().unwrap().is_empty(), "{other_side}");
}
