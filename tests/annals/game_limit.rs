//! The length that a time control gives a game: what reaches it ends by score at that instant, in a game at the director, in an import
//! and in an archive; and what the score was in 2006.

use serde_json::{Value, json};

use crate::director::Director;
use crate::ingesting::{SETUPS, header, row};
use crate::postal_games::{GOLD, SILVER, announced, audit, begun, imported, plays, refuses, violates};
use crate::program::{Place, Run};

/// Silver's rabbits in the second row, all other pieces behind them.
pub const SILVER_AHEAD: &str = "ra7 rb7 rc7 rd7 re7 rf7 rg7 rh7 da8 hb8 cc8 md8 ee8 cf8 hg8 dh8";

/// Lines of a game of which 294 of 300 days are used after two setups and twelve turns.
fn up_to_the_limit(silver: &str) -> Vec<String> {
    let mut lines = vec![format!("{GOLD} in 504:00:00"), format!("{silver} in 504:00:00")];
    let gold = ["Ee2n", "Ee3n", "Ee4w", "Ed4w", "Ec4w", "Eb4e"];
    let other = if silver == SILVER {
        ["ee7s", "ee6s", "ee5e", "ef5e", "eg5e", "eh5w"]
    } else {
        ["rb7s", "rb6e", "rg7s", "rg6w", "rh7s", "ra7s"]
    };
    for (turn, (gold, silver)) in gold.iter().zip(other).enumerate() {
        // The reserves are filled again, since no side has so much.
        lines.extend((turn % 3 == 2).then(|| "clock 1920:00:00 1920:00:00 because of the test".to_owned()));
        lines.extend([format!("{gold} in 504:00:00"), format!("{silver} in 504:00:00")]);
    }
    lines
}

/// Plays a game to six days before its limit.
pub fn play_up(place: &Place, silver: &str) {
    let lines = up_to_the_limit(silver);
    plays(place, "2006-11-01", &lines.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Plays it to its limit.
fn play_out(place: &Place, silver: &str) -> Run {
    play_up(place, silver);
    let run = crate::postal_games::enter(place, "2006-11-07", &["Ec4e in 144:00:00"]);
    assert_eq!(run.status, 0, "{run:?}");
    run
}

#[test]
fn a_game_ends_by_score_when_it_reaches_its_limit_and_not_before() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2026-01-01", "--actor", "omar"]);
    let enter = |at: &str, lines: &[&str]| {
        let words = ["game", "enter", "evening", "--at", at, "--tz", "UTC", "--actor", "omar"];
        place.run(&[&words, lines].concat())
    };
    let (gold, silver) = (format!("{GOLD} in 2:00"), format!("{SILVER} in 2:00"));
    let new = [
        "--new", "arimaa", "--time-control", "2m/2m/100/10m/10m", &gold, &silver, "Ee2n in 2:00",
        "ee7s in 2:00",
    ];
    let run = enter("2026-01-02T10:08", &new);
    assert_eq!(run.status, 0, "{run:?}");
    for (line, code) in [("score", "before_the_limit"), ("Ee3n in 2:01", "past_the_limit")] {
        let run = enter("2026-01-02T10:08", &[line]);
        assert!(run.status == 2 && run.talk.contains(code), "{line}: {run:?}");
    }
    // A draft is no way around it.
    let turn = json!({
        "stream": "game/evening", "type": "game.turn_taken", "effective_at": "2026-01-02T10:08:00Z",
        "payload": {"number": 3, "side": "gold", "steps": "Ee3n", "used": 121},
    });
    place.write("turn.jsonl", turn.to_string());
    let run = place.run(&["log", "append", "turn.jsonl", "--actor", "omar"]);
    assert!(run.status == 2 && run.talk.contains("past_the_limit"), "{run:?}");
    let other = Place::new();
    other.write("all.jsonl", place.ask(&["log", "export", "game/evening"]));
    let run = enter("2026-01-02T10:10", &["Ee3n in 2:00", "ee6s in 1"]);
    assert!(run.status == 2 && run.talk.contains("silver wins by score"), "{run:?}");
    assert!(run.talk.contains("line 2") && run.talk.contains("game_ended"), "{run:?}");
    // Within a turn.
    other.ask(&["log", "init", "--simulated", "--at", "2026-01-02T10:08", "--actor", "omar"]);
    other.ask(&["log", "import", "all.jsonl", "--actor", "omar"]);
    let run = other.run(&[
        "game", "enter", "evening", "--at", "2026-01-02T10:10", "--tz", "UTC", "--actor", "omar", "score",
    ]);
    assert!(run.status == 0 && run.talk.contains("silver wins by score"), "{run:?}");
    assert_eq!(other.run(&["log", "verify"]).status, 0);
}

#[test]
fn a_postal_game_that_reached_its_limit_is_decided_by_a_ruling_where_no_piece_points_are_known() {
    let place = Place::new();
    let director = begun(&place);
    play_up(&place, SILVER);
    refuses(&place, "2006-11-06", "score", &["before_the_limit"]);
    refuses(&place, "2006-11-07", "Ec4e in 144:00:01", &["past_the_limit"]);
    let run = crate::postal_games::enter(&place, "2006-11-07", &["Ec4e in 144:00:00"]);
    assert!(run.status == 0 && run.talk.contains("no player wins by score"), "{run:?}");
    let says = [
        "game.score",
        "2006 Postal, Tournament Rules 5",
        "T44",
        "annals tournament ruling give postal set-result",
    ];
    director.refuses("2006-11-08", "game result r1.1", &says);
    director.refuses(
        "2006-11-08",
        "game result r1.1 gold --termination score",
        &["game.score", "without a ruling"],
    );
    director.does(
        "2006-11-08",
        "ruling give set-result r1.1 gold --termination score --reason \"it stands better\"",
    );
    director.is_in_order();
    let run = audit(&place);
    assert!(run.out.contains("[game.score, 2006 Postal, Tournament Rules 5]"), "{}", run.out);
    assert!(run.out.contains("the director gives gold"), "{}", run.out);
    // The points are an option of the announcement: no ruling states them, or reads T44 without them.
    let read = |reading: &str| format!("ruling give read {reading} --reason \"so I read it\"");
    director.refuses("2006-11-09", &read("T44=piece_points"), &["ruling.reading", "states no points"]);
    director.refuses("2006-11-09", &read("piece_points=2/3/4/5/6"), &["ruling.reading", "T44, T45"]);
    let compared = place.run(&[
        "tournament",
        "audit",
        "postal",
        "--reading",
        "T44=B",
        "--reading",
        "piece_points=2/3/4/5/6",
    ]);
    for words in
        ["T44 read as piece_points instead of ruling", "piece_points read as 2/3/4/5/6 instead of none"]
    {
        assert!(compared.out.contains(words), "{words}: {compared:?}");
    }
}

#[test]
fn a_ruling_by_score_is_checked_with_the_limit_as_a_result_is() {
    let place = Place::new();
    let director = begun(&place);
    play_up(&place, SILVER);
    let ruled =
        |how: &str| format!("ruling give set-result r1.1 gold --termination {how} --reason \"it is late\"");
    let before = ["game.limit", "2006 Postal, Tournament Rules 1 and 5", "had not reached its limit"];
    director.refuses("2006-11-06", &ruled("score"), &before);
    // Silver may think for 21 days, and the limit comes after six.
    director.refuses(
        "2006-11-06",
        &ruled("time"),
        &["game.limit", "had reached its limit", "its stated ending is time"],
    );
    director.only_tries("2006-11-06", &ruled("resignation"));
    // The turn in progress can have lasted until the limit by then.
    director.only_tries("2006-11-08", &ruled("score"));
    plays(&place, "2006-11-07", &["Ec4e in 144:00:00"]);
    director.refuses(
        "2006-11-08",
        &ruled("time"),
        &["game.limit", "had reached its limit", "its stated ending is time"],
    );
    let told = director.does("2006-11-08", &ruled("score"));
    assert!(told.contains("game.score") && !told.contains("game.limit"), "{told}");
    director.is_in_order();
    let early = imported(&place, |mut event| {
        if event["payload"]["used"] == 518_400 {
            return Vec::new();
        }
        if event["type"] == "tournament.ruling_given" {
            event["effective_at"] = json!("2006-11-06T00:00:00Z");
        }
        let ended = event["type"] == "game.ended";
        if ended { Vec::new() } else { vec![event] }
    });
    violates(&early, "game.limit", "had not reached its limit");
    let compared = early.run(&["tournament", "audit", "postal", "--reading", "T45=not_checked"]);
    assert!(compared.out.contains("T45 read as not_checked instead of checked"), "{compared:?}");
}

#[test]
fn a_score_in_a_game_that_the_log_does_not_hold_is_undetermined() {
    let place = Place::new();
    let director = crate::championship_rules::announced(&place, &["ada", "bob"]);
    director.does("2015-02-01T20:00", "qualifier rank");
    director.does("2015-03-01T10:00", "round pair");
    director.does("2015-03-01T11:00", "game start r1.1 --no-game");
    let unknown = "the log does not tell whether the game had reached its limit";
    for line in [
        "game result r1.1 ada --termination score",
        "ruling give set-result r1.1 gold --termination score --reason late",
    ] {
        let told = director.does("2015-03-01T19:00", line);
        assert!(told.contains("game.limit") && told.contains(unknown), "{line}: {told}");
    }
    director.is_in_order();
}

#[test]
fn announced_piece_points_decide_a_postal_game_that_reached_its_limit() {
    let place = Place::new();
    let wrong = Director::opened(&place, "postal", "2005-12-01");
    for (options, says) in [
        ("--option T44=piece_points", "no points are stated"),
        ("--option piece_points=2/3/4/5/6", "points are stated"),
        ("--option T44=B --option piece_points=2/3/4/5", "five whole numbers"),
    ] {
        wrong.refuses("2006-01-01", &format!("announce --rulebook postal-2006 {options}"), &[says]);
    }
    let place = Place::new();
    let director = announced(&place, "--option T44=piece_points --option piece_points=2/3/4/5/6");
    // All pieces are there: the row of Silver's rabbits decides.
    let run = play_out(&place, SILVER_AHEAD);
    assert!(run.talk.contains("silver wins by score"), "{run:?}");
    director.refuses("2006-11-08", "game result r1.1 gold", &["game.score", "the piece points give silver"]);
    director.does("2006-11-08", "game result r1.1");
    director.is_in_order();
    let compared = place.run(&["tournament", "audit", "postal", "--reading", "T44=ruling"]);
    assert!(compared.out.contains("T44 read as ruling instead of piece_points"), "{compared:?}");
    assert!(compared.out.contains("without a ruling"), "{compared:?}");
    let other = ["tournament", "audit", "postal", "--reading", "piece_points=20/30/40/50/60"];
    let compared = place.run(&other);
    let words = "piece_points read as 20/30/40/50/60 instead of 2/3/4/5/6";
    assert!(compared.out.contains(words), "{compared:?}");
    // The winner of an import is checked as well.
    let other = imported(&place, |mut event| {
        if event["type"] == "game.ended" {
            event["payload"]["winner"] = json!("gold");
        }
        if event["type"] == "tournament.result_recorded" {
            event["payload"]["outcome"] = json!("gold");
        }
        vec![event]
    });
    violates(&other, "game.score", "it is recorded as gold");
}

#[test]
fn an_imported_game_that_passed_its_limit_or_was_scored_before_is_flagged() {
    let place = Place::new();
    let director = announced(&place, "--option T44=piece_points --option piece_points=2/3/4/5/6");
    play_out(&place, SILVER_AHEAD);
    director.does("2006-11-08", "game result r1.1");
    let last_took = |seconds: u64| {
        imported(&place, move |mut event| {
            if event["payload"]["used"] == 518_400 {
                event["payload"]["used"] = json!(seconds);
            }
            vec![event]
        })
    };
    violates(&last_took(518_401), "game.limit", "had reached its limit");
    let early = last_took(518_399);
    violates(&early, "game.limit", "had not reached its limit");
    let compared = early.run(&["tournament", "audit", "postal", "--reading", "T45=not_checked"]);
    assert!(compared.out.contains("T45 read as not_checked instead of checked"), "{compared:?}");
    assert!(compared.out.contains("game.limit"), "{compared:?}");
}

#[test]
fn a_limit_that_is_not_checked_ends_no_game() {
    let place = Place::new();
    let director = announced(&place, "--option T45=not_checked");
    let run = play_out(&place, SILVER);
    assert!(!run.talk.contains("the game is over"), "{run:?}");
    plays(&place, "2006-11-08", &["eg5w in 1", "resign"]);
    director.does("2006-11-08", "game result r1.1");
    director.is_in_order();
    let compared = place.run(&["tournament", "audit", "postal", "--reading", "T45=checked"]);
    assert!(
        compared.out.contains("game.limit") && compared.out.contains("had reached its limit"),
        "{compared:?}"
    );
}

/// A log as edition 1 announced it.
fn of_edition_1(place: &Place) -> Place {
    imported(place, |mut event| {
        if event["type"] == "tournament.announced" {
            event["payload"]["edition"] = json!(1);
            let options = event["payload"]["options"].as_object_mut().unwrap();
            options.retain(|name, _| !["t44", "t45", "piece_points"].contains(&name.as_str()));
        }
        vec![event]
    })
}

#[test]
fn a_log_of_edition_1_is_compared_by_the_rules_of_its_readings() {
    let place = Place::new();
    let director = announced(&place, "--option T45=not_checked");
    play_out(&place, SILVER);
    plays(&place, "2006-11-08", &["resign"]);
    director.does("2006-11-08", "game result r1.1");
    let old = of_edition_1(&place);
    assert_eq!(audit(&old).status, 0);
    let compared = old.run(&["tournament", "audit", "postal", "--reading", "T45=A"]);
    for says in ["T45 read as checked instead of not_checked", "game.limit", "had reached its limit"] {
        assert!(compared.out.contains(says), "without {says}: {compared:?}");
    }
    let place = Place::new();
    let director = announced(&place, "--option T44=piece_points --option piece_points=2/3/4/5/6");
    play_out(&place, SILVER_AHEAD);
    director.does("2006-11-08", "game result r1.1");
    let old = of_edition_1(&place);
    assert_eq!(audit(&old).status, 0);
    let compared = old.run(&["tournament", "audit", "postal", "--reading", "T44=B"]);
    for says in ["T44 read as piece_points instead of ruling", "game.score", "without a ruling"] {
        assert!(compared.out.contains(says), "without {says}: {compared:?}");
    }
    let points =
        ["tournament", "audit", "postal", "--reading", "piece_points=2/3/4/5/6", "--reading", "T44=B"];
    let compared = old.run(&points);
    assert!(
        compared.out.contains("game.score") && !compared.out.contains("without a ruling"),
        "{compared:?}"
    );
}

#[test]
fn a_row_of_an_archive_that_passed_its_limit_is_flagged() {
    let turns: Vec<&str> = SETUPS.split("\\n").collect();
    let at = "1769942363 [Sun Feb  1 10:39:23 2026]";
    let received = |turn: &str| {
        let (label, steps) = turn.split_once(' ').unwrap();
        format!("{at} move {label} received from {} [{steps}]", &label[1..])
    };
    let log = [
        received(turns[0]),
        format!("{at} after 1w, move used:20 wresv:120 bresv:120 game:20"),
        received(turns[1]),
        format!("{at} after 1b, move used:20 wresv:120 bresv:120 game:40"),
        format!("{at} game finished with result w r"),
    ];
    for (limit, flags) in [("40s", Some(1)), ("41s", None)] {
        let place = Place::new();
        let row = row("7", &format!("{SETUPS}2w")).replace("2/2/100/10/8", &format!("2/2/100/10/{limit}"));
        place.write("a.txt", format!("{}\n{row}{}\n", header(), log.join("\\n")));
        let summary = place.ask_json(&["ingest", "a.txt", "--json"]);
        assert_eq!(summary["flags"]["game-limit"].as_u64(), flags, "{limit}: {summary}");
        let imported = place.ask_json(&["log", "import", "a.txt", "--json", "--actor", "omar"]);
        assert_eq!(imported["files"][0]["findings"]["past_the_limit"].as_u64(), flags, "{limit}: {imported}");
    }
}

#[test]
fn unused_setup_time_is_added_where_it_is_so_read() {
    let place = Place::new();
    let director = announced(&place, "--option T23=added");
    plays(&place, "2006-01-22", &[&format!("{GOLD} in 400"), &format!("{SILVER} in 1:00:00"), "Ee2n in 60"]);
    // 80 days, and a day less what each setup took.
    let shown = place.ask_json(&["replay", "game/postal.r1.1", "--json"]);
    let day = 24 * 3600;
    assert_eq!(shown["clocks"]["gold_reserve"], 82 * day - 400 - 60, "{shown}");
    assert_eq!(shown["clocks"]["silver_reserve"], 81 * day - 3600, "{shown}");
    plays(&place, "2006-01-22", &["resign"]);
    director.does("2006-01-23", "game result r1.1");
    director.is_in_order();
    let without = imported(&place, |event: Value| match event["type"].as_str() {
        Some("game.clock_set") => Vec::new(),
        _ => vec![event],
    });
    violates(&without, "game.clock", "it is not added");
    let compared = without.run(&["tournament", "audit", "postal", "--reading", "T23=never"]);
    assert!(compared.out.contains("T23 read as never instead of added"), "{compared:?}");
    assert!(compared.out.contains("game.clock"), "{compared:?}");
}

/// A setup of Gold's in 400 seconds, after which a record shows a reserve.
fn setup_showing(place: &Place, game: &str, gold_reserve: i64) -> Run {
    let turn = json!({
        "stream": format!("game/{game}"), "type": "game.turn_taken", "effective_at": "2006-01-22T10:00:00Z",
        "payload": {"number": 1, "side": "gold", "steps": GOLD, "used": 400, "gold_reserve": gold_reserve},
    });
    place.write("setup.jsonl", turn.to_string());
    place.run(&["log", "append", "setup.jsonl", "--actor", "omar", "--at", "2006-01-22T10:00Z"])
}

#[test]
fn a_record_that_adds_unused_setup_time_is_accepted_where_the_tournament_reads_it_so() {
    let day = 24 * 3600;
    let added = 81 * day - 400;
    for (reading, says) in [("added", None), ("never", Some("game.clock"))] {
        let place = Place::new();
        let director = announced(&place, &format!("--option T23={reading}"));
        let wrong = setup_showing(&place, "postal.r1.1", added + 1);
        assert!(wrong.status == 2 && wrong.talk.contains("clock_disagrees"), "{reading}: {wrong:?}");
        let run = setup_showing(&place, "postal.r1.1", added);
        if let Some(rule) = says {
            assert!(run.status == 2 && run.talk.contains(rule) && run.talk.contains("T23"), "{run:?}");
            continue;
        }
        assert_eq!(run.status, 0, "{run:?}");
        plays(&place, "2006-01-22", &[&format!("{SILVER} in 1:00:00"), "Ee2n in 60"]);
        let shown = place.ask_json(&["replay", "game/postal.r1.1", "--json"]);
        assert_eq!(shown["clocks"]["gold_reserve"], added + day - 60, "{shown}");
        // A correction is checked by the same reading.
        let export = place.ask(&["log", "export", "game/postal.r1.1"]);
        let setup = export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let setup = setup.into_iter().find(|event| event["payload"]["steps"] == GOLD).unwrap();
        let mut payload = setup["payload"].clone();
        payload["used"] = json!(401);
        for (reserve, status) in [(added, 2), (added - 1, 0)] {
            payload["gold_reserve"] = json!(reserve);
            let replaced = json!({"effective_at": setup["effective_at"], "payload": payload, "schema": 1});
            let correction = json!({
                "stream": "game/postal.r1.1", "type": "log.correction",
                "payload": {"corrects": setup["seq"], "change": {"replace": replaced}, "reason": "mistyped"},
            });
            place.write("correction.jsonl", correction.to_string());
            let run = place.run(&["log", "append", "correction.jsonl", "--actor", "omar"]);
            assert_eq!(run.status, status, "{reserve}: {run:?}");
        }
        plays(&place, "2006-01-22", &["resign"]);
        director.does("2006-01-23", "game result r1.1");
        director.is_in_order();
        let compared = place.run(&["tournament", "audit", "postal", "--reading", "T23=never"]);
        assert!(compared.status == 1 && compared.out.contains("game.clock"), "{compared:?}");
    }
    // A game of no tournament follows the game server.
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2006-01-21", "--actor", "omar"]);
    let new =
        ["game", "enter", "evening", "--new", "arimaa", "--time-control", "1d/80d/100", "--actor", "omar"];
    place.ask(&new);
    let run = setup_showing(&place, "evening", added);
    assert!(run.status == 2 && run.talk.contains("setup_time_added"), "{run:?}");
}
