//! A loss on time of a side whose clock does not run: refused when it is entered, found where it is imported.

use serde_json::{Value, json};

use crate::director::Director;
use crate::postal_games::{GOLD, SILVER, audit, begun, imported, plays, violates};
use crate::program::Place;

/// A postal game in which Silver is to move after three turns.
fn silver_to_move(place: &Place) -> Director<'_> {
    let director = begun(place);
    plays(place, "2006-01-22", &[&format!("{GOLD} in 100"), &format!("{SILVER} in 100"), "Ee2n in 100"]);
    director
}

/// The log with the end of the game changed.
fn with_winner(place: &Place, winner: &str) -> Place {
    imported(place, |mut event| {
        let payload = &mut event["payload"];
        match payload.get("termination").is_some() {
            true if payload.get("outcome").is_some() => payload["outcome"] = json!(winner),
            true => payload["winner"] = json!(winner),
            false => {}
        }
        vec![event]
    })
}

#[test]
fn only_the_side_whose_clock_runs_loses_on_time() {
    let place = Place::new();
    let director = silver_to_move(&place);
    // Silver is to move: only Silver's flag can fall.
    let says = [
        "silver won by time, but silver is to move",
        "clock_stood",
        "hint: `annals game enter postal.r1.1 time`",
    ];
    director.refuses("2006-01-23", "game result r1.1 silver --termination time", &says);
    director.does("2006-01-23", "game result r1.1 gold --termination time");
    director.is_in_order();
    assert_eq!(audit(&place).status, 0);
    let verified = place.run(&["log", "verify"]);
    assert!(verified.status == 0 && verified.out.contains("all by the rules"), "{verified:?}");

    // The end of the game is not corrected to what no clock shows.
    let export = place.ask(&["log", "export", "game/postal.r1.1"]);
    let last: Value = serde_json::from_str(export.lines().last().unwrap()).unwrap();
    assert_eq!(last["type"], "game.ended");
    let seq = last["seq"].to_string();
    let run = place.run(&[
        "log", "correct", &seq, "winner=silver", "--reason", "so it was", "--at", "2006-01-24", "--actor",
        "omar",
    ]);
    assert!(run.status == 2 && run.talk.contains("clock_stood"), "{run:?}");
    assert!(run.talk.contains("`annals replay postal.r1.1`"), "{run:?}");
    assert_eq!(place.run(&["replay", "postal.r1.1"]).status, 0);
}

#[test]
fn the_hint_of_a_refused_loss_on_time_records_the_loss_of_the_other_side() {
    let place = Place::new();
    let director = silver_to_move(&place);
    director.refuses("2006-01-23", "game result r1.1 silver --termination time", &["clock_stood"]);
    plays(&place, "2006-01-23", &["time"]);
    director.does("2006-01-23", "game result r1.1 gold");
    director.is_in_order();
}

#[test]
fn an_imported_loss_on_time_of_the_wrong_side_is_found() {
    let place = Place::new();
    let director = silver_to_move(&place);
    director.does("2006-01-23", "game result r1.1 gold --termination time");
    let right = with_winner(&place, "gold");
    assert_eq!(audit(&right).status, 0);
    let wrong = with_winner(&place, "silver");
    violates(&wrong, "game.clock", "silver is said to have won by time, and silver was to move");
    let verified = wrong.run(&["log", "verify"]);
    assert!(verified.out.contains("silver was to move"), "{verified:?}");
}

#[test]
fn without_the_time_of_the_last_turn_an_imported_loss_on_time_contradicts_nothing() {
    let place = Place::new();
    let director = silver_to_move(&place);
    director.does("2006-01-23", "game result r1.1 gold --termination time");
    let other = imported(&place, |mut event| {
        let payload = event["payload"].as_object_mut().unwrap();
        for (key, winner) in [("winner", "silver"), ("outcome", "silver")] {
            if payload.contains_key("termination") && payload.contains_key(key) {
                payload.insert(key.to_owned(), json!(winner));
            }
        }
        // Gold's flag may have fallen with that turn.
        if payload.get("steps") == Some(&json!("Ee2n")) {
            payload.remove("used");
        }
        vec![event]
    });
    assert_eq!(audit(&other).status, 0, "{:?}", audit(&other));
}

#[test]
fn a_game_without_turns_in_the_log_is_lost_on_time_by_either_side() {
    let place = Place::new();
    let director = Director::opened(&place, "postal", "2005-12-01");
    director.does("2006-01-01", "announce --rulebook postal-2006 --director Omar");
    director.does("2006-01-10", "entry add anna --rating 2100");
    director.does("2006-01-10", "entry add bela --rating 1900");
    director.does("2006-01-20", "round pair");
    director.does("2006-01-21T10:00", "game start r1.1 --no-game");
    director.does("2006-01-23", "game result r1.1 gold --termination time");
    director.is_in_order();
}
