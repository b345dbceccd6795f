//! Numbers beyond their bounds: they do not enter a log, and a log that holds one stays readable and is found out.

use annals_events::bounds::BOUNDS;
use annals_events::{EventId, RawPayload};
use annals_store::{Log, MachineClock, NewEvent, Transaction};

use crate::program::Place;
use crate::tournament::START;

/// The second round, with a bye of that many half points for Anna.
fn bye(half_points: u64) -> String {
    format!(
        r#"{{"byes":[{{"half_points":{half_points},"player":"anna"}}],"pairs":[{{"board":1,"lower":"cara","upper":"bela","upper_side":"gold"}}],"round":2,"stage":"round_robin"}}"#
    )
}

fn line(payload: &str) -> String {
    format!(
        r#"{{"stream":"tournament/spring-2015","type":"tournament.round_paired","effective_at":"2015-03-08T12:00:00Z","payload":{payload}}}"#
    )
}

/// A log with the first round of a tournament.
pub fn begun(place: &Place) {
    place.write("start.jsonl", START);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar"]);
}

#[test]
fn a_bye_worth_more_than_any_rulebook_gives_does_not_enter_the_log() {
    let place = Place::new();
    begun(&place);
    place.write("bye.jsonl", line(&bye(4_294_967_295)));
    let head = place.ask(&["log", "head"]);
    let wanted = "`byes.half_points`: expected a number from 0 to 100, found 4294967295";
    let run = place.run(&["log", "append", "bye.jsonl", "--actor", "omar"]);
    assert!(run.status == 2 && run.talk.contains(wanted), "{run:?}");
    assert_eq!(place.ask(&["log", "head"]), head);
    place.write("bye.jsonl", line(&bye(2)));
    place.ask(&["log", "append", "bye.jsonl", "--actor", "omar"]);
    place.ask(&["log", "export", "-o", "all.jsonl"]);

    let other = Place::new();
    let all = std::fs::read_to_string(place.path("all.jsonl")).unwrap();
    let without_hash = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("hash");
        line.to_string().replace("\"half_points\":2", "\"half_points\":4294967295") + "\n"
    };
    other.write("all.jsonl", all.lines().map(without_hash).collect::<String>());
    let run = other.run(&["log", "import", "all.jsonl", "--actor", "omar"]);
    assert!(run.status == 2 && run.talk.contains(wanted), "{run:?}");
}

#[test]
fn a_log_that_holds_such_a_bye_is_read_and_the_bye_is_found() {
    let place = Place::new();
    begun(&place);
    // Two of them, so that their sum is beyond what 32 bits hold. Only the command handler looks at bounds, not the log.
    let mut log = Log::open_for_append(&place.path("home/log.db"), Box::new(MachineClock)).unwrap();
    for round in ["2", "3"] {
        let payload = bye(4_294_967_295).replace("\"round\":2", &format!("\"round\":{round}"));
        let payload = RawPayload::from_stored(payload);
        let stream = "tournament/spring-2015".parse().unwrap();
        let id = EventId([round.as_bytes()[0]; 16]);
        let (of, at) = ("tournament.round_paired", 1_425_800_000_000_000);
        let event = NewEvent::from_parts(stream, id, of, 1, at, "omar", payload).unwrap();
        log.append(&Transaction::of(vec![event])).unwrap();
    }
    drop(log);
    for words in [
        &["tournament", "standings", "spring-2015"][..],
        &["tournament", "standings", "spring-2015", "--json"],
        &["tournament", "crosstable", "spring-2015"],
        &["tournament", "report", "spring-2015"],
        &["tournament", "round", "list", "spring-2015"],
        &["player", "record", "anna"],
        &["log", "show", "spring-2015"],
        &["log", "verify"],
    ] {
        let run = place.run(words);
        assert!(run.status == 0 || run.status == 1, "{words:?}: {run:?}");
        assert!(!run.talk.contains("panicked"), "{words:?}: {run:?}");
    }
    let view = place.ask(&["replay", "spring-2015"]);
    assert!(view.contains("(number_out_of_bounds)") && view.contains("found 4294967295"), "{view}");
}

#[test]
fn the_bounds_stand_in_the_documents() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/tournaments.md"))
        .unwrap();
    for bound in &BOUNDS {
        let names: Vec<String> = bound.names.iter().map(|name| format!("`{name}`")).collect();
        let row = format!("| {} | {} | {} | {} |", names.join(", "), bound.least, bound.most, bound.why);
        assert!(text.contains(&row), "no row `{row}`");
    }
}
