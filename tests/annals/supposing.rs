//! What if: another result of a pairing, in a closed tournament and as of a round; what a dry run printed; the help's examples.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::tournament::recorded;

/// A copy of the demonstration as the home.
fn demonstration() -> Place {
    let place = Place::new();
    place.copy_folder(&DEMONSTRATION.0.path("annals-demo"), "home");
    place
}

/// The losses of a player before and after.
fn lost(answer: &Value, player: &str) -> [u64; 2] {
    ["before", "after"].map(|when| {
        let rows = answer[when]["standings"].as_array().unwrap();
        rows.iter().find(|row| row["player"] == player).unwrap()["lost"].as_u64().unwrap()
    })
}

#[test]
fn an_outcome_that_is_none_is_answered_with_those_of_the_game() {
    let place = demonstration();
    let run = place.run(&["what-if", "cup", "r11.1", "purple"]);
    assert!(run.status == 2 && run.talk.contains("known: gold, silver, draw"), "{run:?}");
    let other = place.run(&["what-if", "cup", "r12.1", "annals-n4000"]);
    assert!(other.talk.contains("`annals-n4000` does not play in r12.1: that is annals-n"), "{other:?}");
    let place = Place::new();
    let file = "player Anna 1900\nplayer Bela 1800\nround 1\ngame Anna Bela\ngame Bela Anna\n";
    place.write("amazons.txt", file);
    let words = ["tournament", "import", "state", "amazons.txt", "--as", "cup", "--date", "2000-07-01"];
    place.ask(&[&words[..], &["--rulebook", "olympiad-amazons-2000", "--actor=omar"]].concat());
    for words in [
        &["what-if", "cup", "r1.1", "purple"][..],
        &["tournament", "game", "result", "cup", "r1.1", "purple"],
    ] {
        let run = place.run(words);
        assert!(run.status == 2 && run.talk.contains("white, black, draw"), "{run:?}");
        assert!(!run.talk.contains("gold"), "{run:?}");
    }
    let answer = place.ask(&["what-if", "cup", "r1.1", "white"]);
    assert!(answer.starts_with("r1.1: supposed white, recorded no result"), "{answer}");
}

#[test]
fn tie_breaks_that_another_result_changes_are_named() {
    let place = Place::new();
    let file = "player Anna 1900\nplayer Bela 1800\nplayer Cara 1700\nplayer Dan 1600\n\
        round 1\ngame Anna Bela winner Anna\ngame Bela Anna winner Anna\n\
        game Cara Dan winner Cara\ngame Dan Cara winner Cara\n";
    place.write("amazons.txt", file);
    let words = ["tournament", "import", "state", "amazons.txt", "--as", "cup", "--date", "2000-07-01"];
    place.ask(&[&words[..], &["--rulebook", "olympiad-amazons-2000", "--actor=omar"]].concat());
    let answer = place.ask(&["what-if", "cup", "r1.1", "black"]);
    // Bela wins a game, so Anna's opponents have more points.
    let line = answer.lines().find(|line| line.contains("Anna") && line.contains("opponents"));
    assert!(line.is_some_and(|line| line.contains('0') && line.contains('1')), "{answer}");
}

#[test]
fn another_result_is_supposed_in_a_closed_tournament_and_as_of_a_round() {
    let place = demonstration();
    let head = place.ask(&["log", "head"]);
    let answer = place.ask(&["what-if", "cup", "r11.1", "gold"]);
    assert!(answer.starts_with("r11.1: supposed gold, recorded silver\n"), "{answer}");
    assert!(answer.contains("the log would reject it: the closed tournament"), "{answer}");
    assert!(answer.contains("score of annals-n8000: lost: 2 -> 1"), "{answer}");

    // At the end of round 11 the tournament was open, and the loser had not lost round 12 yet.
    for (moment, outcome) in [("--as-of", "gold"), ("--known-at", "annals-n8000")] {
        let words = ["what-if", "cup", "r11.1", outcome, moment, "round:11"];
        assert!(!place.ask(&words).contains("reject"), "{words:?}");
        let json = place.ask_json(&[&words[..], &["--json"]].concat());
        assert_eq!((lost(&json, "annals-n8000"), lost(&json, "annals-n3000")), ([2, 1], [3, 4]), "{moment}");
        assert_eq!(json["supposed"]["recorded"], "silver");
    }
    // A board without a result gets one.
    let json =
        place.ask_json(&["what-if", "cup", "r11.1", "draw", "--known-at", "2015-03-06T13:00", "--json"]);
    assert!(json["supposed"]["recorded"].is_null(), "{json}");
    for (words, expected) in [
        (&["what-if", "cup", "r11.1"][..], "expected an outcome after the pairing r11.1"),
        (&["what-if", "cup", "r11.1", "gold", "--as-of", "round:10"], "there is no pairing r11.1"),
        (&["what-if", "cup", "r11.1", "golden"], "`golden`"),
    ] {
        let run = place.run(words);
        assert!(run.status == 2 && run.talk.contains(expected), "{run:?}");
    }
    assert_eq!(place.ask(&["log", "head"]), head, "nothing is written");
}

/// The ranks of rows of standings.
fn ranks(rows: &Value) -> BTreeMap<String, u64> {
    let row = |row: &Value| (row["player"].as_str().unwrap().to_owned(), row["rank"].as_u64().unwrap());
    rows.as_array().unwrap().iter().map(row).collect()
}

#[test]
fn the_ranks_of_changes_are_those_of_the_standings() {
    let place = demonstration();
    let standings = |point: &str| {
        let words = ["tournament", "standings", "cup", "--as-of", point, "--json"];
        ranks(&place.ask_json(&words)["rows"])
    };
    for (a, b) in [("round:5", "round:6"), ("round:2", "round:4")] {
        let (before, after) = (standings(a), standings(b));
        assert_eq!(before.len(), 8, "{a}: those who are in the final");
        let moved = before.iter().filter(|(player, rank)| after[*player] != **rank);
        let moved: BTreeMap<_, _> =
            moved.map(|(player, rank)| (player.clone(), (*rank, after[player]))).collect();
        assert!(!moved.is_empty(), "{a} {b}");
        let changes = place.ask_json(&["diff", "cup", a, b, "--json"]);
        let changes = changes.as_array().unwrap().iter();
        let of_ranks =
            changes.filter(|change| change["path"][0] == "standings" && change["path"][2] == "rank");
        let rank = |change: &Value| {
            let [before, after] = ["before", "after"].map(|when| change[when].as_u64().unwrap());
            (change["path"][1].as_str().unwrap().to_owned(), (before, after))
        };
        assert_eq!(of_ranks.map(rank).collect::<BTreeMap<_, _>>(), moved, "{a} {b}");
    }
    let supposed = place.ask_json(&["what-if", "cup", "r11.1", "gold", "--as-of", "round:11", "--json"]);
    assert_eq!(ranks(&supposed["before"]["standings"]), standings("round:11"));
    let changes = place.ask(&["diff", "cup", "round:12", "2015-12-31"]);
    assert!(changes.contains("fund left: 1120.00 USD -> 0.10 USD"), "{changes}");
}

#[test]
fn the_examples_of_the_help_run_on_the_demonstration() {
    let place = demonstration();
    place.write(
        "alias.jsonl",
        r#"{"stream":"people/omar","type":"people.player_known","payload":{"kind":"human","name":"Omar","player":"omar"}}"#,
    );
    let help = place.ask(&["what-if", "--help"]);
    let examples = help.split_once("Examples:\n").unwrap().1.replace("\\\n", "").replace("|\n", "| ");
    let lines: Vec<&str> = examples.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(lines.len() > 3, "{help}");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_annals"));
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    for line in lines {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(place.path(".")).env("ANNALS_HOME", "home").env("PATH", &path);
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "{line}");
    }
}

#[test]
fn a_ruling_of_a_dry_run_is_supposed_at_the_moment_that_is_named() {
    let place = Place::new();
    recorded(&place);
    let ban =
        ["tournament", "ruling", "ban", "spring-2015", "cara", "--reason", "cluster", "--actor", "omar"];
    let printed = place.ask(&[&ban[..], &["--dry-run", "--json"]].concat());
    place.write("ban.json", printed);
    for moment in ["round:1", "2015-03-05"] {
        let json = place.ask_json(&["what-if", "spring-2015", "ban.json", "--as-of", moment, "--json"]);
        assert_eq!((&json["taken"], &json["refused"]), (&1.into(), &serde_json::json!([])), "{json}");
        let events = |when: &str| json[when]["events"].as_u64().unwrap();
        assert_eq!(events("after"), events("before") + 1, "it counts at {moment}");
    }
}
