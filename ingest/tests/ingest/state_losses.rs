//! What a state file cannot say of a record is printed: of every kind of event.

use std::collections::BTreeSet;
use std::path::Path;

use annals_events::{Entry, Event, EventType, TournamentEvent};
use annals_ingest::state_file::recorded;

/// The recorded examples of every type of tournament event, in its present schema.
fn examples() -> Vec<(EventType, TournamentEvent)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../events/tests/golden");
    let mut examples = Vec::new();
    for kind in EventType::all().filter(|kind| kind.name().starts_with("tournament.")) {
        let path = folder.join(format!("{kind}.v{}.json", kind.schema()));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            match Entry::from_payload(kind.name(), kind.schema(), line).unwrap().event {
                Event::Tournament(event) => examples.push((kind, *event)),
                other => panic!("{other:?}"),
            }
        }
    }
    examples
}

#[test]
fn every_kind_of_event_is_written_or_has_a_remark() {
    let (mut all, mut with_remark) = (BTreeSet::new(), BTreeSet::new());
    for (kind, event) in examples() {
        let remarks = recorded([(1, 0, &event)]).remarks;
        all.insert(kind.name());
        if remarks.iter().any(|remark| remark.starts_with("not written: ")) {
            with_remark.insert(kind.name());
        }
    }
    assert!(all.len() > 50, "{all:?}");
    let written: Vec<_> = all.difference(&with_remark).collect();
    assert_eq!(written, [&"tournament.qualified"], "the seeds are written");
}
