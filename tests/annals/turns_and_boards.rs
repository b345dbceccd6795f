//! Turns by number, boards as pictures, counts of turns, and evaluation by the rules of a game's time.

use crate::program::{Place, real_archive};

fn with_games() -> Option<Place> {
    let archive = real_archive()?;
    let place = Place::new();
    for name in ["allgames2002.txt", "allgames202602.txt"] {
        place.ask(&["ingest", archive.join(name).to_str().unwrap()]);
        std::fs::copy(archive.join(name), place.path(name)).unwrap();
    }
    Some(place)
}

#[test]
fn a_turn_is_named_by_label_by_number_and_as_the_last() {
    let Some(place) = with_games() else { return };
    let show = |turn: &str| place.ask(&["game", "show", "669192", "--turn", turn, "--json"]);
    let moment = |turn: &str| -> serde_json::Value {
        serde_json::from_str::<serde_json::Value>(&show(turn)).unwrap()["moment"].clone()
    };
    assert_eq!(show("12"), show("12w"));
    assert_eq!((&moment("last")["label"], &moment("last")["played"]["ply"]), (&"31g".into(), &61.into()));
    let boards = place.ask(&["game", "show", "669192", "--all-boards"]);
    assert_eq!(boards.matches("+-----------------+").count(), 2 * 62, "61 turns and the end");
    let none = place.run(&["game", "show", "669192", "--turn", "99"]);
    assert_eq!(none.status, 2);
    assert!(none.talk.starts_with("error: ") && none.talk.contains("has 61 turns"), "{}", none.talk);
    let wrong = place.run(&["game", "show", "669192", "--turn", "first"]);
    assert_eq!(wrong.status, 2, "{}", wrong.talk);
}

#[test]
fn boards_are_drawn_of_positions_turns_and_games() {
    let Some(place) = with_games() else { return };
    place.ask(&["chart", "board", "669192", "--turn", "12w", "-o", "turn.svg"]);
    let svg = std::fs::read_to_string(place.path("turn.svg")).unwrap();
    for words in
        ["12g Hd4w rd6w Ee6w Ed6e", "Game 669192: Axo against bot_Arimaazilla", "annals chart board 669192"]
    {
        assert!(svg.contains(words), "{words}");
    }
    place.ask(&[
        "chart", "board", "669192", "--from", "10w", "--to", "14b", "-o", "strip.svg", "--data", "strip.csv",
    ]);
    let data = std::fs::read_to_string(place.path("strip.csv")).unwrap();
    let boards: std::collections::BTreeSet<&str> =
        data.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(boards.len(), 10);
    place.ask(&["chart", "board", "b [..B./.x../..x./.W..]", "-o", "amazons.svg"]);
    assert!(std::fs::read_to_string(place.path("amazons.svg")).unwrap().contains("Black to move"));
    place.ask(&["chart", "board", "1", "--animate", "100", "-o", "game.png"]);
    let png = std::fs::read(place.path("game.png")).unwrap();
    assert!(png.windows(4).any(|bytes| bytes == b"acTL"), "an animated PNG");
    let refused = place.run(&["chart", "board", "669192", "--animate", "100", "-o", "game.svg"]);
    assert_eq!((refused.status, refused.talk.contains(".png")), (2, true), "{}", refused.talk);
    let backwards = place.run(&["chart", "board", "669192", "--from", "14", "--to", "10", "-o", "none.svg"]);
    assert_eq!(backwards.status, 2, "{}", backwards.talk);
}

#[test]
fn turns_and_steps_are_counted_for_other_programs() {
    let place = Place::new();
    let start = "g [rrrrrrrrdhcemchd................................DHCMECDHRRRRRRRR]";
    let count = |words: &[&str]| -> u64 {
        let words = [&["engine", "perft"], words, &["--json"]].concat();
        place.ask_json(&words)["count"].as_u64().unwrap()
    };
    // The first row of the shared counts, found by an independent program.
    assert_eq!(count(&[start]), 3353);
    assert_eq!(count(&[start, "--steps", "4"]), 23886);
    assert_eq!(count(&[start, "--steps", "1"]), 8);
    let small = "b [..B./.x../..x./.W..]";
    let divided = place.ask_json(&["engine", "perft", small, "--depth", "2", "--divide", "--json"]);
    let first = divided["first_turns"].as_array().unwrap();
    assert_eq!(first.len() as u64, count(&[small]));
    let sum: u64 = first.iter().map(|turn| turn["count"].as_u64().unwrap()).sum();
    assert_eq!(sum, divided["count"].as_u64().unwrap());
    let refused = place.run(&["engine", "perft", small, "--steps", "2"]);
    assert_eq!(refused.status, 2);
    assert!(refused.talk.contains("hint: leave --steps out"), "{}", refused.talk);
    assert_eq!(place.run(&["engine", "perft", start, "--depth", "9"]).status, 2);
}
