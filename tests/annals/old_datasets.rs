//! A home of an older program: its dataset is refused with one command that makes it again, and old queries run.

use std::fs;

use serde_json::{Value, json};

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;
use crate::tournament::recorded;

/// A dataset of two files as version 3 wrote its manifest.
pub fn old() -> Place {
    let place = Place::new();
    for (name, id) in [("one.txt", "1"), ("two.txt", "2")] {
        place.write(name, [header(), row(id, &format!("{SETUPS}2w Ra1s\\n2b"))].join("\n"));
    }
    place.ask(&["ingest", "one.txt", "two.txt"]);
    let path = place.path("home/dataset/manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest["schema_version"] = json!(3);
    // Names that no file of this version has.
    for file in manifest["files"].as_array_mut().unwrap() {
        let name = file["path"].as_str().unwrap().to_owned();
        let before = name.replace(".parquet", "-before.parquet");
        fs::rename(place.path("home/dataset").join(&name), place.path("home/dataset").join(&before)).unwrap();
        file["path"] = before.into();
    }
    fs::write(path, manifest.to_string()).unwrap();
    place
}

/// The files of the dataset, with their bytes.
fn files(place: &Place) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![place.path("home/dataset")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => found.push((entry.path().display().to_string(), fs::read(entry.path()).unwrap())),
            }
        }
    }
    found.retain(|(name, _)| name.ends_with(".parquet") || name.ends_with("manifest.json"));
    found.sort();
    found
}

#[test]
fn every_command_names_the_one_command_that_makes_an_old_dataset_again() {
    let place = old();
    let before = files(&place);
    for words in [
        &["query", "SELECT 1"][..],
        &["game", "list"],
        &["game", "show", "1"],
        &["player", "show", "anna"],
        &["game", "explore"],
        &["rating", "list"],
        &["study", "run", "growth"],
        &["chart", "ratings", "--player", "anna", "-o", "r.svg"],
        &["ingest", "--log"],
        &["ingest", "one.txt"],
    ] {
        if words == ["ingest", "--log"] {
            place.write("events.jsonl", "");
        }
        let run = place.run(words);
        assert_eq!(run.status, 2, "{words:?} {run:?}");
        if words != ["ingest", "--log"] {
            assert!(
                run.talk.contains("has tables of version 3, expected version 4"),
                "{words:?}: {}",
                run.talk
            );
            assert!(
                run.talk.contains("`annals --home home ingest one.txt two.txt` makes it again"),
                "{words:?}: {}",
                run.talk
            );
        }
    }
    assert_eq!(files(&place), before, "nothing was changed");
    place.ask(&["ingest", "one.txt", "two.txt"]);
    assert_eq!(place.ask(&["query", "--no-header", "SELECT count(*) FROM games"]), "2\n");
    assert!(files(&place).iter().all(|(name, _)| !name.contains("-before")), "the old files are gone");
}

#[test]
fn queries_of_version_3_run_unchanged_in_its_schema() {
    let place = Place::new();
    let renamed = row("3", &format!("{SETUPS}2w Ra1s\\n2b")).replace("\tanna\t", "\tAnne, the first\t");
    let rows = [header(), row("1", &format!("{SETUPS}2w Ra1s\\n2b")), renamed];
    place.write("three.txt", rows.join("\n"));
    place.ask(&["ingest", "three.txt"]);
    recorded(&place);
    let both = |old: &str, new: &str| {
        let asked = place.ask(&["query", "--schema", "v3", "--no-header", old]);
        assert_eq!(asked, place.ask(&["query", "--no-header", new]), "{old}");
        assert!(asked.lines().count() > 0 && asked.trim() != "", "{old}");
    };
    both(
        "SELECT what, our_code, our_reason FROM rejected_turns",
        "SELECT kind, illegal_code, illegal_reason FROM rejected_turns",
    );
    both("SELECT what FROM rejected_turns", "SELECT what FROM v3.rejected_turns");
    both(
        "SELECT other_names FROM players WHERE player_id = 1",
        "SELECT other_names[1] FROM players WHERE player_id = 1",
    );
    both("SELECT share_low(1, 3), share_high(1, 3)", "SELECT wilson_low(1, 3), wilson_high(1, 3)");
    both(
        "SELECT name, measures FROM standings('spring-2015') ORDER BY name",
        "SELECT name, array_to_string(tie_breaks, '; ') FROM standings('spring-2015') ORDER BY name",
    );
    both(
        "SELECT number, paragraphs, reason FROM rulings",
        "SELECT number, array_to_string(paragraphs, '; '), reason FROM rulings",
    );
    both(
        "SELECT count(*) FROM ledger WHERE what = 'fee' OR who = 'x'",
        "SELECT count(*) FROM ledger WHERE kind = 'fee' OR party = 'x'",
    );
    both("SELECT count(notes) FROM games", "SELECT 0");
    let run = place.run(&["query", "SELECT who FROM ledger"]);
    assert!(run.status == 2 && run.talk.contains("its name is `party` since dataset version 4"), "{run:?}");
    // Every table of version 3 is there, and none has a column that it did not have.
    let columns = |schema: &str, column: &str| {
        let sql = format!(
            "SELECT count(*) FROM information_schema.columns WHERE table_schema = '{schema}' AND column_name = '{column}'"
        );
        place.ask(&["query", "--schema", schema, "--no-header", &sql]).trim().to_owned()
    };
    for new in ["label", "utc_offset", "archive_fields", "resign_listed", "evidence"] {
        assert_eq!((columns("v3", new), columns("public", new)), ("0".to_owned(), "1".to_owned()), "{new}");
    }
    let tables = |schema: &str| {
        let sql = format!(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = '{schema}' ORDER BY table_name"
        );
        place.ask(&["query", "--schema", schema, "--no-header", &sql])
    };
    assert_eq!(tables("v3"), tables("public"));
}

#[test]
fn no_column_has_a_name_that_the_style_guide_retired() {
    let place = Place::new();
    let schema = place.ask_json(&["schema", "tables", "--json"]);
    let retired = [
        "what", "who", "measures", "worth", "lost", "judged", "had", "foretold", "low", "high", "share_low",
        "share_high", "departures", "miscalibration", "stroke", "cut", "director", "talk", "our_code",
        "our_reason",
    ];
    let tables = schema["tables"].as_array().unwrap();
    let columns = tables.iter().flat_map(|table| table["columns"].as_array().unwrap());
    let functions = schema["functions"].as_array().unwrap();
    let names: Vec<&str> = columns.map(|column| column["name"].as_str().unwrap()).collect();
    let calls: Vec<&str> = functions.iter().map(|f| f["call"].as_str().unwrap()).collect();
    assert!(names.len() > 150 && calls.len() > 20);
    for word in retired {
        assert!(!names.contains(&word), "{word}");
        assert!(!calls.iter().any(|call| call.starts_with(&format!("{word}("))), "{word}");
    }
    assert!(names.contains(&"tie_breaks") || calls.iter().any(|call| call.starts_with("standings(")));
}
