//! Corrections of results on which a published round rests: the director reads which round, and the audit and the evidence
//! list every correction, and not what was revoked in time.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::director::Director;
use crate::program::{Place, Run};

/// The Olympiad with seven programs: three rounds are played, the fourth is paired.
fn swiss(place: &Place) -> Director<'_> {
    let director = Director::opened(place, "c", "2000-06-01");
    director.does("2000-07-01", "announce --rulebook olympiad-amazons-2000 --director omar --year 2000");
    for (number, player) in (1..).zip(["aska", "baobab", "cedar", "dahlia", "elm", "fir", "ginkgo"]) {
        let entry = format!("entry add {player} --bot --number {number} --developer \"team {number}\"");
        director.does("2000-07-10", &entry);
    }
    director.does("2000-08-20T09:00", "round declare");
    for round in 1..=3 {
        let day = format!("2000-08-2{round}");
        director.does(&format!("{day}T09:00"), "round pair");
        director.does(&format!("{day}T10:00"), &format!("game start r{round}.1 --no-game"));
        for board in 1..=6 {
            let territory = 3 * board;
            let result = format!("game result r{round}.{board} white --termination immobilization");
            director.does(&format!("{day}T11:00"), &format!("{result} --territory {territory}"));
        }
    }
    director.does("2000-08-24T09:00", "round pair");
    director
}

/// Corrects the result of a pairing.
fn correct(place: &Place, pairing: &str, field: &str, at: &str) -> Run {
    let history = place.ask_json(&["tournament", "history", "c", "--json"]);
    let what = format!("The result of {pairing} was recorded");
    let mut events = history["events"].as_array().unwrap().iter();
    let event = events.find(|event| event["what"].as_str().unwrap().starts_with(&what)).unwrap();
    let seq = event["seq"].to_string();
    let words = ["log", "correct", &seq, field, "--reason", "misread", "--actor", "omar", "--at", at];
    let run = place.run(&words);
    assert_eq!(run.status, 0, "{run:?}");
    run
}

fn last_event(place: &Place) -> u64 {
    let history = place.ask_json(&["tournament", "history", "c", "--json"]);
    history["events"].as_array().unwrap().last().unwrap()["seq"].as_u64().unwrap()
}

#[test]
fn the_audit_lists_every_correction_that_changes_a_verdict() {
    let place = Place::new();
    swiss(&place);
    let mut corrections = BTreeSet::new();
    for (pairing, field, at) in [("r2.5", "territory=1", "16:00"), ("r3.1", "outcome=silver", "16:10")] {
        correct(&place, pairing, field, &format!("2000-08-24T{at}"));
        corrections.insert(last_event(&place));
    }
    let run = place.run(&["tournament", "audit", "c", "--json"]);
    assert_eq!(run.status, 1, "{run:?}");
    let audit: Value = serde_json::from_str(&run.out).unwrap();
    let listed = audit["overturned"].as_array().unwrap().iter();
    let listed: BTreeSet<u64> = listed.map(|one| one["correction"].as_u64().unwrap()).collect();
    assert_eq!(listed, corrections);
    // The summary says why the record violates its rulebook.
    let text = place.run(&["tournament", "audit", "c"]).out;
    let overturned = audit["overturned"].as_array().unwrap().iter();
    let violations = overturned.filter(|one| one["verdict"]["holds"]["violation"].is_object()).count();
    assert!(violations > 0 && text.contains("0 violations before later corrections."), "{text}");
    assert!(text.contains(&format!("changed by later corrections: {violations} violation")), "{text}");
    // So does the comparison with another reading.
    let compared = place.run(&["tournament", "audit", "c", "--reading", "T47=included"]);
    assert_eq!(compared.status, 1, "{compared:?}");
    for words in
        ["otherwise before later corrections.", &format!("By later corrections: {violations} violation")]
    {
        assert!(compared.out.contains(words), "{compared:?}");
    }
    // An explanation of the round names the corrections without which it is judged.
    let round = place.ask(&["tournament", "explain", "c", "4"]);
    let line = round.lines().find(|line| line.starts_with("Corrected since")).unwrap();
    assert!(corrections.iter().all(|seq| line.contains(&format!("by event {seq}"))), "{round}");
    assert!(!place.ask(&["tournament", "explain", "c", "2"]).contains("Corrected since"));
}

#[test]
fn the_page_of_a_player_marks_corrected_events_and_has_the_corrections() {
    let place = Place::new();
    swiss(&place);
    let history = place.ask_json(&["tournament", "history", "c", "--json"]);
    let mut results = history["events"].as_array().unwrap().iter();
    let result =
        results.find(|event| event["what"].as_str().unwrap().starts_with("The result of r2.5")).unwrap();
    correct(&place, "r2.5", "territory=1", "2000-08-24T16:00");
    let (result, correction) = (result["seq"].as_u64().unwrap(), last_event(&place));
    let pairing =
        place.ask_json(&["query", "--json", "SELECT upper FROM pairings WHERE round = 2 AND board = 5"]);
    let of_pair = place.ask(&["tournament", "entry", "show", "c", pairing[0]["upper"].as_str().unwrap()]);
    for words in [
        format!("event {result}: The result of r2.5"),
        format!("(corrected by event {correction})"),
        format!("event {correction}: "),
    ] {
        assert!(of_pair.contains(&words), "{words}: {of_pair}");
    }
    let sql = "SELECT player FROM registrations WHERE player NOT IN (SELECT upper FROM pairings WHERE round = 2 AND board = 5) \
               AND player NOT IN (SELECT lower FROM pairings WHERE round = 2 AND board = 5) LIMIT 1";
    let other = place.ask_json(&["query", "--json", sql]);
    let of_other = place.ask(&["tournament", "entry", "show", "c", other[0]["player"].as_str().unwrap()]);
    assert!(
        !of_other.contains("corrected by") && !of_other.contains(&format!("event {correction}")),
        "{of_other}"
    );
}

#[test]
fn a_round_that_is_revoked_in_time_violates_nothing() {
    let place = Place::new();
    let director = swiss(&place);
    let run = correct(&place, "r3.1", "outcome=silver", "2000-08-24T16:00");
    let says = ["round 4 was published before this correction", "annals tournament round revoke c r4"];
    assert!(says.iter().all(|words| run.talk.contains(words)), "{run:?}");

    // The evidence has what the audit finds.
    assert_eq!(place.run(&["tournament", "audit", "c"]).status, 1);
    let run = place.run(&["log", "bundle", "c", "-o", "c.json"]);
    assert!(run.status == 0 && !run.talk.contains(" 0 violations"), "{run:?}");
    let bundle: Value = serde_json::from_slice(&std::fs::read(place.path("c.json")).unwrap()).unwrap();
    let findings = bundle["verdicts"][0]["findings"].as_array().unwrap();
    let of_corrections = |finding: &Value| finding["message"].as_str().unwrap().starts_with("changed by");
    assert!(!findings.is_empty() && findings.iter().all(of_corrections), "{findings:?}");
    place.ask(&["log", "check-bundle", "c.json"]);

    director.does("2000-08-24T13:00", "round revoke r4 --reason \"a result was wrong\"");
    director.does("2000-08-24T13:10", "round pair");
    let audit = place.ask(&["tournament", "audit", "c"]);
    assert!(audit.contains("revoked that pairing") && audit.contains("complies with"), "{audit}");
    let run = place.run(&["log", "bundle", "c", "-o", "after.json"]);
    assert!(run.talk.contains(" 0 violations"), "{run:?}");
}

#[test]
fn a_round_that_has_begun_is_named_too_and_the_narrative_promises_nothing() {
    let place = Place::new();
    let director = swiss(&place);
    let out = director.does("2000-08-24T10:00", "game start r4.1 --no-game");
    assert!(
        out.starts_with("Round 4 began with r4.1.\n"),
        "the rules of 2000 freeze no earlier round: {out}"
    );
    let run = correct(&place, "r3.1", "outcome=silver", "2000-08-24T16:00");
    assert!(run.talk.contains("round 4 was published before this correction, and has begun"), "{run:?}");
    assert!(!run.talk.contains("round revoke"), "{run:?}");
}

#[test]
fn an_award_that_a_correction_changes_is_struck_and_awarded_again() {
    let place = Place::new();
    let director = Director::opened(&place, "mini", "2005-12-01");
    director.does("2006-01-01", "announce --rulebook postal-2006 --director Omar");
    for (player, rating) in [("ada", 2100), ("bob", 2000), ("cid", 1900)] {
        director.does("2006-01-10", &format!("entry add {player} --rating {rating}"));
        director.does("2006-01-11", &format!("fund fee {player} 10"));
    }
    director.does("2006-01-20", "round pair");
    director.does("2006-01-21", "game start r1.1 --no-game");
    for board in 1..=3 {
        director.does("2006-03-01", &format!("game result r1.{board} gold --termination goal"));
    }
    director.does("2006-11-01", "fund award");
    let history = place.ask_json(&["tournament", "history", "mini", "--json"]);
    let events = history["events"].as_array().unwrap();
    let of_r1 = |event: &&Value| event["what"].as_str().unwrap().starts_with("The result of r1.1 was");
    let seq = events.iter().find(of_r1).unwrap()["seq"].to_string();
    let end = ["--reason", "typo", "--actor", "omar", "--at", "2006-11-02"];
    let run = place.run(&[&["log", "correct", &seq, "outcome=silver"][..], &end].concat());
    assert_eq!(run.status, 0, "{run:?}");
    let hints: Vec<&str> = run.talk.lines().filter_map(|line| line.trim().strip_prefix("hint: ")).collect();
    let strikes: Vec<&str> = hints.iter().filter(|hint| hint.contains("--strike")).copied().collect();
    assert!(strikes.len() == 2 && hints.last().unwrap().contains("fund award mini"), "{run:?}");
    // Neither a second award nor the close hides it.
    for line in ["fund award", "close"] {
        director.refuses("2006-11-03", line, &["by the corrected results", "log correct", "--strike"]);
    }
    for strike in strikes {
        let words: Vec<&str> =
            strike.split(' ').skip(1).filter(|word| !["--reason", "TEXT"].contains(word)).collect();
        place.ask(&[&words[..], &end].concat());
    }
    director.does("2006-11-04", "fund award");
    director.does("2006-11-05", "close");
    let closed = director.events("closed");
    assert_eq!(closed[0]["fund_left"], 0);
    let audit = place.run(&["tournament", "audit", "mini"]);
    assert!(audit.out.contains("complies with its rulebook"), "{audit:?}");
}
