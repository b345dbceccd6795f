//! How fast payloads are read and written: the replay folds a million events a second on one core, reading included,
//! so reading alone has to be well above that. The peer in the same run is `serde_json` reading the same text
//! into a tree of values.

use std::hint::black_box;

use annals_events::{Entry, Event, GameEvent, Side, TimeNote, TurnTaken, canonical, check_payload};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A thousand turns with clocks, as an import of the gameroom's log gives them.
fn turns() -> Vec<Event<'static>> {
    (0..1000u32)
        .map(|i| {
            let side = if i % 2 == 0 { Side::Gold } else { Side::Silver };
            let steps = ["Eb2n Eb3n Ed2n hd7s", "rd7s rd6s", "Hg3n hg5s Hg4n cb6x rb6e", "mc5w Db4n"];
            Event::Game(GameEvent::TurnTaken(TurnTaken {
                number: 1 + i / 2,
                side,
                steps: steps[i as usize % steps.len()].into(),
                used: Some(i * 7 % 120),
                gold_reserve: Some(148 + i64::from(i % 99)),
                silver_reserve: Some(150 - i64::from(i % 77)),
                game_time: Some(u64::from(i) * 43),
            }))
        })
        .collect()
}

fn payloads(events: &[Event<'_>], time: Option<TimeNote>) -> Vec<String> {
    let entry = |event: &Event<'_>| Entry { event: event.clone(), time }.to_payload().unwrap().into_string();
    events.iter().map(entry).collect()
}

fn decode(c: &mut Criterion) {
    let events = turns();
    let plain = payloads(&events, None);
    let noted = payloads(&events, Some(TimeNote::Unknown));
    let mut group = c.benchmark_group("turn_taken");
    group.throughput(Throughput::Elements(plain.len() as u64));
    group.bench_function("read", |b| {
        b.iter(|| {
            for text in &plain {
                black_box(Event::from_payload(black_box("game.turn_taken"), 1, text).unwrap());
            }
        })
    });
    group.bench_function("read_with_a_note_on_its_time", |b| {
        b.iter(|| {
            for text in &noted {
                black_box(Entry::from_payload(black_box("game.turn_taken"), 1, text).unwrap());
            }
        })
    });
    group.bench_function("peer_serde_json_value", |b| {
        b.iter(|| {
            for text in &plain {
                black_box(serde_json::from_str::<serde_json::Value>(text).unwrap());
            }
        })
    });
    group.bench_function("canonical_check", |b| {
        b.iter(|| {
            for text in &plain {
                canonical::check(black_box(text)).unwrap();
            }
        })
    });
    group.bench_function("check_payload", |b| {
        b.iter(|| {
            for text in &plain {
                black_box(check_payload(black_box("game.turn_taken"), 1, text).unwrap());
            }
        })
    });
    group.bench_function("write", |b| {
        b.iter(|| {
            for event in &events {
                black_box(black_box(event).to_payload().unwrap());
            }
        })
    });
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
