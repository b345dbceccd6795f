//! A director at work: what the rulebook allows is worked out and appended, what it forbids is refused with the rule, and
//! two directors do not get in each other's way.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::program::Place;

/// Five players entered under the rules of the 2009 Open Classic, and the lots of round 1 drawn.
pub fn entered(place: &Place) {
    place.ask(&["log", "init", "--simulated", "--at", "2008-11-01", "--actor", "omar"]);
    director(
        place,
        &[
            "announce", "open-2009", "--rulebook", "wc-2009", "--published", "--director", "Omar", "--year",
            "2009",
        ],
        "2008-12-01",
    );
    for (player, rating) in
        [("anna", "2100"), ("bela", "2000"), ("cara", "1900"), ("dora", "1800"), ("emil", "1700")]
    {
        director(place, &["entry", "add", "open-2009", player, "--rating", rating], "2008-12-20T10:00");
    }
    director(place, &["round", "declare", "open-2009"], "2009-01-04T12:00");
    director(
        place,
        &["round", "draw-lots", "open-2009", "--seed", "the closing numbers"],
        "2009-01-04T13:00",
    );
}

/// A command of a director at a time, which has to succeed.
pub fn director(place: &Place, words: &[&str], at: &str) -> String {
    let words = [&["tournament"][..], words, &["--at", at, "--actor", "omar"][..]].concat();
    place.ask(&words)
}

fn head(place: &Place) -> String {
    place.ask(&["log", "head"])
}

/// The types of the events of a stream.
fn types(place: &Place, stream: &str) -> Vec<String> {
    let lines = place.ask(&["log", "export", stream]);
    let types = lines.lines().map(|line| {
        let event: Value = serde_json::from_str(line).unwrap();
        event["type"].as_str().unwrap().to_owned()
    });
    types.collect()
}

#[test]
fn a_dry_run_appends_nothing_and_prints_what_the_log_takes() {
    let place = Place::new();
    entered(&place);
    let before = head(&place);
    let words = [
        "tournament", "round", "pair", "open-2009", "--seed", "one", "--at", "2009-01-05T01:00", "--actor",
        "omar",
    ];
    let dry = place.run(&[&words[..], &["--dry-run"]].concat());
    assert!(dry.status == 0 && dry.out.starts_with("Round 1 "), "{dry:?}");
    assert!(dry.talk.contains("nothing was appended"), "{dry:?}");
    assert_eq!(head(&place), before);

    place.write("pair.jsonl", place.ask(&[&words[..], &["--dry-run", "--json"]].concat()));
    place.ask(&["log", "append", "pair.jsonl", "--actor", "omar", "--at", "2009-01-05T01:00"]);
    let events = types(&place, "tournament/open-2009");
    assert_eq!(events.iter().filter(|name| *name == "tournament.round_paired").count(), 1);
}

#[test]
fn two_directors_at_once_cannot_both_pair_a_round() {
    let place = Place::new();
    entered(&place);
    let pair = || {
        Command::new(env!("CARGO_BIN_EXE_annals"))
            .current_dir(place.path(""))
            .env("ANNALS_HOME", "home")
            .args([
                "tournament", "round", "pair", "open-2009", "--seed", "one", "--at", "2009-01-05T01:00",
                "--actor", "omar",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let both = [pair(), pair()].map(|child| child.wait_with_output().unwrap());
    let paired = both.iter().filter(|output| output.status.success()).count();
    assert_eq!(paired, 1, "{both:?}");
    let events = types(&place, "tournament/open-2009");
    assert_eq!(events.iter().filter(|name| *name == "tournament.round_paired").count(), 1, "{events:?}");
}

#[test]
fn what_the_rulebook_forbids_is_refused_with_the_rule_whoever_words_it() {
    let place = Place::new();
    entered(&place);
    let before = head(&place);
    let late = place.run(&[
        "tournament", "entry", "add", "open-2009", "fritz", "--name", "Fritz", "--at", "2009-01-05",
        "--actor", "omar",
    ]);
    assert_eq!(late.status, 2, "{late:?}");
    assert!(late.talk.contains("registration.window") && late.talk.contains("2009 WC"), "{late:?}");
    assert_eq!(head(&place), before, "the player is not made known either");

    let line = r#"{"stream":"tournament/open-2009","type":"tournament.player_registered","effective_at":"2009-01-05T10:00Z","payload":{"kind":"human","name":"Anna","player":"anna"}}"#;
    place.write("late.jsonl", line);
    let worded = place.run(&["log", "append", "late.jsonl", "--actor", "omar", "--at", "2009-01-05T12:00"]);
    assert_eq!(worded.status, 2, "{worded:?}");
    assert!(worded.talk.contains("[registration.") && worded.talk.contains("2009 WC"), "{worded:?}");
    assert_eq!(head(&place), before);
}

#[test]
fn a_correction_is_no_way_around_the_rulebook() {
    let place = Place::new();
    entered(&place);
    let lines = place.ask(&["log", "export", "tournament/open-2009"]);
    let entry = lines.lines().find(|line| line.contains("player_registered")).unwrap();
    let entry: Value = serde_json::from_str(entry).unwrap();
    let late = |at: i64| {
        let correction = serde_json::json!({
            "stream": "tournament/open-2009", "type": "log.correction",
            "payload": {
                "corrects": entry["seq"], "reason": "a slip",
                "change": {"replace": {"payload": entry["payload"], "schema": entry["schema"], "effective_at": at}},
            },
        });
        place.write("correction.jsonl", correction.to_string());
        place.run(&["log", "append", "correction.jsonl", "--actor", "omar", "--at", "2009-01-06"])
    };
    // An hour later is still in time; the day after the close is not.
    let at = entry["effective_at"].as_i64().unwrap();
    let refused = late(1_231_000_000_000_000);
    assert_eq!(refused.status, 2, "{refused:?}");
    assert!(refused.talk.contains("registration.window"), "{refused:?}");
    let taken = late(at + 3_600_000_000);
    assert_eq!(taken.status, 0, "{taken:?}");
}

#[test]
fn a_game_is_begun_played_and_ended_from_the_desk() {
    let place = Place::new();
    entered(&place);
    director(&place, &["round", "pair", "open-2009", "--seed", "one"], "2009-01-05T01:00");
    director(&place, &["game", "start", "open-2009", "r1.1"], "2009-01-10T14:00");
    assert_eq!(types(&place, "game/open-2009.r1.1"), ["game.started"]);
    let setup = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    director(&place, &["game", "move", "open-2009", "r1.1", setup, "--used", "30"], "2009-01-10T14:01");
    let illegal = place.run(&[
        "tournament", "game", "move", "open-2009", "r1.1", "1s Ee2n", "--at", "2009-01-10T14:02", "--actor",
        "omar",
    ]);
    assert_eq!(illegal.status, 2, "{illegal:?}");
    director(
        &place,
        &["game", "result", "open-2009", "r1.1", "gold", "--termination", "resignation"],
        "2009-01-10T15:00",
    );
    assert_eq!(types(&place, "game/open-2009.r1.1"), ["game.started", "game.turn_taken", "game.ended"]);
    let audit = place.run(&["tournament", "audit", "open-2009"]);
    assert_eq!(audit.status, 0, "{audit:?}");
}

#[test]
fn somebody_who_is_misspelt_is_not_entered_by_accident() {
    let place = Place::new();
    entered(&place);
    let run = place.run(&[
        "tournament", "entry", "withdraw", "open-2009", "annna", "--at", "2009-01-05", "--actor", "omar",
    ]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("did you mean `anna`?"), "{run:?}");
}
