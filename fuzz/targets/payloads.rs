//! Payloads of every type of event: what is read is written in one form, which is read again as the same event. The first
//! byte chooses the type, the second the schema.
#![no_main]

use std::sync::LazyLock;

use annals_events::{Entry, EventType, canonical, check_payload};
use libfuzzer_sys::fuzz_target;

static TYPES: LazyLock<Vec<EventType>> = LazyLock::new(|| EventType::all().collect());

fuzz_target!(|data: &[u8]| {
    let [chosen, schema, payload @ ..] = data else { return };
    let Ok(payload) = std::str::from_utf8(payload) else { return };
    let event_type = TYPES[usize::from(*chosen) % TYPES.len()];
    let (name, schema) = (event_type.name(), u32::from(schema % 4));
    let read = Entry::from_payload(name, schema, payload);
    let normal = check_payload(name, schema, payload);
    let Ok(entry) = read else { return assert!(normal.is_err()) };
    assert_eq!(entry.event.event_type(), event_type);
    // A number beyond 2^53 can be read of a text that no log has.
    let Ok(written) = entry.to_payload() else { return assert!(normal.is_err()) };
    canonical::check(written.as_str()).unwrap();
    assert_eq!(check_payload(name, event_type.schema(), written.as_str()).unwrap(), entry);
    if normal.is_ok() && schema == event_type.schema() {
        assert_eq!(written.as_str(), payload);
    }
    let stream = "game/1".parse().unwrap();
    let names = annals_events::names(&stream, &entry.event);
    assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
});
