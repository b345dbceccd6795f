//! Seeds of the targets that query a small home.

use crate::seeds::Seeds;

pub(crate) fn sql_text() -> Seeds {
    let texts = [
        "SELECT year, count(*) AS games FROM games GROUP BY year ORDER BY year;",
        "WITH w AS (SELECT gold, plies FROM games WHERE rated AND plies > 20) SELECT * FROM w UNION ALL VALUES ('a', 2)",
        "SELECT g.gold, avg(t.used) FILTER (WHERE t.side = 'silver') FROM games AS g JOIN turns AS t USING (game_id) GROUP BY 1",
        "SELECT gold, rank() OVER (PARTITION BY year ORDER BY plies DESC) FROM games QUALIFY rank() OVER (ORDER BY plies) < 3",
        "SELECT player, points FROM standings('final', as_of => '2015', known_at => 'seq:9')",
        "SELECT position_hash(board, to_move) FROM turns WHERE ply = 3 LIMIT 5",
        "SELECT payload_value(payload, 'name'), effective_at FROM events WHERE type LIKE 'tournament.%' ORDER BY seq",
        "EXPLAIN SELECT unnest(flags) FROM games; DESCRIBE games; SHOW TABLES",
        "SELECT to_char(started_at, 'YYYY-MM'), strftime(started_at), date_trunc('month', started_at) FROM games",
        "SELECT CASE WHEN plies BETWEEN 1 AND 9 THEN -plies / 0 ELSE 9223372036854775807 + 1 END, 1e400, X'00' FROM games",
        "SELECT * FROM games TABLESAMPLE (10) -- ; not an end",
        "DROP TABLE games; SELECT 1 INTO t; COPY games TO 'x.csv'; SET a = 1",
        "SELECT \"gold\", 'it''s', $$x$$, $1, e'\\n', INTERVAL '1 day' * 3, ARRAY[1, 2][1], {'a': 1}, gold ~ '^a' FROM games",
    ];
    let words = [
        "SELECT ",
        " FROM ",
        " WHERE ",
        " GROUP BY ",
        " ORDER BY ",
        " JOIN ",
        " USING (",
        " LIMIT ",
        " OVER (",
        " UNION ALL ",
        "WITH RECURSIVE ",
        " IN (",
        " IS NULL",
        " CAST(",
        "::int",
        " AS ",
        " NOT ",
        " AND ",
        " OR ",
        " LIKE ",
        "count(*)",
        "games",
        "turns",
        "events",
        "standings(",
        "INTERVAL ",
        "EXPLAIN ",
        "ARRAY[",
        "sum(",
        "to_char(",
        "payload_value(",
        "--",
        "/*",
        "*/",
        "''",
        "$a",
        "=>",
        "9223372036854775807",
        "TIMESTAMP '2015-01-01'",
        "plies",
        "started_at",
    ];
    Seeds::new(texts, &words)
}

/// The front matter of a study, of which the comments are made.
fn study(toml: &str, sql: &str) -> String {
    let head = "title = \"Long games\"\nquestion = \"Which games had many turns?\"\n";
    let comments: String = head.lines().chain(toml.lines()).map(|line| format!("-- {line}\n")).collect();
    format!("{comments}\n{sql}\n")
}

pub(crate) fn studies() -> Seeds {
    let whole = r#"notes = ["One.", "Two: it's."]
[[param]]
name = "least"
kind = "whole"
default = 20
min = 1
max = 500
meaning = "the fewest turns"
[[param]]
name = "player"
kind = "text"
meaning = "whose"
[chart.bars]
x = "year"
x_axis = { name = "year" }
y = [{ column = "games" }]
y_axis = { name = "games", rule = 5 }
"#;
    let inline = r#"param = [
  { name = "since", kind = "date", default = 2004-05-06, meaning = "a day" },
  { name = "share", kind = "number", default = 0.5, min = 0, meaning = "a share" },
  { name = "result", kind = "text", one_of = ["gold", "silver"], default = "gold", meaning = "who" },
]
"#;
    let charts = ["bars", "dots", "lines", "steps", "heat", "histogram"].map(|kind| {
        let toml = format!(
            "[chart.{kind}]\nx = \"a\"\nx_axis = {{ name = \"a\" }}\ny = [{{ column = \"b\", name = \"B\" }}]\ny_axis = {{ name = \"b\" }}"
        );
        study(&toml, "SELECT 1 AS a, 2 AS b")
    });
    let texts = [
        study(
            whole,
            "SELECT year, count(*) AS games FROM games WHERE plies >= $least AND gold = $player GROUP BY 1",
        ),
        study(inline, "-- $nothing\nSELECT '$since', $since, $share, $result;"),
    ];
    let words = [
        "-- ", "title = ", "question = ", "notes = ", "[[param]]", "name = ", "kind = ", "default = ",
        "meaning = ", "min = ", "max = ", "one_of = ", "\"whole\"", "\"number\"", "\"text\"", "\"date\"",
        "[chart.", "x_axis", "y_axis", "column", "$least", "\"\"\"", "'''", "1979-05-27", "inf", "nan",
        "0x7fffffffffffffff",
    ];
    Seeds::new(texts.into_iter().chain(charts), &words)
}

pub(crate) fn http_requests() -> Seeds {
    let pages = [
        "/",
        "/tournaments?as_of=2015",
        "/tournament/final?as_of=round:1&tz=%2B02:00",
        "/tournament/final/crosstable.json?known_at=seq:9",
        "/tournament/final/rounds?as_of=2015-04-03T18:00&tz=Europe/Vienna",
        "/tournament/final/standings.csv",
        "/tournament/final/history",
        "/tournament/final/changes?from=2014&to=2016",
        "/tournament/final/audit.json",
        "/tournament/final/chart.svg",
        "/tournament/final/overview.trf",
        "/tournament/final/why/r1.1",
        "/tournament/final/why/r1/a/b",
        "/games?player=grown_0001&result=gold&page=2&from=2004&to=2015",
        "/games.json?rated=true&ending=goal&plies=20",
        "/game/1?ply=4",
        "/game/100001?ply=7",
        "/game/100001.txt",
        "/game/100001.svg?ply=3",
        "/game/final.r1.1.json",
        "/explore?board=g%20%5Brrrrrrrrhdcemcdh%5D",
        "/players?sort=rating&page=1",
        "/player/grown_0001?as_of=2012",
        "/player/grown_0001.svg",
        "/player?name=..%2F",
        "/search?pattern=E%20on%20d5&side=gold",
        "/log?from=3&type=tournament.",
        "/log/7.json",
        "/log/7/proof.json?old=3",
        "/studies",
        "/study/draws?least=4",
        "/sql",
        "/~..?token=t&x=%ff",
    ];
    let head =
        "Host: localhost:7440\nAccept: application/json, text/html;q=0.9\nOrigin: http://localhost:7440";
    let words = [
        "GET /",
        "/tournament/final/",
        "/game/",
        "/player/",
        "/log/",
        "/study/",
        ".json",
        ".csv",
        ".svg",
        ".txt",
        ".arrow",
        ".parquet",
        ".trf",
        "?as_of=",
        "&known_at=",
        "&tz=",
        "seq:",
        "round:",
        "%00",
        "%2F",
        "%2e",
        "&page=",
        "ply=",
        "from=",
        "to=",
        "99999999999999999999",
        "Host: localhost",
        "grown_0001",
        "proof",
        "why/",
    ];
    let mut seeds = Seeds::new(pages.iter().map(|page| format!("GET {page}\nHost: localhost\n")), &words);
    seeds.texts.push(format!("HEAD /log.json\n{head}\nCookie: a=b; annals_token=t\n").into_bytes());
    seeds.texts.push(format!("GET /?token=t&as_of=2015\n{head}\nAuthorization: Bearer t\n").into_bytes());
    seeds.behind([0, 1])
}
