//! Events of a tournament, one a line as `TYPE PAYLOAD`: the fold accepts any that can be recorded, and queries of any
//! state end.
#![no_main]

use annals_events::{Event, EventType, check_payload};
use annals_ingest::state_file::{StateFile, recorded};
use annals_tournaments::Tournament;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut tournament = Tournament::default();
    let mut events = Vec::new();
    for (seq, line) in (1..).zip(text.lines().take(40)) {
        let Some((name, payload)) = line.split_once(' ') else { continue };
        let Ok(event_type) = EventType::from_name(name) else { continue };
        let Ok(entry) = check_payload(name, event_type.schema(), payload) else { continue };
        let Event::Tournament(event) = entry.event else { continue };
        tournament.evolve(seq, seq as i64, &event);
        events.push((seq, *event));
    }
    let file = recorded(events.iter().map(|(seq, event)| (*seq, *seq as i64, event))).file;
    if let Ok(again) = StateFile::read(&file.to_string()) {
        assert!(again.said().eq(file.said()), "{file}");
    }
});
