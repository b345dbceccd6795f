//! The description of the event types: `annals schema events`, and the page of the documents that shows all of it.

use std::fs;
use std::path::Path;

use annals_events::EventType;
use annals_replay::event_reference::EventReference;
use jiff::tz::TimeZone;

use crate::program::Place;

#[test]
fn every_event_type_is_listed_and_one_is_shown_with_its_payload() {
    let place = Place::new();
    let all = place.ask_json(&["schema", "events", "--json"]);
    let listed: Vec<&str> =
        all["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(listed, EventType::all().map(EventType::name).collect::<Vec<_>>());
    let games = place.ask(&["schema", "events", "game"]);
    assert!(games.contains("game.turn_taken") && !games.contains("tournament."), "{games}");
    let paired = place.ask(&["schema", "events", "tournament.round_paired"]);
    for part in ["pairs", "list of Pair", "Pair: ", "upper_side", "gold", "\"stage\": \"final\""] {
        assert!(paired.contains(part), "{part}: {paired}");
    }
    let run = place.run(&["schema", "events", "tournament.round_pared"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("did you mean `tournament.round_paired`?"), "{run:?}");
}

#[test]
fn the_page_of_event_types_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/events.md");
    let page = EventReference::all().unwrap().page().markdown(&TimeZone::UTC);
    if std::env::var_os("ANNALS_UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, page).unwrap();
        return;
    }
    assert!(
        fs::read_to_string(&path).unwrap() == page,
        "docs/reference/events.md is not current; ANNALS_UPDATE_DOCS=1 writes it"
    );
}
