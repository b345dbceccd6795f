//! What the text of the championship of 2009 does not give: rounds for more players than its table has, and what becomes of
//! the first place when the last player in withdraws.

use crate::director::Director;
use crate::program::Place;
use crate::slips_of_a_director::finished;

#[test]
fn the_number_of_rounds_beyond_the_table_is_undetermined() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director omar");
    let enter = |number: u32| {
        director.does("2008-12-20", &format!("entry add p{number} --rating {}", 1_500 + 7 * number));
    };
    (1..=55).for_each(enter);
    let at = "2009-01-03T12:00";
    let words = ["tournament", "round", "declare", "open", "--at", at, "--tz", "EST", "--actor", "omar"];
    let tried = place.run(&[&words[..], &["--dry-run"]].concat());
    assert!(tried.out.contains("fixed at 7 rounds for 55 players"), "{tried:?}");
    assert!(tried.talk.contains("the rounds of the swiss: compliant [swiss.rounds"), "{tried:?}");
    enter(56);
    let told = director.does(at, "round declare");
    for words in [
        "fixed at 8 rounds for 56 players",
        "the rounds of the swiss: undetermined [swiss.rounds, 2009 WC, Preliminary 1]: the table ends at 55 players",
    ] {
        assert!(told.contains(words), "{told}");
    }
    director.is_in_order();
    let audit = place.ask(&["tournament", "audit", "open"]);
    assert!(audit.contains("undetermined: the rounds of the swiss [swiss.rounds"), "{audit}");
}

/// The place and the status of a player in the standings.
fn standing(place: &Place, player: &str) -> (Option<u64>, String) {
    let page = place.ask_json(&["tournament", "standings", "open", "--json"]);
    let rows = page["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["player"] == player).unwrap();
    (row["place"].as_u64(), row["status"].as_str().unwrap().to_owned())
}

#[test]
fn the_champion_who_withdraws_after_the_last_game_stays_first() {
    let place = Place::new();
    let director = finished(&place);
    let says = ["anna is the champion, and no place is open"];
    director.refuses("2009-02-02T11:00", "round pair --seed s", &says);
    director.does("2009-02-02T12:00", "entry withdraw anna");
    assert_eq!(standing(&place, "anna"), (Some(1), "withdrawn".to_owned()));
    director.refuses("2009-02-02T13:00", "round pair --seed s", &says);
    director.does("2009-02-03", "close");
    assert_eq!(director.places(), ["1 anna", "2 bela", "3 cara"]);
    director.is_in_order();
}

#[test]
fn a_ruling_on_the_first_place_after_the_champion_withdrew_is_left_to_the_director() {
    let place = Place::new();
    let director = finished(&place);
    director.refuses("2009-02-02T11:00", "ruling give place 1 bela --reason x", &["place 1 follows"]);
    director.does("2009-02-02T12:00", "entry withdraw anna");
    director.refuses("2009-02-02T13:00", "ruling give place 1 cara --reason x", &["place 1 is between"]);
    director.refuses("2009-02-02T13:00", "ruling give place 2 cara --reason x", &["place 2 follows"]);
    let told = director.does("2009-02-02T13:00", "ruling give place 1 bela --reason \"anna left\"");
    assert!(told.contains("undetermined [place.champion"), "{told}");
    director.does("2009-02-03", "close");
    assert_eq!(director.places(), ["1 bela", "2 cara"]);
    director.is_in_order();
}

#[test]
fn nobody_is_champion_when_both_left_before_the_last_game_had_its_result() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director omar");
    director.does("2008-12-20", "entry add anna --rating 2100");
    director.does("2008-12-20", "entry add bela --rating 2000");
    director.does("2009-01-03T12:00", "round declare");
    director.does("2009-01-04T20:00", "round pair --seed s");
    director.does("2009-01-05T20:00", "schedule notify");
    director.does("2009-01-05T21:00", "entry withdraw bela");
    director.does("2009-01-05T22:00", "entry withdraw anna");
    director.does("2009-01-06T23:00", "game forfeit r1.1 --absent anna --absent bela");
    let says = ["no player is left in, so there is no champion", "ruling give open place"];
    director.refuses("2009-01-08", "close", &says);
    director.does("2009-01-08", "ruling give place 1 anna --reason \"the better rated\"");
    director.does("2009-01-09", "close");
    assert_eq!(director.places()[0], "1 anna");
    director.is_in_order();
}
