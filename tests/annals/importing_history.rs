//! The published tables that ship with the program: what is imported of them, what is derived, and what is not stated.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::program::Place;

const IMPORT: [&str; 4] = ["tournament", "import", "history", "--actor=omar"];

fn column(rows: &Value, key: &str) -> Vec<Value> {
    rows.as_array().unwrap().iter().map(|row| row[key].clone()).collect()
}

#[test]
fn without_a_tournament_the_champions_name_the_history_that_ships() {
    let place = Place::new();
    let hint = "`annals tournament import history` imports the published tables";
    for command in ["champions", "list"] {
        let run = place.run(&["tournament", command]);
        assert!(run.status == 2 && run.talk.contains(hint), "{run:?}");
    }
    place.ask(&["log", "init", "--actor=omar"]);
    for command in ["champions", "list"] {
        let text = place.ask(&["tournament", command]);
        assert!(text.contains(hint), "{text}");
        place.ask_json(&["tournament", command, "--json"]);
    }
    place.ask(&IMPORT);
    let champions = place.run(&["tournament", "champions"]);
    assert!(!champions.out.contains("import history"), "{champions:?}");
}

/// The lines of a table in CSV, by the names of the columns.
fn records(csv: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    lines.map(|line| head.iter().copied().zip(line).collect()).collect()
}

#[test]
fn derived_tables_are_marked_in_every_form() {
    let place = Place::new();
    place.ask(&IMPORT);
    let ask = |words: &str| place.ask(&words.split(' ').collect::<Vec<_>>());
    for tournament in ["london-2000", "maastricht-2001"] {
        for table in ["standings", "crosstable"] {
            let text = ask(&format!("tournament {table} {tournament}"));
            assert!(text.contains("derived"), "{text}");
            let csv = ask(&format!("tournament {table} {tournament} --format csv"));
            assert!(records(&csv).iter().all(|line| line["derived"] == "true"), "{csv}");
        }
        let rows = place.ask_json(&["tournament", "standings", tournament, "--json"])["rows"].clone();
        assert!(column(&rows, "derived").iter().all(|derived| *derived == true), "{rows}");
        let report = ask(&format!("tournament report {tournament} --format markdown"));
        assert!(
            report.contains("won and lost are derived") && report.contains("derived: the totals"),
            "{report}"
        );
    }
    let yamazon = ask("tournament entry show london-2000 Yamazon");
    assert!(yamazon.contains("+7 =0 -3, derived from the published points"), "{yamazon}");
    let record = ask("player record Yamazon");
    let all = "10 games, +7 =0 -3, sides not known; 10 of them are derived from published totals";
    assert!(record.contains(all), "{record}");
    let csv = ask("player record Yamazon --format csv");
    let anky = records(&csv).into_iter().find(|line| line["opponent"] == "anky").unwrap();
    let cells = ["games", "won", "lost", "with_gold", "derived"].map(|key| anky[key]);
    assert_eq!(cells, ["2", "1", "1", "", "2"], "{csv}");
    let json = place.ask_json(&["player", "record", "Yamazon", "--json"]);
    assert_eq!((&json["total"]["with_gold"], &json["total"]["sides_unknown"]), (&Value::Null, &json!(10)));
    // Three crosstables are possible at Maastricht, so only the totals are known.
    let invader = place.ask_json(&["player", "record", "Invader", "--json"]);
    assert_eq!((&invader["total"]["games"], &invader["total"]["derived"]), (&json!(12), &json!(12)));
    assert_eq!(invader["opponents"], json!([]));
}

#[test]
#[cfg(feature = "sql")]
fn derived_tables_are_marked_in_sql() {
    let place = Place::new();
    place.ask(&IMPORT);
    let rows = |sql: &str| place.ask_json(&["query", "--json", sql]);
    assert_eq!(
        rows(
            "SELECT opponent, half_points, derived, crosstable, outcome FROM crosstable('london-2000') \
              WHERE player = 'yamazon' AND opponent IN ('8qp', 'anky') ORDER BY opponent"
        ),
        json!([
            {"opponent": "8qp", "half_points": 0, "derived": true, "crosstable": 1, "outcome": null},
            {"opponent": "anky", "half_points": 2, "derived": true, "crosstable": 1, "outcome": null},
        ])
    );
    assert_eq!(
        rows(
            "SELECT crosstable, count(*) AS rows, sum(half_points) AS points FROM crosstable('maastricht-2001') GROUP BY 1 ORDER BY 1"
        ),
        json!([1, 2, 3].map(|table| json!({"crosstable": table, "rows": 12, "points": 48})))
    );
    assert_eq!(rows("SELECT DISTINCT derived FROM standings('london-2000')"), json!([{"derived": true}]));
}

#[test]
fn a_table_under_an_unknown_rulebook_is_not_checked_and_that_is_no_failure() {
    let place = Place::new();
    place.ask(&IMPORT);
    let text = place.ask(&["tournament", "audit", "maastricht-2001"]);
    assert!(text.starts_with("nothing is checked: ") && text.contains("`unknown`"), "{text}");
    let json = place.ask_json(&["tournament", "audit", "maastricht-2001", "--json"]);
    assert_eq!(json["nothing_checked"], json!(text.trim_end()));
    let other = place.run(&["tournament", "audit", "maastricht-2001", "--reading", "T7=B"]);
    assert!(other.status == 0 && other.out == text, "{other:?}");
}

#[test]
fn a_fresh_install_has_champions_after_one_command() {
    let place = Place::new();
    let list = place.ask(&["tournament", "import", "history", "--list"]);
    assert!(list.contains("london-2000: 5th Computer Olympiad") && list.contains("6 players"), "{list}");
    let dry = place.ask(&["tournament", "import", "history", "london-2000", "--dry-run"]);
    assert!(dry.contains("source: the Chess Programming Wiki") && dry.contains("9 events"), "{dry}");
    assert!(!place.path("home/log.db").exists(), "neither of them makes a log");

    let first = place.ask_json(&[&IMPORT[..], &["--json"]].concat());
    assert_eq!(column(&first, "events"), [json!(9), json!(7)]);
    assert_eq!(first[0]["taken"]["findings"], json!([]));
    let champions = place.ask(&["tournament", "champions", "--format", "csv"]);
    let line = |year: &str| champions.lines().find(|line| line.starts_with(year)).unwrap().to_owned();
    assert!(line("2000").contains(",8QP,Yamazon,Anky,"), "{champions}");
    assert!(line("2001").contains(",8QP,Aska,Invader,"), "{champions}");

    let head = place.ask(&["log", "head"]);
    let again = place.ask(&IMPORT);
    assert_eq!(again.matches("in the log already").count(), 2, "{again}");
    assert_eq!(place.ask(&["log", "head"]), head);
    let slip = place.run(&["tournament", "import", "history", "london-200", "--actor=omar"]);
    assert!(slip.status == 2 && slip.talk.contains("did you mean `london-2000`?"), "{slip:?}");
}

#[test]
fn totals_are_as_published_and_crosstables_are_marked_as_derived() {
    let place = Place::new();
    place.ask(&IMPORT);
    let standings = place.ask_json(&["tournament", "standings", "london-2000", "--json"]);
    assert_eq!(standings["order"], "published");
    assert!(standings["source"].as_str().unwrap().contains("ICGA Tournaments 33"));
    assert_eq!(column(&standings["rows"], "half_points"), [20, 14, 14, 8, 4, 0].map(Value::from));
    assert_eq!(column(&standings["rows"], "place"), [1, 2, 3, 4, 5, 6].map(Value::from));
    assert_eq!(column(&standings["rows"], "lost"), [0, 3, 3, 6, 8, 10].map(Value::from));

    let london = place.ask(&["tournament", "crosstable", "london-2000"]);
    let row = |name: &str| london.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(row("Yamazon").contains("0-2") && row("Yamazon").contains("1-1"), "{london}");
    assert!(london.contains("derived:") && london.contains("this crosstable alone"), "{london}");
    let maastricht = place.ask(&["tournament", "crosstable", "maastricht-2001"]);
    assert!(maastricht.contains("Derived crosstable 3 of 3"), "{maastricht}");
    assert!(maastricht.contains("3 crosstables give them"), "{maastricht}");
    let tables = place.ask_json(&["tournament", "crosstable", "maastricht-2001", "--json"]);
    let tables = tables["derived"]["crosstables"].as_array().unwrap().clone();
    assert_eq!(tables.len(), 3);
    for table in tables {
        let rows = table.as_array().unwrap();
        let sum = |row: &Value| row.as_array().unwrap().iter().map(|cell| cell.as_u64().unwrap()).sum();
        assert_eq!(rows.iter().map(sum).collect::<Vec<u64>>(), [24, 10, 10, 4]);
    }
}

#[test]
fn what_the_source_does_not_state_is_unknown() {
    let place = Place::new();
    place.ask(&IMPORT);
    for tournament in ["london-2000", "maastricht-2001"] {
        let lines = place.ask(&["log", "show", tournament, "--json"]);
        for line in lines.lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            assert_eq!(event["payload"]["_time"], "unknown", "{event}");
            let kind = event["type"].as_str().unwrap();
            assert!(!["tournament.result_recorded", "tournament.round_paired"].contains(&kind), "{event}");
        }
    }
    // Yamazon and Anky are level on what was published; only the territory that was not decides between them.
    let audit = place.run(&["tournament", "audit", "london-2000"]);
    assert_eq!(audit.status, 0, "{audit:?}");
    assert!(
        audit.out.contains("yamazon before anky") && audit.out.contains("no territory was published"),
        "{audit:?}"
    );
    let narrative = place.ask(&["log", "show", "maastricht-2001"]);
    assert!(
        narrative.contains("under rulebook unknown")
            && narrative.contains("the endings of its games are not known"),
        "{narrative}"
    );
}

/// An announced Olympiad with three programs, and the line of a table of theirs.
fn three(place: &Place, tournament: &str) -> Value {
    let annals = |words: &str| {
        let words: Vec<&str> = ["tournament"].into_iter().chain(words.split(' ')).collect();
        place.ask(&[&words[..], &["--actor=omar"]].concat());
    };
    annals(&format!("announce {tournament} --rulebook olympiad-amazons-2000"));
    for (number, name) in (1..).zip(["a", "b", "c"]) {
        annals(&format!("entry add {tournament} {name} --bot --number {number} --developer {name}"));
    }
    let rows = [("a", 1, 6), ("b", 2, 4), ("c", 3, 2)].map(
        |(player, place, half_points)| json!({"player": player, "place": place, "half_points": half_points}),
    );
    json!({
        "stream": format!("tournament/{tournament}"), "type": "tournament.table_published",
        "payload": {"rows": rows, "games_a_pair": 2, "crosstables": 2, "source": "a newspaper"},
    })
}

#[test]
fn a_table_that_no_games_can_give_is_refused_and_flagged_where_it_is_imported() {
    let place = Place::new();
    let good = three(&place, "cup");
    let append = |line: &Value| {
        place.write("line.jsonl", line.to_string());
        place.run(&["log", "append", "line.jsonl", "--actor=omar"])
    };
    let changed = |pointer: &str, value: Value| {
        let mut line = good.clone();
        *line.pointer_mut(pointer).unwrap() = value;
        line
    };
    for (pointer, value, rule, said) in [
        ("/payload/rows/0/half_points", json!(7), "table.published", "totals that no results give"),
        ("/payload/rows/2/player", json!("b"), "table.published", "a second row"),
        ("/payload/crosstables", json!(3), "table.published", "found: 3"),
        ("/payload/games_a_pair", json!(4), "encounter.games", "4 games"),
        ("/payload/rows/0/place", json!(4), "place.order", "another order"),
    ] {
        let run = append(&changed(pointer, value));
        assert_eq!(run.status, 2, "{pointer}: {run:?}");
        assert!(run.talk.contains(rule) && run.talk.contains(said), "{pointer}: {run:?}");
    }
    let run = append(&good);
    assert_eq!(run.status, 0, "{run:?}");
    place.ask(&["tournament", "close", "cup", "--actor=omar"]);
    let table = place.ask(&["tournament", "standings", "cup", "--format", "csv"]);
    assert!(table.contains(",a,") && table.contains("3"), "{table}");

    // The same tournament from its beginning, with another number of crosstables.
    let lines = place.ask(&["log", "show", "cup", "--json"]);
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let imported = events.filter(|event| event["type"] != "tournament.closed").map(|event| {
        let mut line = json!({});
        for key in ["stream", "type", "effective_at", "payload"] {
            line[key] = event[key].clone();
        }
        if line["type"] == "tournament.table_published" {
            line["payload"]["crosstables"] = json!(3);
        }
        line.to_string()
    });
    let other = Place::new();
    other.write("cup.jsonl", imported.collect::<Vec<_>>().join("\n"));
    other.ask(&["log", "import", "cup.jsonl", "--actor=omar"]);
    let audit = other.run(&["tournament", "audit", "cup"]);
    assert_eq!(audit.status, 1, "{audit:?}");
    assert!(audit.out.contains("[table.published, Olympiad 2000, Tournament Rules 3]"), "{audit:?}");
}

#[test]
fn a_player_of_an_entry_alone_gets_another_name() {
    let place = Place::new();
    place.ask(&IMPORT);
    let record = place.ask_json(&["player", "record", "8qp", "--json"]);
    assert_eq!(record["player"], "8qp");
    place.ask(&["player", "rename", "8qp", "Eight Queens", "--actor=omar"]);
    assert!(place.ask(&["player", "record", "8qp"]).starts_with("Eight Queens (8qp): record"));
    let run = place.run(&["player", "rename", "8qq", "X", "--actor=omar"]);
    assert!(run.status == 2 && run.talk.contains("did you mean `8qp`"), "{run:?}");
}

#[cfg(all(feature = "sql", feature = "charts"))]
#[test]
fn a_published_table_is_not_drawn_and_the_hint_prints_its_crosstable() {
    let place = Place::new();
    place.ask(&IMPORT);
    for tournament in ["london-2000", "maastricht-2001"] {
        let run = place.run(&["chart", "crosstable", tournament, "-o", "x.svg"]);
        assert!(run.status == 2 && run.talk.contains("its games are not recorded"), "{run:?}");
        let hint = run.talk.lines().find_map(|line| line.trim().strip_prefix("hint: annals ")).unwrap();
        let printed = place.ask(&hint.split(' ').collect::<Vec<_>>());
        assert!(printed.contains("8QP") && printed.contains("derived"), "{hint}: {printed}");
    }
}
