//! Games of the postal tournament of 2006 that a ruling has played again, and turns that a correction changes.

use serde_json::{Value, json};

use crate::postal_games::{GOLD, SILVER, audit, begun, plays};
use crate::program::{Place, Run};

/// Lines of a game of the tournament.
fn enter(place: &Place, game: &str, at: &str, lines: &[&str]) -> Run {
    let end = ["--at", at, "--tz", "EST", "--actor", "omar"];
    place.run(&[&["game", "enter", game], lines, &end].concat())
}

/// Four turns of a game.
fn four_turns(place: &Place) {
    plays(
        place,
        "2006-01-22",
        &[&format!("{GOLD} in 100"), &format!("{SILVER} in 100"), "Ee2n in 100", "ee7s in 100"],
    );
}

fn succeeded(place: &Place, line: &str) {
    let before = place.ask(&["log", "head"]);
    let run = enter(place, "postal.r1.1", "2006-02-02", &[line]);
    assert!(run.status == 2 && run.talk.contains("attempt 2 at r1.1 has begun"), "{line}: {run:?}");
    assert_eq!(place.ask(&["log", "head"]), before, "{line}");
}

#[test]
fn a_rematch_is_a_game_of_its_own_and_play_of_the_first_one_is_over() {
    let place = Place::new();
    let director = begun(&place);
    four_turns(&place);
    director.does("2006-01-31", "ruling give rematch r1.1 --failure game_server --reason \"it lost moves\"");
    director.does("2006-02-01", "game start r1.1");
    succeeded(&place, "Ee3n in 100");
    let lines = [&format!("{GOLD} in 100"), &format!("{SILVER} in 100"), "Ee2n in 100", "resign"];
    assert_eq!(enter(&place, "postal.r1.1.2", "2006-02-03", &lines).status, 0);
    director.does("2006-02-04", "game result r1.1");
    director.is_in_order();
    let run = audit(&place);
    assert!(!run.out.contains("game.no_adjournment"), "{}", run.out);
}

#[test]
fn a_game_that_a_ruling_orders_to_go_on_is_the_directors_to_answer_for() {
    let place = Place::new();
    let director = begun(&place);
    four_turns(&place);
    director
        .does("2006-01-31", "ruling give halt r1.1 --ply 4 --failure game_server --reason \"it lost moves\"");
    director.does("2006-02-01", "game start r1.1");
    succeeded(&place, "resume");
    assert_eq!(enter(&place, "postal.r1.1.2", "2006-02-03", &["Ee3n in 100", "resign"]).status, 0);
    director.does("2006-02-04", "game result r1.1");
    director.is_in_order();
    let run = audit(&place);
    let open = "it goes on from another game by ruling 1, for which the director answers";
    assert!(run.out.contains(open) && run.out.contains("game.no_adjournment"), "{}", run.out);
}

/// Corrects the last turn of the game.
fn corrects(place: &Place, change: impl Fn(&Value) -> Value) -> Run {
    let export = place.ask(&["log", "export", "game/postal.r1.1"]);
    let mut lines = export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let last = lines.rfind(|event| event["type"] == "game.turn_taken").unwrap();
    let payload = json!({"corrects": last["seq"], "change": change(&last), "reason": "another move"});
    let line = json!({"stream": "game/postal.r1.1", "type": "log.correction", "payload": payload});
    place.write("correction.jsonl", line.to_string());
    place.run(&["log", "append", "correction.jsonl", "--actor", "omar"])
}

fn strike(_: &Value) -> Value {
    json!("strike")
}

const SLIP_OR_MOVE: &str = "a correction changes a turn while the game is under way";

#[test]
fn a_correction_of_a_turn_in_a_game_under_way_is_left_to_the_director() {
    let place = Place::new();
    let director = begun(&place);
    four_turns(&place);
    let run = corrects(&place, strike);
    assert_eq!(run.status, 0, "{run:?}");
    plays(&place, "2006-01-23", &["md7s in 100", "resign"]);
    director.does("2006-01-25", "game result r1.1");
    director.is_in_order();
    let run = audit(&place);
    assert!(run.out.contains(SLIP_OR_MOVE) && run.out.contains("game.no_take_back"), "{}", run.out);
    // Another correction of the same turn, after the end, hides nothing.
    let changed = |last: &Value| {
        let mut payload = last["payload"].clone();
        payload["used"] = json!(99);
        json!({"replace": {"effective_at": last["effective_at"], "payload": payload, "schema": 1}})
    };
    let place = Place::new();
    let director = begun(&place);
    four_turns(&place);
    let other = |last: &Value| {
        let mut payload = last["payload"].clone();
        payload["steps"] = json!("md7s");
        json!({"replace": {"effective_at": last["effective_at"], "payload": payload, "schema": 1}})
    };
    assert_eq!(corrects(&place, other).status, 0);
    plays(&place, "2006-01-23", &["resign"]);
    assert_eq!(corrects(&place, other).status, 0);
    director.does("2006-01-25", "game result r1.1");
    assert!(audit(&place).out.contains(SLIP_OR_MOVE));
    // The time of a turn is no move, and the record of a game that is over is put right.
    for (early, late) in [(Some(()), None), (None, Some(()))] {
        let place = Place::new();
        let director = begun(&place);
        four_turns(&place);
        if early.is_some() {
            assert_eq!(corrects(&place, changed).status, 0);
        }
        plays(&place, "2006-01-23", &["resign"]);
        if late.is_some() {
            assert_eq!(corrects(&place, other).status, 0);
        }
        director.does("2006-01-25", "game result r1.1");
        director.is_in_order();
        let run = audit(&place);
        assert!(!run.out.contains("game.no_take_back"), "{early:?}: {}", run.out);
    }
}
