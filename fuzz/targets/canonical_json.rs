//! Canonical JSON: what is accepted is written again as the same bytes, and every other layout as what is accepted.
#![no_main]

use annals_events::canonical::{check, check_unique, from_str, to_string};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let value = from_str::<Value>(text);
    let unique = check_unique(text);
    let canonical = check(text);
    let written = value.as_ref().ok().and_then(|value| to_string(value).ok());
    assert_eq!(canonical.is_ok(), written.as_deref() == Some(text));
    if canonical.is_ok() {
        assert!(unique.is_ok());
    }
    if let Some(written) = written {
        check(&written).unwrap();
        assert_eq!(from_str::<Value>(&written).ok(), value.ok());
    }
});
