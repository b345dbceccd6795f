//! What a director has to decide first, and what a refusal names after the close.

use crate::director::Director;
use crate::program::Place;

/// A ring of three, whose games all have results.
fn played_ring(place: &Place) -> Director<'_> {
    let director = Director::opened(place, "small-2006", "2006-01-01");
    director.does("2006-01-02", "announce --rulebook postal-2006 --year 2006 --director Omar");
    for player in ["u", "v", "w"] {
        director.does("2006-01-03", &format!("entry add {player} --rating 1500"));
    }
    director.does("2006-01-10", "round pair");
    director.does("2006-01-11", "game start r1.1 --no-game");
    for board in 1..=3 {
        director.does("2006-02-01", &format!("game result r1.{board} gold --termination resignation"));
    }
    director
}

#[test]
fn a_dispute_is_decided_before_the_close_and_the_record_is_shown_after_it() {
    let place = Place::new();
    let director = played_ring(&place);
    let show = || place.ask(&["tournament", "show", "small-2006"]);
    assert!(show().contains("annals tournament close small-2006"), "{}", show());
    director.does(
        "2006-02-05",
        "ruling dispute u --pairing r1.1 --claim \"the result is wrong\" --evidence \"the mail\"",
    );
    let hint = "ruling give small-2006 nothing --dispute 1 --reason TEXT";
    assert!(show().contains("dispute 1 of `u` is not decided"), "{}", show());
    director.refuses("2006-02-10", "close", &["dispute 1 of `u` is not decided", hint]);
    director.does("2006-02-10", "ruling give nothing --dispute 1 --reason \"it was right\"");
    director.does("2006-02-11", "close");
    director.is_in_order();

    let told = director.refuses("2006-02-12", "game start r1.1 --no-game", &["the tournament is closed"]);
    assert!(told.contains("annals tournament history small-2006"), "{told}");
    assert!(!told.contains("ruling give") && !told.contains("log correct"), "{told}");
}
