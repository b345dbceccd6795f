//! An auditor holds a tournament against its rulebook: what was made by the commands is compliant, what was tampered with is found
//! out by rule and event, and another reading of a text shows only what it changes.

use serde_json::Value;

use crate::directing::{director, entered};
use crate::program::Place;

/// Round 1 paired, played and recorded.
fn played(place: &Place) {
    entered(place);
    director(place, &["round", "pair", "open-2009", "--seed", "one"], "2009-01-05T01:00");
    director(place, &["game", "start", "open-2009", "r1.1", "--no-game"], "2009-01-10T14:00");
    director(
        place,
        &["game", "result", "open-2009", "r1.1", "gold", "--termination", "goal"],
        "2009-01-10T18:00",
    );
    director(
        place,
        &["game", "result", "open-2009", "r1.2", "silver", "--termination", "time"],
        "2009-01-10T18:30",
    );
}

#[test]
fn a_record_made_at_the_desk_follows_its_rulebook() {
    let place = Place::new();
    played(&place);
    let run = place.run(&["tournament", "audit", "open-2009"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("The record complies with its rulebook."), "{run:?}");
    let audit = place.ask_json(&["tournament", "audit", "open-2009", "--json"]);
    assert_eq!(audit["counts"]["violations"], 0);
    assert!(audit["counts"]["compliant"].as_u64().unwrap() > 10, "{}", audit["counts"]);
    assert_eq!(audit["rulebook"], "wc-2009");
    let all = place.ask(&["tournament", "audit", "open-2009", "--all"]);
    assert!(all.contains("registration.window") && !run.out.contains("registration.window"), "{all}");
}

#[test]
fn an_imported_record_that_was_tampered_with_is_found_out_by_rule_and_event() {
    let place = Place::new();
    played(&place);
    let mut lines = Vec::new();
    for line in place.ask(&["log", "export"]).lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        if event["stream"] == "log/annals" {
            continue;
        }
        if event["type"] == "tournament.round_paired" {
            // Board 1 gets the players of board 2, and the other way round is left as it was.
            let pairs = event["payload"]["pairs"].as_array_mut().unwrap();
            let (upper, lower) = (pairs[0]["lower"].clone(), pairs[1]["lower"].clone());
            pairs[0]["lower"] = lower;
            pairs[1]["lower"] = upper;
        }
        for field in ["hash", "id"] {
            event.as_object_mut().unwrap().remove(field);
        }
        lines.push(event.to_string());
    }
    let other = Place::new();
    other.write("events.jsonl", lines.join("\n"));
    other.ask(&["log", "import", "events.jsonl", "--actor", "auditor"]);
    let run = other.run(&["tournament", "audit", "open-2009"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains("tournament.round_paired") && run.out.contains("violation: "), "{run:?}");
    assert!(run.out.contains("expected: ") && run.out.contains("found: "), "{run:?}");
    assert!(run.out.contains("2009 WC"), "{run:?}");
    let audit: Value =
        serde_json::from_str(&other.run(&["tournament", "audit", "open-2009", "--json"]).out).unwrap();
    let is_violation = |event: &&Value| {
        event["verdicts"]
            .as_array()
            .unwrap()
            .iter()
            .any(|verdict| verdict["holds"].get("violation").is_some())
    };
    let events = audit["events"].as_array().unwrap();
    let departing: Vec<&str> =
        events.iter().filter(is_violation).filter_map(|event| event["event_type"].as_str()).collect();
    assert_eq!(departing, ["tournament.round_paired"], "only what was tampered with departs");
    assert!(events.iter().all(|event| event["imported"] == true));
}

#[test]
fn another_reading_shows_only_what_it_changes_and_an_unknown_one_cannot_be_asked() {
    let place = Place::new();
    played(&place);
    let compared = place.ask_json(&["tournament", "audit", "open-2009", "--reading", "T10=B", "--json"]);
    assert_eq!(compared["readings"][0][0], "T10");
    assert_eq!(compared["counts_before"]["violations"], 0);
    let same = compared["readings"][0][1].as_str().unwrap().to_owned();
    let nothing = place.ask(&["tournament", "audit", "open-2009", "--reading", &format!("T10={same}")]);
    assert!(nothing.contains("Nothing changes"), "{nothing}");
    let unknown = place.run(&["tournament", "audit", "open-2009", "--reading", "T99=B"]);
    assert_eq!(unknown.status, 2, "{unknown:?}");
    assert!(unknown.talk.contains("T99"), "{unknown:?}");
    // A reading of another rulebook.
    let other = place.run(&["tournament", "audit", "open-2009", "--reading", "T7=B"]);
    assert_eq!(other.status, 2, "{other:?}");
    assert!(other.talk.contains("`T7` is no reading that `wc-2009` leaves open"), "{other:?}");
}

#[test]
fn a_tournament_by_other_rules_or_none_cannot_be_audited() {
    let place = Place::new();
    crate::tournament::recorded(&place);
    let run = place.run(&["tournament", "audit", "spring-2015"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("house-rules") && run.talk.contains("wc-2009"), "{run:?}");
    let missing = place.run(&["tournament", "audit", "spring-2051"]);
    assert_eq!(missing.status, 2, "{missing:?}");
}
