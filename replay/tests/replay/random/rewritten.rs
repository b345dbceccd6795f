//! A log as a list, and a list written into a log past the handler.

use annals_events::log::Change;
use annals_events::{Event, EventId, LogEvent, Micros, RawEnvelope, StreamName};
use annals_replay::handler::Draft;
use annals_store::{Clock as _, NewEvent, Transaction};

use super::log_desk::{DIRECTOR, open};
use crate::driver::record::Entry;
use crate::replay::scene::{Scene, draft, replace, strike};

/// What a log holds.
pub fn entries(scene: &Scene) -> Vec<Entry> {
    let all = scene.all();
    let entry = |raw: &RawEnvelope| match owned(&raw.event_type, raw.schema, raw.payload.as_str()) {
        Event::Tournament(event) => Entry::Event(raw.effective_at, raw.recorded_at, event),
        Event::Game(event) => {
            Entry::Game(raw.stream.name().parse().unwrap(), raw.effective_at, Box::new(event))
        }
        Event::Log(LogEvent::Correction(correction)) => {
            let corrected = &all[usize::try_from(correction.corrects).unwrap() - 1].event_type;
            let event = match correction.change {
                Change::Strike => None,
                Change::Replace { payload, schema, .. } => match owned(corrected, schema, payload.as_str()) {
                    Event::Tournament(event) => Some(event),
                    other => panic!("{other:?}"),
                },
            };
            Entry::Correction(correction.corrects, event)
        }
        _ => Entry::Other,
    };
    all.iter().map(entry).collect()
}

/// An event that outlives its payload: a test may leak it.
fn owned(event_type: &str, schema: u32, payload: &str) -> Event<'static> {
    Event::from_payload(event_type, schema, payload.to_owned().leak()).unwrap()
}

/// A log that holds so much, whatever the rules say of it. What happens in games goes in together.
pub fn written(entries: &[Entry], at: Micros) -> Scene {
    let mut scene = Scene::begun([0x42; 16], at);
    let mut games = Vec::new();
    for (seq, entry) in (1..).zip(entries) {
        let stream = open();
        let (recorded_at, draft) = match entry {
            Entry::Event(at, recorded_at, event) => {
                (*recorded_at, draft(stream.as_str(), *at, (**event).clone()))
            }
            Entry::Correction(of, Some(event)) => (0, replace(stream.as_str(), *of, (**event).clone(), None)),
            Entry::Correction(of, None) => (0, strike(stream.as_str(), *of)),
            Entry::Game(game, at, event) => {
                games.push(new_event(seq, &draft(&format!("game/{game}"), *at, (**event).clone())));
                scene.clock.set(scene.clock.now().max(*at));
                continue;
            }
            // The first event of a log.
            _ => continue,
        };
        append(&mut scene, std::mem::take(&mut games));
        scene.clock.set(scene.clock.now().max(recorded_at));
        append(&mut scene, vec![new_event(seq, &draft)]);
    }
    append(&mut scene, games);
    assert_eq!(scene.log.last_seq().unwrap(), entries.len() as u64);
    scene
}

fn new_event(seq: u64, draft: &Draft) -> NewEvent {
    let Draft { stream, event_type, schema, effective_at, payload, .. } = draft.clone();
    let id = EventId(u128::from(seq).to_be_bytes());
    let stream: StreamName = stream;
    NewEvent::from_parts(stream, id, &event_type, schema, effective_at, DIRECTOR, payload).unwrap()
}

fn append(scene: &mut Scene, events: Vec<NewEvent>) {
    if !events.is_empty() {
        scene.log.append(&Transaction::of(events)).unwrap();
    }
}
