//! Who is above whom and who takes a place: players who left, and places of a close that a later correction changes.

use serde_json::{Value, json};

use crate::director::Director;
use crate::program::Place;
use crate::slips_of_a_director::all_play_all;

/// Four programs of 2015 in the final; b1 wins its first games and withdraws after the fourth round.
fn final_with_a_leaver<'p>(place: &'p Place, options: &str) -> Director<'p> {
    let director = Director::opened(place, "c", "2014-11-01");
    director.does("2014-11-02", &format!("announce --rulebook wcc-2015 --published --year 2015 {options}"));
    for number in 0..4 {
        let rating = 2000 - 10 * number;
        let entry = format!("entry add b{number} --bot --developer dev{number} --rating {rating}");
        director.does("2014-12-05", &entry);
    }
    director.does("2014-12-31T12:00", "qualifier benchmarks m1");
    director.does("2015-02-01T20:00", "qualifier rank");
    for round in 1.. {
        let day = format!("2015-03-{:02}", 1 + round);
        let at = format!("{day}T06:00");
        let pair = ["tournament", "round", "pair", "c", "--at", &at, "--tz", "EST", "--actor", "omar"];
        if place.run(&pair).status != 0 {
            return director;
        }
        for (board, (gold, silver)) in (1..).zip(director.games(round)) {
            let is_of = |player: &str| [gold.as_str(), silver.as_str()].contains(&player);
            let winner = if round <= 2 && is_of("b1") { "b1" } else { gold.as_str().min(silver.as_str()) };
            if board == 1 {
                director.does(&format!("{day}T10:00"), &format!("game start r{round}.1 --no-game"));
            }
            director.does(
                &format!("{day}T12:00"),
                &format!("game result r{round}.{board} {winner} --termination goal"),
            );
        }
        if round == 4 {
            director.does(&format!("{day}T15:00"), "entry withdraw b1");
        }
    }
    unreachable!()
}

fn answer(place: &Place, tournament: &str, one: &str, other: &str) -> Value {
    place.ask_json(&["tournament", "explain", tournament, "rank", one, other, "--json"])
}

#[test]
fn the_criterion_that_orders_a_player_who_left_is_named() {
    let place = Place::new();
    final_with_a_leaver(&place, "");
    let why = answer(&place, "c", "b2", "b1");
    assert_eq!(why["answer"], "b2 is above b1: takes a place is yes against no.");
    assert_eq!(why["decided_by"], "takes a place");
    assert_eq!(why["measures"][0], json!({"name": "takes a place", "upper": [1], "lower": [0]}));
    assert_eq!(answer(&place, "c", "b0", "b2")["answer"], "b0 is above b2: champion is yes against no.");
    let readings = why["readings"].as_array().unwrap();
    assert!(readings.iter().any(|reading| reading["number"] == "T48"), "{why}");

    // In the Amazons event points come first, whether a player left or not.
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    for (board, (white, black)) in (1..).zip(director.games(1)) {
        let winner = if [&white, &black].contains(&&"aska".to_owned()) { "aska" } else { white.as_str() };
        director.does("2000-08-21T10:00", &format!("game result r1.{board} {winner} --termination time"));
    }
    director.does("2000-08-21T11:00", "entry withdraw aska");
    let lower = answer(&place, "rr", "aska", "dahlia");
    let names: Vec<&str> =
        lower["measures"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(
        lower["decided_by"] == "points" && names[0] == "points" && !names.contains(&"still in"),
        "{lower}"
    );
}

#[test]
fn a_player_who_withdrew_takes_a_place_where_t48_is_read_so() {
    let place = Place::new();
    let director = final_with_a_leaver(&place, "");
    let note = "b1 withdrew and takes no place, whatever the games won: the reading T48=A";
    let run = place.run(&["tournament", "close", "c", "--at", "2015-03-14", "--actor", "omar"]);
    assert!(run.status == 0 && run.talk.contains(&format!("note: {note}")), "{run:?}");
    assert_eq!(director.places(), ["1 b0", "2 b2", "3 b3"]);
    let audit = place.ask(&["tournament", "audit", "c"]);
    assert!(audit.contains(note), "{audit}");
    let announced = &director.events("announced")[0]["options"];
    assert!(announced.get("t26").is_some() && announced.get("t48").is_none(), "{announced}");
    let shown = place.ask_json(&["tournament", "show", "c", "--json"]);
    let of = shown["readings"].as_array().unwrap().iter().find(|reading| reading["number"] == "T48");
    assert_eq!((&of.unwrap()["letter"], &of.unwrap()["by_default"]), (&json!("A"), &json!(false)));
    let compared = place.run(&["tournament", "audit", "c", "--reading", "T48=B", "--json"]);
    let compared: Value = serde_json::from_str(&compared.out).unwrap();
    assert_eq!(compared["places"][0], json!({"place": 2, "before": ["b2"], "after": ["b1"]}));

    let place = Place::new();
    let director = final_with_a_leaver(&place, "--option T48=by_games_won");
    assert_eq!(director.events("announced")[0]["options"]["t48"], "by_games_won");
    director.does("2015-03-14", "close");
    assert_eq!(director.places(), ["1 b0", "2 b1", "3 b2", "4 b3"]);
    director.is_in_order();
    assert!(!place.ask(&["tournament", "audit", "c"]).contains("takes no place"));
}

/// The number of the event that recorded the result of a pairing.
fn result_of(place: &Place, tournament: &str, pairing: &str) -> String {
    let history = place.ask_json(&["tournament", "history", tournament, "--json"]);
    let what = format!("The result of {pairing} was recorded");
    let mut events = history["events"].as_array().unwrap().iter();
    events.find(|event| event["what"].as_str().unwrap().starts_with(&what)).unwrap()["seq"].to_string()
}

#[test]
fn places_of_a_close_that_a_correction_changed_are_marked_as_published() {
    let place = Place::new();
    let director = all_play_all(&place);
    for round in 1..=3 {
        let day = format!("2000-08-{}", 20 + round);
        if round > 1 {
            director.does(&format!("{day}T08:00"), "round pair");
        }
        director.does(&format!("{day}T09:00"), &format!("game start r{round}.1 --no-game"));
        for (board, (white, black)) in (1..).zip(director.games(round)) {
            let winner = white.min(black);
            let result = format!("game result r{round}.{board} {winner} --termination time");
            director.does(&format!("{day}T10:00"), &result);
        }
    }
    director.does("2000-08-23T12:00", "close");
    assert_eq!(director.places(), ["1 aska", "2 baobab", "3 cedar", "4 dahlia"]);
    let standings = || place.ask(&["tournament", "standings", "rr"]);
    assert!(!standings().contains("Not as ruled"), "{}", standings());
    assert!(!place.ask(&["tournament", "champions"]).contains("as published"));

    // Both games of dahlia and aska were entered for the wrong side, and so one of baobab.
    let mut talk = String::new();
    for round in 1..=3 {
        for (board, (white, black)) in (1..).zip(director.games(round)) {
            if [&white, &black].contains(&&"dahlia".to_owned()) {
                let seq = result_of(&place, "rr", &format!("r{round}.{board}"));
                let end = ["--reason", "the wrong side", "--at", "2000-08-24", "--actor", "omar"];
                let run = place.run(&[&["log", "correct", &seq, "outcome=dahlia"][..], &end].concat());
                assert_eq!(run.status, 0, "{run:?}");
                talk.push_str(&run.talk);
            }
        }
    }
    let closed = place.ask_json(&["tournament", "history", "rr", "--json"]);
    let events = closed["events"].as_array().unwrap().iter();
    let mut closed = events.filter(|event| event["what"].as_str().unwrap().contains("closed with"));
    let seq = closed.next_back().unwrap()["seq"].to_string();
    let note = format!(
        "note: event {seq} was published before this correction: by the corrected record it violates"
    );
    assert!(talk.contains(&note) && talk.contains("(place "), "{talk}");
    assert!(talk.contains("hint: `annals tournament audit rr`"), "{talk}");

    let page = standings();
    assert!(page.contains("the place is what the close published"), "{page}");
    assert!(!page.contains("the place is what the rulebook awards"), "{page}");
    let otherwise =
        "by the present record the rulebook awards other places: dahlia place 1 (published: place 4)";
    let words: Vec<&str> = page.split_whitespace().collect();
    assert!(words.join(" ").contains(otherwise), "{page}");
    let rows = place.ask_json(&["tournament", "standings", "rr", "--json"]);
    let first = json!({"player": "dahlia", "name": "dahlia", "published": 4, "by_rules": 1});
    assert_eq!(rows["published_otherwise"][0], first);
    let champions = place.ask(&["tournament", "champions"]);
    assert!(champions.contains("rr: the places are as published"), "{champions}");
}
