//! What a director may decide beside the rules, and in which order things happen: each case by the command line.

use serde_json::{Value, json};

use crate::championship_rules::announced_with;
use crate::director::Director;
use crate::program::Place;
use crate::week_2009::week;

/// Four programs of 2015 with their order, before round 1.
fn four<'p>(place: &'p Place, options: &str) -> Director<'p> {
    let director = announced_with(place, &["ada", "bob", "cem", "dan"], options);
    director.does("2015-02-01T20:00", "qualifier rank");
    director
}

/// Records the results of the round that was paired last; `winner` says who wins, nobody where both forfeit.
fn results(director: &Director<'_>, at: &str, winner: impl Fn(&str, &str) -> Option<String>) {
    let paired = director.events("round_paired").pop().unwrap();
    let round = &paired["round"];
    for pair in paired["pairs"].as_array().unwrap() {
        let (upper, lower) = (pair["upper"].as_str().unwrap(), pair["lower"].as_str().unwrap());
        let board = format!("r{round}.{}", pair["board"]);
        if let Some(winner) = winner(upper, lower) {
            if !director.events("round_started").iter().any(|started| started["round"] == *round) {
                director.does(at, &format!("game start {board} --no-game"));
            }
            director.does(at, &format!("game result {board} {winner} --termination goal"));
        } else {
            director.does(at, &format!("game forfeit {board} --absent {upper} --absent {lower}"));
        }
    }
}

fn append(place: &Place, kind: &str, payload: &Value, at: &str) -> crate::program::Run {
    let event = json!({"stream": "tournament/cup", "type": format!("tournament.{kind}"), "payload": payload});
    place.write("event.jsonl", event.to_string());
    place.run(&["log", "append", "event.jsonl", "--actor", "omar", "--at", at])
}

#[test]
fn a_round_starts_with_a_game_for_each_player_who_takes_part() {
    let place = Place::new();
    let director = four(&place, "");
    director.does("2015-03-01T06:00", "round pair");
    director.does("2015-03-01T06:10", "round revoke r1.2 --reason mistake");
    let says = ["a game or a bye for each player", "revoke the round", "round.order"];
    director.refuses("2015-03-01T07:00", "game start r1.1 --no-game", &says);
    director.does("2015-03-01T07:10", "round revoke 1 --reason mistake");
    director.does("2015-03-01T07:20", "round pair");
    director.does("2015-03-01T07:30", "game start r1.1 --no-game");
    let told = director.does("2015-03-01T07:40", "ruling give vacate r1.2 --reason \"a power cut\"");
    assert!(
        told.contains("undetermined [ruling.cause") && told.contains("a game or a bye in a round"),
        "{told}"
    );
}

#[test]
fn no_game_is_attached_and_none_is_decided_before_its_round_may_begin() {
    let place = Place::new();
    let director = four(&place, "");
    director.does("2015-02-10T10:00", "round pair");
    let attached = json!({"pairing": "r1.1", "attempt": 1, "game": "gx"});
    let run = append(&place, "game_attached", &attached, "2015-02-11T10:00:00Z");
    assert!(run.status == 2 && run.talk.contains("round 1 has not begun"), "{run:?}");
    let early = ["round.dates", "2015-03-01"];
    director.refuses("2015-02-11T10:00", "game forfeit r1.1 --absent dan", &early);
    director.does("2015-03-02T10:00", "game forfeit r1.1 --absent dan");
}

#[test]
fn a_ruling_gives_the_open_place_to_one_of_those_who_are_level_and_can_be_replaced() {
    let place = Place::new();
    let director = four(&place, "--option T41=B");
    // Ada wins everything; bob, cem and dan beat each other in a circle, and nobody comes to the continuation.
    let won = |one: &str, other: &str| {
        let beats = [("ada", ""), ("bob", "cem"), ("cem", "dan"), ("dan", "bob")];
        let wins = |one: &str, other: &str| one == "ada" || beats.contains(&(one, other));
        if wins(one, other) { one.to_owned() } else { other.to_owned() }
    };
    let needed = || {
        let shown = place.ask(&["tournament", "standings", "cup", "--json"]);
        let shown: Value = serde_json::from_str(&shown).unwrap();
        shown["ruling_needed"].as_str().map(str::to_owned)
    };
    for hour in 0..20 {
        if needed().is_some() {
            break;
        }
        let at = format!("2015-03-{:02}T{:02}:00", 2 + hour / 24, hour % 24);
        director.does(&at, "round pair");
        let continuation = director.events("round_paired").pop().unwrap()["stage"] == "continuation";
        results(&director, &at, |one, other| (!continuation).then(|| won(one, other)));
    }
    let needed = needed().expect("a place to be ruled");
    let at = "2015-03-05T10:00";
    let level = |player: &&str| needed.split(" were level").next().unwrap().contains(*player);
    let (level, others): (Vec<&str>, Vec<&str>) = ["bob", "cem", "dan"].into_iter().partition(level);
    let open = ["place 2 is the one that the rules leave open", "place 3 is given"];
    director.refuses(at, &format!("ruling give place 3 {} --reason lot", level[0]), &open);
    director.refuses(
        at,
        "ruling give place 2 ada --reason lot",
        &["place 2 is between", level[0], level[1], "`ada`"],
    );
    for other in others {
        director.refuses(at, &format!("ruling give place 2 {other} --reason lot"), &["place 2 is between"]);
    }
    director.does(at, &format!("ruling give place 2 {} --reason lot", level[0]));
    director.does(
        at,
        &format!("ruling give place 2 {} --reason \"the lot was read wrongly\" --supersedes 1", level[1]),
    );
    let shown = place.ask(&["tournament", "standings", "cup"]);
    assert!(shown.contains(level[1]), "{shown}");
    director.is_in_order();
}

#[test]
fn a_ruling_on_colours_or_on_who_takes_part_is_left_to_the_director() {
    let place = Place::new();
    let director = four(&place, "");
    director.does("2015-03-01T06:00", "round pair");
    let gold = director.games(1)[0].0.clone();
    let other = director.games(1)[0].1.clone();
    let told = director
        .does("2015-03-01T06:10", &format!("ruling give set-colours r1.1 {other} --reason \"I like it\""));
    assert!(told.contains("the rules give the colours"), "{told}");
    let told = director
        .does("2015-03-01T06:20", &format!("ruling give set-colours r1.1 {gold} --reason \"I do not\""));
    assert!(told.contains("the rules give the colours"), "{told}");
    let told = director.does("2015-03-01T06:30", "ruling give remove dan --reason \"I like it\"");
    assert!(told.contains("the rules name what takes a player out"), "{told}");
}

#[test]
fn no_result_changes_once_a_prize_rests_on_it() {
    let place = Place::new();
    let director = announced_with(&place, &["ada", "bob"], "");
    director.does("2015-02-01T20:00", "qualifier rank");
    for hour in 0..4 {
        let at = format!("2015-03-02T{hour:02}:00");
        director.does(&at, "round pair");
        results(&director, &at, |_, _| Some("ada".to_owned()));
    }
    director.does("2015-03-03T10:00", "fund award");
    let line = "ruling give invalidate r4.1 --ply 10 --failure misconfigured --reason late";
    director.refuses("2015-03-03T11:00", line, &["once a prize is awarded", "`ada` got a prize"]);
}

#[test]
fn both_forfeit_once_the_waiting_is_over_and_no_game_is_over_before_its_time() {
    let place = Place::new();
    let director = week(&place);
    director.does("2009-01-04T20:00", "round pair --seed x");
    let games = director.games(1);
    director.does("2009-01-05T20:00", "schedule set r1.1 2009-01-10T12:00 --reason agreed");
    director.does("2009-01-05T20:00", "schedule set r1.2 2009-01-11T12:00 --reason agreed");
    let (gold, silver) = &games[0];
    let both = format!("game forfeit r1.1 --absent {gold} --absent {silver}");
    director.refuses(
        "2009-01-06T00:01",
        &both,
        &["both are late from 2009-01-10 17:15:00 UTC", "forfeit.claim"],
    );
    // The first game of the round begins; what was fixed for the other board still holds.
    director.does("2009-01-10T12:00", "game start r1.1 --no-game");
    let result = format!("game result r1.2 {} --termination goal", games[1].0);
    director.refuses(
        "2009-01-10T12:30",
        &result,
        &["a game from 2009-01-11 16:45:00 UTC on", "schedule.begin"],
    );
    director.does("2009-01-11T14:00", &result);
    director.does("2009-01-10T12:15", &both);
}
