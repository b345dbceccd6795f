//! What other databases have and this one has not, with what does the same here. Each expression is written for the
//! table `games`, so that it can be run as printed.

use std::ops::ControlFlow;

use datafusion::sql::parser::Statement as Parsed;
use datafusion::sql::sqlparser::ast::{Select, SelectFlavor, TableFactor, Visit as _, Visitor};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// Functions of other databases, and an expression or a statement that works here.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (&["strftime", "formatdatetime", "time_format"], "to_char(started_at, '%Y-%m')"),
    (&["year"], "date_part('year', started_at)"),
    (&["quarter"], "date_part('quarter', started_at)"),
    (&["month"], "date_part('month', started_at)"),
    (&["week", "weekofyear"], "date_part('week', started_at)"),
    (&["day", "dayofmonth"], "date_part('day', started_at)"),
    (&["dayofyear"], "date_part('doy', started_at)"),
    (&["dayofweek", "weekday"], "date_part('dow', started_at)"),
    (&["hour"], "date_part('hour', started_at)"),
    (&["minute"], "date_part('minute', started_at)"),
    (&["second"], "date_part('second', started_at)"),
    (&["dayname"], "to_char(started_at, '%A')"),
    (&["monthname"], "to_char(started_at, '%B')"),
    (
        &["datediff", "date_diff", "timestampdiff", "timediff", "age"],
        "(to_unixtime(ended_at) - to_unixtime(started_at)) / 86400",
    ),
    (&["dateadd", "date_add", "adddate", "add_months"], "started_at + INTERVAL '1 day'"),
    (&["date_sub", "subdate"], "started_at - INTERVAL '1 day'"),
    (&["julianday"], "to_unixtime(started_at) / 86400.0 + 2440587.5"),
    (&["unixepoch", "epoch", "unix_timestamp"], "to_unixtime(started_at)"),
    (&["date"], "CAST(started_at AS DATE)"),
    (&["datetime", "getdate", "sysdate", "sysdatetime"], "now()"),
    (&["curdate"], "current_date"),
    (&["strptime", "str_to_date", "parse_datetime"], "to_timestamp('2026-02-15', '%Y-%m-%d')"),
    (&["time_bucket"], "date_bin(INTERVAL '1 day', started_at)"),
    (&["last_day"], "date_trunc('month', started_at) + INTERVAL '1 month' - INTERVAL '1 day'"),
    (&["group_concat", "listagg", "string_concat"], "string_agg(gold, ',')"),
    (&["list", "collect_list", "json_group_array", "json_agg", "group_array"], "array_agg(gold)"),
    (&["iif", "if"], "CASE WHEN plies > 40 THEN 'long' ELSE 'short' END"),
    (&["isnull"], "coalesce(gold_country, '')"),
    (&["len"], "length(gold)"),
    (&["charindex", "locate", "patindex"], "position('a' IN gold)"),
    (&["mid"], "substr(gold, 1, 3)"),
    (&["ucase"], "upper(gold)"),
    (&["lcase"], "lower(gold)"),
    (&["printf", "format"], "concat('plies: ', plies)"),
    (&["char"], "chr(65)"),
    (&["unicode"], "ascii(gold)"),
    (&["hex"], "to_hex(plies)"),
    (&["md5", "sha1", "sha256", "crc32", "hash"], "SELECT position_hash(board, to_move) FROM turns LIMIT 5"),
    (&["regexp_matches", "regexp_extract", "regexp_substr"], "regexp_match(gold, '[0-9]+')[1]"),
    (&["str_split", "string_split", "split"], "string_to_array(gold, '_')"),
    (&["explode"], "unnest(notes)"),
    (&["typeof"], "arrow_typeof(gold)"),
    (
        &["json_extract", "json_value", "json_extract_string", "json_extract_path_text", "get_json_object"],
        PAYLOAD,
    ),
    (&["mod"], "plies % 2"),
    (&["div", "intdiv"], "plies / 2"),
    (&["sign"], "signum(gold_rating - silver_rating)"),
    (&["ceiling"], "ceil(plies / 10.0)"),
    (&["truncate"], "trunc(plies / 3.0, 1)"),
    (&["width_bucket"], "plies / 20 * 20"),
    (&["product"], "exp(sum(ln(plies)))"),
    (&["total"], "coalesce(sum(plies), 0)"),
    (&["std", "stdev", "stdevp"], "stddev(plies)"),
    (&["variance"], "var(plies)"),
    (&["quantile", "approx_quantile", "percentile", "percentile_disc"], "quantile_cont(plies, 0.9)"),
    (&["mode"], "SELECT plies, count(*) AS games FROM games GROUP BY plies ORDER BY games DESC LIMIT 1"),
    (
        &["histogram"],
        "SELECT plies / 20 * 20 AS from_plies, count(*) AS games FROM games GROUP BY 1 ORDER BY 1",
    ),
    (&["count_if", "countif", "sumif"], "count(*) FILTER (WHERE plies > 40)"),
    (&["arg_max", "argmax", "max_by"], "first_value(gold ORDER BY plies DESC)"),
    (&["arg_min", "argmin", "min_by"], "first_value(gold ORDER BY plies)"),
    (&["first"], "first_value(gold ORDER BY game_id)"),
    (&["last"], "last_value(gold ORDER BY game_id)"),
    (&["every"], "bool_and(rated)"),
    (&["uniq", "approx_count_distinct"], "approx_distinct(gold)"),
    (&["sqlite_version"], "version()"),
];

const PAYLOAD: &str = "SELECT payload_value(payload, 'name') FROM events";

const UNNEST: &str = "SELECT game_id, unnest(flags) AS flag FROM games";

const TABLES: &str = "SHOW TABLES";

const SCHEMA_TABLES: [&str; 7] =
    ["sqlite_master", "sqlite_schema", "pg_class", "pg_tables", "duckdb_tables", "user_tables", "all_tables"];

/// Pieces of the engine's messages about syntax that it has not, with a name for it and what works here.
const SYNTAX: &[(&str, &str, &str)] = &[
    ("TOP", "`TOP`", "SELECT game_id FROM games ORDER BY plies DESC LIMIT 3"),
    ("FETCH clause", "`FETCH FIRST`", "SELECT game_id FROM games ORDER BY plies DESC LIMIT 3"),
    ("RLike", "`REGEXP`", "gold ~ '^a'"),
    ("found: GLOB", "`GLOB`", "gold LIKE 'a%'"),
    ("Operator ->", "`->>`", PAYLOAD),
    ("Operator DIV", "`//`", "plies / 2"),
    ("value: \"DIV\"", "`DIV`", "plies / 2"),
    ("found: USING", "`USING SAMPLE`", "SELECT game_id FROM games ORDER BY random() LIMIT 5"),
    ("found: SUMMARIZE", "`SUMMARIZE`", "DESCRIBE games"),
    ("found: PIVOT", "`PIVOT`", PIVOT),
    ("node Pivot", "`PIVOT`", PIVOT),
    (
        "operator Semi",
        "`SEMI JOIN`",
        "SELECT gold FROM games LEFT SEMI JOIN players ON games.gold = players.name",
    ),
    (
        "operator Anti",
        "`ANTI JOIN`",
        "SELECT gold FROM games LEFT ANTI JOIN players ON games.gold = players.name",
    ),
    ("MATCH_CONDITION", "`ASOF JOIN`", EARLIER),
    ("MINUS", "`MINUS`", "SELECT game_id FROM games EXCEPT SELECT game_id FROM turns"),
    ("Convert", "`CONVERT`", "CAST(plies AS VARCHAR)"),
    ("SQL type NUMBER", "`NUMBER`", "CAST(plies AS DOUBLE)"),
    ("COUNT DISTINCT with multiple", "`count(DISTINCT a, b)`", "count(DISTINCT (gold, silver))"),
    ("arithmetic expression Utf8", "`+` between texts", "gold || ' ' || silver"),
    (
        "WindowFunction",
        "a window function in `WHERE`",
        "SELECT gold, plies FROM games QUALIFY row_number() OVER (PARTITION BY gold ORDER BY plies) = 1",
    ),
    ("Field {", "`unnest` of a column in `FROM`", UNNEST),
    ("call to 'to_char'", "`to_char` of a number or an interval", "to_char(started_at, '%H:%M')"),
    (PATTERN_OF_DURATION, "a pattern for a duration in `to_char`", MINUTES),
    ("found: PRAGMA", "`PRAGMA`", "DESCRIBE games"),
];

/// The message about a pattern that the engine would ignore.
pub(crate) const PATTERN_OF_DURATION: &str = "to_char of a duration with a pattern";

const MINUTES: &str = "(to_unixtime(ended_at) - to_unixtime(started_at)) / 60";

const PIVOT: &str = "SELECT gold, count(*) FILTER (WHERE result = 'gold') AS won FROM games GROUP BY gold";

const EARLIER: &str = "SELECT g.game_id, max(p.ended_at) AS earlier FROM games AS g JOIN games AS p \
                       ON p.gold = g.gold AND p.ended_at < g.started_at GROUP BY g.game_id";

/// Clauses that the parser reads and the planner ignores, so that the rows would be others than those asked for.
struct Ignored;

const SAMPLE: (&str, &str) = ("`TABLESAMPLE`", "SELECT game_id FROM games WHERE random() < 0.1");
const PARTITION: (&str, &str) = ("`PARTITION`", "SELECT game_id FROM games WHERE year = 2002");
const ORDINALITY: (&str, &str) =
    ("`WITH ORDINALITY`", "SELECT game_id, row_number() OVER (ORDER BY game_id) AS number FROM games");
const PREWHERE: (&str, &str) = ("`PREWHERE`", "SELECT game_id FROM games WHERE plies > 100");
const CONNECT_BY: (&str, &str) = (
    "`CONNECT BY`",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n",
);
const NO_SELECT: (&str, &str) = ("`FROM` without `SELECT`", "SELECT * FROM games LIMIT 5");

impl Visitor for Ignored {
    type Break = (&'static str, &'static str);

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<Self::Break> {
        match select {
            Select { flavor: SelectFlavor::FromFirstNoSelect, .. } => ControlFlow::Break(NO_SELECT),
            Select { prewhere: Some(_), .. } => ControlFlow::Break(PREWHERE),
            select if !select.connect_by.is_empty() => ControlFlow::Break(CONNECT_BY),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<Self::Break> {
        match table {
            TableFactor::Table { sample: Some(_), .. } | TableFactor::Derived { sample: Some(_), .. } => {
                ControlFlow::Break(SAMPLE)
            }
            TableFactor::Table { with_ordinality: true, .. } => ControlFlow::Break(ORDINALITY),
            TableFactor::Table { partitions, .. } if !partitions.is_empty() => ControlFlow::Break(PARTITION),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A message and a hint about a clause of a statement that would be ignored.
pub(crate) fn ignored(statement: &Parsed) -> Option<(String, String)> {
    let visited = match statement {
        Parsed::Statement(ast) => ast.visit(&mut Ignored),
        Parsed::Explain(explain) => return ignored(&explain.statement),
        _ => return None,
    };
    visited.break_value().map(|(name, works)| (format!("{name} is not supported"), here(works)))
}

/// The first pattern of `to_char` or `date_format` that would be printed as it is: its fields have no `%`.
#[must_use]
pub fn literal_pattern(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let calls = ["to_char(", "date_format("].into_iter().flat_map(|call| lower.match_indices(call));
    calls.map(|(at, call)| &text[at + call.len()..]).find_map(|arguments| {
        let mut depth = 1;
        let mut pattern = None;
        for (number, piece) in arguments.split('\'').enumerate() {
            if number % 2 == 1 {
                pattern = Some(piece);
                continue;
            }
            for c in piece.chars() {
                depth += i32::from(c == '(') - i32::from(c == ')');
                if depth == 0 {
                    return pattern.filter(|found| is_of_letters(found));
                }
            }
        }
        None
    })
}

/// Whether a pattern has fields as in Oracle and PostgreSQL, and none of this engine.
fn is_of_letters(pattern: &str) -> bool {
    let fields = ["yyyy", "yy", "mm", "dd", "hh", "mi", "ss", "mon", "day"];
    let lower = pattern.to_ascii_lowercase();
    !pattern.contains('%') && fields.iter().any(|field| lower.contains(field))
}

/// What to write in place of a function of another database.
pub(crate) fn function(name: &str) -> Option<String> {
    let (_, works) =
        FUNCTIONS.iter().find(|(names, _)| names.iter().any(|n| n.eq_ignore_ascii_case(name)))?;
    Some(here(works))
}

/// What to write in place of a table in which another database lists its tables, of a file, or of `dual`.
pub(crate) fn table(name: &str, text: &str) -> Option<String> {
    if SCHEMA_TABLES.contains(&name) {
        return Some(here(TABLES));
    }
    if name == "unnest" {
        return Some(here(UNNEST));
    }
    if name == "dual" {
        return Some("a query needs no table: `SELECT now()`".to_owned());
    }
    let is_file =
        ["csv", "tsv", "parquet", "json", "ndjson", "jsonl"].contains(&name) || name.starts_with("read_");
    (is_file && text.contains(['\'', '"'])).then(|| {
        "`--table NAME=FILE` makes a table of a file: `annals query --table mine=mine.csv \"SELECT * FROM mine\"`"
            .to_owned()
    })
}

/// What to write in place of a column: a text in double quotes is a name.
pub(crate) fn column(name: &str, text: &str) -> Option<String> {
    if name == "sysdate" {
        return Some(here("now()"));
    }
    if name == "all" && text.to_ascii_lowercase().split_whitespace().any(|word| word == "by") {
        return Some(here("SELECT gold, plies FROM games ORDER BY 1, 2"));
    }
    is_in_double_quotes(name, text)
        .then(|| format!("double quotes mark names; a text is in single quotes: `'{name}'`"))
}

/// Whether a statement has a name in double quotes, which its comments do not count.
fn is_in_double_quotes(name: &str, text: &str) -> bool {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().unwrap_or_default();
    tokens.iter().any(
        |token| matches!(token, Token::Word(word) if word.quote_style == Some('"') && word.value == name),
    )
}

/// A message and a hint about syntax of another database that the engine's message names.
pub(crate) fn syntax(text: &str, message: &str) -> Option<(String, String)> {
    let begins = text.split_whitespace().next().unwrap_or_default();
    let found = SYNTAX.iter().find(|(piece, ..)| message.contains(piece));
    let found = found.or_else(|| match begins.eq_ignore_ascii_case("pragma") {
        true => SYNTAX.last(),
        false => None,
    });
    found.map(|(_, name, works)| (format!("{name} is not supported"), here(works)))
}

fn here(works: &str) -> String {
    format!("write, for example, `{works}`")
}
