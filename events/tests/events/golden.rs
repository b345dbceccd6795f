//! The payloads of every released schema, as files: `golden/TYPE.vSCHEMA.json`, one payload a line. They are never
//! changed; a new schema gets new files, and the old ones must still be read.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

use annals_events::tournament::{Disqualification, Failure, Milestone, Notice, Outcome, Stage, Withdrawal};
use annals_events::{Entry, EventType, UnknownWord, check_payload};

use crate::arbitrary;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn lines(event_type: EventType, schema: u32) -> Vec<String> {
    let path = folder().join(format!("{event_type}.v{schema}.json"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}: every released schema has a file", path.display()));
    text.lines().map(str::to_owned).collect()
}

/// Every line of the present schemas.
pub fn all_lines() -> Vec<(EventType, String)> {
    EventType::all()
        .flat_map(|event_type| {
            lines(event_type, event_type.schema()).into_iter().map(move |line| (event_type, line))
        })
        .collect()
}

#[test]
fn every_released_schema_is_still_read() {
    for event_type in EventType::all() {
        for schema in 1..=event_type.schema() {
            let lines = lines(event_type, schema);
            assert!(!lines.is_empty(), "{event_type}.v{schema}.json is empty");
            for line in lines {
                let entry = Entry::from_payload(event_type.name(), schema, &line)
                    .unwrap_or_else(|error| panic!("{error}\n{line}"));
                assert_eq!(entry.event.event_type(), event_type);
            }
        }
    }
}

#[test]
fn the_present_schemas_are_written_to_the_byte_as_they_were_released() {
    for (event_type, line) in all_lines() {
        let entry = check_payload(event_type.name(), event_type.schema(), &line)
            .unwrap_or_else(|error| panic!("{error}\n{line}"));
        assert_eq!(entry.to_payload().unwrap().as_str(), line);
    }
}

#[test]
fn every_field_of_every_type_occurs_in_its_file() {
    for event_type in EventType::all() {
        let mut seen = BTreeSet::new();
        for line in lines(event_type, event_type.schema()) {
            let value: serde_json::Value = serde_json::from_str(&line).unwrap();
            seen.extend(value.as_object().unwrap().keys().cloned());
        }
        let fields = arbitrary::fields(event_type);
        assert!(!fields.is_empty(), "{event_type} has no fields");
        for field in fields {
            assert!(seen.contains(*field), "{event_type}: no line of its file has `{field}`");
        }
    }
}

#[test]
fn every_effect_that_a_ruling_can_have_occurs() {
    let rulings = lines(EventType::from_name("tournament.ruling_given").unwrap(), 1).join("\n");
    let effects = "halt invalidate rematch set_result vacate set_territory set_rated set_colours remove reinstate \
                   place read nothing";
    for effect in effects.split(' ') {
        let says = |form: String| rulings.contains(&form);
        assert!(
            says(format!("\"effect\":{{\"{effect}\":{{")) || says(format!("\"effect\":\"{effect}\"")),
            "{effect}"
        );
    }
}

#[test]
fn every_word_of_the_closed_lists_is_read_from_its_text_and_occurs() {
    let text: String = all_lines().into_iter().map(|(_, line)| line + "\n").collect();
    fn check<W>(text: &str, words: &[W])
    where
        W: Copy
            + PartialEq
            + std::fmt::Debug
            + std::fmt::Display
            + serde::Serialize
            + FromStr<Err = UnknownWord>,
    {
        for word in words {
            assert_eq!(word.to_string().parse(), Ok(*word));
            let json = serde_json::to_string(word).unwrap();
            assert_eq!(json, format!("\"{word}\""));
            assert!(text.contains(&format!(":{json}")), "no file has the word {json}");
        }
        let error = "no such word".parse::<W>().unwrap_err();
        assert!(error.known.split(", ").eq(words.iter().map(W::to_string)), "{error}");
    }
    check(&text, Stage::ALL);
    check(&text, Milestone::ALL);
    check(&text, Withdrawal::ALL);
    check(&text, Disqualification::ALL);
    check(&text, Notice::ALL);
    check(&text, Outcome::ALL);
    check(&text, Failure::ALL);
}

#[test]
fn no_file_is_of_an_unknown_type_or_schema() {
    for file in std::fs::read_dir(folder()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let stem = name.strip_suffix(".json").unwrap_or_else(|| panic!("{name}: not a golden file"));
        let (type_name, schema) = stem.rsplit_once(".v").unwrap_or_else(|| panic!("{name}: no schema"));
        let event_type = EventType::from_name(type_name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!((1..=event_type.schema()).contains(&schema.parse().unwrap()), "{name}");
    }
}
