//! Arbitrary events of every type: what is written is canonical, and reading it gives the same event again.

use annals_events::canonical;
use annals_events::{
    Entry, Envelope, Event, EventId, EventType, Hash, RawEnvelope, TimeNote, check_payload, names,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::arbitrary;

/// Runs a property on arbitrary events of every type.
pub fn for_every_type(cases: u32, property: impl Fn(EventType, Event<'static>) -> Result<(), TestCaseError>) {
    for event_type in EventType::all() {
        let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
        let bytes = prop::collection::vec(any::<u8>(), 0..400);
        runner
            .run(&bytes, |bytes| property(event_type, arbitrary::event(event_type, &bytes)))
            .unwrap_or_else(|error| panic!("{event_type}: {error}"));
    }
}

#[test]
fn every_event_survives_its_payload_and_the_payload_survives_the_event() {
    for_every_type(64, |event_type, event| {
        prop_assert_eq!(event.event_type(), event_type);
        let stated = TimeNote::Stated("winter 2006".parse().unwrap());
        let lifted = TimeNote::Lifted { stated_at: -5 };
        let notes = [None, Some(TimeNote::Unknown), Some(stated), Some(lifted)];
        for time in notes {
            let entry = Entry { event: event.clone(), time };
            let payload = entry.to_payload().unwrap();
            let text = payload.as_str();
            prop_assert!(canonical::check(text).is_ok(), "{}", text);
            prop_assert_eq!(&Entry::from_payload(event_type.name(), 1, text).unwrap(), &entry, "{}", text);
            prop_assert_eq!(&check_payload(event_type.name(), 1, text).unwrap(), &entry, "{}", text);
        }
        Ok(())
    });
}

#[test]
fn every_event_survives_a_line_of_json() {
    for_every_type(16, |event_type, event| {
        let envelope = Envelope {
            seq: 1,
            stream: "game/1".parse().unwrap(),
            version: 1,
            id: EventId([3; 16]),
            event_type: event_type.name().to_owned(),
            schema: event_type.schema(),
            effective_at: -1,
            recorded_at: canonical::MAX_INTEGER,
            actor: "tester".to_owned(),
            payload: event.to_payload().unwrap(),
            hash: Hash([0xee; 32]),
        };
        let line = canonical::to_string(&envelope).unwrap();
        canonical::check(&line).unwrap();
        let back: RawEnvelope = canonical::from_str(&line).unwrap();
        prop_assert_eq!(&back, &envelope);
        prop_assert_eq!(back.decode().unwrap(), event);
        Ok(())
    });
}

#[test]
fn what_an_event_names_comes_sorted_and_once() {
    for_every_type(16, |_, event| {
        for stream in ["game/1", "tournament/t", "people/p", "log/annals", "other/x"] {
            let stream = stream.parse().unwrap();
            let names = names(&stream, &event);
            prop_assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", names);
        }
        Ok(())
    });
}

#[test]
fn names_of_types_are_their_own_and_lead_back() {
    let all: Vec<EventType> = EventType::all().collect();
    for (i, event_type) in all.iter().enumerate() {
        assert_eq!(EventType::from_name(event_type.name()).unwrap(), *event_type);
        assert!(all[..i].iter().all(|other| other.name() != event_type.name()), "{event_type}");
        let word = event_type.name().strip_prefix(event_type.family().word()).unwrap();
        assert!(word.starts_with('.'), "{event_type}");
        let second = ["tournament.dispute_filed", "tournament.hardware_declared"];
        let schema = if second.contains(&event_type.name()) { 2 } else { 1 };
        assert_eq!(
            event_type.schema(),
            schema,
            "{event_type}: raise the version in the tests with the schema"
        );
    }
    assert_eq!(EventType::from_name("game.turn_taken").unwrap().to_string(), "game.turn_taken");
}

#[test]
fn a_number_too_large_for_every_reader_is_refused_on_writing() {
    use annals_events::GameEvent;
    let clock = |gold_reserve| {
        Event::from(GameEvent::ClockSet(annals_events::ClockSet { gold_reserve, ..Default::default() }))
    };
    assert!(clock(canonical::MAX_INTEGER).to_payload().is_ok());
    let error = clock(canonical::MAX_INTEGER + 1).to_payload().unwrap_err();
    assert!(error.to_string().contains("9007199254740992"), "{error}");
}
