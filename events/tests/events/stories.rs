//! The story of every released payload, in `stories.txt`: whoever changes the wording sees what becomes of it. Write the
//! file anew with `ANNALS_WRITE_STORIES=1 cargo test -p annals-events`.

use std::fmt::Write as _;

use annals_events::narrative::{Narrator, utc};
use annals_events::{Entry, Event, EventType, LogEvent, TimeNote};
use proptest::prelude::*;
use serde_json::Value;

use crate::every_type::for_every_type;
use crate::golden;

fn entry(event_type: EventType, line: &str) -> Entry<'_> {
    Entry::from_payload(event_type.name(), event_type.schema(), line).unwrap()
}

#[test]
fn every_released_payload_has_the_story_that_is_written_down() {
    let mut told = String::new();
    let mut before = None;
    for (event_type, line) in golden::all_lines() {
        if before != Some(event_type) {
            writeln!(told, "\n{event_type}").unwrap();
            before = Some(event_type);
        }
        let narrative = Narrator::default().narrate(&entry(event_type, &line));
        writeln!(told, "  {}", narrative.what).unwrap();
        if let Some(why) = narrative.why {
            writeln!(told, "    why: {why}").unwrap();
        }
    }
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/events/stories.txt");
    if std::env::var_os("ANNALS_WRITE_STORIES").is_some() {
        std::fs::write(&path, &told).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    for (told, written) in told.lines().zip(written.lines()) {
        assert_eq!(told, written, "the wording changed; if that is meant, write the file again");
    }
    assert_eq!(told.len(), written.len(), "{} misses stories, or has some too many", path.display());
}

/// Keys whose values are words of closed lists, told in other words; and hashes, by which
/// nobody knows an event.
const TOLD_OTHERWISE: &[&str] = &[
    "kind", "game_kind", "outcome", "termination", "stage", "from", "to", "milestone", "failure", "cause",
    "how", "about", "method", "change", "clock", "format", "name", "effect", "side", "upper_side", "winner",
    "anchored_hash", "head_hash", "signed_note", "_time",
];

/// The strings of a payload that a story must repeat, with the keys under which they stand.
fn strings<'v>(key: &'v str, value: &'v Value, found: &mut Vec<(&'v str, &'v str)>) {
    match value {
        Value::String(text) => found.push((key, text)),
        Value::Array(items) => items.iter().for_each(|item| strings(key, item, found)),
        Value::Object(fields) => {
            fields
                .iter()
                .filter(|(key, _)| *key != "payload")
                .for_each(|(key, item)| strings(key, item, found));
        }
        _ => {}
    }
}

#[test]
fn a_story_repeats_every_name_and_every_word_that_somebody_gave() {
    let mut checked = 0;
    for (event_type, line) in golden::all_lines() {
        let narrative = Narrator::default().narrate(&entry(event_type, &line));
        let text = format!("{} {}", narrative.what, narrative.why.unwrap_or_default()).to_lowercase();
        let value: Value = serde_json::from_str(&line).unwrap();
        let mut found = Vec::new();
        strings("", &value, &mut found);
        let closed = |key: &str| {
            TOLD_OTHERWISE.contains(&key) || (key == "game" && event_type.name() == "tournament.announced")
        };
        for (key, said) in found.into_iter().filter(|(key, _)| !closed(key)) {
            // A digest is cut to what tells it apart by eye.
            let said = said
                .split_once(':')
                .filter(|(algorithm, _)| *algorithm == "sha256")
                .map_or(said, |_| &said[..19]);
            assert!(text.contains(&said.to_lowercase()), "{event_type}: {key} `{said}` is not in `{text}`");
            checked += 1;
        }
    }
    assert!(checked > 300, "only {checked} strings were looked for");
}

#[test]
fn a_story_repeats_every_time_that_its_event_speaks_of() {
    let times = [
        "at", "due", "until", "started_at", "ended_at", "scheduled_at", "waited_until", "stated_at",
        "effective_at",
    ];
    fn walk(key: &str, value: &Value, times: &[&str], narrative: &str, seen: &mut u32) {
        match value {
            Value::Number(number) if times.contains(&key) => {
                let shown = utc(number.as_i64().unwrap());
                assert!(narrative.contains(&shown), "{shown} is not in `{narrative}`");
                *seen += 1;
            }
            Value::Array(items) => items.iter().for_each(|item| walk(key, item, times, narrative, seen)),
            Value::Object(fields) => {
                fields.iter().for_each(|(key, item)| walk(key, item, times, narrative, seen))
            }
            _ => {}
        }
    }
    let mut seen = 0;
    for (event_type, line) in golden::all_lines() {
        let narrative = Narrator::default().narrate(&entry(event_type, &line));
        let text = format!("{} {}", narrative.what, narrative.why.unwrap_or_default());
        walk("", &serde_json::from_str(&line).unwrap(), &times, &text, &mut seen);
    }
    assert!(seen > 25, "only {seen} times were looked for");
}

#[test]
fn a_story_is_a_sentence_whatever_the_event() {
    for_every_type(64, |_, event| {
        for time in [None, Some(TimeNote::Unknown), Some(TimeNote::Lifted { stated_at: 7 })] {
            let narrative = Narrator::default().narrate(&Entry { event: event.clone(), time });
            prop_assert!(
                narrative.what.ends_with('.') || narrative.what.ends_with('”'),
                "{}",
                narrative.what
            );
            prop_assert_eq!(narrative.why.as_ref().is_some_and(|why| why.trim().is_empty()), false);
            prop_assert!(time.is_none() || narrative.why.is_some_and(|why| why.contains("The source")));
        }
        Ok(())
    });
}

#[test]
fn a_correction_is_told_with_what_takes_the_place_of_the_old() {
    let payload = r#"{"change":{"replace":{"payload":{"number":7,"side":"silver","steps":"ed5s"},"schema":1}},"corrects":41,"reason":"Misread"}"#;
    let entry = Entry::from_payload("log.correction", 1, payload).unwrap();
    let Event::Log(LogEvent::Correction(correction)) = entry.event else { panic!("no correction") };
    let told = |corrected| Narrator::default().tell_correction(&correction, corrected).what;
    assert_eq!(told("game.turn_taken"), "Event 41 was corrected to “Silver took turn 7: ed5s”.");
    assert_eq!(
        told("game.halted"),
        r#"Event 41 was corrected to {"number":7,"side":"silver","steps":"ed5s"}."#,
        "what cannot be read is shown as it is"
    );
}
