//! Charts show true values, of the period that is asked for; parameters of studies have ranges; and a comparison of several
//! systems says what its number makes of a difference.

use std::fs;

use crate::program::Place;
use crate::rating::played;
use crate::tournament::recorded;

/// The values of an attribute of the elements that contain a text.
fn attribute(svg: &str, element: &str, with: &str, name: &str) -> Vec<i32> {
    let elements = svg.split('<').filter(|text| text.starts_with(element) && text.contains(with));
    let value = |text: &str| text.split_once(&format!(" {name}=\""))?.1.split('"').next()?.parse().ok();
    elements.filter_map(value).collect()
}

#[test]
fn a_line_of_the_standings_leaves_its_value_only_where_it_coincides_with_another() {
    let place = Place::new();
    recorded(&place);
    place.ask(&["chart", "standings", "spring-2015", "-o", "s.svg"]);
    let svg = fs::read_to_string(place.path("s.svg")).unwrap();
    assert!(svg.contains("where lines coincide they are drawn slightly apart"), "{svg}");
    // Ticks of the axis: `70,420 75,420`. Cara, first in the standings, is alone on 2 points; Bela on 0 after round 1.
    let ticks = svg.split("points=\"").filter_map(|points| {
        let (from, rest) = points.split_once(' ')?;
        let (to, _) = rest.split_once(' ')?;
        let ((left, y), (right, same)) = (from.split_once(',')?, to.split_once(',')?);
        let (left, right): (i32, i32) = (left.parse().ok()?, right.parse().ok()?);
        (right - left == 5 && y == same).then(|| y.parse::<i32>().ok())?
    });
    let ticks: Vec<i32> = ticks.collect();
    let (top, bottom) = (*ticks.iter().min().unwrap(), *ticks.iter().max().unwrap());
    let heights = |colour: &str| attribute(&svg, "circle", colour, "cy");
    let cara = heights("#0072B2");
    assert!((cara.last().unwrap() - top).abs() <= 1, "{cara:?} {ticks:?}");
    let all: Vec<Vec<i32>> = ["#0072B2", "#D55E00", "#009E73"].map(heights).into();
    assert!(
        all.iter().any(|player| (player[1] - bottom).abs() <= 1),
        "Bela after round 1: {all:?} {ticks:?}"
    );
    // From the start to round 1 two lines coincide; there they are apart.
    let mut starts: Vec<i32> = all.iter().map(|player| player[0]).collect();
    starts.sort_unstable();
    starts.dedup();
    assert!(starts.len() > 1, "{all:?}");
}

#[test]
fn ratings_are_drawn_from_a_day_to_a_day_and_rated_by_all_games() {
    let place = Place::new();
    played(&place);
    let drawn = |more: &[&str]| {
        let chart = ["chart", "ratings", "-o", "r.svg", "--data", "r.csv", "--force"];
        place.ask(&[&chart[..], more].concat());
        let csv = fs::read_to_string(place.path("r.csv")).unwrap();
        csv.lines().filter(|line| line.starts_with("point,anna,")).map(str::to_owned).collect::<Vec<_>>()
    };
    let all = drawn(&[]);
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!(drawn(&["--from", "2026-02-02"]), all[1..], "the rating is that after all games before");
    assert_eq!(drawn(&["--to", "2026-02-01"]), all[..1]);
    assert_eq!(drawn(&["--from", "2026-02", "--to", "2026"]), all);
    assert!(fs::read_to_string(place.path("r.svg")).unwrap().contains("--from 2026-02 --to 2026"));
    for (words, said) in [
        (&["--from", "2027"][..], "in this period"),
        (&["--from", "2026-03", "--to", "2026-02"], "later than"),
        (&["--from", "soon"], "soon"),
        (&["--system", "bradley-terry", "--from", "2026"], "for all time"),
    ] {
        let run = place.run(&[&["chart", "ratings", "-o", "none.svg"], words].concat());
        assert!(run.status == 2 && run.talk.contains(said) && !place.path("none.svg").exists(), "{run:?}");
    }
}

#[test]
fn the_ending_of_a_picture_is_checked_before_anything_is_read() {
    // No dataset, no log and no game is here: each would be an error of its own.
    let place = Place::new();
    for words in [
        &["evaluation", "6"][..],
        &["board", "6"],
        &["ratings"],
        &["calibration"],
        &["standings", "cup"],
        &["crosstable", "cup"],
    ] {
        let run = place.run(&[&["chart"], words, &["-o", "x.pdf"]].concat());
        assert!(
            run.status == 2 && run.talk.contains("x.pdf") && run.talk.contains(".svg"),
            "{words:?}: {run:?}"
        );
    }
    let study = place.run(&["study", "run", "growth", "-o", "x.pdf"]);
    assert!(study.status == 2 && study.talk.contains("x.pdf"), "{study:?}");
}

#[test]
fn a_parameter_of_a_study_outside_its_range_is_refused_with_the_range() {
    let place = Place::new();
    played(&place);
    for value in ["-1", "0", "5000", "1000000000", "1e9", "NaN", "wide"] {
        let run = place.run(&["study", "run", "gold_by_rating", "--param", &format!("width={value}")]);
        assert!(
            run.status == 2 && run.talk.contains("number from 1 to 4000 is expected"),
            "{value}: {run:?}"
        );
    }
    let run = place.run(&["study", "run", "gold_by_rating", "--param", "width=100", "--param", "least=1"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(place.ask(&["study", "list"]).contains("from 1 to 4000"));
    // Every number of a built-in study has both bounds.
    for study in place.ask_json(&["study", "list", "--json"]).as_array().unwrap() {
        for parameter in study["parameters"].as_array().unwrap() {
            let name = format!("{}={}", parameter["name"].as_str().unwrap(), i64::MIN);
            if parameter["kind"] == "whole" {
                let run = place.run(&["study", "run", study["name"].as_str().unwrap(), "--param", &name]);
                assert!(run.status == 2 && run.talk.contains("is expected"), "{name}: {run:?}");
            }
        }
    }
    let head = "-- title = \"A\"\n-- question = \"B?\"\n-- notes = [\"Half of them.\"]\n";
    let param = "-- param = [{ name = \"n\", kind = \"number\", default = 1, min = 0.5, meaning = \"c\" }]\n";
    place.write("mine.sql", format!("{head}{param}\nSELECT $n AS n\n"));
    let run = place.run(&["study", "run", "mine.sql"]);
    assert!(run.out == "n\n1.0\n" && run.talk.contains("note: Half of them."), "{run:?}");
    let run = place.run(&["study", "run", "mine.sql", "--param", "n=0.2"]);
    assert!(run.status == 2 && run.talk.contains("a number of at least 0.5 is expected"), "{run:?}");
    place
        .write("bad.sql", format!("{head}{}\nSELECT $n AS n\n", param.replace("default = 1", "default = 0")));
    let run = place.run(&["study", "run", "bad.sql"]);
    assert!(run.status == 2 && run.talk.contains("of at least 0.5"), "{run:?}");
}

/// The heights of a picture and of the lowest rectangle in it.
fn heights(svg: &str) -> (i32, i32) {
    let height = attribute(svg, "svg", "", "height")[0];
    let ends = attribute(svg, "rect", "", "y").into_iter().zip(attribute(svg, "rect", "", "height"));
    (height, ends.map(|(y, height)| y + height).max().unwrap())
}

#[test]
fn charts_of_many_series_and_rows_fit_into_their_pictures() {
    let place = Place::new();
    played(&place);
    let drawn = |chart: &str, sql: &str| {
        place.write("many.sql", format!("-- title = \"Many\"\n-- question = \"Many?\"\n{chart}\n\n{sql}\n"));
        let run = place.run(&["study", "run", "many.sql", "-o", "many.svg", "--force"]);
        (run, fs::read_to_string(place.path("many.svg")).unwrap_or_default())
    };
    let series = |count: u32| {
        let lines = "-- [chart.lines]\n-- x = \"x\"\n-- x_axis = { name = \"x\" }\n-- y = [{ column = \"y\" }]\n\
                     -- y_axis = { name = \"y\" }\n-- series = \"name\"";
        let sql = format!(
            "SELECT x, x + n AS y, concat('line ', n) AS name FROM (SELECT unnest(range(0, {count})) AS n) \
             CROSS JOIN (SELECT unnest(range(0, 3)) AS x) ORDER BY n, x"
        );
        drawn(lines, &sql)
    };
    let (run, thirty) = series(30);
    assert_eq!(run.status, 0, "{run:?}");
    let names: Vec<&str> = thirty.lines().map(str::trim).filter(|line| line.starts_with("line ")).collect();
    assert_eq!((names.len(), names[29]), (30, "line 29"), "{thirty}");
    assert!(attribute(&thirty, "svg", "", "height")[0] > 600);
    let (_, sixty) = series(60);
    assert!(sixty.lines().any(|line| line.trim().starts_with("and ") && line.trim().ends_with(" more")));
    let fields = |rows: u32| {
        let fields = "-- [chart.fields]\n-- row = \"r\"\n-- column = \"c\"\n-- cells = { value = \"v\", measured = \"m\" }";
        let sql = format!(
            "SELECT concat('row ', lpad(CAST(n AS VARCHAR), 4, '0')) AS r, 'c' AS c, n AS v \
             FROM (SELECT unnest(range(0, {rows})) AS n) ORDER BY n"
        );
        drawn(fields, &sql)
    };
    for rows in [120, 200, 1000] {
        let (run, svg) = fields(rows);
        assert_eq!(run.status, 0, "{run:?}");
        let (height, lowest) = heights(&svg);
        assert!(lowest <= height && height <= 8_000, "{rows} rows: {lowest} of {height}");
        assert!(svg.contains("row 0000") && (rows > 200 || svg.contains("row 0119")), "names of rows");
    }
    let (run, _) = fields(3000);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("3000 rows do not fit into a picture"), "{run:?}");
}

#[test]
fn a_list_of_ratings_says_from_where_its_players_start() {
    let place = Place::new();
    played(&place);
    let note = "starts as a newcomer; --from-record";
    assert!(place.run(&["rating", "list"]).talk.contains(note));
    assert!(!place.run(&["rating", "list", "--from-record"]).talk.contains(note));
    assert!(!place.run(&["rating", "list", "--system", "elo"]).talk.contains(note));
    let shown = |more: &[&str]| place.ask(&[&["rating", "list", "--format", "text"], more].concat());
    assert!(shown(&[]).contains("every player starts as a newcomer"));
    let start = "the rating in the record of a player's first game that counts";
    assert!(shown(&["--from-record"]).contains(start));
    assert!(!shown(&["--system", "elo"]).contains("newcomer"));
}

#[test]
fn the_highest_ratings_are_listed_with_the_number_of_all() {
    let place = Place::new();
    played(&place);
    let all = place.ask_json(&["rating", "list", "--json"]);
    let two = place.ask_json(&["rating", "list", "--limit", "2", "--json"]);
    let [all, listed] = [&all, &two].map(|value| value["players"].as_array().unwrap());
    assert_eq!((all.len(), listed[..].len()), (3, 2));
    assert_eq!(listed[..], all[..2]);
    let text = place.ask(&["rating", "list", "--limit", "2", "--format", "text"]);
    assert!(text.contains("the 2 highest rated of 3 players are listed"), "{text}");
    let whole = place.ask(&["rating", "list", "--limit", "3", "--format", "text"]);
    assert!(!whole.contains("are listed"), "{whole}");
    assert_eq!(place.run(&["rating", "list", "--limit", "0"]).status, 2);
}

#[test]
fn several_systems_are_compared_with_the_number_of_comparisons_in_mind() {
    let place = Place::new();
    played(&place);
    let notes = |systems: &[&str]| {
        let compared = place.ask_json(&[&["rating", "compare", "--json", "--systems"], systems].concat());
        compared["notes"].to_string()
    };
    let three = notes(&["gameroom", "elo", "whr"]);
    assert!(three.contains("3 systems are compared") && three.contains("exceed 2.39"), "{three}");
    assert!(!notes(&["elo"]).contains("Bonferroni"));
    assert!(place.ask(&["rating", "compare"]).contains("Bonferroni"));
}
