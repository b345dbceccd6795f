//! Older schemas. No type has had a second one yet, so the chain is tried with steps of its own: twice the shape of a
//! turn changes, and payloads of every version are read as the same turn.

use annals_events::{DecodeError, Event, EventType, GameEvent, Schemas, Side, Step, TimeNote, TurnTaken};
use serde_json::{Value, json};

fn turn_taken() -> EventType {
    EventType::from_name("game.turn_taken").unwrap()
}

/// Version 1 had the archive's letter for the side, version 2 the word, but the steps as a list.
fn steps() -> [Step; 2] {
    let letter_to_word = |mut payload: Value| {
        let object = payload.as_object_mut().ok_or("no object")?;
        let letter = object.remove("player").ok_or("no `player`")?;
        let word = match letter.as_str() {
            Some("w") => "gold",
            Some("b") => "silver",
            _ => return Err(format!("`player` is {letter}, not w or b")),
        };
        object.insert("side".to_owned(), json!(word));
        Ok(payload)
    };
    let list_to_text = |mut payload: Value| {
        let steps = payload["steps"].as_array().ok_or("`steps` is no list")?;
        let text: Vec<&str> = steps.iter().filter_map(Value::as_str).collect();
        payload["steps"] = json!(text.join(" "));
        Ok(payload)
    };
    [
        Step { event_type: turn_taken(), from: 1, apply: letter_to_word },
        Step { event_type: turn_taken(), from: 2, apply: list_to_text },
    ]
}

#[test]
fn every_version_of_a_payload_is_read_as_the_same_event() {
    let steps = steps();
    let schemas = Schemas::new(&steps).unwrap();
    let event = Event::from(GameEvent::TurnTaken(TurnTaken::plain(2, Side::Silver, "ed7s hd6e")));
    assert_eq!(schemas.current(turn_taken()), 3);
    for (schema, payload) in [
        (1, r#"{"number":2,"player":"b","steps":["ed7s","hd6e"]}"#),
        (2, r#"{"number":2,"side":"silver","steps":["ed7s","hd6e"]}"#),
        (3, r#"{"number":2,"side":"silver","steps":"ed7s hd6e"}"#),
    ] {
        let entry = schemas.decode(turn_taken(), schema, payload).unwrap();
        assert_eq!((entry.event, entry.time), (event.clone(), None), "schema {schema}");
    }
    let noted = r#"{"_time":{"lifted":{"stated_at":7}},"number":2,"player":"b","steps":["ed7s","hd6e"]}"#;
    let entry = schemas.decode(turn_taken(), 1, noted).unwrap();
    assert_eq!((entry.event, entry.time), (event, Some(TimeNote::Lifted { stated_at: 7 })));
}

#[test]
fn other_types_are_untouched_by_the_steps_of_one() {
    let steps = steps();
    let schemas = Schemas::new(&steps).unwrap();
    for event_type in EventType::all().filter(|event_type| *event_type != turn_taken()) {
        assert_eq!(schemas.current(event_type), 1);
        let payload = json!({"anything": 1});
        assert_eq!(schemas.upcast(event_type, 1, payload.clone()).unwrap(), payload);
    }
}

#[test]
fn an_older_payload_of_the_wrong_shape_is_refused_with_version_and_reason() {
    let steps = steps();
    let schemas = Schemas::new(&steps).unwrap();
    let error = schemas.decode(turn_taken(), 1, r#"{"number":2,"player":"x","steps":[]}"#).unwrap_err();
    assert!(
        matches!(&error, DecodeError::Upcast(e) if e.from == 1 && e.event_type == turn_taken()),
        "{error}"
    );
    assert!(
        error.to_string().contains("schema 1 of `game.turn_taken` cannot be carried over to schema 2"),
        "{error}"
    );
    let error = schemas.decode(turn_taken(), 2, r#"{"number":2,"side":"gold","steps":"Eb2n"}"#).unwrap_err();
    assert!(error.to_string().contains("`steps` is no list"), "{error}");
    let error = schemas.decode(turn_taken(), 2, r#"{"number":"2","side":"gold","steps":[]}"#).unwrap_err();
    assert!(matches!(error, DecodeError::Payload { schema: 2, .. }), "{error}");
    let error = schemas.decode(turn_taken(), 1, "no JSON").unwrap_err();
    assert!(matches!(error, DecodeError::Payload { schema: 1, .. }), "{error}");
}

#[test]
fn a_newer_version_is_refused_and_both_versions_are_named() {
    let error = Event::from_payload("game.turn_taken", 4, "{}").unwrap_err();
    assert!(matches!(error, DecodeError::NewerSchema { found: 4, known: 1, .. }), "{error}");
    let words = error.to_string();
    for part in ["schema 4", "game.turn_taken", "up to schema 1", "annals 0."] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let error = Event::from_payload("game.turn_taken", 0, "{}").unwrap_err();
    assert!(matches!(error, DecodeError::NoSuchSchema { known: 1, .. }), "{error}");
}

#[test]
fn a_chain_with_a_gap_is_no_chain() {
    let [first, second] = steps();
    assert!(Schemas::new(&[second]).is_none());
    assert!(Schemas::new(&[first, first]).is_none());
    assert!(Schemas::new(&[second, first]).is_none());
    assert!(Schemas::new(&[first]).is_some());
}
