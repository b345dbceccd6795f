//! Every name of a person or a tournament that needs a visible character.

use annals_events::{Event, EventType, blank_name};

use crate::golden::all_lines;

fn found(event_type: EventType, payload: &str) -> Option<&'static str> {
    blank_name(&Event::from_payload(event_type.name(), event_type.schema(), payload).unwrap())
}

#[test]
fn each_name_that_is_replaced_by_invisible_characters_is_found() {
    let names = [
        ("tournament.announced", "2015 Arimaa World Computer Championship", "name"),
        ("tournament.announced", "Omar Syed", "directors"),
        ("tournament.player_registered", "bot_sharp2015", "name"),
        ("tournament.player_registered", "David Wu", "developers"),
        ("tournament.benchmarks_declared", "bot_Clueless2009CC", "stable.name"),
        ("tournament.benchmarks_declared", "bot_GnoBot2009CC", "stable.name"),
        ("people.player_known", "bot_sharp2015", "name"),
        ("people.player_known", "David Wu", "developers"),
        ("people.alias_declared", "Fritzlein", "alias.name"),
    ];
    let lines = all_lines();
    for (event_type, name, key) in names {
        let of = |(found, line): &&(EventType, String)| found.name() == event_type && line.contains(name);
        let (event_type, line) = lines.iter().find(of).unwrap();
        assert_eq!(found(*event_type, line), None);
        assert_eq!(found(*event_type, &line.replace(name, "\u{200b} ")), Some(key), "{event_type}: {name}");
    }
}

#[test]
fn no_name_of_the_examples_is_blank() {
    for (event_type, line) in
        all_lines().into_iter().filter(|(event_type, _)| !event_type.name().starts_with("log."))
    {
        assert_eq!(found(event_type, &line), None, "{line}");
    }
}
