//! Results of 2009 after a later round began, and rulings on games that are not in the log.

use crate::director::Director;
use crate::program::Place;

/// Two rounds of a final of four; round 2 has begun, and no game is in the log.
fn second_round<'p>(place: &'p Place, options: &str) -> Director<'p> {
    let director = first_round(place, options);
    director.does("2009-01-08", "game result r1.1 gold --termination goal");
    director.does("2009-01-08", "game result r1.2 gold --termination goal");
    director.does("2009-01-11T21:00", "round pair --seed y");
    director.does("2009-01-14", "game start r2.1 --no-game");
    director
}

/// The first game of the first round has begun.
fn first_round<'p>(place: &'p Place, options: &str) -> Director<'p> {
    let director = Director::opened(place, "open", "2008-12-01");
    director.does("2008-12-02", &format!("announce --rulebook wc-2009 {options}"));
    for (player, rating) in [("ann", 2000), ("bob", 1900), ("cid", 1800), ("dan", 1700)] {
        director.does("2008-12-03", &format!("entry add {player} --rating {rating}"));
    }
    director.does("2008-12-04", "round declare");
    director.does("2009-01-04T21:00", "round pair --seed x");
    let out = director.does("2009-01-07T18:00", "game start r1.1 --no-game");
    assert!(out.contains("Round 1 began with r1.1"), "{out}");
    director
}

/// The number of the result of a pairing.
fn result_of(place: &Place, pairing: &str) -> String {
    let lines = place.ask(&["log", "export", "tournament/open"]);
    let all = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut results = all.filter(|event| event["payload"]["pairing"] == pairing);
    results.find(|event| event["type"] == "tournament.result_recorded").unwrap()["seq"].to_string()
}

fn correct(place: &Place, change: &str) -> crate::program::Run {
    let seq = result_of(place, "r1.1");
    let mut words = vec!["log", "correct", &seq, change, "--reason", "typed wrongly"];
    words.extend(["--at", "2009-01-15", "--tz", "EST", "--actor", "omar"]);
    place.run(&words)
}

#[test]
fn an_earlier_result_of_2009_is_corrected_by_the_reading_that_the_director_gives() {
    let place = Place::new();
    let director = second_round(&place, "");
    let winner = |place: &Place| {
        let rounds = place.ask_json(&["tournament", "round", "list", "open", "1", "--json"]);
        rounds["rounds"][0]["boards"][0]["outcome"].as_str().unwrap().to_owned()
    };
    let refused = correct(&place, "outcome=silver");
    assert_eq!(refused.status, 2, "{refused:?}");
    for words in
        ["ruling.frozen", "by the reading T50=A", "The text is silent", "ruling give open read T50=B"]
    {
        assert!(refused.talk.contains(words), "{words}: {refused:?}");
    }
    assert!(!refused.talk.contains("Location of games"), "{refused:?}");
    let says = ["ruling.frozen", "by the reading T50=A", "ruling give open read T50=B"];
    director.refuses("2009-01-15", "ruling give set-result r1.1 silver --reason \"it was so\"", &says);
    let forfeits = correct(&place, "termination=forfeit");
    assert!(forfeits.status == 2 && forfeits.talk.contains("ruling.frozen"), "{forfeits:?}");

    director.does("2009-01-15", "ruling give read T50=B --reason \"the text does not forbid it\"");
    let corrected = correct(&place, "outcome=silver");
    assert_eq!(corrected.status, 0, "{corrected:?}");
    assert_eq!(winner(&place), "silver");
    // Round 2 stays as it was paired, and its games go on.
    director.does("2009-01-16", "game result r2.1 gold --termination goal");
    director.does("2009-01-16", "game result r2.2 gold --termination goal");
    director.does("2009-01-18T21:00", "round pair --seed z");
    let audit = place.run(&["tournament", "audit", "open"]);
    // The audit says so: the rules would now pair round 2 otherwise.
    assert!(audit.out.contains("changes a verdict on event"), "{audit:?}");
    assert!(audit.out.contains("0 violations before later corrections"), "{audit:?}");
}

#[test]
fn an_announcement_can_allow_corrections_of_earlier_results() {
    let place = Place::new();
    let director = second_round(&place, "--option T50=corrected");
    director.does("2009-01-15", "ruling give set-result r1.2 silver --reason \"it was so\"");
    let corrected = correct(&place, "outcome=silver");
    assert_eq!(corrected.status, 0, "{corrected:?}");
}

#[test]
fn how_an_earlier_game_of_2009_ended_can_be_corrected() {
    let place = Place::new();
    let director = second_round(&place, "");
    let corrected = correct(&place, "termination=resignation");
    assert_eq!(corrected.status, 0, "{corrected:?}");
    director.is_in_order();
}

#[test]
fn the_game_that_began_with_its_round_has_begun_for_rulings() {
    let place = Place::new();
    let director = first_round(&place, "");
    director
        .does("2009-01-07T19:00", "ruling give rematch r1.1 --failure game_server --reason \"it stopped\"");
    director.does("2009-01-09", "game result r1.1 gold --termination goal");
    director.is_in_order();
    let audit = place.run(&["tournament", "audit", "open"]);
    assert!(!audit.out.contains("no event says that a game of r1.1"), "{audit:?}");
}

#[test]
fn a_game_that_is_not_in_the_log_is_played_again_after_a_fault_of_the_server() {
    let place = Place::new();
    let director = first_round(&place, "");
    // The other game has no start of its own in the log.
    director.refuses("2009-01-07T18:05", "game start r1.2 --no-game", &["has no start of its own"]);
    let out = director
        .does("2009-01-07T19:00", "ruling give rematch r1.2 --failure game_server --reason \"it stopped\"");
    assert!(out.contains("no event says that a game of r1.2 was under way"), "{out}");
    director.does("2009-01-09", "game result r1.2 silver --termination goal");
    director.is_in_order();
}

#[test]
fn no_game_is_played_again_before_its_round_begins() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-12-01");
    director.does("2008-12-02", "announce --rulebook wc-2009");
    for player in ["ann", "bob", "cid"] {
        director.does("2008-12-03", &format!("entry add {player} --rating 2000"));
    }
    director.does("2008-12-04", "round declare");
    director.does("2009-01-04T21:00", "round pair --seed x");
    let ruling = "ruling give rematch r1.1 --failure game_server --reason \"it stopped\"";
    director.refuses("2009-01-07", ruling, &["no game of r1.1 has begun"]);
}
