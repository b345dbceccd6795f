//! Numbers at the ends of their types, in every field of every type of event: whatever a log holds is folded, audited, explained and
//! reported, and a number beyond its bound is a finding. A number that is handed in is refused.

use std::collections::BTreeSet;

use annals_events::bounds::beyond;
use annals_events::canonical::MAX_INTEGER;
use annals_events::log::command_that_writes;
use annals_events::narrative::Narrator;
use annals_events::tournament::{Deadline, Milestone, Outcome};
use annals_events::{
    BoardId, Entry, Event, EventId, EventType, PlayerId, RawEnvelope, RawPayload, Termination,
    TournamentEvent,
};
use annals_replay::finding::OUT_OF_BOUNDS;
use annals_replay::handler::{self, Draft, HandlerError, Importer};
use annals_replay::queries::explain::{self, Asked};
use annals_replay::queries::{
    TournamentAt, champions, crosstable, history, list, notices, overview, player, record, report, rounds,
    rulings, standings,
};
use annals_replay::{
    Cut, TournamentReplay, audit_games, audit_tournament, fold, log_view, people_view, tournament_at, view_at,
};
use annals_report::ToDocument;
use annals_store::{Log, NewEvent, Transaction};
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::context::NoContext;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::{crosstable::crosstable as table_of, formats, fund};
use jiff::tz::TimeZone;
use serde_json::Value;

use super::scene::{DAY, SECOND, START, Scene, announced, draft, game, id, registered, stream};

const OPEN: &str = "tournament/open";
const RULEBOOKS: [&str; 4] = ["wcc-2015", "wc-2009", "postal-2006", "olympiad-amazons-2000"];
const PLAYERS: usize = 6;

/// How many kinds of numbers are at an extreme at once.
const AT_ONCE: usize = 24;

/// An event as it is put into a log.
#[derive(Clone)]
struct Put {
    stream: String,
    event_type: String,
    effective_at: i64,
    payload: Value,
}

impl Put {
    fn of(event: &RawEnvelope) -> Put {
        Put {
            stream: event.stream.to_string(),
            event_type: event.event_type.clone(),
            effective_at: event.effective_at,
            payload: serde_json::from_str(event.payload.as_str()).unwrap(),
        }
    }

    fn draft(draft: &Draft) -> Put {
        Put {
            stream: draft.stream.to_string(),
            event_type: draft.event_type.clone(),
            effective_at: draft.effective_at,
            payload: serde_json::from_str(draft.payload.as_str()).unwrap(),
        }
    }

    /// Its payload, where a log can hold it.
    fn payload(&self) -> Option<RawPayload> {
        let payload = serde_json::from_value::<RawPayload>(self.payload.clone()).ok()?;
        Entry::from_payload(&self.event_type, 1, payload.as_str()).ok()?;
        Some(payload)
    }

    fn is_beyond(&self) -> bool {
        let payload = self.payload.to_string();
        Entry::from_payload(&self.event_type, 1, &payload).is_ok_and(|entry| beyond(&entry.event).is_some())
    }
}

/// A log that holds these events, whatever the rules say.
fn log_of(events: &[Put]) -> Scene {
    let mut scene = Scene::new();
    let new = |(number, put): (u16, &Put)| {
        let payload = put.payload().unwrap_or_else(|| panic!("{} {}", put.event_type, put.payload));
        let mut own = [0; 16];
        own[..2].copy_from_slice(&number.to_be_bytes());
        let to = stream(&put.stream);
        NewEvent::from_parts(to, EventId(own), &put.event_type, 1, put.effective_at, "forger", payload)
            .unwrap()
    };
    let events = (1..).zip(events).map(new).collect();
    scene.clock.advance(SECOND);
    scene.log.append(&Transaction::of(events)).unwrap();
    scene
}

/// The released payloads of a family, with the players and pairings of the tournament of the test.
fn released(family: &str) -> Vec<Put> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../events/tests/golden");
    let of = EventType::all().filter(|of| of.family().word() == family);
    let mut all = Vec::new();
    for event_type in of.filter(|of| command_that_writes(of.name()).is_none()) {
        let text = std::fs::read_to_string(format!("{folder}/{event_type}.v1.json")).unwrap();
        for line in text.lines() {
            let mut payload: Value = serde_json::from_str(line).unwrap();
            rename("", &mut payload);
            let stream = match family {
                "tournament" => OPEN.to_owned(),
                "game" => "game/released".to_owned(),
                "people" => "people/p1".to_owned(),
                _ => "log/annals".to_owned(),
            };
            let event_type = event_type.name().to_owned();
            all.push(Put { stream, event_type, effective_at: START, payload });
        }
    }
    all
}

fn rename(key: &str, value: &mut Value) {
    const PLAYERS_OF: [&str; 14] = [
        "player", "upper", "lower", "gold", "by", "against", "claimant", "benchmark", "replaces", "to",
        "players", "kept", "merged", "stand_in",
    ];
    match value {
        Value::String(text) if key == "pairing" => *text = format!("r1.{}", 1 + text.len() % 2),
        Value::String(text)
            if PLAYERS_OF.contains(&key) && !["gold", "silver", "final"].contains(&text.as_str()) =>
        {
            *text = format!("p{}", 1 + text.len() % PLAYERS);
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| rename(key, element)),
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| rename(key, value)),
        _ => {}
    }
}

/// A tournament of six players by a rulebook, as far as the command handler takes it, with every released payload.
fn tournament_of(rulebook: &str) -> Vec<Put> {
    let rulebook = Rulebook::named(rulebook).unwrap();
    let mut first = announcement(&rulebook, AnnounceOrder::default());
    let period = [(Milestone::QualifyingOpens, START - DAY), (Milestone::QualifyingCloses, START + DAY / 2)];
    first.schedule = period.map(|(milestone, at)| Deadline { milestone, at }).into();
    let first = TournamentEvent::Announced(first);
    let mut events = vec![Put::draft(&draft(OPEN, START, first))];
    let open = stream(OPEN);
    let is_entry = |put: &Put| put.event_type == "tournament.player_registered";
    let mut entry = released("tournament").into_iter().find(is_entry).unwrap();
    for number in 1..=PLAYERS {
        let members = entry.payload.as_object_mut().unwrap();
        members.insert("player".to_owned(), format!("p{number}").into());
        members.insert("name".to_owned(), format!("P{number}").into());
        members.insert("number".to_owned(), number.into());
        members.insert("rating".to_owned(), (2_000 - number).into());
        members.insert("account".to_owned(), number.into());
        // A program would have to declare its hardware first.
        let kind = if rulebook.name == "wcc-2015" { "bot" } else { "human" };
        members.insert("kind".to_owned(), kind.into());
        events.push(entry.clone());
    }
    // What a qualifier and a field need, before anything is paired.
    let first = ["benchmarks_declared", "qualifying_game_played"];
    let (before, after): (Vec<Put>, Vec<Put>) = released("tournament").into_iter().partition(|put| {
        put.event_type.strip_prefix("tournament.").is_some_and(|word| first.contains(&word))
    });
    events.extend(before);
    let mut scene = log_of(&events);
    let ask = |scene: &mut Scene, command: Command| {
        scene.clock.advance(SECOND);
        // What the rulebook does not have is refused.
        drop(super::scene::direct(&mut scene.log, &open, &command, "director", false));
    };
    let seed = || Some("seed".to_owned());
    ask(&mut scene, Command::DeclareRounds);
    ask(&mut scene, Command::Qualify);
    for _ in 0..2 {
        ask(&mut scene, Command::DrawLots { seed: "lots".to_owned(), commitment: None });
        ask(&mut scene, Command::Pair { seed: seed() });
        let state = tournament_at(&scene.log, &open, &Cut::NOW).unwrap().tournament;
        for (&round, boards) in &state.rounds {
            for &board in boards.boards.keys() {
                let pairing = BoardId { round, board };
                ask(&mut scene, Command::Start { pairing, game: None });
                let (outcome, termination) = (Some(Outcome::Gold), Some(Termination::Resignation));
                ask(
                    &mut scene,
                    Command::Result { pairing, outcome, termination, game: None, territory: None },
                );
            }
        }
    }
    let mut events: Vec<Put> = scene.all().iter().skip(1).map(Put::of).collect();
    assert!(events.iter().any(|put| put.event_type == "tournament.result_recorded"), "{}", rulebook.name);
    events.extend(after.into_iter().filter(|put| put.event_type != "tournament.announced"));
    events.extend(released("game"));
    let game = game("game/whole", START, 7, 8);
    events.extend(game.iter().map(Put::draft));
    events.extend(released("people"));
    events.extend(released("log"));
    events
}

/// Everything that is asked of a log.
fn ask_everything(log: &Log) {
    let (open, zone, now) = (stream(OPEN), TimeZone::UTC, Cut::NOW);
    fn texts(answer: &(impl ToDocument + serde::Serialize)) -> (String, String) {
        let zone = TimeZone::UTC;
        let page = answer.document(&zone);
        (
            page.text(&zone, None) + &serde_json::to_string(answer).unwrap(),
            page.html(&zone) + &answer.table().csv(),
        )
    }
    drop(log_view(log, &now).unwrap().document(&zone).text(&zone, None));
    drop(people_view(log, None, &now).unwrap().document(&zone).text(&zone, None));
    for found in log.streams(None).unwrap() {
        drop(view_at(log, &found.name, &now).map(|view| view.document(&zone).text(&zone, None)));
    }
    audit_games(log, &now, None).unwrap();
    let narrator = Narrator::default();
    for event in log.events(1..=u64::MAX).map(Result::unwrap) {
        if let Ok(entry) = event.decode_entry() {
            drop(narrator.narrate(&entry));
        }
    }
    drop(audit_tournament(log, &open, &now, &[]).map(|audit| audit.document(&zone, true).text(&zone, None)));
    let Ok(opened) = TournamentAt::at(log, &open, &now) else { return };
    texts(&standings::ask(&opened));
    texts(&crosstable::ask(&opened));
    texts(&notices::ask(&opened, None));
    texts(&overview::ask(&opened));
    drop(rounds::ask(&opened, None).map(|answer| texts(&answer)));
    drop(rulings::ask(&opened).map(|answer| texts(&answer)));
    drop(history::ask(&opened, &zone).map(|answer| texts(&answer)));
    drop(report::ask(log, &opened).map(|answer| texts(&answer)));
    drop(list::ask(log, &now).map(|answer| texts(&answer)));
    drop(champions::ask(log, &now).map(|answer| texts(&answer)));
    let players: Vec<PlayerId> = (1..=PLAYERS).map(|number| id(&format!("p{number}"))).collect();
    for one in &players[..2] {
        drop(player::ask(&opened, one).map(|answer| texts(&answer)));
        drop(record::ask(log, one.as_str(), &now).map(|answer| texts(&answer)));
        drop(explain::qualifier(&opened, Some(one)).map(|answer| texts(&answer)));
        drop(explain::rank(&opened, one, &players[0]).map(|answer| texts(&answer)));
    }
    let rounds: BTreeSet<u32> = opened.tournament().rounds.keys().copied().collect();
    for number in rounds.into_iter().flat_map(|round| [round, round.saturating_add(1)]) {
        drop(explain::round(&opened, number, &Asked::default()).map(|answer| texts(&answer)));
    }
}

/// What a director could do next.
fn direct_everything(scene: &mut Scene) {
    let seed = || Some("seed".to_owned());
    let commands = [
        Command::DeclareRounds,
        Command::Qualify,
        Command::Invite { replaces: None },
        Command::DrawLots { seed: "lots".to_owned(), commitment: None },
        Command::Pair { seed: seed() },
        Command::Award,
        Command::Refund,
        Command::Close { note: None },
        Command::Notify { stage: None },
    ];
    for command in commands {
        drop(super::scene::direct(&mut scene.log, &stream(OPEN), &command, "director", true));
    }
}

/// The ways to the numbers of a payload, and to the pairings, which hold two.
fn ways(value: &Value, way: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Number(_) => drop(found.insert(way.to_owned())),
        Value::String(_) if way.ends_with("/pairing") => drop(found.insert(way.to_owned())),
        Value::Array(elements) => elements.iter().for_each(|element| ways(element, way, found)),
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| ways(value, &format!("{way}/{key}"), found));
        }
        _ => {}
    }
}

/// Puts a value at the end of a way, wherever it leads.
fn set(value: &mut Value, way: &str, to: &Value) {
    match (value, way.strip_prefix('/').map(|way| way.split_once('/').unwrap_or((way, "")))) {
        (Value::Array(elements), _) => elements.iter_mut().for_each(|element| set(element, way, to)),
        (Value::Object(members), Some((key, rest))) => {
            let rest = if rest.is_empty() { String::new() } else { format!("/{rest}") };
            if let Some(member) = members.get_mut(key) {
                set(member, &rest, to);
            }
        }
        (value @ (Value::Number(_) | Value::String(_)), None) => *value = to.clone(),
        _ => {}
    }
}

/// The events with the numbers at the end of a way at an extreme, the least or the greatest that a log can hold.
fn at_extreme(events: &[Put], event_type: &str, way: &str, greatest: bool) -> Option<Vec<Put>> {
    let mut numbers: Vec<Value> =
        [-MAX_INTEGER, i32::MIN.into(), 0, i32::MAX.into(), u32::MAX.into(), MAX_INTEGER]
            .map(Value::from)
            .into();
    if way.ends_with("/pairing") {
        numbers = ["r1.4294967295", "r4294967295.4294967295"].map(Value::from).into();
    }
    if greatest {
        numbers.reverse();
    }
    numbers.iter().find_map(|number| {
        let mut changed = events.to_vec();
        let of_type = |put: &&mut Put| put.event_type == event_type;
        for put in changed.iter_mut().filter(of_type) {
            set(&mut put.payload, way, number);
        }
        changed.iter().all(|put| put.payload().is_some()).then_some(changed)
    })
}

/// Every way to a number, with the type whose payloads have it.
fn all_ways(events: &[Put]) -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for put in events {
        let mut found = BTreeSet::new();
        ways(&put.payload, "", &mut found);
        all.extend(found.into_iter().map(|way| (put.event_type.clone(), way)));
    }
    all
}

fn extremes_of(rulebook: &str) {
    let events = tournament_of(rulebook);
    let ways: Vec<(String, String)> = all_ways(&events).into_iter().collect();
    assert!(ways.len() > 100, "{}", ways.len());
    // Several at once, of types that are far apart: alone each would take minutes.
    let apart = ways.len().div_ceil(AT_ONCE);
    for first in 0..apart {
        for greatest in [false, true] {
            let mut changed = events.clone();
            for (event_type, way) in ways.iter().skip(first).step_by(apart) {
                changed = at_extreme(&changed, event_type, way, greatest)
                    .unwrap_or_else(|| panic!("{event_type} {way} has no value that can be stored"));
            }
            let mut scene = log_of(&changed);
            ask_everything(&scene.log);
            direct_everything(&mut scene);
            if changed.iter().any(|put| put.stream == OPEN && put.is_beyond()) {
                let state = tournament_at(&scene.log, &stream(OPEN), &Cut::NOW).unwrap();
                assert!(state.findings().iter().any(|finding| finding.code == OUT_OF_BOUNDS));
            }
        }
    }
}

#[test]
fn extreme_numbers_in_a_championship_of_2015_stay_readable() {
    extremes_of(RULEBOOKS[0]);
}

#[test]
fn extreme_numbers_in_a_championship_of_2009_stay_readable() {
    extremes_of(RULEBOOKS[1]);
}

#[test]
fn extreme_numbers_in_a_ring_stay_readable() {
    extremes_of(RULEBOOKS[2]);
}

#[test]
fn extreme_numbers_in_an_olympiad_stay_readable() {
    extremes_of(RULEBOOKS[3]);
}

/// As a forger's file could hold them: numbers that no reader of JSON keeps, and times at the ends of the calendar.
#[test]
fn numbers_that_no_payload_can_hold_are_folded_and_judged() {
    for name in RULEBOOKS {
        let rulebook = Rulebook::named(name).unwrap();
        let mut events = log_of(&tournament_of(name)).all();
        events.retain(|event| event.stream == stream(OPEN));
        for number in [i64::MIN.to_string(), i64::MAX.to_string(), u64::MAX.to_string()] {
            for at in [i64::MIN, i64::MAX] {
                let number: Value = serde_json::from_str(&number).unwrap();
                let mut forged = events.clone();
                for (place, event) in forged.iter_mut().enumerate() {
                    let mut put = Put::of(event);
                    let mut found = BTreeSet::new();
                    ways(&put.payload, "", &mut found);
                    for way in found.iter().filter(|way| !way.ends_with("/pairing")) {
                        let before = put.payload.clone();
                        set(&mut put.payload, way, &number);
                        let text = put.payload.to_string();
                        if Entry::from_payload(&put.event_type, 1, &text).is_err() {
                            put.payload = before;
                        }
                    }
                    event.payload = RawPayload::from_stored(put.payload.to_string());
                    (event.effective_at, event.recorded_at) =
                        if place % 2 == 0 { (at, i64::MAX) } else { (0, 0) };
                }
                judged(&forged, &rulebook);
            }
        }
    }
}

fn judged(events: &[RawEnvelope], rulebook: &Rulebook) {
    for upto in 0..events.len() {
        let (before, _) = fold::<TournamentReplay>(&events[..upto], &Cut::NOW).unwrap();
        let (tournament, event) = (before.tournament, &events[upto]);
        let Ok(Event::Tournament(what)) = event.decode() else { continue };
        let (seq, at, recorded_at) = (event.seq, event.effective_at, event.recorded_at);
        let case = JudgingContext::new(&tournament, rulebook, &NoContext);
        drop(check(&case, &EventMeta { seq, at, recorded_at, imported: false }, &what));
        if upto + 1 == events.len() {
            let (whole, _) = fold::<TournamentReplay>(events, &Cut::NOW).unwrap();
            assert!(whole.findings().iter().any(|finding| finding.code == OUT_OF_BOUNDS));
            drop(table_of(&whole.tournament, rulebook));
            drop(fund::prizes(&whole.tournament, rulebook));
            drop(formats::places(&whole.tournament, rulebook));
            drop(formats::next_round(&whole.tournament, rulebook));
        }
    }
}

#[test]
fn after_the_last_time_of_the_calendar_a_decision_is_still_made() {
    let mut scene = Scene::new();
    scene.clock.set(i64::MAX);
    scene.log.append(&Transaction::of(vec![raw(announced())])).unwrap();
    assert_eq!(scene.all().last().unwrap().recorded_at, i64::MAX);
    let wanted = draft(OPEN, START, registered("anna"));
    assert_eq!(handler::would_append(&scene.log, &[wanted]).unwrap().drafts.len(), 1);
}

fn raw(event: TournamentEvent) -> NewEvent {
    let entry = Entry::from(Event::from(event));
    NewEvent::new(stream(OPEN), EventId([9; 16]), START, "forger", &entry).unwrap()
}

#[test]
fn a_number_beyond_its_bound_is_neither_appended_nor_imported() {
    let events = tournament_of("wc-2009");
    let mut scene = Scene::new();
    let mut refused = 0;
    for (event_type, way) in all_ways(&events) {
        for greatest in [false, true] {
            let changed = at_extreme(&events, &event_type, &way, greatest).unwrap();
            let Some(put) = changed.into_iter().find(|put| put.event_type == event_type && put.is_beyond())
            else {
                continue;
            };
            let last = scene.log.last_seq().unwrap();
            let payload = put.payload().unwrap();
            let to = stream(&put.stream);
            let draft = Draft::from_parts(to, &put.event_type, None, START, payload).unwrap();
            match scene.append(std::slice::from_ref(&draft)) {
                Err(HandlerError::Refused(refusal)) => {
                    assert_eq!(refusal.reason.code(), OUT_OF_BOUNDS, "{event_type} {way}: {refusal}");
                }
                other => panic!("{event_type} {way}: {other:?}"),
            }
            let mut importer = Importer::new(&mut scene.log, "import").unwrap();
            let why = importer.stream(std::slice::from_ref(&draft)).unwrap_err();
            assert!(why.to_string().contains("expected a number from"), "{why}");
            drop(importer);
            assert_eq!(scene.log.last_seq().unwrap(), last);
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused}");
}
