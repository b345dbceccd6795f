//! Every number of every event of a tournament at its extremes, asked about in SQL.

use annals_events::canonical::MAX_INTEGER;
use annals_events::{EventId, EventType, RawPayload};
use annals_store::{Log, MachineClock, NewEvent, Transaction};

use crate::bounds::begun;
use crate::program::Place;

/// The released payloads of tournaments, with one number for every number in them.
fn extreme_payloads(number: i64) -> Vec<(String, String)> {
    fn put(value: &mut serde_json::Value, number: i64) {
        match value {
            serde_json::Value::Number(_) => *value = number.into(),
            serde_json::Value::Array(values) => values.iter_mut().for_each(|value| put(value, number)),
            serde_json::Value::Object(fields) => fields.values_mut().for_each(|value| put(value, number)),
            _ => {}
        }
    }
    let mut payloads = Vec::new();
    for event_type in EventType::all().filter(|of| of.name().starts_with("tournament.")) {
        let path = format!("{}/events/tests/golden/{event_type}.v1.json", env!("CARGO_MANIFEST_DIR"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let mut payload = serde_json::from_str(line).unwrap();
            put(&mut payload, number);
            payloads.push((event_type.name().to_owned(), payload.to_string()));
        }
    }
    payloads
}

#[test]
fn no_number_of_a_log_makes_a_table_of_sql_fail() {
    for number in [0, 127, i64::from(u32::MAX), MAX_INTEGER, -MAX_INTEGER] {
        let place = Place::new();
        begun(&place);
        let mut log = Log::open_for_append(&place.path("home/log.db"), Box::new(MachineClock)).unwrap();
        let mut taken = 0;
        for (at, (event_type, payload)) in (1..).zip(extreme_payloads(number)) {
            let Ok(payload) = serde_json::from_str::<RawPayload>(&payload) else { continue };
            let stream = "tournament/spring-2015".parse().unwrap();
            let id = EventId::for_import([9; 8], at);
            let time = 1_425_800_000_000_000;
            if let Ok(event) = NewEvent::from_parts(stream, id, &event_type, 1, time, "omar", payload) {
                log.append(&Transaction::of(vec![event])).unwrap();
                taken += 1;
            }
        }
        drop(log);
        assert!(number < 0 || taken > 10, "{number}: only {taken} events");
        let tables = place.ask_json(&["query", "--json", "SHOW TABLES"]);
        let names =
            tables.as_array().unwrap().iter().map(|row| row["table_name"].as_str().unwrap().to_owned());
        let named = |name: &str| !name.starts_with("information_schema") && name != "df_settings";
        let mut sources: Vec<String> = names.filter(|name| named(name)).collect();
        assert!(sources.iter().any(|name| name == "rulings"), "{sources:?}");
        sources.extend(["standings('spring-2015')".to_owned(), "crosstable('spring-2015')".to_owned()]);
        let all: Vec<String> = sources.iter().map(|source| format!("SELECT * FROM {source}")).collect();
        if place.run(&["query", &all.join("; ")]).status == 0 {
            continue;
        }
        for source in sources {
            let run = place.run(&["query", &format!("SELECT * FROM {source}")]);
            assert!(run.status == 0 || run.talk.starts_with("error: "), "{number}, {source}: {run:?}");
            assert!(!run.talk.contains("panicked"), "{number}, {source}: {run:?}");
        }
    }
}
