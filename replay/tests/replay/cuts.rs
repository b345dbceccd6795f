//! Both clocks of the log against a naive model: random histories with random corrections, cut at random.

use annals_events::log::{Change, Correction};
use annals_events::{Entry, Event, EventId, GameEvent, Halted, LogEvent, RawEnvelope, StreamName};
use annals_replay::timeline::EffectiveEvent;
use annals_replay::{Cut, Finding, Projection, Replayed, Scope, fold};
use annals_store::{NewEvent, Transaction};
use proptest::prelude::*;

use super::prefixes::corrected;
use super::scene::{DAY, START, Scene, stream};

/// Keeps what it sees.
#[derive(Debug, Default, Clone, PartialEq)]
struct Seen(Vec<(u64, i64, String)>);

impl Projection for Seen {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        self.0.push((event.seq, event.effective_at, event.payload.to_owned()));
    }

    fn find(&mut self, _: Finding) {}
}

#[derive(Debug, Clone)]
enum Step {
    Happened { stream: u8, at: i64 },
    Corrected { stream: u8, corrects: u64, strike: bool, at: Option<i64> },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..2u8, 0..20i64).prop_map(|(stream, at)| Step::Happened { stream, at }),
        1 => (0..2u8, 0..24u64, any::<bool>(), prop::option::of(0..20i64))
            .prop_map(|(stream, corrects, strike, at)| Step::Corrected { stream, corrects, strike, at }),
    ]
}

fn halted(reason: String) -> Event<'static> {
    GameEvent::Halted(Halted { reason: Some(reason.into()) }).into()
}

/// The stream, time and event of a step.
fn told(i: usize, step: &Step) -> (StreamName, i64, Event<'static>) {
    let names = ["game/a", "game/b"];
    let (name, at, event) = match step {
        Step::Happened { stream, at } => (names[usize::from(*stream)], START + at, halted(format!("{i}"))),
        Step::Corrected { stream, corrects, strike, at } => {
            let payload = halted(format!("corrected by {i}")).to_payload().unwrap();
            let effective_at = at.map(|at| START + at);
            let change = match strike {
                true => Change::Strike,
                false => Change::Replace { payload, schema: 1, effective_at },
            };
            let correction = Correction { corrects: *corrects, change, reason: String::new() };
            (names[usize::from(*stream)], START, LogEvent::Correction(correction).into())
        }
    };
    (stream(name), at, event)
}

fn fill(scene: &mut Scene, steps: &[(Step, u8)]) {
    let mut batch = Vec::new();
    for (i, (step, commit)) in steps.iter().enumerate() {
        let (name, at, event) = told(i, step);
        let mut id = [9; 16];
        id[0] = i as u8;
        batch.push(NewEvent::new(name, EventId(id), at, "t", &Entry::from(event)).unwrap());
        if *commit == 0 || i + 1 == steps.len() {
            scene.clock.advance(1 + i64::from(i as u8 % 3));
            scene.log.append(&Transaction::of(std::mem::take(&mut batch))).unwrap();
        }
    }
}

/// The four steps, one after the other, on plain lists.
fn model(all: &[RawEnvelope], name: Option<&str>, cut: &Cut) -> Seen {
    let kept = |event: &&RawEnvelope| {
        cut.seq.is_none_or(|seq| event.seq <= seq) && cut.known_at.is_none_or(|at| event.recorded_at <= at)
    };
    let prefix: Vec<RawEnvelope> = all.iter().filter(kept).cloned().collect();
    let stand = corrected(&prefix)
        .into_iter()
        .filter(|event| cut.as_of.is_none_or(|at| event.effective_at <= at))
        .filter(|event| name.is_none_or(|name| event.stream.as_str() == name));
    Seen(stand.map(|event| (event.seq, event.effective_at, event.payload.into_string())).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if std::env::var_os("ANNALS_LONG").is_some() { 2_000 } else { 32 }, ..ProptestConfig::default() })]

    #[test]
    fn every_cut_shows_what_the_four_steps_give(
        steps in prop::collection::vec((step(), 0..3u8), 1..24),
        cuts in prop::collection::vec((prop::option::of(0..20i64), prop::option::of(0..40i64), prop::option::of(0..26u64)), 1..12),
    ) {
        let mut scene = Scene::new();
        fill(&mut scene, &steps);
        let all = scene.all();
        for (as_of, known_at, seq) in cuts {
            let as_of = as_of.map(|at| START + at);
            let cut = Cut { as_of, known_at: known_at.map(|at| START + DAY + at), seq, ..Cut::NOW };
            for name in ["game/a", "game/b"] {
                let ours = Replayed::<Seen>::rebuild(&scene.log, Scope::Stream(stream(name)), &cut).unwrap();
                prop_assert_eq!(ours.state(), &model(&all, Some(name), &cut), "{} at {:?}", name, cut);
            }
            let whole = Replayed::<Seen>::rebuild(&scene.log, Scope::Log, &cut).unwrap();
            prop_assert_eq!(whole.state(), &model(&all, None, &cut), "the log at {:?}", cut);
        }
    }
}

/// An event of the first stream, or a correction of an earlier event.
fn steps_after(events: u64) -> Vec<Step> {
    let mut steps: Vec<Step> = [0, 1].map(|at| Step::Happened { stream: 0, at }).into();
    for corrects in 1..=events {
        let corrected = |strike, at| Step::Corrected { stream: 0, corrects, strike, at };
        steps.extend([corrected(true, None), corrected(false, None), corrected(false, Some(1))]);
    }
    if events > 0 {
        steps.push(Step::Corrected { stream: 1, corrects: 1, strike: true, at: None });
    }
    steps
}

/// The event of a step, as the log would have it at its end.
fn recorded_after(events: &[RawEnvelope], template: &RawEnvelope, step: &Step) -> RawEnvelope {
    let (stream, effective_at, event) = told(events.len(), step);
    RawEnvelope {
        seq: events.len() as u64 + 1,
        stream,
        event_type: event.event_type().to_string(),
        payload: event.to_payload().unwrap(),
        effective_at,
        recorded_at: START + DAY,
        ..template.clone()
    }
}

/// Calls `check` with every log of up to `most` events that begins with these.
fn each_log(
    events: &mut Vec<RawEnvelope>,
    template: &RawEnvelope,
    most: usize,
    check: &mut dyn FnMut(&[RawEnvelope]),
) {
    check(events);
    if events.len() == most {
        return;
    }
    for step in steps_after(events.len() as u64) {
        events.push(recorded_after(events, template, &step));
        each_log(events, template, most, check);
        events.pop();
    }
}

/// A cut by `seq` or `known_at` keeps a prefix, which is a log of its own here.
#[test]
fn every_log_of_few_events_shows_at_every_cut_what_the_four_steps_give() {
    let most = if std::env::var_os("ANNALS_LONG").is_some() { 6 } else { 5 };
    let mut scene = Scene::new();
    fill(&mut scene, &[(Step::Happened { stream: 0, at: 0 }, 0)]);
    let template = scene.all().pop().unwrap();
    let mut logs = 0_usize;
    each_log(&mut Vec::new(), &template, most, &mut |events| {
        logs += 1;
        for as_of in [None, Some(START), Some(START + 1)] {
            let cut = Cut { as_of, ..Cut::NOW };
            let (ours, _) = fold::<Seen>(events, &cut).unwrap();
            assert_eq!(ours, model(events, None, &cut), "{events:#?} at {cut:?}");
        }
    });
    // Of N events before, the next one has 2 + 3 N + 1 choices; 2 if there is none before.
    let sizes = (0..most).map(|before| if before == 0 { 2 } else { 3 * before + 3 });
    let (_, expected) =
        sizes.fold((1, 1), |(of_size, all), choices| (of_size * choices, all + of_size * choices));
    assert_eq!(logs, expected);
    println!("{logs} logs of up to {most} events: each as the plain fold at 3 cuts");
}

#[test]
fn a_correction_from_another_stream_reaches_nothing_and_hides_nothing() {
    let mut scene = Scene::new();
    let corrected = |stream, strike| Step::Corrected { stream, corrects: 2, strike, at: None };
    let steps = [Step::Happened { stream: 0, at: 0 }, corrected(0, false), corrected(1, true)];
    fill(&mut scene, &steps.map(|step| (step, 0)));
    for scope in [Scope::Stream(stream("game/a")), Scope::Log] {
        let seen = Replayed::<Seen>::rebuild(&scene.log, scope, &Cut::NOW).unwrap().into_state();
        let texts: Vec<&str> = seen.0.iter().map(|(_, _, payload)| payload.as_str()).collect();
        assert_eq!(texts.last(), Some(&r#"{"reason":"corrected by 1"}"#));
    }
    let summary = annals_replay::log_at(&scene.log, &Cut::NOW).unwrap();
    let found: Vec<_> = summary.findings().iter().map(|finding| (finding.seq, finding.code)).collect();
    assert_eq!(found, [(4, "corrects_nothing")]);
}
