//! The limit of a game against the times of its record: an end within the turn that reaches it, times that are not known, and games
//! that the log does not hold.

use serde_json::{Value, json};

use crate::director::Director;
use crate::game_limit::{SILVER_AHEAD, play_up};
use crate::postal_games::{GOLD, SILVER, announced, audit, begun, imported, plays, refuses, violates};
use crate::program::Place;

/// The last turn was on 1 November, and six days are left.
#[test]
fn who_runs_out_of_time_or_resigns_after_the_limit_has_lost_nothing() {
    let place = Place::new();
    let director = begun(&place);
    play_up(&place, SILVER);
    let past = ["past_the_limit", "had reached its limit"];
    // Silver may think for 21 days, so the limit comes before the flag.
    refuses(&place, "2006-12-10", "time", &past);
    refuses(&place, "2006-11-07", "resign", &past);
    plays(&place, "2006-11-06T23:59:59", &["resign"]);
    director.does("2006-11-08", "game result r1.1");
    director.is_in_order();
    // The same in an import.
    let said = |how: &'static str, at: &'static str| {
        imported(&place, move |mut event| {
            if event["type"] == "game.ended" {
                event["effective_at"] = json!(at);
                event["payload"]["termination"] = json!(how);
            }
            if event["type"] == "tournament.result_recorded" {
                event["effective_at"] = json!("2006-12-12T00:00:00Z");
                event["payload"]["termination"] = json!(how);
            }
            vec![event]
        })
    };
    violates(&said("time", "2006-12-10T00:00:00Z"), "game.limit", "its stated ending is time");
    let late = said("resignation", "2006-11-08T05:00:00Z");
    violates(&late, "game.limit", "its stated ending is resignation");
}

#[test]
fn an_end_by_score_is_dated_when_the_game_reached_its_limit() {
    let place = Place::new();
    let director = announced(&place, "--option T44=piece_points --option piece_points=2/3/4/5/6");
    play_up(&place, SILVER_AHEAD);
    plays(&place, "2006-12-10", &["score"]);
    let lines = place.ask(&["log", "export", "game/postal.r1.1"]);
    let ended: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    // A date is the end of that day: six days after 1 November, at midnight in New York.
    assert_eq!(ended["effective_at"], 1_162_961_999_999_999_i64, "{ended}");
    director.does("2006-12-11", "game result r1.1");
    director.is_in_order();
    // The same in an import, a day later, and a second more.
    let dated = |at: &'static str| {
        imported(&place, move |mut event| {
            if event["type"] == "game.ended" {
                event["effective_at"] = json!(at);
            }
            vec![event]
        })
    };
    assert!(!audit(&dated("2006-11-09T04:59:59Z")).out.contains("more than a day after"));
    violates(&dated("2006-11-09T05:00:01Z"), "game.limit", "more than a day after it reached its limit");
}

#[test]
fn where_times_are_not_known_the_time_since_the_start_bounds_the_length_of_the_game() {
    let unknown =
        [format!("{GOLD} in ?"), format!("{SILVER} in ?"), "Ee2n in ?".to_owned(), "ee7s in ?".to_owned()];
    let lines: Vec<&str> = unknown.iter().map(String::as_str).collect();
    let place = Place::new();
    let director = begun(&place);
    plays(&place, "2006-01-22", &lines);
    refuses(&place, "2006-01-24", "score", &["before_the_limit", "had not reached its limit"]);
    // 300 days after the start.
    refuses(&place, "2006-11-17T09:59:58", "score", &["before_the_limit"]);
    plays(&place, "2006-11-17T09:59:58", &["resign"]);
    director.does("2006-11-18", "game result r1.1");
    director.is_in_order();
    for end in ["resign", "time", "score"] {
        let place = Place::new();
        let director = begun(&place);
        plays(&place, "2006-01-22", &lines);
        plays(&place, "2007-09-21", &[end]);
        match end {
            "score" => director.does(
                "2007-09-22",
                "ruling give set-result r1.1 gold --termination score --reason \"it stands better\"",
            ),
            _ => director.does("2007-09-22", "game result r1.1"),
        };
        let run = audit(&place);
        assert_eq!(run.status, 0, "{end}: {run:?}");
        if end != "score" {
            assert!(
                run.out.contains("undetermined: the game postal.r1.1 of r1.1 [game.limit"),
                "{end}: {}",
                run.out
            );
        }
    }
}

#[test]
fn a_game_that_the_log_does_not_hold_ends_by_score_no_earlier_than_its_round_allows() {
    let place = Place::new();
    let director = Director::opened(&place, "wc", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --director Omar --year 2009");
    for (player, rating) in [("anna", 2200), ("bela", 2100), ("cara", 2000), ("dora", 1900)] {
        director.does("2008-12-20T10:00", &format!("entry add {player} --rating {rating}"));
        director.does("2008-12-20T12:00", &format!("fund fee {player} 20"));
    }
    director.does("2009-01-04T18:00", "round declare");
    director.does("2009-01-04T20:00", "round pair --seed x");
    director.does("2009-01-06T12:00", "game start r1.1 --no-game");
    // Six hours is the limit of the final.
    let score = "game result r1.1 gold --termination score";
    director.refuses("2009-01-06T12:10", score, &["game.limit", "2009-01-06 23:00:00"]);
    director.refuses("2009-01-06T17:59:59", score, &["game.limit"]);
    director.only_tries("2009-01-06T12:10", "game result r1.1 gold --termination goal");
    director.does("2009-01-06T18:00", score);
    let run = place.run(&["tournament", "audit", "wc"]);
    assert!(run.out.contains("the log does not tell whether the game had reached its limit"), "{}", run.out);
    let place = Place::new();
    let director = Director::opened(&place, "postal", "2005-12-01");
    director.does(
        "2006-01-01",
        "announce --rulebook postal-2006 --director Omar --option T44=B --option piece_points=2/3/4/5/6",
    );
    director.does("2006-01-10", "entry add anna --rating 2100");
    director.does("2006-01-10", "entry add bela --rating 1900");
    director.does("2006-01-20", "round pair");
    director.does("2006-01-21T10:00", "game start r1.1 --no-game");
    director.refuses("2006-01-23", score, &["game.limit", "2006-11-17"]);
}

#[test]
fn a_score_of_six_hours_is_refused_after_five_minutes_without_times() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2026-01-01", "--actor", "omar"]);
    let (gold, silver) = (format!("{GOLD} in ?"), format!("{SILVER} in ?"));
    let begin = [
        "game", "enter", "evening", "--new", "arimaa", "--time-control", "90s/5m/75/0/6h/5m", "--actor",
        "omar",
    ];
    let run = place.run(&[&begin[..], &["--at", "2026-01-02T00:01", "--tz", "UTC", &gold, &silver]].concat());
    assert_eq!(run.status, 0, "{run:?}");
    let score =
        ["game", "enter", "evening", "--at", "2026-01-02T00:05", "--tz", "UTC", "--actor", "omar", "score"];
    let run = place.run(&score);
    assert!(run.status == 2 && run.talk.contains("before_the_limit"), "{run:?}");
    let run = enter_at(&place, "2026-01-02T06:01");
    assert_eq!(run.status, 0, "{run:?}");
}

fn enter_at(place: &Place, at: &str) -> crate::program::Run {
    place.run(&["game", "enter", "evening", "--at", at, "--tz", "UTC", "--actor", "omar", "score"])
}

/// Lines of a game that belongs to no tournament.
fn evening(place: &Place, at: &str, lines: &[&str]) -> crate::program::Run {
    let words = ["game", "enter", "evening", "--at", at, "--tz", "UTC", "--actor", "omar"];
    place.run(&[&words, lines].concat())
}

#[test]
fn nothing_ends_by_score_without_a_limit() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2026-01-01", "--actor", "omar"]);
    let (gold, silver) = (format!("{GOLD} in 1:00"), format!("{SILVER} in 1:00"));
    let new = ["--new", "arimaa", "--time-control", "2m/2m/100/0/0", &gold, &silver];
    assert_eq!(evening(&place, "2026-01-02T10:00", &new).status, 0);
    let run = evening(&place, "2026-01-02T20:00", &["score"]);
    assert!(run.status == 2 && run.talk.contains("sets no limit"), "{run:?}");
    assert_eq!(evening(&place, "2026-01-02T20:00", &["resign"]).status, 0);
}

/// One minute is left at ten o'clock.
#[test]
fn play_is_halted_before_the_limit_or_not_at_all() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2026-01-01", "--actor", "omar"]);
    let (gold, silver) = (format!("{GOLD} in 1:00"), format!("{SILVER} in 1:00"));
    let new = ["--new", "arimaa", "--time-control", "2m/2m/100/0/5m", &gold, &silver, "Ee2n in 2:00"];
    assert_eq!(evening(&place, "2026-01-02T10:00", &new).status, 0);
    let run = evening(&place, "2026-01-02T10:05", &["halt because of a fire"]);
    assert!(run.status == 2 && run.talk.contains("halted after the game had reached its limit"), "{run:?}");
    let halted = json!({
        "stream": "game/evening", "type": "game.halted", "effective_at": "2026-01-02T10:05:00Z", "payload": {},
    });
    place.write(
        "halted.jsonl",
        json!({"stream": "game/evening", "type": "game.halted", "payload": {}}).to_string(),
    );
    let words = ["log", "append", "halted.jsonl", "--actor", "omar", "--at", "2026-01-02T10:05:00Z"];
    let run = place.run(&words);
    assert!(run.status == 2 && run.talk.contains("past_the_limit"), "{run:?}");
    // A record of such a halt is kept, and the game ended when it was entered at the earliest.
    let other = Place::new();
    other.write("all.jsonl", place.ask(&["log", "export", "game/evening"]) + &halted.to_string());
    other.ask(&["log", "init", "--simulated", "--at", "2026-01-02T10:06", "--actor", "omar"]);
    other.ask(&["log", "import", "all.jsonl", "--actor", "omar"]);
    for (at, place, ended) in [("2026-01-02T12:00", &place, 1), ("2026-01-02T12:00", &other, 5)] {
        let run = evening(place, at, &["score"]);
        assert_eq!(run.status, 0, "{run:?}");
        let lines = place.ask(&["log", "export", "game/evening"]);
        let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        let ten = 1_767_348_000_000_000_i64;
        assert_eq!(last["effective_at"], ten + ended * 60_000_000, "{last}");
    }
    assert_eq!(evening(&place, "2026-01-02T12:01", &["resign"]).status, 2);
}

#[test]
fn a_halt_before_the_limit_holds_the_game() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2026-01-01", "--actor", "omar"]);
    let (gold, silver) = (format!("{GOLD} in 1:00"), format!("{SILVER} in 1:00"));
    let new = ["--new", "arimaa", "--time-control", "2m/2m/100/0/5m", &gold, &silver, "Ee2n in 2:00"];
    assert_eq!(evening(&place, "2026-01-02T10:00", &new).status, 0);
    assert_eq!(evening(&place, "2026-01-02T10:00:59", &["halt because of a fire"]).status, 0);
    let run = evening(&place, "2026-01-02T12:00", &["score"]);
    assert!(run.status == 2 && run.talk.contains("before_the_limit"), "{run:?}");
}
