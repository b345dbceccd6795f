//! The week of the championship of 2009: its evenings, what is late, and the time of a game.

use serde_json::Value;

use crate::director::Director;
use crate::program::Place;

/// Four players before the first round.
pub fn week(place: &Place) -> Director<'_> {
    announced(place, "--published")
}

/// The same, with options of the announcement.
fn announced<'p>(place: &'p Place, options: &str) -> Director<'p> {
    let director = Director::opened(place, "week-2009", "2008-11-01");
    director
        .does("2008-12-01", &format!("announce --rulebook wc-2009 {options} --director Omar --year 2009"));
    for player in ["anna", "bela", "cara", "dora"] {
        director.does("2008-12-20T10:00", &format!("entry add {player} --rating 2000"));
    }
    director.does("2009-01-04T18:00", "round declare");
    director
}

/// The pairing of a player in a round.
fn board(director: &Director<'_>, round: u64, player: &str) -> String {
    let games = director.games(round);
    let at = games.iter().position(|(one, other)| [one, other].contains(&&player.to_owned())).unwrap();
    format!("r{round}.{}", at + 1)
}

/// The log as `change` makes it, imported into another place, and what the audit prints there.
pub fn audited(place: &Place, change: impl Fn(&mut Vec<Value>)) -> crate::program::Run {
    let lines = place.ask(&["log", "export"]);
    let mut events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    events.retain(|event| event["stream"] != "log/annals");
    change(&mut events);
    let line = |event: &mut Value| {
        let fields = event.as_object_mut().unwrap();
        fields.retain(|key, _| !["hash", "id"].contains(&key.as_str()));
        event.to_string()
    };
    let lines: Vec<String> = events.iter_mut().map(line).collect();
    let other = Place::new();
    other.write("events.jsonl", lines.join("\n"));
    other.ask(&["log", "import", "events.jsonl", "--actor", "auditor"]);
    other.run(&["tournament", "audit", "week-2009"])
}

#[test]
fn the_week_has_its_evenings_and_a_game_its_time() {
    let place = Place::new();
    let director = week(&place);
    let early = ["round.weekly", "2009 WC, Time of games", "from 2009-01-05 01:00:00 UTC"];
    director.refuses("2009-01-04T19:59", "round pair --seed x", &early);
    let told = director.does("2009-01-04T23:59", "round pair --seed x");
    assert!(!told.contains("round.weekly"), "{told}");
    let told = director.does("2009-01-05T00:00", "schedule notify");
    assert!(told.contains("notice.pairing") && told.contains("before 2009-01-05 05:00:00 UTC"), "{told}");
    // The players were told at midnight, so they can answer until the end of Monday.
    let mine = "schedule availability anna --round 1 2009-01-06T18:00..2009-01-06T20:00";
    director.does("2009-01-05T23:59", mine);
    director.refuses("2009-01-06T00:00", mine, &["availability.window", "within 24 hours"]);
    let one = board(&director, 1, "anna");
    let other = if one == "r1.1" { "r1.2" } else { "r1.1" };
    director.does("2009-01-06T00:00", &format!("schedule set {one}"));
    director.refuses(
        "2009-01-06T17:44",
        &format!("game start {one}"),
        &["schedule.begin", "give or take 15 minutes", "annals tournament round list "],
    );
    director.does("2009-01-06T17:45", &format!("game start {one}"));
    director.refuses(
        "2009-01-12T00:00",
        &format!("game start {other}"),
        &["schedule.begin", "2009-01-12 05:00:00 UTC"],
    );
}

#[test]
fn a_mistyped_result_of_a_game_in_the_log_is_put_right_by_the_printed_commands() {
    let place = Place::new();
    let director = week(&place);
    director.does("2009-01-04T20:00", "round pair --seed x");
    director.does("2009-01-06T20:00", "game start r1.1");
    let enter = ["`annals game enter GAME` enters the moves"];
    director.refuses("2009-01-06T21:00", "game result r1.1 silver --termination goal", &enter);
    director.does("2009-01-06T22:00", "game result r1.1 silver --termination resignation");
    let event = |stream: &str, kind: &str| {
        let log = place.ask(&["log", "export", stream]);
        let mut lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.find(|event| event["type"] == kind).unwrap()["seq"].to_string()
    };
    let result = event("tournament/week-2009", "tournament.result_recorded");
    let correct = |seq: &str, what: &str| {
        let fixed = ["--reason", "typed", "--actor", "Omar", "--tz", "EST", "--at", "2009-01-06T23:00"];
        place.run(&[&["log", "correct", seq, what], &fixed[..]].concat())
    };
    let refused = correct(&result, "outcome=gold");
    assert!(refused.talk.contains("`annals log show GAME` has the number of the end"), "{refused:?}");
    let game = place.ask(&["log", "show", "game/week-2009.r1.1"]);
    let end = event("game/week-2009.r1.1", "game.ended");
    assert!(game.contains(&end), "{game}");
    let corrected = correct(&end, "winner=gold");
    assert_eq!(corrected.status, 0, "{corrected:?}");
    assert!(
        corrected.talk.contains(&format!("(event {result}) is not that of the corrected game")),
        "{corrected:?}"
    );
    let hint = format!("hint: annals log correct {result} outcome=gold --reason TEXT");
    assert!(corrected.talk.contains(&hint), "{corrected:?}");
    let again = correct(&result, "outcome=gold");
    assert_eq!(again.status, 0, "{again:?}");
    let shown = place.ask_json(&["query", "--json", "SELECT outcome FROM results"]);
    assert_eq!(shown[0]["outcome"], "gold");
    director.is_in_order();
}

#[test]
fn a_forfeit_of_the_wrong_player_is_put_right_by_corrections() {
    let place = Place::new();
    let director = week(&place);
    director.does("2009-01-04T20:00", "round pair --seed x");
    let (gold, silver) = director.games(1).remove(0);
    director.does("2009-01-06T20:15", &format!("game forfeit r1.1 --absent {silver}"));
    let log = place.ask(&["log", "export", "tournament/week-2009"]);
    let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seq = |kind: &str| {
        let mut found = events.iter().filter(|event| event["type"] == format!("tournament.{kind}"));
        found.next_back().unwrap()["seq"].to_string()
    };
    let (claim, result) = (seq("forfeit_claimed"), seq("result_recorded"));
    let fixed = ["--reason", "typed", "--actor", "Omar", "--tz", "EST", "--at", "2009-01-06T23:00"];
    for (seq, what) in [(&claim, format!("claimant={silver}")), (&result, "outcome=silver".to_owned())] {
        let run = place.run(&[&["log", "correct", seq, &what], &fixed[..]].concat());
        assert_eq!(run.status, 0, "{gold}: {run:?}");
    }
    let shown = place.ask_json(&["query", "--json", "SELECT winner FROM results"]);
    assert_eq!(shown[0]["winner"], silver.as_str());
}

#[test]
fn a_second_round_in_the_same_week_is_found_by_the_audit() {
    let place = Place::new();
    let director = week(&place);
    director.does("2009-01-04T20:00", "round pair --seed x");
    let audit = audited(&place, |events| {
        let paired = events.iter().find(|event| event["type"] == "tournament.round_paired");
        let mut next = paired.unwrap().clone();
        next["payload"]["round"] = 2.into();
        for (key, more) in [("seq", 1), ("version", 1), ("effective_at", 16 * 3_600_000_000_i64)] {
            next[key] = (events.last().unwrap()[key].as_i64().unwrap() + more).into();
        }
        events.push(next);
    });
    assert_eq!(audit.status, 1, "{audit:?}");
    for words in [
        "round 2, its week",
        "one game a week",
        "has another game in the week from 2009-01-06 05:00:00 UTC",
        "round 2, its publication",
    ] {
        assert!(audit.out.contains(words), "{words}: {}", audit.out);
    }
}

#[test]
fn a_time_is_fixed_before_it_comes() {
    let place = Place::new();
    let director = week(&place);
    director.does("2009-01-04T20:00", "round pair --seed x");
    director.does("2009-01-04T20:01", "schedule notify");
    let (one, other) = (board(&director, 1, "anna"), board(&director, 1, "bela"));
    assert_ne!(one, other);
    let slots = "2009-01-07T10:00..2009-01-07T12:00 2009-01-08T19:00..2009-01-08T22:00";
    director.does("2009-01-05T10:00", &format!("schedule availability anna --round 1 {slots}"));
    // Of the hours that anna asked for, some are over on Thursday.
    let past = format!("schedule set {one} 2009-01-08T20:00 --reason \"it was so\"");
    director.refuses(
        "2009-01-08T20:01",
        &past,
        &["schedule.fixed", "a time from 2009-01-09 01:01:00 UTC on"],
    );
    for board in [&one, &other] {
        let told = director.does("2009-01-08T20:01", &format!("schedule set {board}"));
        assert!(told.contains("schedule.fixed") && told.contains("after the Monday evening"), "{told}");
    }
    let fixed = director.events("game_scheduled");
    // Thursday, 8:01pm EST.
    assert!(fixed.iter().all(|fixed| fixed["at"] == 1_231_462_860_000_000_i64), "{fixed:?}");
    let absent = format!("game forfeit {one} --absent anna");
    director.refuses("2009-01-08T20:15", &absent, &["forfeit.claim", "2009-01-09 01:16:00 UTC"]);
    director.refuses(
        "2009-01-12T10:00",
        &format!("schedule set {other}"),
        &["schedule.window", "the week of", "was over at 2009-01-12 05:00:00 UTC"],
    );
    director.is_in_order();
    let audit = audited(&place, |events| {
        let last = events.iter_mut().rfind(|event| event["type"] == "tournament.game_scheduled").unwrap();
        last["payload"]["at"] = (1_231_462_860_000_000_i64 - 60_000_000).into();
    });
    assert_eq!(audit.status, 1, "{audit:?}");
    assert!(audit.out.contains("it is 2009-01-09 01:00:00 UTC"), "{}", audit.out);
}

#[test]
fn what_is_late_in_the_week_is_undetermined() {
    let place = Place::new();
    let director = week(&place);
    let told = director.does("2009-01-18T20:00", "round pair --seed x");
    assert!(told.contains("round.weekly") && told.contains("due from 2009-01-05 01:00:00 UTC"), "{told}");
    let told = director.does("2009-01-21T12:00", "schedule notify");
    assert!(told.contains("notice.pairing") && told.contains("before 2009-01-19 05:00:00 UTC"), "{told}");
    for player in ["anna", "bela"] {
        let at = board(&director, 1, player);
        director.does(
            "2009-01-22T12:00",
            &format!("schedule set {at} 2009-01-24T12:00 --reason \"both asked for it\""),
        );
    }
    let told = director.does("2009-01-23T00:00", "schedule notify");
    assert!(told.contains("notice.game_time") && told.contains("before 2009-01-23 05:00:00 UTC"), "{told}");
    let first = board(&director, 1, "anna");
    director.does("2009-01-24T12:00", &format!("game start {first} --no-game"));
    for player in ["anna", "bela"] {
        let at = board(&director, 1, player);
        director.does("2009-01-24T15:00", &format!("game result {at} {player} --termination goal"));
    }
    // The next round is due on the Sunday after the week of the last.
    director.refuses(
        "2009-01-25T19:59",
        "round pair --seed y",
        &["round.weekly", "from 2009-01-26 01:00:00 UTC"],
    );
    let told = director.does("2009-01-25T20:00", "round pair --seed y");
    assert!(!told.contains("round.weekly"), "{told}");
    let told = director.does("2009-01-25T20:01", "schedule notify");
    assert!(!told.contains("notice.pairing"), "{told}");
    director.is_in_order();
}

#[test]
fn a_round_that_is_revoked_in_its_week_is_paired_again_in_it() {
    let place = Place::new();
    let director = week(&place);
    director.does("2009-01-04T20:00", "round pair --seed x");
    director.does("2009-01-05T10:00", "entry withdraw dora --reason \"no time\"");
    director.does("2009-01-05T10:01", "round revoke 1 --reason \"dora left\"");
    let told = director.does("2009-01-05T10:02", "round pair --seed y");
    assert!(told.contains("round.weekly") && told.contains("2009-01-05 15:02:00 UTC"), "{told}");
    assert_eq!(director.games(1).len(), 1);
    let (gold, _) = director.games(1).pop().unwrap();
    director.does("2009-01-05T10:03", "schedule notify");
    director.does("2009-01-06T10:03", "schedule set r1.1 2009-01-07T20:00 --reason \"both asked for it\"");
    director.does("2009-01-06T10:04", "schedule notify");
    director.does("2009-01-07T20:00", "game start r1.1 --no-game");
    director.does("2009-01-07T22:00", &format!("game result r1.1 {gold} --termination goal"));
    director.is_in_order();
}

#[test]
fn without_an_announced_evening_the_sundays_are_those_of_the_calendar() {
    let place = Place::new();
    let director = announced(&place, "");
    let told = director.does("2009-01-11T20:00", "round pair --seed x");
    assert!(!told.contains("round.weekly"), "{told}");
    let place = Place::new();
    let director = announced(&place, "");
    let told = director.does("2009-01-14T11:00", "round pair --seed x");
    let words = ["round.weekly", "names no evening of publication", "2009-01-19 01:00:00 UTC"];
    assert!(words.iter().all(|words| told.contains(words)), "{told}");
    // The games of that round are played in the next week.
    let told = director.does("2009-01-16T12:00", "game start r1.1 --no-game");
    let words = ["schedule.begin", "from 2009-01-20 05:00:00 UTC to 2009-01-26 05:00:00 UTC"];
    assert!(words.iter().all(|words| told.contains(words)), "{told}");
    director.is_in_order();
}

#[test]
fn no_date_moves_on_which_a_published_round_or_a_fixed_game_rests() {
    let place = Place::new();
    let director = week(&place);
    // Before a round is published the begin of play moves.
    director.does("2009-01-04T19:00", "schedule dates play_begins=2009-01-07T00:00 --reason \"a day later\"");
    director.does("2009-01-04T20:00", "round pair --seed x");
    let dates = |at: &str| format!("schedule dates play_begins={at} --reason \"a server is down\"");
    let says = ["announcement.schedule", "play begins stays, since a round is published"];
    for at in ["2009-01-06T00:00", "2009-01-10T00:00", "2009-01-13T00:00", "2009-03-01T00:00"] {
        director.refuses("2009-01-04T21:00", &dates(at), &says);
    }
    let one = board(&director, 1, "anna");
    let others = ["anna", "bela", "cara", "dora"].map(|player| {
        let slot = "2009-01-08T20:00..2009-01-08T22:00";
        format!("schedule availability {player} --round 1 {slot}")
    });
    director.does("2009-01-04T22:00", "schedule notify");
    others.iter().for_each(|line| drop(director.does("2009-01-05T10:00", line)));
    director.does("2009-01-05T20:00", &format!("schedule set {one}"));
    let fixed = format!("play begins stays, since {one} is fixed for 2009-01-09 01:00:00 UTC");
    director.refuses("2009-01-05T21:00", &dates("2009-01-13T00:00"), &["announcement.schedule", &fixed]);
    // The game begins at the time that was fixed for it.
    director.does("2009-01-08T20:00", &format!("game start {one} --no-game"));
    director.is_in_order();
}

#[test]
fn a_game_of_an_earlier_day_is_entered_after_a_later_one_of_its_round() {
    for without_game in [true, false] {
        let place = Place::new();
        let director = week(&place);
        director.does("2009-01-04T20:00", "round pair --seed x");
        director.does("2009-01-04T20:05", "schedule notify");
        let games = director.games(1);
        let fixed = [("r1.1", "2009-01-10T14:00"), ("r1.2", "2009-01-06T02:00")];
        for ((gold, silver), (pairing, time)) in games.iter().zip(fixed) {
            let end = format!("{}T23:00", &time[..10]);
            for player in [gold, silver] {
                director.does("2009-01-05T10:00", &format!("schedule availability {player} {time}..{end}"));
            }
            director.does("2009-01-05T21:00", &format!("schedule set {pairing}"));
        }
        let stream = if without_game { " --no-game" } else { "" };
        director.does("2009-01-10T14:00", &format!("game start r1.1{stream}"));
        // The score sheet of Tuesday comes in after that of Saturday.
        let told = match without_game {
            true => director
                .does("2009-01-06T04:00", &format!("game result r1.2 {} --termination goal", games[1].0)),
            false => director.does("2009-01-06T02:00", "game start r1.2"),
        };
        let begun = if without_game { "Round 1 began:" } else { "Round 1 began with r1.2" };
        assert!(told.contains("was corrected") && told.contains(begun.trim_end_matches(':')), "{told}");
        let history = place.ask(&["tournament", "history", "week-2009"]);
        assert!(history.contains("An earlier game of the round was entered."), "{history}");
        let audit = place.run(&["tournament", "audit", "week-2009"]);
        assert!(audit.out.contains("0 violations"), "{audit:?}");
        // On Monday nothing had begun; on Wednesday the round had.
        let begun = |at: &str| {
            let told = place.ask(&["tournament", "history", "week-2009", "--as-of", at]);
            told.lines().any(|line| line.contains("Round 1 began"))
        };
        assert!(!begun("2009-01-05") && begun("2009-01-07"), "{history}");
    }
}
