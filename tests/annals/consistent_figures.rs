//! One figure in every output: the fund, the prizes and the places of a tournament.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;

/// The place of each player by the names of two keys.
fn places(rows: &Value, player: &str, place: &str) -> BTreeMap<String, u64> {
    let name = |row: &Value| row[player]["player"].as_str().or(row[player].as_str()).map(str::to_owned);
    let rows = rows.as_array().unwrap_or_else(|| panic!("no rows in {rows}"));
    rows.iter().filter_map(|row| Some((name(row)?, row[place].as_u64()?))).collect()
}

#[test]
fn the_crosstable_has_the_players_of_the_standings() {
    let place = Place::new();
    place.copy_folder(&DEMONSTRATION.0.path("annals-demo"), "home");
    let players = |command: &str| -> Vec<Value> {
        let answer = place.ask_json(&["tournament", command, "cup", "--json"]);
        answer["rows"].as_array().unwrap().iter().map(|row| row["player"].clone()).collect()
    };
    assert_eq!(players("standings").len(), 8);
    assert_eq!(players("crosstable"), players("standings"), "who never reached the final has no row");
}

/// Checks that all outputs of a tournament have the same figures.
fn consistent(place: &Place, tournament: &str) -> (i64, i64) {
    let ask = |command: &str| place.ask_json(&["tournament", command, tournament, "--json"]);
    let (show, report, standings) = (ask("show"), ask("report"), ask("standings"));
    let replayed = place.ask_json(&["replay", &format!("tournament/{tournament}"), "--json"]);
    let champions = place.ask_json(&["tournament", "champions", "--json"]);
    let champion = champions["tournaments"].as_array().unwrap().iter();
    let champion = champion.into_iter().find(|line| line["tournament"] == tournament).unwrap();

    let number = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("no number: {value}"));
    let fund = number(&show["fund"]);
    for (output, other) in [
        ("report", &report["overview"]["fund"]),
        ("replay", &replayed["fund"]),
        ("champions", &champion["fund"]),
    ] {
        assert_eq!(number(other), fund, "{tournament}: {output}");
    }
    let ledger = report["ledger"].as_array().unwrap();
    let prizes: i64 =
        ledger.iter().filter(|line| line["what"] == "prize").map(|line| number(&line["amount"]).abs()).sum();
    assert_eq!(number(&show["awarded"]), prizes, "{tournament}");
    assert_eq!(number(&show["fund_left"]), fund - prizes, "{tournament}");
    assert_eq!(number(&replayed["fund_left"]), fund - prizes, "{tournament}");

    let closed = places(&report["places"], "player", "place");
    assert!(closed.len() > 3, "{tournament}: {report}");
    assert_eq!(places(&standings["rows"], "player", "place"), closed, "{tournament}");
    assert_eq!(places(&show["standings"]["rows"], "player", "place"), closed, "{tournament}");
    let ranks = places(&standings["rows"], "player", "rank");
    assert!(
        closed.iter().all(|(player, place)| ranks[player] == *place),
        "{tournament}: {ranks:?} {closed:?}"
    );
    (fund, prizes)
}

#[test]
fn every_output_of_the_demonstration_has_the_same_fund_and_places() {
    let place = Place::new();
    place.copy_folder(&DEMONSTRATION.0.path("annals-demo"), "home");
    let (fund, prizes) = consistent(&place, "cup");
    assert_eq!((fund, prizes), (112_000, 111_990), "the fund is what was shared, not what is left");
    let shown = place.ask(&["tournament", "show", "cup"]);
    for line in ["Fund\t1120.00", "Awarded\t1119.90", "Left\t0.10"] {
        let (name, amount) = line.split_once('\t').unwrap();
        let has = |shown: &str| shown.starts_with(name) && shown.replace(',', "").contains(amount);
        assert!(shown.lines().any(has), "{line}: {shown}");
    }
}

#[test]
fn every_output_of_the_imported_history_has_the_same_places() {
    let place = Place::new();
    place.ask(&["tournament", "import", "history", "--actor", "omar"]);
    for tournament in ["london-2000", "maastricht-2001"] {
        assert_eq!(consistent(&place, tournament), (0, 0));
    }
}

#[test]
fn standings_in_sql_have_what_the_command_prints() {
    let played = &DEMONSTRATION.0;
    let home = ["--home", "annals-demo"];
    let list = played.ask_json(&[&home[..], &["tournament", "list", "--json"]].concat());
    for line in list["tournaments"].as_array().unwrap() {
        let tournament = line["tournament"].as_str().unwrap();
        let printed = played.ask(&[&home[..], &["tournament", "standings", tournament]].concat());
        let json = played.ask_json(&[&home[..], &["tournament", "standings", tournament, "--json"]].concat());
        let sql = format!("SELECT * FROM standings('{tournament}')");
        let rows = played.ask_json(&[&home[..], &["query", "--json", &sql]].concat());
        let rows = rows.as_array().unwrap();
        assert!(rows.len() > 3 && rows.len() == json["rows"].as_array().unwrap().len(), "{rows:?}");
        assert!(rows.iter().any(|row| row["status"] == "out"), "{rows:?}");
        for (row, other) in rows.iter().zip(json["rows"].as_array().unwrap()) {
            for key in ["rank", "player", "name", "seed", "won", "lost", "drawn", "status", "active", "place"]
            {
                assert_eq!(row[key], other[key], "{tournament}: {key}");
            }
            let name = row["name"].as_str().unwrap();
            let line = printed.lines().find(|line| line.split_whitespace().nth(1) == Some(name)).unwrap();
            let status = row["status"].as_str().filter(|status| *status != "entered");
            let tie_breaks = row["tie_breaks"].as_array().unwrap().iter().filter_map(Value::as_str);
            let values =
                tie_breaks.map(|text| text.split_once(' ').unwrap()).filter(|(name, _)| *name != "seed");
            for value in values.map(|(_, value)| value).chain(status) {
                assert!(line.split_whitespace().any(|word| word == value), "{value}: {line}");
            }
        }
    }
}

#[test]
fn the_explorer_counts_setups_only_from_the_empty_board() {
    let played = &DEMONSTRATION.0;
    let ask = |words: &[&str]| played.ask_json(&[&["--home", "annals-demo"], words].concat());
    let count = |condition: &str| {
        let sql = format!("SELECT count(*) AS n FROM turns WHERE ply = 1 AND {condition}");
        ask(&["query", "--json", &sql])[0]["n"].as_u64().unwrap()
    };
    assert_ne!(count("NOT setup"), 0, "the demonstration resumes games");
    let explored = ask(&["game", "explore", "--json"]);
    assert_eq!(explored["total"]["played"], count("setup"));
    for choice in explored["choices"].as_array().unwrap() {
        assert_eq!(choice["turn"].as_str().unwrap().split(' ').count(), 16, "{choice}");
    }
}

/// The tables of the standings before and after each ruling of a tournament: heads, and rows.
fn changes(place: &Place, home: &str, tournament: &str) -> Vec<(Vec<String>, Vec<Vec<String>>)> {
    let page = place.ask(&["--home", home, "tournament", "report", tournament, "--format", "markdown"]);
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let tables = page.split("### Standings before and after ruling ").skip(1).map(|text| {
        let mut lines = text.lines().filter(|line| line.starts_with('|')).map(cells);
        let head = lines.next().unwrap();
        // The table ends at the first line that has another number of cells.
        let rows: Vec<Vec<String>> = lines.skip(1).take_while(|row| row.len() == head.len()).collect();
        (head, rows)
    });
    tables.collect()
}

#[test]
fn each_row_of_the_standings_before_and_after_a_ruling_has_a_difference() {
    let place = Place::new();
    place.copy_folder(&DEMONSTRATION.0.path("annals-demo"), "home");
    place.ask(&["demo", "olympiad", "-o", "olympiad", "--seed", "1", "--nodes", "24"]);
    let mut columns = Vec::new();
    for (home, tournament) in [("home", "cup"), ("olympiad", "olympiad")] {
        let tables = changes(&place, home, tournament);
        assert!(!tables.is_empty(), "{tournament} has no ruling that changed its standings");
        for (head, rows) in tables {
            assert!(!rows.is_empty(), "{tournament}: {head:?}");
            for row in &rows {
                let differs = row[1..].chunks(2).any(|pair| pair[0] != pair[1]);
                assert!(differs, "{tournament}: {head:?} {row:?}");
            }
            columns.extend(head);
        }
    }
    for column in ["Rating before", "Rating after", "Territory before", "Territory after"] {
        assert!(columns.iter().any(|head| head == column), "{column} in {columns:?}");
    }
}
