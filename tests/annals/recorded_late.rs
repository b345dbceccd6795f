//! Facts that happened before a round was paired, and are entered after it: a fee, the times of a player, a withdrawal. Each
//! depends on the entry of its player alone, so that it keeps its true time.

use crate::director::Director;
use crate::program::Place;

/// Three players under the rules of 2009; round 1 is paired, and its players are told.
fn paired(place: &Place) -> Director<'_> {
    let director = Director::opened(place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director omar");
    for (player, rating) in [("anna", 2100), ("bela", 2000), ("cara", 1900)] {
        director.does("2008-12-20", &format!("entry add {player} --rating {rating}"));
    }
    director.does("2009-01-04T18:00", "round declare");
    director.does("2009-01-04T20:00", "round pair --seed coins");
    director.does("2009-01-04T20:01", "schedule notify");
    director
}

/// The time of the last event of the tournament.
fn last(place: &Place) -> (u64, String) {
    let lines = place.ask(&["log", "export", "tournament/open"]);
    let event: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let at = jiff::Timestamp::from_microsecond(event["effective_at"].as_i64().unwrap()).unwrap();
    (event["seq"].as_u64().unwrap(), at.to_string())
}

#[test]
fn a_fee_times_and_a_withdrawal_of_an_earlier_day_keep_their_time() {
    let place = Place::new();
    let director = paired(&place);
    for (at, line) in [
        ("2008-12-30T12:00", "fund fee cara 20"),
        ("2008-12-30T13:00", "schedule availability cara 2009-01-06T10:00..2009-01-06T20:00"),
        ("2009-01-03T12:00", "entry withdraw cara"),
    ] {
        director.does(at, line);
        assert_eq!(last(&place).1, jiff_of(at), "{line}");
    }
    director.is_in_order();
    // The past is as it was then: with the fee and without the round.
    let then = |at: &str, what: &str| {
        place.ask_json(&["tournament", "show", "open", "--as-of", at, "--tz", "EST", "--json"])[what].clone()
    };
    assert_eq!((then("2008-12-30", "fund"), then("2008-12-30", "round")), (2000.into(), ().into()));
    assert_eq!(then("2008-12-29", "fund"), 0);
}

#[test]
fn a_notice_is_entered_after_the_answer_to_it() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director omar");
    for (player, rating) in [("anna", 2100), ("bela", 2000)] {
        director.does("2008-12-20", &format!("entry add {player} --rating {rating}"));
    }
    director.does("2009-01-04T18:00", "round declare");
    director.does("2009-01-04T20:00", "round pair --seed coins");
    director
        .does("2009-01-05T12:00", "schedule availability anna --round 1 2009-01-07T10:00..2009-01-07T20:00");
    director.does("2009-01-04T20:01", "schedule notify");
    assert_eq!(last(&place).1, jiff_of("2009-01-04T20:01"));
}

#[test]
fn a_game_that_began_with_its_round_is_played_to_its_end_when_a_player_leaves() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director omar");
    for (player, rating) in [("anna", 2100), ("bela", 2000), ("cara", 1900), ("dora", 1800)] {
        director.does("2008-12-20", &format!("entry add {player} --rating {rating}"));
    }
    director.does("2009-01-04T18:00", "round declare");
    director.does("2009-01-04T20:00", "round pair --seed coins");
    director.does("2009-01-06T18:00", "game start r1.1 --no-game");
    let leave = |player: &str| {
        let words =
            ["tournament", "entry", "withdraw", "open", player, "--at", "2009-01-06T19:00", "--tz", "EST"];
        place.run(&[&words[..], &["--actor", "omar"]].concat())
    };
    let games = director.games(1);
    let run = leave(&games[0].0);
    assert!(run.status == 0 && !run.talk.contains("game forfeit"), "{run:?}");
    let told =
        director.does("2009-01-06T20:00", &format!("game result r1.1 {} --termination goal", games[0].0));
    assert!(!told.contains("undetermined"), "{told}");
    // When the other game began is not known.
    let run = leave(&games[1].0);
    assert!(
        run.talk.contains("game forfeit open r1.2") && run.talk.contains("without a recorded start"),
        "{run:?}"
    );
}

fn jiff_of(at: &str) -> String {
    let at: jiff::civil::DateTime = at.parse().unwrap();
    let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(-5));
    zone.to_timestamp(at).unwrap().to_string()
}

#[test]
fn a_round_is_no_point_in_time_of_all_tournaments() {
    let place = Place::new();
    paired(&place);
    for words in ["tournament list", "tournament champions", "player record anna"] {
        let run = place.run(&words.split(' ').chain(["--as-of", "round:1"]).collect::<Vec<_>>());
        assert!(run.status == 2 && run.talk.contains("counts the rounds of one tournament"), "{run:?}");
    }
}

#[test]
fn what_they_depend_on_still_comes_first() {
    let place = Place::new();
    let director = paired(&place);
    // Before the entry.
    let told =
        director.refuses("2008-12-10", "fund fee cara 20", &["on which it depends, happened 2008-12-21"]);
    let seq = told.split("but event ").nth(1).unwrap().split(',').next().unwrap();
    let hint = format!("annals log show --from seq:{seq} --to seq:{seq}");
    assert!(told.contains(&format!("hint: {hint}")), "{told}");
    let words: Vec<&str> = hint.split(' ').skip(1).collect();
    assert!(place.ask(&words).contains("cara registered"));
    // A return depends on the withdrawal.
    director.does("2009-01-05", "entry withdraw cara");
    director.refuses("2009-01-04", "entry reinstate cara", &["on which it depends"]);
}

#[test]
fn a_misread_day_of_a_fee_is_corrected_to_any_day_after_the_entry() {
    let place = Place::new();
    let director = paired(&place);
    director.does("2009-01-05T12:00", "fund fee cara 20");
    let (fee, _) = last(&place);
    let fee = fee.to_string();
    let correct = |day: &str| {
        place.run(&["log", "correct", &fee, "--happened", day, "--reason", "misread", "--actor", "omar"])
    };
    let run = correct("2008-12-30");
    assert_eq!(run.status, 0, "{run:?}");
    let fund =
        |at: &str| place.ask_json(&["tournament", "show", "open", "--as-of", at, "--json"])["fund"].clone();
    assert_eq!((fund("2008-12-29"), fund("2008-12-31")), (0.into(), 2000.into()));
    let history = place.ask(&["tournament", "history", "open"]);
    assert!(
        history.contains("2008-12-30 23:59:59.999999Z. It had happened at 2009-01-05 17:00:00Z."),
        "{history}"
    );
    let words = ["log", "correct", &fee, "amount=20.00", "--reason", "misread", "--actor", "omar"];
    let run = place.run(&words);
    assert!(run.status == 2 && run.talk.contains("cents of an amount"), "{run:?}");
    let run = correct("2008-12-10");
    assert!(run.status == 2 && run.talk.contains("on which it depends"), "{run:?}");
    // The entry cannot come after the fee and the round.
    let export = place.ask(&["log", "export", "tournament/open"]);
    let entry =
        export.lines().find(|line| line.contains("player_registered") && line.contains("cara")).unwrap();
    let entry: serde_json::Value = serde_json::from_str(entry).unwrap();
    let seq = entry["seq"].to_string();
    let run = place
        .run(&["log", "correct", &seq, "--happened", "2008-12-31", "--reason", "misread", "--actor", "omar"]);
    assert!(run.status == 2 && run.talk.contains("depends on it"), "{run:?}");
}

#[test]
fn a_person_who_entered_the_record_later_enters_an_earlier_tournament_after_the_correction_that_the_hint_names()
 {
    let place = Place::new();
    let announce = |year: &str| {
        let announced = format!(
            r#"{{"stream":"tournament/club{year}","type":"tournament.announced","effective_at":"{year}-05-01","payload":{{"name":"Club","game":"arimaa","rulebook":"club","edition":1,"year":{year},"directors":["Omar"],"options":{{}},"schedule":[],"stages":[],"fund":0}}}}"#
        );
        place.write("announced.jsonl", announced + "\n");
        place.ask(&["log", "append", "announced.jsonl", "--actor", "omar"]);
    };
    let enter = |year: &str, at: &str| {
        let tournament = format!("club{year}");
        place.run(&["tournament", "entry", "add", &tournament, "anna", "--at", at, "--actor", "omar"])
    };
    announce("2003");
    assert_eq!(enter("2003", "2003-05-02").status, 0);
    // The record goes further back twice, once to a year of which no more is stated.
    for (year, at) in [("1999", "1999-05-02"), ("1995", "1995-06")] {
        announce(year);
        let run = enter(year, at);
        assert!(run.status != 0 && run.talk.contains("a person whom it names entered the record"), "{run:?}");
        let hint = run.talk.lines().find_map(|line| line.trim().strip_prefix("hint: ")).unwrap();
        let words = shlex::split(hint).unwrap();
        assert_eq!(words[..3], ["annals", "log", "correct"], "{hint}");
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        place.ask(&[&words[..], &["--actor", "omar"]].concat());
        let run = enter(year, at);
        assert_eq!(run.status, 0, "{run:?}");
    }
    let shown = place.ask(&["tournament", "show", "club1995"]);
    assert!(shown.contains("anna"), "{shown}");
    place.ask(&["log", "verify"]);
    // Another cause has no such way out.
    let before = place.run(&[
        "tournament", "entry", "withdraw", "club2003", "anna", "--at", "2002-01-01", "--actor", "omar",
    ]);
    assert!(before.status != 0 && !before.talk.contains("log correct"), "{before:?}");
}
