//! A historian asks a small dataset everything that has a command: SQL, lists, one game, a player, a position.
//! What is printed is pinned as snapshots (`tests/annals/snapshots/`).

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;

/// Three games of two players: one to the end by resignation, one of a few turns, one with an illegal turn.
fn asked() -> Place {
    let place = Place::new();
    let rows = [
        header(),
        row("1", &format!("{SETUPS}2w Ee2n Ee3n Md2n Md3n\\n2b ed7s ed6s me7s me6s\\n3w")),
        row("2", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")),
        row("3", &format!("{SETUPS}2w Ra1s\\n2b")),
    ];
    place.write("three.txt", rows.join("\n"));
    place.ask(&["ingest", "three.txt"]);
    place
}

macro_rules! snapshot {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

#[test]
fn sql_is_answered_in_every_form() {
    let place = asked();
    let sql = "SELECT game_id, gold, silver, termination, plies FROM games ORDER BY game_id";
    let csv = place.ask(&["query", "--format", "csv", sql]);
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.starts_with("game_id,gold,silver,termination,plies\n1,anna,bela,resignation,4\n"), "{csv}");
    assert_eq!(place.ask(&["query", sql]), csv.replace(',', "\t"), "a pipe gets tab-separated lines");
    let json = place.ask_json(&["query", "--json", sql]);
    assert_eq!((&json[0]["gold"], &json[2]["plies"]), (&"anna".into(), &2.into()));
    snapshot!("query_table", place.ask(&["query", "--format", "table", sql]));
    place.ask(&["query", "--format", "parquet", "-o", "games.parquet", sql]);
    assert_eq!(&std::fs::read(place.path("games.parquet")).unwrap()[..4], b"PAR1");
    place.write("asked.sql", "SELECT 1 AS one;\nSELECT 2 AS two;\n");
    assert_eq!(place.ask(&["query", "-f", "asked.sql"]), "one\n1\ntwo\n2\n");
}

#[test]
fn boards_can_be_asked_in_sql() {
    let place = asked();
    let sql = "SELECT board_text(board) AS board FROM turns WHERE game_id = 1 AND ply = 3";
    snapshot!("board_in_sql", place.ask(&["query", sql]));
}

#[test]
fn what_cannot_be_asked_is_refused_with_a_reason() {
    let place = asked();
    for (sql, words) in [
        ("DROP TABLE games", "DROP"),
        ("SELECT golf FROM games", "gold"),
        ("SELECT * FROM gmes", "games"),
        ("SELECT FROM WHERE", "SELECT"),
    ] {
        let run = place.run(&["query", sql]);
        assert_eq!(run.status, 2, "{sql}: {run:?}");
        assert!(run.talk.contains(words) && run.out.is_empty(), "{sql}: {run:?}");
    }
    assert_eq!(place.ask(&["query", "SELECT count(*) AS games FROM games"]), "games\n3\n");
}

#[test]
fn without_a_dataset_every_question_says_what_to_do() {
    let place = Place::new();
    for words in [
        &["game", "list"][..],
        &["game", "show", "1"],
        &["player", "show", "anna"],
        &["query", "SELECT 1 FROM games"],
    ] {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        assert!(run.talk.contains("annals ingest"), "{words:?}: {run:?}");
    }
}

#[test]
fn games_are_listed_and_filtered() {
    let place = asked();
    let numbers = |words: &[&str]| -> Vec<u64> {
        let list = place.ask_json(&[&["game", "list", "--json"], words].concat());
        list.as_array().unwrap().iter().map(|game| game["game_id"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&[]), [1, 2, 3]);
    assert_eq!(
        numbers(&["--player", "ANNA", "--vs", "bela", "--length-min", "4", "--sort", "length"]),
        [1, 2]
    );
    assert_eq!(numbers(&["--flag", "illegal-turn"]), [3]);
    assert_eq!(numbers(&["--silver", "bela", "--limit", "1", "--reverse"]), [3]);
    assert_eq!(numbers(&["--year", "2025"]), [0u64; 0]);
    let run = place.run(&["game", "list", "--player", "ana"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("anna"), "{run:?}");
}

#[test]
fn one_game_is_shown_whole_and_at_a_turn() {
    let place = asked();
    snapshot!("game", place.ask(&["game", "show", "1"]));
    snapshot!("game_at_a_turn", place.ask(&["game", "show", "1", "--turn", "2b"]));
    let run = place.run(&["game", "show", "1", "--turn", "9w"]);
    assert_eq!(run.status, 2, "{run:?}");
    let run = place.run(&["game", "show", "77"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("77"), "{run:?}");
}

#[test]
fn a_career_and_an_opening_are_told() {
    let place = asked();
    snapshot!("player", place.ask(&["player", "show", "anna"]));
    snapshot!("explore", place.ask(&["game", "explore", "1", "--turn", "2w"]));
}

#[test]
fn every_table_is_described() {
    let place = Place::new();
    snapshot!("schema_turns", place.ask(&["schema", "tables", "turns"]));
    let all = place.ask(&["schema", "tables"]);
    for table in
        ["games", "turns", "positions", "lookup", "players", "server_log", "rejected_turns", "rejects"]
    {
        assert!(all.contains(table), "{table}: {all}");
    }
    let run = place.run(&["schema", "tables", "turn"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("turns"), "{run:?}");
}

#[test]
fn a_text_that_is_not_a_time_is_shown_at_its_place() {
    let place = asked();
    for (sql, literal, column) in [
        ("SELECT count(*) FROM games WHERE started_at > '2026-02-15 12:00'", "2026-02-15 12:00", 47),
        ("SELECT count(*) FROM games\nWHERE started_at > '2026-02'", "2026-02", 20),
        ("SELECT timestamp '2026-02-15 12:00'", "2026-02-15 12:00", 18),
        ("SELECT '2026-13-45'::date", "2026-13-45", 8),
    ] {
        let run = place.run(&["query", sql]);
        assert_eq!(run.status, 2, "{run:?}");
        let line = sql.lines().count();
        let place = format!("`{literal}` is not a time of SQL (line {line}, column {column})");
        assert!(run.talk.contains(&place), "{place}: {run:?}");
        assert!(run.talk.contains("hint: write a day as '2026-02-15', and a time as"), "{run:?}");
    }
}
