//! Input that nobody wrote with good intent: it is refused in words, and never makes a reader panic or accept two ways
//! of saying one thing.

use annals_events::{
    DecodeError, Entry, Event, EventType, RawEnvelope, RawPayload, canonical, check_payload,
};
use proptest::prelude::*;

use crate::golden;

fn every_name() -> Vec<&'static str> {
    EventType::all().map(EventType::name).collect()
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), schema in 0..3u32) {
        let text = String::from_utf8_lossy(&bytes);
        for name in every_name() {
            let _ = Event::from_payload(name, schema, &text);
        }
        let _ = check_payload(&text, schema, &text);
        let _ = canonical::from_str::<RawEnvelope>(&text);
        let _ = canonical::from_str::<RawPayload>(&text);
        let _ = canonical::check(&text);
    }

    #[test]
    fn no_damaged_payload_is_taken_for_the_one_way_of_saying_something_else(
        line in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        with in any::<u8>(),
        gone in 0..2usize,
    ) {
        let lines = golden::all_lines();
        let (event_type, payload) = line.get(&lines);
        let mut bytes = payload.clone().into_bytes();
        let at = at.index(bytes.len());
        bytes.splice(at..at + gone, [with]);
        let damaged = String::from_utf8_lossy(&bytes);
        if let Ok(entry) = check_payload(event_type.name(), 1, &damaged) {
            let written = entry.to_payload().unwrap();
            prop_assert_eq!(written.as_str(), &*damaged);
        }
    }
}

#[test]
fn an_unknown_type_is_named_with_the_types_of_its_family() {
    let error = Event::from_payload("people.player_cloned", 1, "{}").unwrap_err();
    assert!(matches!(&error, DecodeError::UnknownType { found, .. } if found == "people.player_cloned"));
    let words = error.to_string();
    for part in ["people.player_cloned", "people.player_known", "annals ", "newer program"] {
        assert!(words.contains(part), "{part} in {words}");
    }
    for unknown in ["", ".", "game", "game.", "weather.changed", "GAME.TURN_TAKEN", "turn_taken"] {
        assert!(matches!(EventType::from_name(unknown), Err(DecodeError::UnknownType { .. })), "{unknown}");
    }
}

#[test]
fn a_field_that_is_missing_unknown_or_twice_is_refused_by_name() {
    let refused = |payload: &str| Event::from_payload("game.turn_taken", 1, payload).unwrap_err().to_string();
    for (payload, part) in [
        (r#"{"number":2,"side":"gold"}"#, "missing field `steps`"),
        (r#"{"number":2,"side":"gold","steps":"Eb2n","typ":1}"#, "unknown field `typ`"),
        (r#"{"number":2,"number":2,"side":"gold","steps":"Eb2n"}"#, "duplicate field `number`"),
        (r#"{"number":2,"side":"white","steps":"Eb2n"}"#, "unknown variant `white`"),
        (r#"{"number":-2,"side":"gold","steps":"Eb2n"}"#, "invalid value"),
        (r#"{"number":2,"side":"gold","steps":"Eb2n"}}"#, "trailing characters"),
        (
            r#"{"_time":"unknown","_time":"unknown","number":2,"side":"gold","steps":""}"#,
            "duplicate field `_time`",
        ),
        (r#"{"_time":"perhaps","number":2,"side":"gold","steps":""}"#, "unknown variant `perhaps`"),
        (r#"{"number":2,"side":"gold","steps":"","_time":"unknown"}"#, "unknown field `_time`"),
        ("[]", "game.turn_taken"),
        ("", "EOF"),
    ] {
        let words = refused(payload);
        assert!(words.contains(part), "{payload}: {words}");
    }
}

#[test]
fn a_payload_that_says_the_same_in_another_way_is_refused_at_the_door() {
    fn way(payload: &str) -> Result<Entry<'_>, DecodeError> {
        check_payload("game.ended", 1, payload)
    }
    assert!(way(r#"{"termination":"goal","winner":"gold"}"#).is_ok());
    for another in [
        r#"{"winner":"gold","termination":"goal"}"#,
        r#"{"termination":"goal", "winner":"gold"}"#,
        r#"{"termination":"go\u0061l","winner":"gold"}"#,
    ] {
        assert!(matches!(way(another), Err(DecodeError::NotCanonical { .. })), "{another}");
    }
    for another in [r#"{"draw":false,"termination":"goal","winner":"gold"}"#, r#"{"stated":null}"#] {
        let error = way(another).unwrap_err();
        assert!(matches!(error, DecodeError::NotNormal { .. }), "{another}");
        assert!(Event::from_payload("game.ended", 1, another).is_ok(), "a reader understands it: {another}");
    }
}

#[test]
fn a_stored_text_stays_what_it_is_and_a_foreign_one_is_brought_into_form() {
    let payload = |text| canonical::from_str::<RawPayload>(text);
    assert_eq!(RawPayload::from_stored("{ broken".to_owned()).as_str(), "{ broken");
    assert_eq!(payload(r#"{ "b": 1, "a": "A" }"#).unwrap().as_str(), r#"{"a":"A","b":1}"#);
    assert!(canonical::check(r#"{ "a":1}"#).is_err());
    assert!(payload("{\"a\":0.5}").is_err());
}
