//! A historian gets every row of the archive back out of the tables, to the byte, and games as texts that people read.

use std::collections::BTreeMap;
use std::fs;

use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, real_archive};

/// The rows of archives by their numbers.
fn rows(texts: &[&[u8]]) -> BTreeMap<u64, Vec<u8>> {
    let lines = texts.iter().flat_map(|text| text.split(|byte| *byte == b'\n').skip(1));
    let number = |line: &[u8]| std::str::from_utf8(line.split(|b| *b == b'\t').next()?).ok()?.parse().ok();
    lines.filter_map(|line| Some((number(line)?, line.to_vec()))).collect()
}

fn exported(place: &Place) -> BTreeMap<u64, Vec<u8>> {
    place.ask(&["game", "list", "--sort", "id", "--export", "archive", "-o", "again.txt", "--force"]);
    let text = fs::read(place.path("again.txt")).unwrap();
    assert!(text.starts_with(header().as_bytes()));
    rows(&[&text])
}

fn assert_same(found: &BTreeMap<u64, Vec<u8>>, expected: &BTreeMap<u64, Vec<u8>>) {
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (id, row) in expected {
        let texts = [row, &found[id]].map(|row| String::from_utf8_lossy(row));
        assert_eq!(texts[1], texts[0], "game {id}");
    }
}

#[test]
fn every_row_of_the_real_files_is_exported_to_the_byte_from_the_columns() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    place.ask(&["ingest", folder.to_str().unwrap()]);
    let texts = ["allgames2002.txt", "allgames202602.txt"].map(|name| fs::read(folder.join(name)).unwrap());
    let expected = rows(&[&texts[0], &texts[1]]);
    assert_eq!(expected.len(), 211);
    assert_same(&exported(&place), &expected);
    // The columns give it back, not a copy of the row.
    let kept = "SELECT sum(CAST(resign_listed AS INTEGER)) AS resigned, sum(cardinality(archive_fields)) AS kept FROM games";
    assert_eq!(place.ask(&["query", kept]), "resigned\tkept\n3\t0\n");
    let moves = place.ask(&["game", "export", "669122"]);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("game_as_moves", moves);
    });
    let back = place.ask(&["game", "export", "2", "--format", "moves"]);
    assert!(back.contains("\n2b takeback\n2w Md2n"), "{back}");
}

#[test]
fn rows_with_oddities_are_exported_to_the_byte_too() {
    let place = Place::new();
    place.grow("grown.txt", 20, 5);
    let mut expected = rows(&[&fs::read(place.path("grown.txt")).unwrap()]);
    let stamp = "1769941065 [Sun Feb  1 04:17:45 2026]";
    let logs = [
        format!("{stamp} w player joining\\n{stamp} move 2w received from w [Ee2n]\\n"),
        format!("{stamp} move 02w received from w [Ee2n]\\n"),
        format!("{stamp} nobody knows\\n\\n1769941066 [soon] w player joining"),
        "NULL".to_owned(),
        String::new(),
    ];
    let lists = [
        format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w"),
        format!("{SETUPS}2w Ee2n\\n2b takeback\\n2w Md2n\\n2b  ed7s \\n3w"),
        format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w resign\\n3b"),
        format!("{SETUPS}2w Ee2n\\n2b\\ned7s\\n3w Ra1s\\n3b ed6s\\n4w takeback"),
        String::new(),
    ];
    let mut id = 100;
    for (list, log) in lists.iter().flat_map(|list| logs.iter().map(move |log| (list, log))) {
        expected.insert(id, (row(&id.to_string(), list) + log).into_bytes());
        id += 1;
    }
    // Every field in a form that no column has a value for.
    for place in 1..27 {
        for odd in ["", "007", "+5", "?", "x y", "99999999999999999999999"] {
            let row = row(&id.to_string(), &lists[0]);
            let mut fields: Vec<&str> = row.split('\t').collect();
            fields[place] = odd;
            expected.insert(id, fields.join("\t").into_bytes());
            id += 1;
        }
    }
    let mut text = header().into_bytes();
    for row in expected.values() {
        text.push(b'\n');
        text.extend_from_slice(row);
    }
    place.write("odd.txt", text);
    place.ask(&["ingest", "odd.txt"]);
    assert_same(&exported(&place), &expected);
    // The zone of the words is a number, and a number that is not written as usual is kept.
    let offsets = "SELECT utc_offset FROM server_log WHERE game_id = 100 ORDER BY line";
    assert_eq!(place.ask(&["query", "--no-header", offsets]), "-21600\n-21600\n");
    let kept =
        "SELECT array_to_string(archive_fields, ';') FROM games WHERE game_id IN (100, 101) ORDER BY game_id";
    let kept = place.ask(&["query", "--no-header", kept]);
    assert!(kept.starts_with("\nevents=") && kept.contains("move 02w received"), "{kept}");
}

#[test]
fn a_game_of_the_log_has_the_number_of_its_last_turn_and_names_what_only_an_archive_states() {
    let place = Place::new();
    let moves = format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w Ee3n\\n3b takeback\\n3w Md2n\\n3b");
    place.write("games.txt", header() + "\n" + &row("5", &moves));
    place.ask(&["log", "import", "--actor", "archivist", "games.txt"]);
    let run = place.run(&["game", "export", "game/arimaa-5", "--format", "archive"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains("`mode` and `events` are empty, and `corrupt` is 0"), "{run:?}");
    let [head, row] = [0, 1].map(|line| run.out.lines().nth(line).unwrap().split('\t').collect::<Vec<_>>());
    let value = |column: &str| row[head.iter().position(|name| *name == column).unwrap()];
    assert_eq!(["plycount", "mode", "corrupt", "events"].map(value), ["3", "", "0", "NULL"]);
    // A row that was written is read without a flag, and the dataset of the log has the number too.
    place.write("again.txt", &run.out);
    assert_eq!(place.ask_json(&["--home", "again", "ingest", "again.txt", "--json"])["counts"]["flagged"], 0);
    place.ask(&["ingest", "--log"]);
    assert_eq!(place.ask(&["query", "SELECT plycount, plies FROM games"]), "plycount\tplies\n3\t5\n");
    let stored = place.run(&["game", "export", "5", "--format", "archive"]);
    assert_eq!(stored.out.lines().nth(1), run.out.lines().nth(1));
    let moves = place.run(&["game", "export", "game/arimaa-5"]);
    assert!(!moves.talk.contains("mode"), "{moves:?}");
}

#[test]
fn a_game_of_the_amazons_is_exported_as_a_list_of_moves_that_is_read_back() {
    let place = Place::new();
    let list = "White: Ada\nBlack: Bela\nWhite rating: 1800\nEvent: Olympiad\nDate: 2000-08-21\nRated: yes\nBoard: 10x10\n\
                Time: game 30m\nResult: 0-1 (resignation)\n\n1. d1-d7(g7) 14s a7-b8(b3) 9s\n2. g1-g3(g1) 20s\nretracted\n\
                2. g1-g4(g1) 20s d10-d8(e8) 11s\n";
    place.write("final.moves", list);
    place.ask(&["ingest", "final.moves"]);
    let text = place.ask(&["game", "list", "--export", "moves"]);
    assert_eq!(
        text.replace(" 20s\nretracted", "\nretracted"),
        list.replace(" 20s\nretracted", "\nretracted")
    );
    place.write("again.moves", &text);
    let summary = place.ask_json(&["ingest", "again.moves", "--json"]);
    assert_eq!(summary["counts"]["rejected"], 1, "the same game: {summary}");
    let run = place.run(&["game", "list", "--export", "archive"]);
    assert!(run.status == 2 && run.talk.contains("the archive has games of Arimaa only"), "{run:?}");
}

#[test]
fn every_result_of_a_game_file_comes_back_out_of_the_columns() {
    let results = [
        "1-0",
        "1-0 (resignation)",
        "0-1 (time)",
        "1/2-1/2",
        "void",
        "void (abandoned)",
        "void (said: the lights went out)",
    ];
    for result in results.map(|result| format!("Result: {result}\n")).into_iter().chain([String::new()]) {
        let place = Place::new();
        let list = format!(
            "White: Ada\nBlack: Bela\nDate: 2000-08-21\nBoard: 10x10\n{result}\n1. d1-d7(g7) a7-b8(b3)\n"
        );
        place.write("game.moves", &list);
        place.ask(&["ingest", "game.moves"]);
        let text = place.ask(&["game", "list", "--export", "moves"]);
        assert_eq!(text, list);
        // What is exported is the same game.
        place.write("again.moves", format!("# once more\n{text}"));
        let summary = place.ask_json(&["ingest", "again.moves", "--json"]);
        assert_eq!(summary["counts"]["rejected"], 1, "{result}: {summary}");
        // And so it is by way of the log.
        let logged = Place::new();
        logged.write("game.moves", &text);
        logged.ask(&["log", "import", "--actor", "archivist", "game.moves"]);
        logged.ask(&["ingest", "--log"]);
        assert_eq!(logged.ask(&["game", "list", "--export", "moves"]), list);
    }
}
