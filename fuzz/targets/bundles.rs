//! Bundles of evidence: what is proven under a head of the known log are events of that log, and whole streams of it.
#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use annals_fuzz::known_log::KnownLog;
use annals_store::{Moment, ProvenEvent, check_bundle};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use serde_json::value::RawValue;

static LOG: LazyLock<KnownLog> = LazyLock::new(KnownLog::create);

fuzz_target!(|text: &str| {
    let head = LOG.head();
    let Ok(check) = check_bundle(text, Some(&head)) else { return };
    assert_eq!(check.receipt == Some(Moment::Same), check.head == head);
    let Ok(alone) = check_bundle(text, None) else { panic!("{text}") };
    if !check.is_proven() {
        return assert!(!alone.is_proven() || check.head != head);
    }
    // A part that the check does not read can have a number that no `Value` has.
    let bundle: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).unwrap();
    let events: Vec<Value> = serde_json::from_str(bundle["events"].get()).unwrap();
    let events: Vec<ProvenEvent> = events
        .iter()
        .map(|event| serde_json::from_value(event.get("event").unwrap_or(event).clone()).unwrap())
        .collect();
    assert_eq!(check.events, events.len() as u64);
    assert!(events.iter().all(|event| LOG.has(event)), "{text}");
    for whole in &check.streams {
        let of_stream = |event: &&ProvenEvent| event.stream == whole.stream.as_str();
        assert_eq!(events.iter().filter(of_stream).count() as u64, whole.events);
    }
});
