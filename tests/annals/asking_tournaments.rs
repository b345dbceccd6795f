//! Questions about tournaments: what a director's small tournament shows to everybody who asks, word for word; both clocks;
//! names that were chosen to do harm.

use serde_json::Value;

use crate::program::Place;
use crate::tournament::recorded;

/// A name that is markup in HTML, in Markdown and to a terminal.
const HOSTILE: &str = "<script>alert(1)</script>|*Cara*\u{202e}";

/// A postal tournament of four, directed at the director: everyone meets everyone, one result is put right by a ruling four
/// weeks later, and it is closed.
fn postal(place: &Place) {
    place.ask(&["log", "init", "--simulated", "--at", "2006-01-01", "--actor", "omar"]);
    let director = |at: &str, words: &[&str]| {
        let all = [&["tournament"], words, &["--at", at, "--actor", "omar"]].concat();
        place.ask(&all)
    };
    let announce = [
        "announce",
        "postal-2006",
        "--rulebook",
        "postal-2006",
        "--name",
        "Small Postal 2006",
        "--year",
        "2006",
        "--director",
        "Omar",
        "--schedule",
        "registration_opens=2006-01-02T00:00",
        "--schedule",
        "registration_closes=2006-01-20T00:00",
        "--schedule",
        "play_begins=2006-01-23T00:00",
    ];
    director("2006-01-01T12:00", &announce);
    for (day, player, name, rating) in [
        ("2006-01-03T12:00", "anna", "Anna", "2100"),
        ("2006-01-04T12:00", "bela", "Bela", "1900"),
        ("2006-01-05T12:00", "cara", HOSTILE, "1800"),
        ("2006-01-06T12:00", "dora", "Dora", "1700"),
    ] {
        director(day, &["entry", "add", "postal-2006", player, "--name", name, "--rating", rating]);
    }
    director("2006-01-21T12:00", &["round", "pair", "postal-2006", "--seed", "seven"]);
    director("2006-01-23T12:00", &["game", "start", "postal-2006", "r1.1", "--no-game"]);
    for (at, pairing, outcome) in [
        ("2006-02-01T12:00", "r1.1", "gold"),
        ("2006-02-02T12:00", "r1.2", "silver"),
        ("2006-02-03T12:00", "r1.3", "gold"),
        ("2006-02-04T12:00", "r1.4", "silver"),
        ("2006-02-05T12:00", "r1.5", "gold"),
    ] {
        director(at, &["game", "result", "postal-2006", pairing, outcome, "--termination", "goal"]);
    }
    director(
        "2006-03-05T12:00",
        &[
            "ruling",
            "give",
            "postal-2006",
            "set-result",
            "r1.1",
            "silver",
            "--reason",
            "The moves show a goal of Silver",
            "--evidence",
            "the moves",
        ],
    );
    director("2006-03-06T12:00", &["game", "result", "postal-2006", "r1.6", "gold", "--termination", "goal"]);
}

/// A command about one tournament, or about a player in all of them, with its options.
fn question<'w>(words: &[&'w str], options: &[&'w str]) -> Vec<&'w str> {
    let group: &[&str] = if words[0] == "player" { &[] } else { &["tournament"] };
    [group, words, options].concat()
}

/// Holds an answer against its snapshot; no line of it ends in a space.
fn shown(place: &Place, name: &str, words: &[&str]) -> String {
    let text = place.ask(&question(words, &[]));
    assert!(text.lines().all(|line| line.trim_end() == line), "a line ends in a space: {text}");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, &text);
    });
    text
}

fn json(place: &Place, words: &[&str]) -> Value {
    place.ask_json(&question(words, &["--json"]))
}

#[test]
fn every_question_about_a_tournament_has_an_answer_to_read() {
    let place = Place::new();
    postal(&place);
    shown(&place, "tournament_list", &["list"]);
    shown(&place, "tournament_show", &["show", "postal-2006"]);
    shown(&place, "tournament_standings", &["standings", "postal-2006"]);
    shown(&place, "tournament_crosstable", &["crosstable", "postal-2006"]);
    shown(&place, "tournament_rounds", &["round", "list", "postal-2006", "1"]);
    shown(&place, "tournament_rulings", &["ruling", "list", "postal-2006"]);
    shown(&place, "tournament_player", &["entry", "show", "postal-2006", "Anna"]);
    shown(&place, "tournament_player_record", &["player", "record", "anna"]);
    shown(&place, "tournament_explain_round", &["explain", "postal-2006", "1"]);
    shown(&place, "tournament_explain_rank", &["explain", "postal-2006", "rank", "anna", "bela"]);
    shown(&place, "tournament_explain_colour", &["explain", "postal-2006", "colour", "r1.2"]);
    shown(&place, "tournament_history", &["history", "postal-2006"]);
}

#[test]
fn a_tournament_that_is_over_has_places_and_champions() {
    let place = Place::new();
    postal(&place);
    let none = place.ask(&["tournament", "champions"]);
    assert!(none.contains("no tournament is closed"), "{none}");
    place.ask(&["tournament", "close", "postal-2006", "--at", "2006-03-07T12:00", "--actor", "omar"]);
    shown(&place, "tournament_champions", &["champions"]);
    shown(&place, "tournament_champions_csv", &["champions", "--format", "csv"]);
    let report = place.ask(&["tournament", "report", "postal-2006", "--format", "markdown"]);
    let (page, foot) = report.rsplit_once("\n---\n").expect("a foot");
    assert!(foot.contains("from tournament/postal-2006 of the log annals-head/1"), "{foot}");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("tournament_closed_report_markdown", page);
    });
    shown(&place, "tournament_rounds_csv", &["round", "list", "postal-2006", "--format", "csv"]);
    shown(&place, "tournament_rulings_csv", &["ruling", "list", "postal-2006", "--format", "csv"]);
}

#[test]
fn before_a_ruling_the_standings_were_others_on_either_clock() {
    let place = Place::new();
    recorded(&place);
    shown(&place, "clocks_now", &["standings", "spring-2015"]);
    shown(&place, "clocks_as_of", &["standings", "spring-2015", "--as-of", "2015-03-10T12:00"]);
    shown(&place, "clocks_known_at", &["standings", "spring-2015", "--known-at", "2015-03-10T12:00"]);
    shown(&place, "clocks_rulings", &["ruling", "list", "spring-2015"]);
}

#[test]
fn every_answer_can_be_had_as_json_and_as_csv() {
    let place = Place::new();
    postal(&place);
    for words in [
        &["list"][..],
        &["show", "postal-2006"],
        &["standings", "postal-2006"],
        &["crosstable", "postal-2006"],
        &["round", "list", "postal-2006"],
        &["ruling", "list", "postal-2006"],
        &["entry", "show", "postal-2006", "cara"],
        &["schedule", "notices", "postal-2006"],
        &["history", "postal-2006"],
        &["champions"],
        &["player", "record", "cara"],
        &["explain", "postal-2006", "1"],
        &["explain", "postal-2006", "rank", "anna", "dora"],
    ] {
        let value = json(&place, words);
        assert!(value["cut"].is_object(), "{words:?} says at which point: {value}");
        let csv = place.ask(&question(words, &["--format", "csv"]));
        let columns = |line: &str| line.split(',').count();
        let head = csv.lines().next().unwrap_or_default();
        assert!(columns(head) >= 3 && csv.ends_with("\n") && !csv.contains("\r"), "{words:?}: {csv}");
        let both = place.run(&question(words, &["--format", "csv", "--json"]));
        assert_eq!(both.status, 2, "{both:?}");
    }
    let csv = place.ask(&["tournament", "standings", "postal-2006", "--format", "csv"]);
    assert!(csv.starts_with("rank,player,name,seed,points,won,"), "{csv}");
    assert_eq!(csv.lines().count(), 5, "{csv}");
}

#[test]
fn the_standings_are_those_of_the_day_or_those_that_were_believed() {
    let place = Place::new();
    recorded(&place);
    let points = |words: &[&str]| {
        let view = json(&place, &[&["standings", "spring-2015"], words].concat());
        let rows = view["rows"].as_array().cloned().unwrap_or_default();
        let of = |player: &str| {
            let row = rows.iter().find(|row| row["player"] == player);
            row.and_then(|row| row["half_points"].as_u64())
        };
        (of("anna"), of("cara"))
    };
    assert_eq!(points(&[]), (Some(2), Some(4)));
    assert_eq!(points(&["--known-at", "2015-03-10"]), (Some(4), Some(2)));
    assert_eq!(points(&["--as-of", "2015-03-08T20:30"]), (Some(4), Some(2)));
    assert_eq!(points(&["--as-of", "2015-03-22T12:00", "--known-at", "2015-03-10"]), (Some(4), Some(2)));
    assert_eq!(points(&["--as-of", "round:1"]), (Some(2), Some(2)));
    let rulings = json(&place, &["ruling", "list", "spring-2015"]);
    let ruling = &rulings["rulings"][0];
    assert_eq!((&ruling["actor"], &ruling["changed"]), (&"omar".into(), &true.into()), "{ruling}");
    let points =
        |rows: &Value| rows.as_array().and_then(|rows| rows.first()?["player"].as_str().map(str::to_owned));
    assert_eq!(points(&ruling["before"]).as_deref(), Some("anna"));
    assert_eq!(points(&ruling["after"]).as_deref(), Some("cara"));
    assert_eq!(rulings["disputes"][0]["ruling"], 1, "{rulings}");
    assert!(
        json(&place, &["ruling", "list", "spring-2015", "--known-at", "2015-03-10"])["rulings"]
            .as_array()
            .is_some_and(Vec::is_empty)
    );
}

#[test]
fn a_report_can_be_printed_and_no_name_in_it_does_harm() {
    let place = Place::new();
    postal(&place);
    place.ask(&["tournament", "report", "postal-2006", "-o", "report.html"]);
    let html = std::fs::read_to_string(place.path("report.html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
    assert!(!html.contains("<script") && !html.contains('\u{202e}'), "{html}");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;|*Cara*\\u{202e}"), "{html}");
    for part in ["<h2>Crosstable</h2>", "<h2>Rounds</h2>", "<h2>Rulings</h2>", "Made by annals"] {
        assert!(html.contains(part), "{part} is missing in {html}");
    }
    let receipt = place.ask(&["log", "head"]);
    assert!(html.contains(receipt.trim()), "the receipt of the log stands at its foot: {receipt}");
    assert!(!html.contains("src=") && !html.contains("href="), "it needs nothing else");
    let markdown = place.ask(&["tournament", "report", "postal-2006", "--format", "markdown"]);
    assert!(!markdown.contains("<script") && !markdown.contains('\u{202e}'));
    for line in markdown.lines().filter(|line| line.starts_with('|') && line.contains("Cara")) {
        assert!(line.contains("\\|\\*Cara\\*"), "{line}");
    }
    assert!(markdown.starts_with("# Small Postal 2006"), "{markdown}");
    let again = place.ask(&["tournament", "report", "postal-2006"]);
    assert_eq!(again, html, "the same log gives the same report");
    let text = place.ask(&["tournament", "standings", "postal-2006"]);
    assert!(!text.contains('\u{202e}'), "{text}");
}

#[test]
fn a_question_without_an_answer_says_what_there_is() {
    let place = Place::new();
    recorded(&place);
    for (words, needle) in [
        (&["show", "sprung-2015"][..], "did you mean `spring-2015`?"),
        (&["round", "list", "spring-2015", "9"], "paired are 1, 2"),
        (&["entry", "show", "spring-2015", "zoe"], "there are anna, bela, cara"),
        (&["player", "record", "zoe"], "no player called `zoe`"),
        (&["explain", "spring-2015", "everything"], "cannot be explained"),
        (&["explain", "spring-2015", "rank", "anna", "anna"], "name two players"),
        (
            &["explain", "spring-2015", "rank", "anna", "bela", "--why-not", "anna", "bela"],
            "only a round shows",
        ),
        (&["standings", "spring-2015", "--as-of", "2014-01-01"], "its first event is event 5"),
    ] {
        let run = place.run(&question(words, &[]));
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        assert!(run.talk.contains(needle), "{words:?}: {run:?}");
    }
}
