//! Games of the postal tournament of 2006: what its rules forbid in a game is refused when it is entered, and flagged when it is
//! imported.

use serde_json::{Value, json};

use crate::director::Director;
use crate::program::{Place, Run};

pub const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2";
pub const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 da7 hb7 cc7 md7 ee7 cf7 hg7 dh7";

/// A postal tournament of two players whose game has begun.
pub fn begun(place: &Place) -> Director<'_> {
    announced(place, "")
}

/// The same, with options of the announcement.
pub fn announced<'p>(place: &'p Place, options: &str) -> Director<'p> {
    let director = Director::opened(place, "postal", "2005-12-01");
    director.does("2006-01-01", &format!("announce --rulebook postal-2006 --director Omar {options}"));
    director.does("2006-01-10", "entry add anna --rating 2100");
    director.does("2006-01-10", "entry add bela --rating 1900");
    director.does("2006-01-20", "round pair");
    director.does("2006-01-21T10:00", "game start r1.1");
    director
}

pub fn enter(place: &Place, at: &str, lines: &[&str]) -> Run {
    let end = ["--at", at, "--tz", "EST", "--actor", "omar"];
    place.run(&[&["game", "enter", "postal.r1.1"], lines, &end].concat())
}

/// Lines that the game accepts.
pub fn plays(place: &Place, at: &str, lines: &[&str]) {
    let run = enter(place, at, lines);
    assert_eq!(run.status, 0, "{lines:?}: {run:?}");
}

/// A line that the game refuses, in words among which are these; nothing comes into the log.
pub fn refuses(place: &Place, at: &str, line: &str, says: &[&str]) {
    let before = place.ask(&["log", "head"]);
    let run = enter(place, at, &[line]);
    assert_eq!(run.status, 2, "{line}: {run:?}");
    for word in says {
        assert!(run.talk.contains(word), "`{line}` is refused without `{word}`: {}", run.talk);
    }
    assert_eq!(place.ask(&["log", "head"]), before, "{line}");
}

/// The log of a place as `change` makes it, event by event, imported into another.
pub fn imported(place: &Place, change: impl Fn(Value) -> Vec<Value>) -> Place {
    let export = place.ask(&["log", "export"]);
    let events = export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = events.filter(|event| !event["type"].as_str().unwrap().starts_with("log."));
    let lines: Vec<String> = told
        .map(|event| {
            let keys = ["stream", "type", "effective_at", "actor", "payload"];
            Value::Object(keys.iter().map(|key| ((*key).to_owned(), event[*key].clone())).collect())
        })
        .flat_map(change)
        .map(|event| event.to_string())
        .collect();
    let other = Place::new();
    other.write("told.jsonl", lines.join("\n"));
    other.ask(&["log", "import", "told.jsonl", "--actor", "archivist"]);
    other
}

/// The log with some events of the game after Silver's setup.
fn with_more(place: &Place, more: &[Value]) -> Place {
    imported(place, |event| {
        let of_the_game = |(kind, payload): (Value, Value)| {
            json!({
                "stream": event["stream"], "type": kind, "effective_at": event["effective_at"], "actor": "server",
                "payload": payload,
            })
        };
        let here = event["payload"]["steps"] == SILVER;
        let more = more.iter().filter(|_| here).map(|one| of_the_game((one[0].clone(), one[1].clone())));
        [event.clone()].into_iter().chain(more).collect()
    })
}

pub fn audit(place: &Place) -> Run {
    place.run(&["tournament", "audit", "postal"])
}

/// A violation that the audit finds, of a rule, in words among which are these.
pub fn violates(place: &Place, rule: &str, found: &str) {
    let run = audit(place);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains(&format!("[{rule}, 2006 Postal")), "without {rule}: {}", run.out);
    assert!(run.out.contains(found), "without `{found}`: {}", run.out);
}

#[test]
fn no_move_is_taken_back_and_no_game_is_halted() {
    let place = Place::new();
    let director = begun(&place);
    plays(&place, "2006-01-22", &[&format!("{GOLD} in 100"), &format!("{SILVER} in 100"), "Ee2n in 100"]);
    let no_take_back = ["game.no_take_back", "2006 Postal, Special Rules for Bots"];
    refuses(&place, "2006-01-23", "retract by Omar because Ee2n was mistyped", &no_take_back);
    let run = place.run(&[
        "tournament", "game", "move", "postal", "r1.1", "takeback", "--at", "2006-01-23", "--tz", "EST",
        "--actor", "omar",
    ]);
    assert!(run.status == 2 && run.talk.contains("game.no_take_back"), "{run:?}");
    refuses(&place, "2006-01-23", "halt because of a holiday", &["game.uninterrupted", "it is halted"]);
    // A correction of the record takes nothing back in the course of play.
    let line = |payload: Value| {
        json!({"stream": "game/postal.r1.1", "type": "log.correction", "payload": payload}).to_string()
    };
    let export = place.ask(&["log", "export", "game/postal.r1.1"]);
    let last: Value = serde_json::from_str(export.lines().last().unwrap()).unwrap();
    let mut payload = last["payload"].clone();
    payload["steps"] = json!("Ee2n Ee3n");
    let replaced =
        json!({"replace": {"effective_at": last["effective_at"], "payload": payload, "schema": 1}});
    let correction = json!({"corrects": last["seq"], "change": replaced, "reason": "it was mistyped"});
    place.write("correction.jsonl", line(correction));
    place.ask(&["log", "append", "correction.jsonl", "--actor", "omar"]);
    plays(&place, "2006-01-24", &["ee7s in 100", "resign"]);
    director.does("2006-01-25", "game result r1.1");
    director.is_in_order();
}

#[test]
fn an_imported_game_that_was_halted_and_resumed_or_took_a_move_back_is_flagged() {
    let place = Place::new();
    let director = begun(&place);
    plays(
        &place,
        "2006-01-22",
        &[&format!("{GOLD} in 100"), &format!("{SILVER} in 100"), "Ee2n in 100", "resign"],
    );
    director.does("2006-01-25", "game result r1.1");
    director.is_in_order();
    let halted = [json!(["game.halted", {}]), json!(["game.resumed", {"from_ply": 2}])];
    let other = with_more(&place, &halted);
    violates(&other, "game.uninterrupted", "it was halted, and resumed later");
    let taken_back = [
        json!(["game.turn_retracted", {"reason": "a mistake"}]),
        json!(["game.turn_taken", {"number": 1, "side": "silver", "steps": SILVER, "used": 100}]),
    ];
    violates(&with_more(&place, &taken_back), "game.no_take_back", "1 turns were taken back");
}

#[test]
fn its_games_are_postal_games() {
    let place = Place::new();
    let director = begun(&place);
    let shown = place.ask_json(&["replay", "game/postal.r1.1", "--json"]);
    assert_eq!(shown["postal"], true, "{shown}");
    plays(&place, "2006-01-22", &[&format!("{GOLD} in 100"), &format!("{SILVER} in 100"), "resign"]);
    director.does("2006-01-25", "game result r1.1");
    let other = imported(&place, |mut event| {
        event["payload"].as_object_mut().unwrap().remove("postal");
        vec![event]
    });
    violates(&other, "game.postal", "the game is no postal game");
}

#[cfg(feature = "sql")]
#[test]
fn its_games_are_postal_games_in_sql() {
    let place = Place::new();
    begun(&place);
    place.ask(&["ingest", "--log"]);
    assert_eq!(place.ask(&["query", "SELECT postal FROM games"]), "postal\ntrue\n");
}
