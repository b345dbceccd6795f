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

#[test]
fn a_list_of_ratings_says_from_where_its_players_start() {
    let place = Place::new();
    played(&place);
    let note = "starts as a newcomer; --from-record";
    assert!(place.run(&["rating", "list"]).talk.contains(note));
    assert!(!place.run(&["rating", "list", "--from-record"]).talk.contains(note));
    assert!(!place.run(&["rating", "list", "--system", "elo"]).talk.contains(note));
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
