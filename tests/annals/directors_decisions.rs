//! What a director may decide beside the rules, and in which order things happen: each case by the command line.

use serde_json::{Value, json};

use crate::championship_rules::announced_with;
use crate::desk::Desk;
use crate::program::Place;
use crate::week_2009::week;

/// Four programs of 2015 with their order, before round 1.
fn four<'p>(place: &'p Place, options: &str) -> Desk<'p> {
    let desk = announced_with(place, &["ada", "bob", "cem", "dan"], options);
    desk.does("2015-02-01T20:00", "qualifier rank");
    desk
}

/// Records the results of the round that was paired last; `winner` says who wins, nobody where both forfeit.
fn results(desk: &Desk<'_>, at: &str, winner: impl Fn(&str, &str) -> Option<String>) {
    let paired = desk.events("round_paired").pop().unwrap();
    let round = &paired["round"];
    for pair in paired["pairs"].as_array().unwrap() {
        let (upper, lower) = (pair["upper"].as_str().unwrap(), pair["lower"].as_str().unwrap());
        let board = format!("r{round}.{}", pair["board"]);
        if let Some(winner) = winner(upper, lower) {
            if !desk.events("round_started").iter().any(|started| started["round"] == *round) {
                desk.does(at, &format!("game start {board} --no-game"));
            }
            desk.does(at, &format!("game result {board} {winner} --termination goal"));
        } else {
            desk.does(at, &format!("game forfeit {board} --absent {upper} --absent {lower}"));
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
    let desk = four(&place, "");
    desk.does("2015-03-01T06:00", "round pair");
    desk.does("2015-03-01T06:10", "round revoke r1.2 --reason mistake");
    let says = ["a game or a bye for each player", "revoke the round", "round.order"];
    desk.refuses("2015-03-01T07:00", "game start r1.1 --no-game", &says);
    desk.does("2015-03-01T07:10", "round revoke 1 --reason mistake");
    desk.does("2015-03-01T07:20", "round pair");
    desk.does("2015-03-01T07:30", "game start r1.1 --no-game");
    let told = desk.does("2015-03-01T07:40", "ruling give vacate r1.2 --reason \"a power cut\"");
    assert!(
        told.contains("undetermined [ruling.cause") && told.contains("a game or a bye in a round"),
        "{told}"
    );
}

#[test]
fn no_game_is_attached_and_none_is_decided_before_its_round_may_begin() {
    let place = Place::new();
    let desk = four(&place, "");
    desk.does("2015-02-10T10:00", "round pair");
    let attached = json!({"pairing": "r1.1", "attempt": 1, "game": "gx"});
    let run = append(&place, "game_attached", &attached, "2015-02-11T10:00:00Z");
    assert!(run.status == 2 && run.talk.contains("round 1 has not begun"), "{run:?}");
    let early = ["round.dates", "2015-03-01"];
    desk.refuses("2015-02-11T10:00", "game forfeit r1.1 --absent dan", &early);
    desk.does("2015-03-02T10:00", "game forfeit r1.1 --absent dan");
}

#[test]
fn a_ruling_gives_the_open_place_to_one_of_those_who_are_level_and_can_be_replaced() {
    let place = Place::new();
    let desk = four(&place, "--option T41=B");
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
        desk.does(&at, "round pair");
        let continuation = desk.events("round_paired").pop().unwrap()["stage"] == "continuation";
        results(&desk, &at, |one, other| (!continuation).then(|| won(one, other)));
    }
    let needed = needed().expect("a place to be ruled");
    let at = "2015-03-05T10:00";
    let level = |player: &&str| needed.split(" were level").next().unwrap().contains(*player);
    let (level, others): (Vec<&str>, Vec<&str>) = ["bob", "cem", "dan"].into_iter().partition(level);
    let open = ["place 2 is the one that the rules leave open", "place 3 is given"];
    desk.refuses(at, &format!("ruling give place 3 {} --reason lot", level[0]), &open);
    desk.refuses(
        at,
        "ruling give place 2 ada --reason lot",
        &["place 2 is between", level[0], level[1], "`ada`"],
    );
    for other in others {
        desk.refuses(at, &format!("ruling give place 2 {other} --reason lot"), &["place 2 is between"]);
    }
    desk.does(at, &format!("ruling give place 2 {} --reason lot", level[0]));
    desk.does(
        at,
        &format!("ruling give place 2 {} --reason \"the lot was read wrongly\" --supersedes 1", level[1]),
    );
    let shown = place.ask(&["tournament", "standings", "cup"]);
    assert!(shown.contains(level[1]), "{shown}");
    desk.is_in_order();
}

#[test]
fn a_ruling_on_colours_or_on_who_takes_part_is_left_to_the_director() {
    let place = Place::new();
    let desk = four(&place, "");
    desk.does("2015-03-01T06:00", "round pair");
    let gold = desk.games(1)[0].0.clone();
    let other = desk.games(1)[0].1.clone();
    let told = desk
        .does("2015-03-01T06:10", &format!("ruling give set-colours r1.1 {other} --reason \"I like it\""));
    assert!(told.contains("the rules give the colours"), "{told}");
    let told =
        desk.does("2015-03-01T06:20", &format!("ruling give set-colours r1.1 {gold} --reason \"I do not\""));
    assert!(told.contains("the rules give the colours"), "{told}");
    let told = desk.does("2015-03-01T06:30", "ruling give remove dan --reason \"I like it\"");
    assert!(told.contains("the rules name what takes a player out"), "{told}");
}

#[test]
fn no_result_changes_once_a_prize_rests_on_it() {
    let place = Place::new();
    let desk = announced_with(&place, &["ada", "bob"], "");
    desk.does("2015-02-01T20:00", "qualifier rank");
    for hour in 0..4 {
        let at = format!("2015-03-02T{hour:02}:00");
        desk.does(&at, "round pair");
        results(&desk, &at, |_, _| Some("ada".to_owned()));
    }
    desk.does("2015-03-03T10:00", "fund award");
    let line = "ruling give invalidate r4.1 --ply 10 --failure misconfigured --reason late";
    desk.refuses("2015-03-03T11:00", line, &["once a prize is awarded", "`ada` got a prize"]);
}

#[test]
fn both_forfeit_once_the_waiting_is_over_and_no_game_is_over_before_its_time() {
    let place = Place::new();
    let desk = week(&place);
    desk.does("2009-01-04T20:00", "round pair --seed x");
    let games = desk.games(1);
    desk.does("2009-01-05T20:00", "schedule set r1.1 2009-01-10T12:00 --reason agreed");
    desk.does("2009-01-05T20:00", "schedule set r1.2 2009-01-11T12:00 --reason agreed");
    let (gold, silver) = &games[0];
    let both = format!("game forfeit r1.1 --absent {gold} --absent {silver}");
    desk.refuses("2009-01-06T00:01", &both, &["both are late from 2009-01-10 17:15:00 UTC", "forfeit.claim"]);
    // The first game of the round begins; what was fixed for the other board still holds.
    desk.does("2009-01-10T12:00", "game start r1.1 --no-game");
    let result = format!("game result r1.2 {} --termination goal", games[1].0);
    desk.refuses("2009-01-10T12:30", &result, &["a game from 2009-01-11 16:45:00 UTC on", "schedule.begin"]);
    desk.does("2009-01-11T14:00", &result);
    desk.does("2009-01-10T12:15", &both);
}
