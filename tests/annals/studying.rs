//! Studies from the command line: the list, every study on small and on grown datasets, figures of the real archive against
//! what its rows say by themselves, studies of one's own, and what cannot be asked or drawn.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use annals_rules::arimaa::{Board, Position, distinct_turns, first_steps};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::demonstrating::DEMONSTRATION;
use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, real_archive};

macro_rules! snapshot {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

/// Three games of two players.
fn small() -> Place {
    let place = Place::new();
    let rows = [
        header(),
        row("1", &format!("{SETUPS}2w Ee2n Ee3n Md2n Md3n\\n2b ed7s ed6s me7s me6s\\n3w")),
        row("2", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")),
        row("3", &format!("{SETUPS}2w Ee2n\\n2b")),
    ];
    place.write("three.txt", rows.join("\n"));
    place.ask(&["ingest", "three.txt"]);
    place
}

/// The names of the studies, and whether each has a chart.
fn listed(place: &Place) -> Vec<(String, bool)> {
    let list = place.ask_json(&["study", "list", "--json"]);
    let study = |study: &Value| (study["name"].as_str().unwrap().to_owned(), !study["chart"].is_null());
    list.as_array().unwrap().iter().map(study).collect()
}

#[test]
fn players_without_an_account_number_are_counted_by_name() {
    let place = &DEMONSTRATION.0;
    let ask = |words: &[&str]| place.ask_json(&[&["--home", "annals-demo"], words, &["--json"]].concat());
    let careers = ask(&["study", "run", "careers"]);
    let sql = "SELECT name, games FROM players WHERE games > 0 ORDER BY games DESC, name";
    let players = ask(&["query", sql]);
    let told = |rows: &Value| -> Vec<(Value, Value)> {
        rows.as_array().unwrap().iter().map(|row| (row["name"].clone(), row["games"].clone())).collect()
    };
    assert!(told(&careers).len() > 10, "{careers}");
    assert_eq!(told(&careers), told(&players));
    let opponents = careers[0]["opponents"].as_u64().unwrap();
    assert!(opponents > 5, "{careers}");
}

#[test]
fn the_studies_are_listed_with_what_they_ask_and_what_may_be_said() {
    let place = Place::new();
    snapshot!("studies", place.ask(&["study", "list"]));
    let list = place.ask_json(&["study", "list", "--json"]);
    assert_eq!(list.as_array().unwrap().len(), 21);
    assert_eq!((&list[0]["name"], &list[0]["chart"]), (&"growth".into(), &"lines".into()));
    assert_eq!(list[4]["parameters"][0]["default"], "200");
}

#[test]
fn the_documents_list_every_study_with_its_title_and_its_question() {
    let place = Place::new();
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/studies.md");
    let document = fs::read_to_string(document).unwrap();
    let list = place.ask_json(&["study", "list", "--json"]);
    for study in list.as_array().unwrap() {
        let word = |key: &str| study[key].as_str().unwrap_or("no picture");
        let row =
            format!("| `{}` | {} | {} | {} |", word("name"), word("title"), word("question"), word("chart"));
        assert!(document.contains(&row), "docs/reference/studies.md has no row {row}");
    }
}

#[test]
fn a_study_is_answered_in_every_form_and_by_what_is_said_in_it() {
    let place = small();
    let csv = place.ask(&["study", "run", "growth", "--format", "csv"]);
    assert_eq!(csv, "month,games,rated\n2026-02-01,3,3\n");
    assert_eq!(
        place.ask(&["study", "run", "growth"]),
        csv.replace(',', "\t"),
        "a pipe gets tab-separated lines"
    );
    assert_eq!(place.ask_json(&["study", "run", "GROWTH", "--json"])[0]["games"], 3);
    assert_eq!(place.ask(&["study", "run", "growth", "--param", "game=amazons"]).lines().count(), 1);
    let injected = place.run(&["study", "run", "growth", "--param", "game=x' OR '1'='1"]);
    assert!(injected.status == 2 && injected.talk.contains("arimaa or amazons is expected"), "{injected:?}");
    place.ask(&["study", "run", "head_to_head", "--data", "pairs.parquet"]);
    assert_eq!(&fs::read(place.path("pairs.parquet")).unwrap()[..4], b"PAR1");
    place.ask(&["study", "run", "head_to_head", "--data", "pairs.csv"]);
    let pairs = fs::read_to_string(place.path("pairs.csv")).unwrap();
    let printed = place.ask(&["study", "run", "head_to_head", "--format", "csv"]);
    assert_eq!(pairs, printed, "what is written is what is printed");
    assert!(pairs.contains("\nanna,bela,3,3,0,0,100.0,3:0,"), "{pairs}");
    assert!(pairs.contains("\nbela,anna,3,0,3,0,0.0,0:3,"), "{pairs}");
}

#[test]
fn the_file_and_the_sql_of_a_study_are_printed() {
    let place = small();
    let file = place.ask(&["study", "show", "upsets"]);
    let there = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/upsets.sql")).unwrap();
    assert_eq!(file, there);
    place.write("mine.sql", &file);
    let mine = place.ask(&["study", "show", "mine.sql", "--sql", "--param", "apart=77"]);
    assert!(mine.starts_with("SELECT\n") && mine.contains(">= 77)") && mine.contains("LIMIT 50"), "{mine}");
    assert_eq!(place.ask(&["query", &mine]), place.ask(&["study", "run", "mine.sql", "--param", "apart=77"]));
}

/// The words of an SVG.
fn words(path: &Path) -> String {
    let svg = fs::read_to_string(path).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{}", path.display());
    let words = svg.split("<text").skip(1).filter_map(|text| text.split_once('>')?.1.split_once("</text>"));
    words
        .map(|(words, _)| words.trim())
        .collect::<Vec<_>>()
        .join("\n")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[test]
fn every_study_is_answered_and_drawn_on_a_grown_archive() {
    let place = Place::new();
    place.grow("grown.txt", 150, 5);
    place.ask(&["ingest", "grown.txt"]);
    let run = place.run(&["study", "export", "-o", "all"]);
    assert_eq!(run.status, 0, "{run:?}");
    let page = fs::read_to_string(place.path("all/index.html")).unwrap();
    let list = place.ask_json(&["study", "list", "--json"]);
    let mut drawn = 0;
    for study in list.as_array().unwrap() {
        let name = study["name"].as_str().unwrap();
        assert!(page.contains(&format!("<h2 id=\"{name}\">")), "{name}");
        let csv = place.path(&format!("all/{name}.csv"));
        if !csv.exists() {
            // So few games are too few for a year, no setup or position comes up often, and none is a postal game.
            assert!(
                ["gold_by_year", "setups", "positions", "repeats"].contains(&name),
                "{name} has no answer"
            );
            continue;
        }
        assert!(fs::read_to_string(csv).unwrap().lines().count() > 1, "{name}");
        let svg = place.path(&format!("all/{name}.svg"));
        assert_eq!(svg.exists(), !study["chart"].is_null(), "{name}");
        if svg.exists() {
            drawn += 1;
            let said = words(&svg);
            let title = study["title"].as_str().unwrap();
            assert!(said.contains(title), "{title}: {said}");
            let source = format!("(150 games). annals study run {name}. annals ");
            assert!(said.contains("Source: dataset ") && said.contains(&source), "{source}: {said}");
            assert!(!said.contains('…'), "something has no room: {said}");
            assert!(fs::metadata(&svg).unwrap().len() < 400_000, "{name}");
        }
    }
    assert!(drawn >= 15, "only {drawn} were drawn");
    let first = fs::read(place.path("all/setup_map.svg")).unwrap();
    place.ask(&["study", "run", "setup_map", "-o", "again.svg"]);
    assert_eq!(first, fs::read(place.path("again.svg")).unwrap(), "the same dataset gives the same picture");
    place.ask(&["study", "run", "branching", "--param", "sample=3", "--param", "least=1", "-o", "few.png"]);
    assert!(fs::read(place.path("few.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_study_of_ones_own_is_drawn_with_its_command_at_the_foot() {
    let place = small();
    let text = r#"-- title = "Games of Gold"
-- question = "Who played Gold, and how often?"
-- param = [{ name = "who", kind = "text", meaning = "whose games" }]
-- [chart.bars]
-- x = "gold"
-- x_axis = { name = "Gold" }
-- y = [{ column = "games" }]
-- y_axis = { name = "games" }

SELECT gold, count(*) AS games FROM games WHERE gold = $who GROUP BY gold"#;
    place.write("mine.sql", text);
    place.ask(&["study", "run", "mine.sql", "--param", "who=anna", "-o", "mine.svg", "--data", "mine.csv"]);
    let said = words(&place.path("mine.svg"));
    for word in [
        "Games of Gold",
        "Who played Gold, and how often?",
        "anna",
        "annals study run mine.sql --param who=anna",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert_eq!(fs::read_to_string(place.path("mine.csv")).unwrap(), "gold,games\nanna,3\n");
}

#[test]
fn what_cannot_be_asked_or_drawn_is_refused_with_what_to_do_and_leaves_no_file() {
    let place = small();
    let head = "-- title = \"A\"\n-- question = \"B?\"\n";
    let chart = "-- [chart.lines]\n-- x = \"year\"\n-- x_axis = { name = \"year\" }\n\
                 -- y = [{ column = \"share\" }]\n-- y_axis = { name = \"share (percent)\" }\n";
    for (name, text) in [
        ("missing.sql", format!("{head}{chart}\nSELECT year, 1 AS part FROM games")),
        ("words.sql", format!("{head}{chart}\nSELECT year, gold AS share FROM games")),
        ("broken.sql", format!("{head}-- [chart.pie]\n\nSELECT 1")),
        ("odd.sql", format!("{head}-- tilte = \"C\"\n\nSELECT 1")),
        ("old.sql", "-- title: A\n-- question: B?\n-- chart: lines\n\nSELECT 1".to_owned()),
        ("plain.sql", "SELECT 1".to_owned()),
        ("two.sql", format!("{head}\nSELECT 1; SELECT 2")),
        ("none.sql", format!("{head}\n-- nothing\n")),
        ("golf.sql", format!("{head}\nSELECT\n  golf\nFROM games")),
        ("drop.sql", format!("{head}\nDROP TABLE games")),
        (
            "needs.sql",
            format!(
                "{head}-- param = [{{ name = \"who\", kind = \"text\", meaning = \"whose games\" }}]\n\nSELECT $who"
            ),
        ),
        ("null.sql", format!("{head}{chart}\nSELECT year, CAST(NULL AS INT) AS share FROM games")),
    ] {
        place.write(name, text);
    }
    let before = fs::read_dir(place.path("")).unwrap().count();
    for (words, said) in [
        (
            &["growht"][..],
            &["no study `growht`", "did you mean `growth`?", "`annals study list` lists them"][..],
        ),
        (&["mine"], &["no study `mine`", "named with its ending"]),
        (&["absent.sql"], &["cannot read the study absent.sql"]),
        (&["upsets.sql"], &["`annals study run upsets`"]),
        (&["growth", "--param", "gaem=x"], &["no parameter `gaem`", "`game`, which game"]),
        (&["camel_lost", "--param", "before=soon"], &["`soon` will not do", "`before`", "a whole number"]),
        (&["camel_lost", "--param", "before=1", "--param", "before=2"], &["`before` is given twice"]),
        (&["camel_lost", "--param", "before"], &["NAME=VALUE"]),
        (&["growth", "--param", "game=amazons", "-o", "x.svg"], &["no row", "--sql"]),
        (&["camel_lost", "-o", "x.svg"], &["has no chart", "--data"]),
        (&["growth", "-o", "x.pdf"], &[".svg or .png", "--data FILE.csv"]),
        (&["growth", "-o", "none/x.svg"], &["none/x.svg"]),
        (&["growth", "--data", "x.doc"], &["`x.doc`", ".parquet"]),
        (&["growth", "--data", "none/x.csv"], &["none/x.csv"]),
        (
            &["missing.sql", "-o", "x.svg"],
            &["a column `share` for y", "`year`, `part`", "AS share", "front matter"],
        ),
        (&["words.sql", "-o", "x.svg"], &["numbers for y", "`share` holds words", "cast `share`"]),
        (&["null.sql", "-o", "x.svg"], &["nothing to draw"]),
        (&["broken.sql"], &["broken.sql, line 3", "`pie`", "docs/reference/studies.md"]),
        (&["odd.sql"], &["odd.sql, line 3", "`tilte`"]),
        (&["old.sql"], &["old.sql, line 1", "TOML now", "`-- [chart.bars]`", "docs/reference/studies.md"]),
        (&["plain.sql"], &["plain.sql, line 1", "-- title ="]),
        (&["two.sql"], &["two.sql holds 2 statements", "annals query"]),
        (&["none.sql"], &["none.sql holds 0 statements"]),
        (&["golf.sql"], &["golf.sql", "no column `golf` (line 5, column 3)", "gold"]),
        (&["drop.sql"], &["drop.sql", "DROP TABLE games"]),
        (&["needs.sql"], &["its parameter `who`: whose games", "--param who=VALUE"]),
        (&[], &["NAME|FILE"]),
    ] {
        let run = place.run(&[&["study", "run"], words].concat());
        assert!(run.status == 2 && run.out.is_empty(), "{words:?}: {run:?}");
        for said in said {
            assert!(run.talk.contains(said), "{words:?}: {said}: {}", run.talk);
        }
    }
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), before);
    let empty = place.run(&["study", "run", "growth", "--param", "game=amazons"]);
    assert!(empty.status == 0 && empty.out == "month\tgames\trated\n", "{empty:?}");
    assert!(empty.talk.contains("`annals study run growth --param game=arimaa`"), "{empty:?}");
    let run = Place::new().run(&["study", "run", "growth"]);
    assert!(run.status == 2 && run.talk.contains("annals ingest"), "{run:?}");
    let file_in_the_way = place.run(&["study", "export", "-o", "three.txt"]);
    assert!(file_in_the_way.status == 2 && file_in_the_way.talk.contains("three.txt"), "{file_in_the_way:?}");
}

/// The rows of the real archive by the names of their columns, as they stand in the files.
fn rows(folder: &Path) -> Vec<BTreeMap<String, String>> {
    let mut rows = Vec::new();
    for name in ["allgames2002.txt", "allgames202602.txt"] {
        let text = String::from_utf8_lossy(&fs::read(folder.join(name)).unwrap()).into_owned();
        let mut lines = text.lines();
        let names: Vec<String> = lines.next().unwrap().split('\t').map(str::to_owned).collect();
        rows.extend(
            lines.map(|line| names.iter().cloned().zip(line.split('\t').map(str::to_owned)).collect()),
        );
    }
    rows
}

/// A column of a row.
fn at<'r>(row: &'r BTreeMap<String, String>, name: &str) -> &'r str {
    row[name].as_str()
}

/// A column of an answer as numbers.
fn number(row: &Value, name: &str) -> i64 {
    let value = &row[name];
    value
        .as_i64()
        .or_else(|| value.as_f64().map(|number| number as i64))
        .unwrap_or_else(|| panic!("{name}: {row}"))
}

#[test]
fn the_figures_of_the_real_archive_are_those_of_its_rows() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    place.ask(&["ingest", folder.to_str().unwrap()]);
    let rows = rows(&folder);
    assert_eq!(rows.len(), 211);
    let month = |row: &BTreeMap<String, String>| {
        let start = Timestamp::from_second(at(row, "startts").parse().unwrap()).unwrap();
        let day = start.to_zoned(TimeZone::UTC).date();
        format!("{:04}-{:02}-01", day.year(), day.month())
    };

    // Growth: games and rated games by month, and nothing in between.
    let mut months: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for row in &rows {
        let counted = months.entry(month(row)).or_default();
        counted.0 += 1;
        counted.1 += i64::from(at(row, "rated") == "1");
    }
    let growth = place.ask_json(&["study", "run", "growth", "--json"]);
    let growth = growth.as_array().unwrap();
    let told: BTreeMap<String, (i64, i64)> = growth
        .iter()
        .filter(|row| number(row, "games") > 0)
        .map(|row| (row["month"].as_str().unwrap().to_owned(), (number(row, "games"), number(row, "rated"))))
        .collect();
    assert_eq!(told, months);
    assert_eq!(
        growth.len(),
        12 * (2026 - 2002) + 2 - 11 + 1,
        "every month from November 2002 to February 2026"
    );

    // Endings: percent of the year's games by letter.
    let endings = place.ask_json(&["study", "run", "endings", "--json"]);
    let letters = [
        ("g", "goal"),
        ("e", "elimination"),
        ("m", "immobilization"),
        ("t", "out_of_time"),
        ("r", "resignation"),
    ];
    for told in endings.as_array().unwrap() {
        let year = number(told, "year");
        let of_year: Vec<_> = rows.iter().filter(|row| month(row).starts_with(&year.to_string())).collect();
        assert_eq!(number(told, "games"), of_year.len() as i64);
        for (letter, column) in letters {
            let ended = of_year.iter().filter(|row| at(row, "termination") == letter).count();
            let percent = (1_000.0 * ended as f64 / of_year.len() as f64).round() / 10.0;
            assert_eq!(told[column].as_f64().unwrap(), percent, "{year} {column}");
        }
    }

    // Gold's advantage and the forecasts: pairs of ratings and who won.
    let rated: Vec<(f64, f64, bool)> = rows
        .iter()
        .filter(|row| at(row, "rated") == "1" && ["w", "b"].contains(&at(row, "result")))
        .map(|row| {
            let rating = |name: &str| at(row, name).parse::<f64>().unwrap();
            (rating("wrating"), rating("brating"), at(row, "result") == "w")
        })
        .collect();
    let by_rating = place.ask_json(&["study", "run", "gold_by_rating", "--param", "least=1", "--json"]);
    let mut close = 0;
    for told in by_rating.as_array().unwrap() {
        let middle = told["rating"].as_f64().unwrap();
        let within = |(gold, silver, _): &&(f64, f64, bool)| {
            (gold - silver).abs() < 200.0 && ((gold + silver) / 2.0 - middle + 100.0).div_euclid(200.0) == 0.0
        };
        let of_band: Vec<_> = rated.iter().filter(within).collect();
        close += of_band.len();
        let won = of_band.iter().filter(|(_, _, won)| *won).count() as i64;
        assert_eq!(
            (number(told, "games"), number(told, "gold_won")),
            (of_band.len() as i64, won),
            "{middle}"
        );
        let percent = told["gold_percent"].as_f64().unwrap();
        let ends = ["wilson_low", "wilson_high"].map(|name| told[name].as_f64().unwrap());
        assert!(ends[0] <= percent && percent <= ends[1], "{told}");
    }
    assert_eq!(close, rated.iter().filter(|(gold, silver, _)| (gold - silver).abs() < 200.0).count());
    let calibration = place.ask_json(&["study", "run", "calibration", "--param", "least=1", "--json"]);
    let unequal: Vec<_> = rated.iter().filter(|(gold, silver, _)| gold != silver).collect();
    let favourites = unequal.iter().filter(|(gold, silver, won)| (gold > silver) == *won).count() as i64;
    let sum = |name: &str| calibration.as_array().unwrap().iter().map(|row| number(row, name)).sum::<i64>();
    assert_eq!((sum("games"), sum("won")), (unequal.len() as i64, favourites));
    let expected: f64 = unequal
        .iter()
        .map(|(gold, silver, _)| 1.0 / (1.0 + 10f64.powf(-(gold - silver).abs() / 400.0)))
        .sum::<f64>();
    let told: f64 = calibration
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["predicted"].as_f64().unwrap() / 100.0 * number(row, "games") as f64)
        .sum();
    assert!((told - expected).abs() < 0.05, "{told} {expected}");
}

#[test]
fn the_setups_of_the_real_archive_stand_where_their_letters_say() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    place.ask(&["ingest", folder.to_str().unwrap()]);
    let setups = place.ask_json(&["query", "--json", "SELECT side, steps FROM turns WHERE setup"]);
    let mut counted: BTreeMap<(String, String), i64> = BTreeMap::new();
    let names =
        [("e", "elephant"), ("m", "camel"), ("h", "horses"), ("d", "dogs"), ("c", "cats"), ("r", "rabbits")];
    for setup in setups.as_array().unwrap() {
        for placed in setup["steps"].as_str().unwrap().split_whitespace() {
            let (letter, square) = placed.split_at(1);
            let (_, piece) = names.iter().find(|(known, _)| known.eq_ignore_ascii_case(letter)).unwrap();
            *counted.entry(((*piece).to_owned(), square.to_owned())).or_default() += 1;
        }
    }
    let map = place.ask_json(&["study", "run", "setup_map", "--json"]);
    let told: BTreeMap<(String, String), i64> = map
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| number(row, "setups") > 0)
        .map(|row| {
            let word = |name: &str| row[name].as_str().unwrap().to_owned();
            ((word("piece"), word("square")), number(row, "setups"))
        })
        .collect();
    assert_eq!(told, counted);
    assert_eq!(map.as_array().unwrap().len(), 6 * 32, "a field without the piece is 0");
}

#[test]
fn turns_are_counted_in_sql_as_the_rules_count_them() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    place.ask(&["ingest", folder.join("allgames202602.txt").to_str().unwrap()]);
    let sql = "SELECT board_short(board) AS board, to_move, distinct_turns(board, to_move) AS turns, \
               first_steps(board, to_move) AS steps FROM turns WHERE ply >= 2 AND game_id = 669122 AND ply % 9 = 2";
    let positions = place.ask_json(&["query", "--json", sql]);
    assert!(positions.as_array().unwrap().len() > 5, "{positions}");
    for told in positions.as_array().unwrap() {
        let board = Board::parse(told["board"].as_str().unwrap()).unwrap();
        let position = Position::new(board, told["to_move"].as_str().unwrap().parse().unwrap());
        assert_eq!(number(told, "turns"), distinct_turns(&position) as i64);
        assert_eq!(number(told, "steps"), first_steps(&position) as i64);
    }
    let median = place.ask_json(&[
        "study", "run", "branching", "--param", "sample=2", "--param", "last=3", "--param", "least=1",
        "--json",
    ]);
    assert_eq!(median.as_array().unwrap().len(), 3);
    assert!(number(&median[1], "median") > 1_000, "{median}");
    let amazons =
        "SELECT distinct_turns('.B./.x./W..', 'gold') AS turns, first_steps('.B./.x./W..', 'gold') AS steps";
    let amazons = place.ask_json(&["query", "--json", amazons]);
    assert!(number(&amazons[0], "turns") > 0 && amazons[0]["steps"].is_null(), "{amazons}");
    let shares = place.ask(&[
        "query",
        "SELECT round(wilson_low(5, 10), 4) AS low, round(wilson_high(5, 10), 4) AS high, wilson_low(0, 0) AS none",
    ]);
    assert_eq!(shares, "low\thigh\tnone\n0.2366\t0.7634\t\n", "half of ten");
    let run = place.run(&["query", "SELECT wilson_low(7, 5)"]);
    assert!(run.status == 2 && run.talk.contains("`7 of 5` is no share"), "{run:?}");
}

#[test]
fn every_study_is_answered_on_a_few_games() {
    let place = small();
    for (name, _) in listed(&place) {
        let run = place.run(&["study", "run", &name, "--format", "csv"]);
        assert_eq!(run.status, 0, "{name}: {run:?}");
        assert!(run.out.contains(','), "{name}: {run:?}");
    }
}

#[test]
fn the_turns_that_two_games_of_a_player_share_are_found_with_their_places() {
    let place = small();
    let rows = place
        .ask(&["study", "run", "repeats", "--param", "player=anna", "--param", "least=3", "--format", "csv"]);
    assert_eq!(
        rows.lines().collect::<Vec<_>>(),
        ["player,whose,turns,one,one_from,other,other_from,from_the_start", "anna,both,3,2,1,3,1,true",]
    );
    let postal = place.ask(&["study", "run", "repeats", "--param", "least=2", "--format", "csv"]);
    assert_eq!(postal.lines().count(), 1, "none of them is a postal game: {postal}");
}

#[test]
fn the_order_of_pieces_and_steps_hides_no_shared_turns_and_the_games_are_chosen() {
    let place = Place::new();
    let reversed = |turn: &str| {
        let words: Vec<&str> = turn.split(' ').collect();
        let (label, words) = words.split_first().unwrap();
        let words: Vec<&str> = words.iter().rev().copied().collect();
        format!("{label} {}", words.join(" "))
    };
    let turns: Vec<&str> =
        SETUPS.trim_end_matches("\\n").split("\\n").chain(["2w Ee2n Md2n", "2b ed7s me7s"]).collect();
    let other: Vec<String> = turns.iter().map(|turn| reversed(turn)).collect();
    let rows = [
        header(),
        row("1", &(turns.join("\\n") + "\\n3w")),
        row("2", &(other.join("\\n") + "\\n3w")),
        row("3", &(turns.join("\\n") + "\\n3w")).replace("Casual game", "Cup"),
    ];
    place.write("three.txt", rows.join("\n"));
    place.ask(&["ingest", "three.txt"]);
    let found = |params: &[&str]| {
        let mut words = vec!["study", "run", "repeats", "--param", "least=4", "--format", "csv"];
        words.extend(params.iter().flat_map(|param| ["--param", param]));
        let csv = place.ask(&words);
        csv.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let both = ["anna,both,4,1,1,2,1,true", "bela,both,4,1,1,2,1,true"];
    assert_eq!(found(&["games=1, 2"]), both);
    assert_eq!(found(&["event=Casual game"]), both);
    assert_eq!(found(&["event=Casual game", "player=bela,cara"]), both[1..]);
    assert_eq!(found(&["games=1,2", "kind=human"]), both);
    assert_eq!(found(&["games=all"]).len(), 6);
    for none in [&["games=1"][..], &["games=1,2", "kind=bot"], &["event=Cup"], &[]] {
        assert!(found(none).is_empty(), "{none:?}");
    }
}

#[test]
fn the_rows_of_a_study_go_to_a_file_as_those_of_a_query() {
    let place = small();
    let printed = place.ask(&["study", "run", "growth", "--format", "csv"]);
    for words in [&["-o", "a.csv"][..], &["--format", "csv", "-o", "b.csv"], &["--data", "c.csv"]] {
        place.ask(&[&["study", "run", "growth"], words].concat());
        let file = place.path(words.last().unwrap());
        assert_eq!(fs::read_to_string(file).unwrap(), printed, "{words:?}");
    }
    let again = place.run(&["study", "run", "growth", "-o", "a.csv"]);
    assert!(again.status == 2 && again.talk.contains("--force"), "{again:?}");
    let other = place.run(&["study", "run", "growth", "-o", "a.txt"]);
    assert!(other.status == 2 && other.talk.contains("a.txt"), "{other:?}");
}
