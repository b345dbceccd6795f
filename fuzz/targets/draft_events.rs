//! Drafts of events and exports of a log as lines of JSON: what is accepted is an event that a log records, and its line is
//! read again as the same draft.
#![no_main]

use annals_events::{canonical, check_payload};
use annals_replay::draft_lines::DraftText;
use annals_replay::{Line, read_lines};
use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fn check(line: &Line) {
    let draft = &line.draft;
    canonical::check(draft.payload.as_str()).unwrap_or_else(|error| panic!("{draft:?}: {error}"));
    check_payload(&draft.event_type, draft.schema, draft.payload.as_str()).unwrap();
    let payload: Value = serde_json::from_str(draft.payload.as_str()).unwrap();
    let mut fields = json!({
        "stream": draft.stream,
        "type": draft.event_type,
        "schema": draft.schema,
        "effective_at": draft.effective_at,
        "payload": payload,
    });
    if let Some(id) = draft.id {
        fields["id"] = json!(id);
    }
    if let Some(actor) = &draft.actor {
        fields["actor"] = json!(actor);
    }
    let text = fields.to_string();
    let again = read_lines(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(again.draft, annals_replay::handler::Draft { now: false, ..draft.clone() });
}

fuzz_target!(|data: &[u8]| {
    read_lines(data).flatten().for_each(|line| check(&line));
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(lines) = DraftText::new("drafts".to_owned(), text.to_owned()).read(1, &TimeZone::UTC) {
        lines.iter().for_each(check);
    }
});
