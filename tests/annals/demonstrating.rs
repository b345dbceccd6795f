//! The demonstration: a whole championship from scratch in an empty folder, clean as it is made, and not clean any more when one
//! event of its log is altered by force. That the same seed gives the same log on every machine follows from the README, which shows
//! the head of the log.

use std::sync::LazyLock;

use serde_json::Value;

use crate::program::{Place, Run};

/// The demonstration with its default settings in the folder `annals-demo`, played once for all tests, and what it printed. It takes
/// a minute of both cores, so a test that changes it copies it.
pub static DEMONSTRATION: LazyLock<(Place, Run)> = LazyLock::new(|| {
    let place = Place::kept();
    let run = place.run(&["demo"]);
    assert_eq!(run.status, 0, "{}\n{}", run.out, run.talk);
    only_in_its_folder(&place);
    (place, run)
});

fn last_line(run: &Run) -> String {
    run.out.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_championship_is_played_from_scratch_and_is_clean_until_it_is_altered() {
    let (played, run) = &*DEMONSTRATION;
    tells_the_story(&run.out);
    let place = Place::new();
    place.copy_folder(&played.path("annals-demo"), "cup");
    let head = place.ask(&["--home", "cup", "log", "head"]);
    assert_eq!(head.trim_end(), last_line(run), "what the last line names is the head of the log");

    has_met_every_trouble(&place);
    names_what_the_final_was_played_with(&place);
    let audit = place.ask_json(&["--home", "cup", "tournament", "audit", "cup", "--json"]);
    assert_eq!((&audit["counts"]["violations"], &audit["counts"]["undetermined"]), (&0.into(), &0.into()));
    place.ask(&["--home", "cup", "log", "verify"]);

    // One event is altered by force: a turn is said to have taken another time.
    altered(&place);
    for words in [&["log", "verify"][..], &["tournament", "audit", "cup"]] {
        let run = place.run(&[&["--home", "cup"], words].concat());
        assert_eq!(run.status, 1, "{words:?}: {}\n{}", run.out, run.talk);
        assert!(run.out.contains("DAMAGED"), "{words:?}: {}", run.out);
    }
    let audit = place.run(&["--home", "cup", "tournament", "audit", "cup", "--json"]);
    let said: Value = serde_json::from_str(&audit.out).unwrap();
    assert_eq!(
        (audit.status, said["chain"].as_array().map(Vec::is_empty)),
        (1, Some(false)),
        "{}",
        audit.out
    );
}

/// What it has to tell, in this order.
fn tells_the_story(told: &str) {
    let mut rest = told;
    for words in [
        "registration.window",
        "12 entrants with their fees, 6 benchmarks",
        "is unrated, and does not count",
        "is played with the wrong colour, and does not count",
        "is one more than count against a benchmark",
        "The order of the qualifier",
        "is invited, and uploads in time",
        "is halted after",
        "Round 1 (final)",
        "is invalidated",
        "ruling.frozen",
        "Place 1: ",
        "Arimaa World Computer Champion",
        "Place 2: ",
        "Place 3: ",
        "log verify",
        "WHOLE",
        "audit cup",
        "--as-of",
        "--known-at",
        "ingest --log",
        "Go on with:",
    ] {
        let at =
            rest.find(words).unwrap_or_else(|| panic!("`{words}` is not told after the others:\n{told}"));
        rest = &rest[at + words.len()..];
    }
}

fn only_in_its_folder(place: &Place) {
    let names = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(place.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(""), ["annals-demo"]);
    assert!(names("annals-demo").contains(&"log.db".to_owned()), "{:?}", names("annals-demo"));
}

/// The payloads of the events of a type in the tournament's stream.
fn recorded(place: &Place, name: &str) -> Vec<Value> {
    let lines = place.ask(&["--home", "cup", "log", "export", "tournament/cup"]);
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter(|event| event["type"] == name).map(|event| event["payload"].clone()).collect()
}

fn has_met_every_trouble(place: &Place) {
    let games = recorded(place, "tournament.qualifying_game_played");
    assert!((300..500).contains(&games.len()), "{}", games.len());
    assert!(games.iter().all(|game| game["game"].is_string()), "the log holds every game");
    assert_eq!(games.iter().filter(|game| game["rated"] == false).count(), 1);
    let mut pairs = std::collections::BTreeMap::new();
    for game in &games {
        *pairs.entry((game["player"].to_string(), game["benchmark"].to_string())).or_insert(0) += 1;
    }
    assert_eq!((pairs.len(), pairs.values().max()), (72, Some(&21)));

    let effects: Vec<String> = recorded(place, "tournament.ruling_given")
        .iter()
        .map(|ruling| match &ruling["effect"] {
            Value::String(word) => word.clone(),
            effect => effect.as_object().unwrap().keys().next().unwrap().clone(),
        })
        .collect();
    assert_eq!(effects, ["halt", "invalidate", "nothing"]);
    for (name, times) in [("disqualified", 1), ("invited", 1), ("pairing_revoked", 1), ("closed", 1)] {
        assert_eq!(recorded(place, &format!("tournament.{name}")).len(), times, "{name}");
    }
    let resumed = place.ask(&["--home", "cup", "log", "export", "game/cup.r1.1.2"]);
    assert!(resumed.contains("goes on after ply"), "{resumed}");
}

/// The player who left before the final has no seed of it, and a command that explains the published order.
fn names_what_the_final_was_played_with(place: &Place) {
    let rows = |sql: &str| place.ask_json(&["--home", "cup", "query", "--json", sql]);
    let seeds = rows("SELECT player, seed FROM registrations WHERE seed IS NOT NULL ORDER BY seed");
    assert_eq!(seeds, rows("SELECT player, seed FROM standings('cup') WHERE seed IS NOT NULL ORDER BY seed"));
    assert_eq!(seeds.as_array().unwrap().len(), 8);
    let page = place.ask(&["--home", "cup", "tournament", "entry", "show", "cup", "annals-n1500"]);
    let hint = page.split('`').find(|text| text.starts_with("annals tournament explain")).unwrap();
    let words: Vec<&str> = hint.split(' ').skip(1).collect();
    assert!(words.contains(&"--as-of"), "{hint}");
    let explained = place.ask(&[&["--home", "cup"], words.as_slice()].concat());
    assert!(explained.contains("annals-n1500"), "{explained}");
}

/// Changes how long one turn took in the file of the log: what the rules have nothing against.
fn altered(place: &Place) {
    let database = place.path("cup/log.db");
    let mut bytes = std::fs::read(&database).unwrap();
    let was = b"\"used\":";
    let at = bytes.windows(was.len()).position(|found| found == was).unwrap() + was.len();
    bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
    std::fs::write(&database, bytes).unwrap();
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let place = Place::new();
    std::fs::create_dir(place.path("full")).unwrap();
    place.write("full/games.txt", "somebody's games");
    let run = place.run(&["demo", "-o", "full"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("`games.txt`") && run.talk.contains("--output DIR"), "{run:?}");
    assert_eq!(std::fs::read_dir(place.path("full")).unwrap().count(), 1);

    place.write("a-file", "no folder");
    assert_eq!(place.run(&["demo", "-o", "a-file"]).status, 2);
    for nodes in ["0", "7", "many"] {
        assert_eq!(place.run(&["demo", "-o", "new", "--nodes", nodes]).status, 2);
    }
    assert!(!place.path("new").exists(), "what is refused makes no folder");
}
