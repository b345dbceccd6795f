//! A game or a position is named in the same forms in every command that takes one.

use std::fs::File;

use serde_json::Value;

use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, Run};
use crate::tournament::recorded;

const AMAZONS: &str = "White: Ada\nBlack: Bela\n\n1. d1-d7(g7) a7-b8(b3)\n2. g1-g4(g1)\n";

/// The commands that read a game, each before the word that names it and after it.
const COMMANDS: [(&[&str], &[&str]); 5] = [
    (&["game", "show"], &["--turn", "2w", "--json"]),
    (&["game", "explore"], &["--turn", "2w", "--json"]),
    (&["game", "list", "--position"], &["--turn", "2w", "--json"]),
    (&["engine", "evaluate"], &["--turn", "2w", "--json"]),
    (&["replay"], &["--turn", "2w", "--json"]),
];

/// A game of Arimaa in the dataset, in the log and in a file, one of a tournament, and game files of the Amazons.
fn kept() -> Place {
    let place = Place::new();
    recorded(&place);
    let moves = format!("{SETUPS}2w Ee2n Ee3n\\n2b ed7s\\n3w");
    place.write("one.txt", header() + "\n" + &row("5", &moves));
    place.write("two.txt", [header(), row("5", &moves), row("6", &moves)].join("\n"));
    place.write("one.moves", AMAZONS);
    place.write("two.moves", format!("{AMAZONS}Result: 1-0\n\n{AMAZONS}"));
    place.ask(&["ingest", "two.txt"]);
    place.ask(&["log", "import", "--actor", "omar", "one.txt"]);
    place
}

fn from_file(place: &Place, words: &[&str], file: &str) -> Run {
    let input = File::open(place.path(file)).unwrap();
    let output = place.command(words).stdin(input).output().unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        talk: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn each_form_names_a_game_in_each_command() {
    let place = kept();
    for (before, after) in COMMANDS {
        for form in [
            "5",
            "game/arimaa-5",
            "arimaa-5",
            "game/spring-2015.r1.1",
            "spring-2015.r1.1",
            "spring-2015 r1.1",
            "tournament/spring-2015 r1.1",
            "@one.txt",
            "@one.txt:5",
            "@two.txt:6",
            "@one.moves",
            "@two.moves:2",
        ] {
            let words = [before, &[form], after].concat();
            let json: Value = place.ask_json(&words);
            assert!(json.is_object() || json.is_array(), "{words:?}");
        }
        for (file, number) in [("one.txt", "@one.txt"), ("one.moves", "@one.moves")] {
            let words = [before, &["-"], after].concat();
            let run = from_file(&place, &words, file);
            assert_eq!(run.status, 0, "{words:?} < {file}: {run:?}");
            let named = place.ask_json(&[before, &[number], after].concat());
            let piped: Value = serde_json::from_str(&run.out).unwrap();
            let position = |json: &Value| {
                let board = ["position", "board"].into_iter().find_map(|key| json.get(key).cloned());
                board.or_else(|| json["moment"].get("board").cloned())
            };
            assert_eq!(position(&named), position(&piped), "{words:?}");
        }
    }
}

#[test]
fn charts_and_files_of_games_take_the_same_forms() {
    let place = kept();
    for form in ["5", "arimaa-5", "spring-2015 r1.1", "@two.txt:6"] {
        place.ask(&["chart", "evaluation", form, "--blunder", "off", "-o", "game.svg", "--force"]);
    }
    for form in ["@one.moves", "@two.moves:1"] {
        let run = place.run(&["chart", "evaluation", form, "-o", "game.svg", "--force"]);
        assert!(run.status == 2 && run.talk.contains("it is one of amazons"), "{run:?}");
    }
    let sgf = place.ask(&["game", "export", "@one.moves", "--format", "sgf"]);
    place.write("one.sgf", &sgf);
    assert_eq!(place.ask(&["game", "export", "@one.sgf", "--format", "sgf"]), sgf);
    assert_eq!(from_file(&place, &["game", "export", "-", "--format", "sgf"], "one.moves").out, sgf);
    assert!(place.ask(&["game", "export", "5"]).contains("2w Ee2n Ee3n"));
    let archive = place.ask(&["game", "export", "5", "--format", "archive"]);
    assert_eq!(archive.lines().count(), 2, "{archive}");
    let of_log = place.ask(&["game", "export", "arimaa-5", "--format", "archive"]);
    assert_eq!(of_log.lines().count(), 2, "{of_log}");
    place.ask(&["log", "import", "--actor", "omar", "one.moves"]);
    let streams = place.ask(&["log", "show", "--streams"]);
    let stream = streams.split_whitespace().find(|word| word.starts_with("game/amazons-")).unwrap();
    assert_eq!(place.ask(&["game", "export", stream]), place.ask(&["game", "export", "@one.moves"]));
}

#[test]
fn what_is_printed_of_a_position_is_a_position() {
    let place = kept();
    let wanted = place.ask_json(&["engine", "evaluate", "5", "--turn", "2b", "--json"]);
    for (name, words) in [
        ("show.txt", &["game", "show", "5", "--turn", "2b"][..]),
        ("explore.txt", &["game", "explore", "5", "--turn", "2b"]),
        ("evaluate.txt", &["engine", "evaluate", "5", "--turn", "2b"]),
        ("replay.txt", &["replay", "arimaa-5", "--turn", "2b"]),
    ] {
        place.write(name, place.ask(words));
        let at = format!("@{name}");
        let read = place.ask_json(&["engine", "evaluate", &at, "--json"]);
        assert_eq!(read["position"], wanted["position"], "{words:?}");
        let piped = from_file(&place, &["engine", "evaluate", "-", "--json"], name);
        assert!(piped.out.contains(wanted["position"].as_str().unwrap()), "{words:?}: {piped:?}");
        let found = place.ask_json(&["game", "list", "--position", &at, "--json"]);
        assert_eq!(found.as_array().map(Vec::len), Some(2), "{words:?}: {found}");
    }
    place.write("amazons.txt", place.ask(&["game", "show", "@one.moves"]));
    let amazons = place.ask_json(&["engine", "evaluate", "@amazons.txt", "--json"]);
    assert_eq!(
        amazons["position"],
        place.ask_json(&["engine", "evaluate", "@one.moves", "--json"])["position"]
    );
}

#[test]
fn a_game_of_the_log_has_a_past_and_others_have_none() {
    let place = kept();
    let early =
        place.ask_json(&["game", "show", "spring-2015 r1.1", "--as-of", "2015-03-01T18:01:10", "--json"]);
    assert_eq!(early["turns"].as_array().map(Vec::len), Some(2), "{early}");
    for form in ["5", "@one.txt"] {
        let run = place.run(&["game", "show", form, "--as-of", "2026"]);
        assert!(run.status == 2 && run.talk.contains("is not a game of the log"), "{run:?}");
    }
}

#[test]
fn what_was_played_from_a_position_is_not_shown_as_of_a_date() {
    let place = kept();
    let board = place.ask(&["game", "show", "5", "--turn", "last", "--format", "text"]);
    place.write("board.txt", board);
    place.write("setup.txt", SETUPS.split("\\n").next().unwrap());
    let explore = |words: &[&str]| place.run(&[&["game", "explore"], words].concat());
    for position in [&[][..], &["@board.txt"], &["@setup.txt"], &["5"], &["@two.txt:5"]] {
        let now = explore(position);
        assert_eq!(now.status, 0, "{now:?}");
        for option in ["--as-of", "--known-at"] {
            let run = explore(&[position, &[option, "2002-11-30"]].concat());
            assert!(run.status == 2 && run.out.is_empty(), "{run:?}");
            assert!(run.talk.contains("is not a game of the log, which alone has a past"), "{run:?}");
        }
    }
    assert!(explore(&["--as-of", "2002"]).talk.contains("annals game list --to"));
    // A game of the log has the board of that time.
    let of_log = explore(&["spring-2015 r1.1", "--as-of", "2015-03-01T18:01:10"]);
    assert_eq!(of_log.status, 0, "{of_log:?}");
}

#[test]
fn a_name_that_is_nothing_is_refused_with_the_nearest_game() {
    let place = kept();
    for (form, said) in [
        ("7", "no game `7`"),
        ("arimaa-6", "did you mean `game/arimaa-5`?"),
        ("tournament/spring-2015", "is not a game"),
        ("spring-2015 r2.1", "the boards with a game are r1.1"),
        ("sprung-2015 r1.1", "did you mean `tournament/spring-2015`?"),
        ("@two.txt", "name one of them: `@two.txt:5`"),
        ("@two.txt:8", "the nearest is `@two.txt:6`"),
        ("@two.moves", "name one of them: `@two.moves:1`"),
        ("@none.txt", "cannot read none.txt"),
    ] {
        for (before, after) in COMMANDS {
            // A whole tournament is replayed.
            if before == ["replay"] && form == "tournament/spring-2015" {
                continue;
            }
            let words = [before, &[form], after].concat();
            let run = place.run(&words);
            assert!(run.status == 2 && run.talk.contains(said), "{words:?}: {run:?}");
        }
    }
    let run = place.run(&["game", "show", "5", "--turn", "9w"]);
    assert!(run.status == 2 && run.talk.contains("`9w` is no turn of this game"), "{run:?}");
    let run = place.run(&["engine", "evaluate", "5", "--turn", "9w"]);
    assert!(run.status == 2 && run.talk.contains("the game has no turn 9w; its last is 2s"), "{run:?}");
}
