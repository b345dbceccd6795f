//! An analyst who comes from another database: what works in its place, headers of expressions, files of their own as
//! tables, and the prompt.

use std::time::Duration;

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;
use crate::pseudo_terminal::Terminal;

fn ingested() -> Place {
    let place = Place::new();
    let rows = [
        header(),
        row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")),
        row("2", &format!("{SETUPS}2w Ee2n\\n2b")),
    ];
    place.write("two.txt", rows.join("\n"));
    place.ask(&["ingest", "two.txt"]);
    place
}

#[test]
fn a_column_with_a_day_that_no_calendar_has_is_text() {
    let place = ingested();
    let rows = "player,since,seen,born\nanna,2002-01-01,2026-02-01 12:00:00,1980-05-06\n\
                bela,2020-02-30,2026-02-01 25:00:00,\n";
    place.write("mine.csv", rows);
    let ask = |sql: &str| place.ask(&["query", "--table", "mine=mine.csv", sql]);
    let types = "SELECT arrow_typeof(since), arrow_typeof(seen), arrow_typeof(born) FROM mine LIMIT 1";
    let types = ask(types);
    let types: Vec<&str> = types.lines().last().unwrap().split('\t').collect();
    assert!(
        types[0].starts_with("Utf8") && types[1].starts_with("Utf8") && types[2] == "Date32",
        "{types:?}"
    );
    assert_eq!(ask("SELECT since FROM mine WHERE player = 'bela'"), "since\n2020-02-30\n");
    assert_eq!(ask("SELECT seen FROM mine WHERE player = 'anna'"), "seen\n2026-02-01 12:00:00\n");
}

#[test]
fn messages_of_sql_name_what_is_wrong() {
    let place = ingested();
    for (sql, expected) in [
        ("SELECT games.gold FROM games g", "write `g.gold`: the query has no table `games`"),
        ("SELECT game_id, f FROM games, unnest(flags) AS t(f)", "unnest(flags) AS flag FROM games"),
        ("SELECT game_id FROM games, LATERAL unnest(flags)", "unnest(flags) AS flag FROM games"),
        ("SELECT gold FROM games WHERE year > $since", "annals study run FILE.sql --param since=VALUE"),
    ] {
        let run = place.run(&["query", sql]);
        assert!(run.status == 2 && run.talk.contains(expected), "{sql}: {run:?}");
    }
    let run = place.run(&["query", "SELECT avg(t.seconds) FROM turns t -- \"seconds\""]);
    assert!(run.status == 2 && !run.talk.contains("double quotes"), "{run:?}");
    let run = place.run(&["query", "SELECT \"seconds\" FROM turns"]);
    assert!(run.status == 2 && run.talk.contains("double quotes"), "{run:?}");
}

#[test]
fn what_other_databases_have_is_answered_with_what_works_here() {
    let place = ingested();
    for sql in [
        "SELECT strftime('%Y', started_at) FROM games",
        "SELECT strptime('2026-02-15', '%Y-%m-%d') FROM games",
        "SELECT year(started_at) FROM games",
        "SELECT datediff('day', started_at, ended_at) FROM games",
        "SELECT dateadd(day, 1, started_at) FROM games",
        "SELECT julianday(started_at) FROM games",
        "SELECT group_concat(gold) FROM games",
        "SELECT list(gold) FROM games",
        "SELECT iif(plies > 3, 1, 0) FROM games",
        "SELECT isnull(gold, '') FROM games",
        "SELECT len(gold) FROM games",
        "SELECT charindex('a', gold) FROM games",
        "SELECT printf('%d', plies) FROM games",
        "SELECT json_extract(payload, '$.name') FROM events",
        "SELECT payload->>'name' FROM events",
        "SELECT regexp_extract(gold, 'a') FROM games",
        "SELECT string_split(gold, 'a') FROM games",
        "SELECT mod(plies, 2) FROM games",
        "SELECT plies // 2 FROM games",
        "SELECT plies DIV 2 FROM games",
        "SELECT width_bucket(plies, 0, 100, 5) FROM games",
        "SELECT quantile(plies, 0.5) FROM games",
        "SELECT mode(plies) FROM games",
        "SELECT histogram(plies) FROM games",
        "SELECT countif(plies > 3) FROM games",
        "SELECT arg_max(gold, plies) FROM games",
        "SELECT typeof(gold) FROM games",
        "SELECT gold + silver FROM games",
        "SELECT count(DISTINCT gold, silver) FROM games",
        "SELECT CAST(plies AS NUMBER) FROM games",
        "SELECT TOP 3 gold FROM games",
        "SELECT gold FROM games FETCH FIRST 3 ROWS ONLY",
        "SELECT gold FROM games USING SAMPLE 2",
        "SELECT gold FROM games WHERE gold REGEXP '^a'",
        "SELECT gold FROM games WHERE gold GLOB 'a*'",
        "SELECT gold FROM games WHERE row_number() OVER (ORDER BY plies) = 1",
        "SELECT gold FROM games SEMI JOIN players ON gold = name",
        "SELECT game_id FROM games MINUS SELECT game_id FROM turns",
        "PIVOT games ON gold USING count(*)",
        "SUMMARIZE games",
        "PRAGMA table_info(games)",
        "SELECT md5(gold) FROM games",
        "SELECT g.gold FROM games AS g ASOF JOIN games AS p ON p.ended_at < g.started_at",
        "SELECT gold, plies FROM games ORDER BY ALL",
        "SELECT name FROM sqlite_master",
        "SELECT 1 FROM dual",
        "SELECT count(*) FROM games TABLESAMPLE BERNOULLI (10)",
        "SELECT count(*) FROM games TABLESAMPLE 5",
        "SELECT count(*) FROM (SELECT * FROM games) TABLESAMPLE SYSTEM (5)",
        "EXPLAIN SELECT count(*) FROM games TABLESAMPLE 5",
        "SELECT count(*) FROM games PARTITION (a)",
        "SELECT count(*) FROM games PREWHERE plies > 3",
        "SELECT game_id FROM games CONNECT BY PRIOR game_id = plies",
        "FROM games LIMIT 2",
        "SELECT count(*) FROM (FROM games)",
        "SELECT to_char(ended_at - started_at, '%H:%M') FROM games",
        "WITH t AS (SELECT ended_at - started_at AS took FROM games) SELECT to_char(took, 'HH:MI') FROM t",
        "SELECT to_char(plies, '%H') FROM games",
    ] {
        let run = place.run(&["query", sql]);
        assert!(run.status == 2 && run.out.is_empty(), "{sql}: {run:?}");
        let hint = run.talk.lines().find_map(|line| line.trim().strip_prefix("hint: ")).unwrap_or_default();
        let works = hint.split('`').nth(1).unwrap_or_else(|| panic!("{sql}: {run:?}"));
        let is_statement = ["SELECT", "SHOW", "DESCRIBE", "WITH"].iter().any(|word| works.starts_with(word));
        let statement = if is_statement {
            works.to_owned()
        } else if sql.contains("WHERE") {
            format!("SELECT gold FROM games WHERE {works}")
        } else {
            format!("SELECT {works} FROM games")
        };
        place.ask(&["query", &statement]);
    }
    let quoted = place.run(&["query", "SELECT gold FROM games WHERE gold = \"anna\""]);
    assert!(quoted.talk.contains("single quotes: `'anna'`"), "{quoted:?}");
    let file = place.run(&["query", "SELECT * FROM read_csv('mine.csv')"]);
    assert!(file.talk.contains("annals query --table mine=mine.csv"), "{file:?}");
    for (sql, is_noted) in [
        ("SELECT to_char(started_at, 'YYYY-MM') FROM games LIMIT 1", true),
        ("SELECT to_char(date_trunc('month', started_at), 'Mon') FROM games LIMIT 1", true),
        ("SELECT to_char(started_at, '%Y-%m') FROM games LIMIT 1", false),
        ("SELECT to_char(date_trunc('day', started_at), '%d') FROM games LIMIT 1", false),
    ] {
        let run = place.run(&["query", sql]);
        assert_eq!(
            (run.status, run.talk.contains("fields of a pattern begin with %")),
            (0, is_noted),
            "{run:?}"
        );
    }
    // A duration has two forms of its own.
    let forms = "SELECT to_char(ended_at - started_at, 'pretty'), to_char(ended_at - started_at, 'ISO8601') FROM games";
    assert!(place.ask(&["query", forms]).contains("PT"));
    // `FROM` first is SQL where `SELECT` follows.
    assert_eq!(place.ask(&["query", "FROM games SELECT count(*) AS n"]), "n\n2\n");
    // Columns of tables that the query does not read are not suggested.
    let other = place.run(&["query", "SELECT steps FROM games"]);
    assert!(!other.talk.contains("did you mean `steps`"), "{other:?}");
}

#[test]
fn a_name_of_version_3_is_explained_only_where_that_table_is_read() {
    let place = ingested();
    place.write("mine.csv", "points\n1\n");
    for (sql, renamed) in [
        ("SELECT player FROM games", None),
        ("SELECT what FROM games", None),
        ("SELECT player FROM mine", None),
        ("SELECT player FROM rulings", Some("`players`")),
        ("SELECT r.player FROM rulings AS r", Some("`players`")),
        ("SELECT who FROM ledger", Some("`party`")),
    ] {
        let run = place.run(&["query", "--table", "mine=mine.csv", sql]);
        assert_eq!(run.status, 2, "{sql}: {run:?}");
        match renamed {
            Some(name) => assert!(run.talk.contains(&format!("its name is {name} since")), "{sql}: {run:?}"),
            None => assert!(!run.talk.contains("its name is"), "{sql}: {run:?}"),
        }
    }
}

#[test]
fn a_file_that_names_a_column_twice_is_refused_before_anything_is_printed() {
    let place = ingested();
    for (name, text, column) in [
        ("twice.csv", "a,b,a\n1,2,3\n", "a"),
        ("semicolons.csv", "x;\"the y\";\"the y\"\n1;2;3\n", "the y"),
        ("tabs.tsv", "n\tn\n1\t2\n", "n"),
    ] {
        place.write(name, text);
        let run = place.run(&["query", "--table", &format!("t={name}"), "SELECT * FROM t"]);
        let expected = format!("the column `{column}` occurs twice in its first line");
        assert!(run.status == 2 && run.out.is_empty() && run.talk.contains(&expected), "{run:?}");
    }
}

#[test]
fn lists_of_tables_and_columns_have_each_once() {
    let place = ingested();
    let rows = |schema: &str, sql: &str| {
        let out = place.ask(&["query", "--schema", schema, "--no-header", sql]);
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    for (schema, other) in [("public", "v3"), ("v3", "public")] {
        let tables = rows(schema, "SHOW TABLES");
        assert!(tables.iter().any(|row| row.contains("games")), "{tables:?}");
        assert!(tables.iter().all(|row| !row.contains(&format!("\t{other}\t"))), "{schema}: {tables:?}");
        let described = rows(schema, "DESCRIBE games").len();
        assert_eq!(rows(schema, "SHOW COLUMNS FROM games").len(), described, "{schema}");
        let columns = "SELECT count(*) FROM information_schema.columns WHERE table_name = 'games'";
        assert_eq!(rows(schema, columns), [described.to_string()], "{schema}");
        // The other schema can be queried all the same.
        assert_eq!(rows(schema, &format!("SELECT count(*) FROM {other}.games")), ["2"]);
    }
}

#[test]
fn an_expression_without_a_name_has_its_text_as_the_header() {
    let place = ingested();
    let first = |sql: &str| place.ask(&["query", "--format", "csv", sql]).lines().next().unwrap().to_owned();
    assert_eq!(first("SELECT count(*), count(1), max(plies) AS most FROM games"), "count(*),count(1),most");
    assert_eq!(first("SELECT gold || '!' FROM games"), "gold || '!'");
    assert_eq!(first("SELECT game_id, g.gold FROM games AS g"), "game_id,gold");
    assert_eq!(first("SELECT * FROM (SELECT count(1) FROM games)"), "count(1)");
    assert_eq!(first("WITH a AS (SELECT sum(plies + 1) FROM games) SELECT * FROM a"), "sum(plies + 1)");
    assert_eq!(first("SELECT 1 UNION ALL SELECT 2"), "1");
    // Names change neither the grouping nor the order.
    let sql = "SELECT DISTINCT upper(gold), plies % 2 FROM games ORDER BY 1, 2";
    assert_eq!(first(sql), "upper(gold),plies % 2");
    let sql =
        "SELECT plies / 2, count(*) FROM games GROUP BY plies / 2 HAVING count(*) > 0 ORDER BY count(*), 1";
    assert_eq!(first(sql), "plies / 2,count(*)");
}

#[test]
fn files_of_the_analyst_are_tables_next_to_those_of_the_dataset() {
    let place = ingested();
    place.write("my notes 100%.csv", "game_id,note\n1,\"two\nlines\"\n2,short\n");
    place.write("mine.tsv", "game_id\tnote\n1\tx\n");
    place.write("lines.ndjson", "{\"game_id\": 1, \"stars\": 3}\n{\"game_id\": 2, \"stars\": 4.5}\n");
    place.write("array.json", "[{\"game_id\": 2, \"stars\": 5}]");
    place.ask(&["query", "-o", "games.parquet", "SELECT game_id, plies FROM games"]);
    let tables = ["--table", "notes=my notes 100%.csv", "--table", "t=mine.tsv", "--table", "l=lines.ndjson"];
    let more = ["--table", "a=array.json", "--table", "g=games.parquet"];
    let sql = "SELECT games.game_id, notes.note, l.stars, a.stars AS five, g.plies, t.note AS x FROM games \
               JOIN notes ON notes.game_id = games.game_id JOIN l ON l.game_id = games.game_id \
               LEFT JOIN a ON a.game_id = games.game_id JOIN g ON g.game_id = games.game_id \
               LEFT JOIN t ON t.game_id = games.game_id ORDER BY 1";
    let rows = place.ask_json(&[&["query", "--json", sql][..], &tables, &more].concat());
    assert_eq!(rows[0]["note"], "two\nlines");
    assert_eq!((&rows[0]["x"], &rows[0]["five"]), (&"x".into(), &serde_json::Value::Null));
    assert_eq!((rows[1]["stars"].as_f64(), rows[1]["five"].as_i64()), (Some(4.5), Some(5)));
    // A study reads them too, and so does a home without a dataset.
    place.write(
        "mine.sql",
        "-- title = \"Stars\"\n-- question = \"Which games have stars?\"\n\nSELECT stars FROM l ORDER BY stars\n",
    );
    assert_eq!(place.ask(&["study", "run", "mine.sql", "--table", "l=lines.ndjson"]), "stars\n3.0\n4.5\n");
    let empty = Place::new();
    empty.write("a.csv", "n\n1\n");
    assert_eq!(empty.ask(&["query", "--table", "a=a.csv", "SELECT n + 1 AS m FROM a"]), "m\n2\n");
}

#[test]
fn a_file_that_cannot_be_a_table_is_refused_with_the_reason() {
    let place = ingested();
    place.write("mine.csv", "a\n1\n");
    place.write("bad.json", "{\"a\": ");
    place.write("empty.csv", "");
    std::fs::create_dir(place.path("folder.csv")).unwrap();
    for (table, said) in [
        ("mine.csv", "expected NAME=FILE"),
        ("1x=mine.csv", "not a table name"),
        ("x=mine.xlsx", "names no format: use .csv"),
        ("games=mine.csv", "there is a table `games` already"),
        ("Events=mine.csv", "there is a table `events` already"),
        ("x=none.csv", "No such file"),
        ("x=folder.csv", "not a file"),
        ("x=bad.json", "cannot read `bad.json`"),
        ("x=empty.csv", "no columns"),
    ] {
        let run = place.run(&["query", "--table", table, "SELECT 1"]);
        assert!(run.status == 2 && run.talk.contains(said) && run.out.is_empty(), "{table}: {run:?}");
    }
    let twice = place.run(&["query", "--table", "x=mine.csv", "--table", "x=mine.csv", "SELECT 1"]);
    assert!(twice.status == 2 && twice.talk.contains("there is a table `x` already"), "{twice:?}");
    let written = place.run(&["query", "--table", "x=mine.csv", "INSERT INTO x VALUES (2)"]);
    assert!(written.status == 2 && written.talk.contains("refused"), "{written:?}");
    assert_eq!(std::fs::read_to_string(place.path("mine.csv")).unwrap(), "a\n1\n");
}

#[test]
fn every_table_of_a_session_is_in_the_help_and_in_the_schema() {
    let place = ingested();
    let help = place.ask(&["query", "--help"]);
    let schema = place.ask_json(&["schema", "tables", "--json"]);
    let described: Vec<&str> =
        schema["tables"].as_array().unwrap().iter().map(|table| table["name"].as_str().unwrap()).collect();
    let sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'";
    let tables = place.ask(&["query", "--no-header", sql]);
    assert_eq!(tables.lines().count(), described.len());
    for table in tables.lines() {
        assert!(help.contains(table) && described.contains(&table), "{table}: {help}");
    }
    assert!(help.contains("standings") && help.contains("crosstable"), "{help}");
}

#[test]
fn at_the_prompt_other_programs_commands_are_answered_and_ctrl_c_stops_the_query_alone() {
    let place = ingested();
    // `script` has an exit status of its own when its input ends, so the shell prints that of the program.
    let line = "annals query; echo status $?";
    let variables = [("NO_COLOR", "1"), ("TERM", "dumb")];
    let Some(mut terminal) = Terminal::of(&place, line, &variables) else { return };
    terminal.wait("annals>", 1);
    terminal.send(".tables\n");
    terminal.wait("rejected_turns", 1);
    terminal.send(".width 3\n");
    terminal.wait("`.width` is not a command", 1);
    // The next line is a statement of its own.
    terminal.send("SELECT 20 + 1 AS half;\n");
    terminal.wait("21", 1);
    terminal.send(
        "SELECT count(*) FROM range(10000000) AS a, range(10000000) AS b WHERE a.value % 7 = b.value % 5;\n",
    );
    std::thread::sleep(Duration::from_secs(3));
    terminal.send("\u{3}");
    terminal.wait("the query was stopped", 1);
    terminal.send("SELECT 40 + 2 AS whole;\n");
    terminal.wait("42", 1);
    terminal.send("\\q\n");
    terminal.wait("status ", 1);
    terminal.wait("status 0", 1);
    terminal.child.wait().unwrap();
}
