//! Corrections around the close, and what `show`, `report` and refusals name as the next step.

use crate::director::Director;
use crate::program::{Place, Run};

/// A postal tournament of some players, all of whose games Gold won.
fn played<'p>(place: &'p Place, players: &[&str]) -> Director<'p> {
    let director = Director::opened(place, "p", "2005-12-01");
    director.does("2006-01-01", "announce --rulebook postal-2006 --director omar --currency USD");
    for (player, rating) in players.iter().zip((1000..2000).rev()) {
        director.does("2006-01-10", &format!("entry add {player} --rating {rating}"));
        director.does("2006-01-10", &format!("fund fee {player} 10"));
    }
    director.does("2006-01-20", "round pair");
    director.does("2006-01-21", "game start r1.1 --no-game");
    for board in 1..=director.games(1).len() {
        director.does("2006-02-01", &format!("game result r1.{board} gold --termination goal"));
    }
    director
}

/// The number of the last event of a type.
fn last(place: &Place, of: &str) -> u64 {
    let lines = place.ask(&["log", "export", "tournament/p"]);
    let mut all = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    all.rfind(|event| event["type"] == format!("tournament.{of}")).unwrap()["seq"].as_u64().unwrap()
}

fn correct(place: &Place, seq: u64, change: &str) -> Run {
    let seq = seq.to_string();
    let end = ["--reason", "a slip", "--at", "2006-03-01", "--actor", "omar"];
    place.run(&[&["log", "correct", &seq, change][..], &end].concat())
}

fn corrects(place: &Place, seq: u64, change: &str) {
    let run = correct(place, seq, change);
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn a_page_of_a_closed_event_says_that_its_places_are_not_those_of_the_record() {
    let place = Place::new();
    let director = played(&place, &["ann", "bob"]);
    director.does("2006-02-03", "fund award");
    director.does("2006-02-04", "close");
    let pages = || {
        let report = ["tournament", "report", "p", "--format", "markdown"];
        [
            place.ask(&["tournament", "standings", "p"]),
            place.ask(&["tournament", "show", "p"]),
            place.ask(&report),
        ]
    };
    let sentence = "by the present record the rulebook awards other places";
    for page in pages() {
        assert!(!page.contains(sentence), "{page}");
    }
    corrects(&place, last(&place, "result_recorded"), "outcome=silver");
    for page in pages() {
        assert!(page.contains(sentence), "{page}");
    }
}

#[test]
fn the_next_step_after_a_correction_that_makes_an_award_wrong_is_its_strike() {
    let place = Place::new();
    let director = played(&place, &["ann", "bob", "cid"]);
    director.does("2006-02-03", "fund award");
    corrects(&place, last(&place, "result_recorded"), "outcome=silver");
    let next = place.ask_json(&["tournament", "show", "p", "--json"])["next"].to_string();
    assert!(next.contains("by the corrected results it is"), "{next}");
    let strike = next.split("annals log correct ").nth(1).unwrap().split(' ').next().unwrap();
    // The close names the same event.
    director.refuses("2006-03-02", "close", &[&format!("annals log correct {strike} --strike")]);
    let end = ["--reason", "a slip", "--at", "2006-03-03", "--actor", "omar"];
    let struck = place.run(&[&["log", "correct", strike, "--strike"][..], &end].concat());
    assert_eq!(struck.status, 0, "{struck:?}");
}

#[test]
fn the_hint_of_a_result_names_what_differs_from_its_game() {
    let place = Place::new();
    let director = crate::postal_games::begun(&place);
    let lines =
        [format!("{} in 100", crate::postal_games::GOLD), format!("{} in 100", crate::postal_games::SILVER)];
    crate::postal_games::plays(&place, "2006-01-22", &[&lines[0], &lines[1]]);
    director.does("2006-01-23", "game result r1.1 silver --termination resignation");
    let seq = director_result(&place);
    for (change, field, other) in
        [("termination=time", "`termination`", "`winner`"), ("outcome=gold", "`winner`", "`termination`")]
    {
        let run = correct(&place, seq, change);
        let hint = run.talk.lines().find(|line| line.contains("hint: ")).unwrap_or_default();
        assert!(run.status == 2 && hint.contains(&format!("correct its {field} first")), "{run:?}");
        assert!(!hint.contains(other), "{run:?}");
    }

    // A game that is not in the log has no end there.
    let place = Place::new();
    let director = crate::slips_of_a_director::all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    let draw = "game result r1.1 draw --termination immobilization";
    let talk =
        director.refuses("2000-08-21T10:00", draw, &["result.game", "annals tournament game result --help"]);
    assert!(!talk.contains("log show GAME"), "{talk}");
}

fn director_result(place: &Place) -> u64 {
    let lines = place.ask(&["log", "export", "tournament/postal"]);
    let last: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!(last["type"], "tournament.result_recorded");
    last["seq"].as_u64().unwrap()
}

#[test]
fn before_a_round_begins_the_close_and_the_awards_name_its_start() {
    for rulebook in ["wc-2009", "postal-2006"] {
        let place = Place::new();
        let director = Director::opened(&place, "p", "2005-12-01");
        director.does("2006-01-01", &format!("announce --rulebook {rulebook}"));
        for player in ["ann", "bob"] {
            director.does("2006-01-10", &format!("entry add {player} --rating 1500"));
        }
        if rulebook == "wc-2009" {
            director.does("2006-01-11", "round declare");
        }
        director.does("2006-01-15T21:00", "round pair --seed x");
        for line in ["close", "fund award"] {
            let talk = director.refuses("2006-01-20", line, &["annals tournament game start p"]);
            assert!(!talk.contains("game result"), "{line}: {talk}");
        }
        director.does("2006-01-20", "game start r1.1 --no-game");
        director.refuses("2006-01-21", "close", &["annals tournament game result p r1.1"]);
    }
}

#[test]
fn an_invitation_that_was_not_told_is_a_notice_that_is_due() {
    let place = Place::new();
    let bots = ["ada", "bob", "cem"];
    let director = crate::championship_rules::announced_with(&place, &bots, "--option finalists=2");
    director.does("2015-02-01T20:00", "qualifier rank");
    director.does("2015-02-22T20:30", "entry disqualify ada --cause not_uploaded");
    director.does("2015-02-22T21:00", "qualifier invite");
    let out = director.does("2015-02-22T22:00", "schedule notify");
    assert!(out.contains("invit"), "{out}");
    let notices = director.events("notice_given");
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!((&notices[0]["about"], &notices[0]["to"][0]), (&"invitation".into(), &"cem".into()));
    // It is told once.
    director.refuses("2015-02-22T23:00", "schedule notify", &["told of their invitations"]);
}
