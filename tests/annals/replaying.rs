//! Questions about points in time: a tournament as it stood and as it was believed to stand, games to the second, the
//! real archive in one log.

use serde_json::Value;

use crate::program::{Place, real_archive};
use crate::tournament::{RULING, recorded, score};

#[test]
fn a_tournament_is_shown_as_it_was_and_as_it_was_believed_to_be() {
    let place = Place::new();
    recorded(&place);
    let replay = |words: &[&str]| place.ask_json(&[&["replay", "spring-2015", "--json"], words].concat());
    let today = replay(&[]);
    assert_eq!((score(&today, "anna"), score(&today, "cara")), (2, 4));
    assert_eq!(today["rounds"]["2"]["boards"]["1"]["ruled"], true);

    let believed = replay(&["--known-at", "2015-03-10"]);
    assert_eq!((score(&believed, "anna"), score(&believed, "cara")), (4, 2));
    let at_the_time = replay(&["--as-of", "2015-03-08T20:30"]);
    assert_eq!(score(&at_the_time, "anna"), 4);
    let after_round_1 = replay(&["--as-of", "round:1"]);
    assert_eq!((score(&after_round_1, "anna"), score(&after_round_1, "bela")), (2, 0), "a bye of round 2");
    let both = replay(&["--as-of", "2015-03-22T12:00", "--known-at", "2015-03-10"]);
    assert_eq!(score(&both, "anna"), 4, "the ruling had been given, but nobody had recorded it");
    assert_eq!(replay(&["--as-of", "seq:19"])["rounds"], believed["rounds"]);
    let eastern = place.ask(&["replay", "spring-2015", "--tz", "EST", "--as-of", "2015-03-08 13:00"]);
    assert!(eastern.contains("Round 2 (round robin, started 2015-03-08 13:00:00 -05:00)"), "{eastern}");

    let too_early = place.run(&["replay", "spring-2015", "--as-of", "2014-01-01"]);
    assert_eq!(too_early.status, 2);
    assert!(too_early.talk.contains("its first event is event 5"), "{too_early:?}");
    let no_round = place.run(&["replay", "spring-2015", "--as-of", "round:7"]);
    assert_eq!(no_round.status, 2);
    assert!(no_round.talk.contains("paired are the rounds 1, 2"), "{no_round:?}");
    assert_eq!(place.run(&["replay", "spring-2015", "--as-of", "yesterday"]).status, 2);
    assert_eq!(place.run(&["replay", "spring-2015", "--tz", "Nowhere"]).status, 2);
}

#[test]
fn the_people_and_the_log_are_shown_too() {
    let place = Place::new();
    recorded(&place);
    let people = place.ask_json(&["replay", "people", "--json"]);
    assert_eq!(people["view"], "people");
    assert_eq!(people["identities"].as_object().map(serde_json::Map::len), Some(3), "{people}");
    let log = place.ask_json(&["replay", "log", "--json", "--as-of", "seq:9"]);
    assert_eq!((&log["view"], &log["clock"]), (&"log".into(), &"simulated".into()), "{log}");
    assert!(place.ask(&["replay", "people/anna"]).contains("Anna"));
}

#[test]
fn a_difference_between_two_points_says_what_was_learned() {
    let place = Place::new();
    recorded(&place);
    let learned = place.ask(&["diff", "spring-2015", "known:2015-03-10", "now"]);
    for line in ["round 2 board 1: outcome: silver -> gold", "score of Anna: points: 2 -> 1"] {
        assert!(learned.contains(line), "{learned}");
    }
    assert_eq!(place.ask(&["diff", "spring-2015", "now", "now"]), "nothing is different\n");
    let json = place.ask_json(&["diff", "spring-2015", "round:1", "now", "--json"]);
    assert!(json.as_array().is_some_and(|all| !all.is_empty()), "{json}");
    let whole = place.ask(&["diff", "seq:9", "seq:17"]);
    assert!(whole.contains("game"), "the whole log is compared where no stream is named: {whole}");
    assert_eq!(place.run(&["diff", "spring-2015"]).status, 2);
}

#[test]
fn what_if_answers_and_changes_nothing() {
    let place = Place::new();
    recorded(&place);
    let before = (place.ask(&["log", "head"]), std::fs::read(place.path("home/log.db")).unwrap());
    let other = RULING
        .replace("\"number\":1", "\"number\":2,\"supersedes\":1")
        .replace("\"outcome\":\"gold\"", "\"outcome\":\"draw\"")
        .replace("T10:00", "T12:00");
    place.write("draw.jsonl", format!("{other}\n{}", RULING.replace("T10:00", "T09:00")));
    let answer = place.ask(&["what-if", "spring-2015", "draw.jsonl"]);
    assert!(answer.contains("1 of 2 events would be taken"), "{answer}");
    assert!(answer.contains("is refused: its time is "), "{answer}");
    assert!(answer.contains("round 2 board 1: outcome: gold -> draw"), "{answer}");
    let json = place.ask_json(&["what-if", "spring-2015", "draw.jsonl", "--json"]);
    assert_eq!((score(&json["before"], "anna"), score(&json["after"], "anna")), (2, 3), "{json}");
    let after = (place.ask(&["log", "head"]), std::fs::read(place.path("home/log.db")).unwrap());
    assert!(before == after, "the log is as it was, to the byte");
}

#[test]
fn a_correction_takes_the_place_of_what_it_corrects_from_when_it_is_known() {
    let place = Place::new();
    recorded(&place);
    let correction = r#"{"stream":"tournament/spring-2015","type":"log.correction","effective_at":"2015-03-22T12:00","payload":{"change":{"replace":{"payload":{"kind":"human","name":"Anna K.","player":"anna","rating":2100},"schema":1}},"corrects":6,"reason":"Her full name"}}"#;
    place.write("correction.jsonl", correction);
    place.ask(&["log", "append", "correction.jsonl", "--actor", "omar", "--at", "2015-03-23T08:00"]);
    let name = |words: &[&str]| {
        let view = place.ask_json(&[&["replay", "spring-2015", "--json"], words].concat());
        view["entrants"]["anna"]["name"].as_str().map(str::to_owned)
    };
    assert_eq!(name(&[]).as_deref(), Some("Anna K."));
    assert_eq!(name(&["--as-of", "2015-02-20"]).as_deref(), Some("Anna K."), "as known today");
    assert_eq!(name(&["--known-at", "2015-03-22"]).as_deref(), Some("Anna"));
    let narrative = place.ask(&["log", "show", "spring-2015", "--from", "seq:6", "--to", "seq:6"]);
    assert!(
        narrative.contains("Anna registered") && narrative.contains("corrected by event 22"),
        "{narrative}"
    );
    let narrative = place.ask(&["log", "show", "--limit", "1"]);
    assert!(
        narrative.contains("Event 6 was corrected to “Anna K. registered as anna (human, rated 2100)”."),
        "{narrative}"
    );
    assert!(narrative.contains("why: Her full name."), "{narrative}");
}

/// Both real files in one log.
fn real_log() -> Option<Place> {
    let folder = real_archive()?;
    let place = Place::new();
    let (old, new) = (folder.join("allgames2002.txt"), folder.join("allgames202602.txt"));
    let import = || {
        place.ask_json(&[
            "log",
            "import",
            old.to_str().unwrap(),
            new.to_str().unwrap(),
            "--actor",
            "archivist",
            "--json",
        ])
    };
    let first = import();
    let of = |answer: &Value, file: usize, key: &str| answer["files"][file][key].as_u64().unwrap();
    assert_eq!((of(&first, 0, "streams"), of(&first, 1, "streams")), (64, 147), "{first}");
    assert_eq!((of(&first, 0, "flagged"), of(&first, 1, "flagged")), (3, 0), "{first}");
    let head = place.ask(&["log", "head"]);
    let again = import();
    assert_eq!((of(&again, 0, "events"), of(&again, 1, "events")), (0, 0), "{again}");
    assert_eq!(
        of(&again, 0, "known") + of(&again, 1, "known"),
        of(&first, 0, "events") + of(&first, 1, "events")
    );
    assert_eq!(place.ask(&["log", "head"]), head, "importing again adds nothing");
    Some(place)
}

#[test]
fn both_real_files_are_one_log_that_verifies() {
    let Some(place) = real_log() else { return };
    let report = place.ask(&["log", "verify"]);
    assert!(report.contains("WHOLE"), "{report}");
    assert!(report.contains("211 games"), "{report}");
    assert!(report.contains("3 with findings, kept as they were stated"), "{report}");
    let frozen = place.ask_json(&["log", "verify", "--json"]);
    let findings = frozen["games"]["findings"].as_array().unwrap();
    let streams: Vec<&str> =
        findings.iter().filter(|f| f["code"] == "frozen").filter_map(|f| f["stream"].as_str()).collect();
    assert_eq!(streams, ["game/arimaa-55", "game/arimaa-32"], "each holds a push by a frozen piece");
    let narrative = place.ask(&["log", "show", "--type", "imported"]);
    assert!(narrative.contains("allgames2002.txt") && narrative.contains("sha256:"), "{narrative}");
}

#[test]
fn only_the_games_that_were_asked_for_are_imported() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    let file = folder.join("allgames202602.txt");
    let answer = place.ask_json(&[
        "log",
        "import",
        file.to_str().unwrap(),
        "--games",
        "669192,669200-669202",
        "--actor",
        "archivist",
        "--json",
    ]);
    assert_eq!((&answer["files"][0]["streams"], &answer["files"][0]["left_out"]), (&4.into(), &143.into()));
    let streams = place.ask(&["log", "show", "--streams"]);
    assert_eq!(streams.matches("game/arimaa-").count(), 4, "{streams}");
    let nothing = place.run(&["log", "import", "nowhere.txt", "--actor", "archivist"]);
    assert_eq!(nothing.status, 2);
}

#[test]
fn a_game_of_2026_is_shown_as_of_any_second_with_the_right_clocks() {
    let Some(place) = real_log() else { return };
    let game = "game/arimaa-669192";
    let lines = place.ask(&["log", "show", game, "--json", "--type", "turn_taken"]);
    let turns: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Two minutes a move: while a turn lasts, its seconds come out of the move time, and only then out of the reserve.
    let move_time = 120;
    let mut seconds_checked = 0;
    for (before, after) in turns.iter().zip(&turns[1..]).skip(2).step_by(7) {
        let (from, to) = (before["effective_at"].as_i64().unwrap(), after["effective_at"].as_i64().unwrap());
        for at in [from, (from + to) / 2 / 1_000_000 * 1_000_000, to - 1_000_000] {
            let used = (at - from) / 1_000_000;
            let view = place.ask_json(&["replay", game, "--json", "--as-of", &rfc3339(at)]);
            let to_move = after["payload"]["side"].as_str().unwrap();
            assert_eq!(view["to_move"], to_move, "{view}");
            let running = &view["clocks"]["running"];
            assert_eq!(running["used"].as_i64(), Some(used), "{view}");
            assert_eq!(running["move_time_left"].as_i64(), Some((move_time - used).max(0)), "{view}");
            for side in ["gold", "silver"] {
                let key = format!("{side}_reserve");
                let stated = before["payload"][&key].as_i64().unwrap();
                let drawn = if side == to_move { (used - move_time).max(0) } else { 0 };
                assert_eq!(view["clocks"][&key].as_i64(), Some(stated - drawn), "{side} at {at}: {view}");
            }
            seconds_checked += 1;
        }
    }
    assert!(seconds_checked >= 12, "only {seconds_checked} seconds were looked at");
}

/// Microseconds since 1970 as the program reads them.
fn rfc3339(at: i64) -> String {
    annals_events::narrative::utc(at).replace(' ', "T")
}

#[test]
fn a_game_of_2002_is_shown_at_any_ply_and_its_times_are_said_to_be_unknown() {
    let Some(place) = real_log() else { return };
    let lines = place.ask(&["log", "show", "game/arimaa-2", "--json"]);
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut plies = 0;
    for event in &events {
        let seq = format!("seq:{}", event["seq"]);
        match event["type"].as_str().unwrap() {
            "game.turn_taken" => {
                assert_eq!(event["payload"]["_time"], "unknown");
                plies += 1;
            }
            "game.turn_retracted" => plies -= 1,
            _ => continue,
        }
        let view = place.ask_json(&["replay", "game/arimaa-2", "--json", "--as-of", &seq]);
        assert_eq!(view["plies"].as_u64(), Some(plies), "{view}");
        assert_eq!(view["times_unknown"], true, "{view}");
        assert_eq!(view["clocks"]["running"], Value::Null, "no clock is said to run: {view}");
    }
    assert!(plies > 5);
    let shown = place.ask(&["replay", "game/arimaa-2"]);
    assert!(shown.contains("unknown"), "{shown}");
    let narrative = place.ask(&["log", "show", "game/arimaa-2", "--limit", "3"]);
    assert!(narrative.contains("The source does not state the time"), "{narrative}");
}

#[test]
fn a_row_that_changed_since_it_was_imported_is_refused_and_the_others_are_not() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    let text = std::fs::read_to_string(folder.join("allgames2002.txt")).unwrap();
    place.write("games.txt", &text);
    place.ask(&["log", "import", "games.txt", "--actor", "archivist", "--games", "1-10"]);
    place.write("games.txt", text.replacen("\tomar\t", "\tramo\t", 1));
    let run = place.run(&["log", "import", "games.txt", "--actor", "archivist", "--json"]);
    assert_eq!(run.status, 1, "{run:?}");
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let refused = answer["files"][0]["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 1, "{answer}");
    assert_eq!(refused[0]["code"], "differs_from_the_log");
    assert_eq!(answer["files"][0]["streams"], 54, "{answer}");
    assert!(place.ask(&["log", "verify"]).contains("WHOLE"));
}

#[test]
fn a_ruling_in_a_view_is_a_sentence() {
    let place = Place::new();
    recorded(&place);
    let view = place.ask(&["replay", "spring-2015"]);
    let ruling = view.lines().find(|line| line.contains("Ruling 1")).unwrap_or_else(|| panic!("{view}"));
    assert!(ruling.contains("r2.1") && ruling.contains("The server log shows a rabbit"), "{ruling}");
    assert!(!view.contains('{'), "{view}");
}
