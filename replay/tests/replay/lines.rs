//! Out of a log as JSON lines, and into another: the same events in the same order.

use annals_events::tournament::{Effect, Evidence, RulingGiven};
use annals_events::{Event, LogEvent, RawEnvelope, StreamName, TournamentEvent, canonical};
use annals_replay::handler::Importer;
use annals_replay::{
    Cut, ImportLinesError, TournamentReplay, export, import_lines, read_lines, tournament_at,
};

use super::scene::{DAY, SECOND, START, Scene, draft, game, registered, replace, stream, strike, tournament};

fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.append(&game("game/1", START, 21, 10)).unwrap();
    for draft in tournament("tournament/open", START) {
        scene.take(draft);
    }
    let entry = scene.all().iter().find(|e| e.event_type == "tournament.player_registered").unwrap().seq;
    scene.take(replace("tournament/open", entry, registered("anna"), Some(START + SECOND)));
    let ruling = TournamentEvent::RulingGiven(RulingGiven {
        number: 1,
        effect: Effect::Nothing,
        reason: "dismissed".to_owned(),
        grounds: Vec::new(),
        evidence: vec![Evidence {
            text: "the entry".to_owned(),
            source: None,
            digest: None,
            game: None,
            ply: None,
            seq: Some(entry),
        }],
        dispute: None,
        supersedes: None,
    });
    scene.take(draft("tournament/open", START + DAY, ruling));
    scene
}

fn exported(scene: &Scene, of: Option<&StreamName>) -> String {
    let mut text = Vec::new();
    let written = export(&scene.log, of.map_or(&[], std::slice::from_ref), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().count() as u64, written);
    text
}

fn imported(text: &str, id: u8) -> Scene {
    let mut scene = Scene::with_id([id; 16]);
    let mut importer = Importer::new(&mut scene.log, "import").unwrap();
    import_lines(&mut importer, text.as_bytes()).unwrap();
    importer.finish().unwrap();
    scene
}

#[test]
fn every_line_is_the_canonical_envelope() {
    let scene = scene();
    let text = exported(&scene, None);
    for (line, event) in text.lines().zip(scene.all()) {
        // The clock of the scene is simulated, and each line states it.
        let unmarked = line.replacen("\"clock\":\"simulated\",", "", 1);
        assert_ne!(unmarked, line);
        assert_eq!(unmarked, canonical::to_string(&event).unwrap());
        assert_eq!(canonical::from_str::<RawEnvelope>(&unmarked).unwrap(), event);
    }
    let one = exported(&scene, Some(&stream("game/1")));
    let of_game = scene.all().iter().filter(|event| event.stream == stream("game/1")).count();
    assert_eq!(one.lines().count(), of_game);
    assert!(one.lines().all(|line| line.contains("\"stream\":\"game/1\"")));
}

#[test]
fn exported_and_imported_the_events_are_the_same() {
    let scene = scene();
    let text = exported(&scene, None);
    let mut other = imported(&text, 9);
    let what = |event: &RawEnvelope| {
        let e = event.clone();
        (e.stream, e.version, e.id, e.event_type, e.schema, e.effective_at, e.actor, e.payload)
    };
    let (ours, theirs) = (scene.all(), other.all());
    assert_eq!(ours.len(), theirs.len());
    for (a, b) in ours.iter().zip(&theirs).skip(1) {
        assert_eq!(what(a), what(b));
        assert_ne!(a.hash, b.hash);
    }
    // And again: nothing is new.
    let head = other.log.head().unwrap();
    let mut importer = Importer::new(&mut other.log, "import").unwrap();
    let counts = import_lines(&mut importer, text.as_bytes()).unwrap();
    assert_eq!((counts.events, counts.left_out), (ours.len() as u64 - 1, 1));
    assert_eq!(importer.finish().unwrap().events, 0);
    assert_eq!(other.log.head().unwrap(), head);
}

#[test]
fn a_part_of_a_log_keeps_its_corrections_and_its_evidence() {
    let scene = scene();
    let open = stream("tournament/open");
    let text = exported(&scene, Some(&open));
    let other = imported(&text, 9);
    let here = tournament_at(&scene.log, &open, &Cut::NOW).unwrap();
    let there = tournament_at(&other.log, &open, &Cut::NOW).unwrap();
    // The same entries at the same times; only the positions in the log are others.
    let entries = |replay: &TournamentReplay| -> Vec<_> {
        let entrants = replay.tournament.entrants.values();
        entrants.map(|entrant| (entrant.order, entrant.entry.at, entrant.entry.fact.clone())).collect()
    };
    assert_eq!(entries(&here), entries(&there));
    assert_eq!(entries(&here).len(), 4);
    assert_eq!(here.tournament.events, there.tournament.events);
    let at = Cut::as_of(START + SECOND);
    assert_eq!(tournament_at(&other.log, &open, &at).unwrap().tournament.entrants.len(), 1);
    let entry = other.all().iter().find(|e| e.event_type == "tournament.player_registered").unwrap().seq;
    let ruling = &there.tournament.rulings[0].ruling;
    assert_eq!(ruling.evidence[0].seq, Some(entry));
    let correction = other.all().into_iter().find(|e| e.event_type == "log.correction").unwrap();
    let Ok(Event::Log(LogEvent::Correction(correction))) = correction.decode() else { panic!() };
    assert_eq!(correction.corrects, entry);

    // Where the corrected event is not in the file, there is nothing to correct.
    let tail: String = text.lines().skip(3).map(|line| format!("{line}\n")).collect();
    let mut third = Scene::with_id([8; 16]);
    let mut importer = Importer::new(&mut third.log, "import").unwrap();
    let error = import_lines(&mut importer, tail.as_bytes()).unwrap_err();
    assert!(matches!(error, ImportLinesError::Line(_)), "{error}");
    assert!(error.to_string().contains("not among the lines before"), "{error}");
}

#[test]
fn a_line_by_hand_needs_no_more_than_what_happened() {
    let by_hand = r#"
      {"stream": "game/x", "type": "game.halted", "effective_at": "2020-09-13T12:26:40Z", "payload": {"reason": null}}

      {"stream": "game/x", "type": "game.halted", "effective_at": 1600000000000001, "payload": {"reason": "rain"}, "actor": "anna"}"#;
    let lines: Vec<_> = read_lines(by_hand.as_bytes()).map(Result::unwrap).collect();
    assert_eq!((lines[0].number, lines[1].number), (2, 4));
    assert_eq!((lines[0].draft.effective_at, lines[1].draft.effective_at), (START, START + 1));
    assert_eq!(lines[0].draft.payload.as_str(), "{}");
    assert_eq!(lines[1].draft.actor.as_deref(), Some("anna"));
}

#[test]
fn a_bad_line_is_named_and_ends_the_reading() {
    let good = r#"{"stream":"game/x","type":"game.halted","effective_at":1,"payload":{}}"#;
    for (bad, why) in [
        ("{", "EOF while parsing"),
        (r#"{"stream":"game/x"}"#, "missing field `type`"),
        (r#"{"stream":"game/x","type":"game.halted","effective_at":1,"payload":{},"extra":1}"#, "extra"),
        (r#"{"stream":"game/x","type":"game.flew","effective_at":1,"payload":{}}"#, "game.flew"),
        (r#"{"stream":"game/x","type":"game.halted","effective_at":1,"payload":{"why":"x"}}"#, "why"),
        (
            r#"{"stream":"game/x","type":"game.halted","effective_at":"noon","payload":{}}"#,
            "`noon` is not a valid time",
        ),
        (r#"{"stream":"game/x","type":"game.halted","schema":2,"effective_at":1,"payload":{}}"#, "newer"),
        (r#"{"stream":"X","type":"game.halted","effective_at":1,"payload":{}}"#, "not a valid stream name"),
        ("\u{1}\u{2}", "expected value"),
    ] {
        let text = format!("{good}\n{bad}\n{good}\n");
        let read: Vec<_> = read_lines(text.as_bytes()).collect();
        assert_eq!(read.len(), 2, "{bad}");
        let error = read[1].as_ref().unwrap_err();
        assert_eq!(error.number, 2);
        assert!(error.to_string().contains(why), "{error}");
    }
    let long = format!("{good}\n{}", "x".repeat(7 << 20));
    assert!(read_lines(long.as_bytes()).nth(1).unwrap().unwrap_err().to_string().contains("bytes"));
}

#[test]
fn a_struck_event_stays_struck_in_the_new_log() {
    let mut scene = scene();
    let last = scene.all().iter().rfind(|e| e.event_type == "tournament.result_recorded").unwrap().seq;
    scene.take(strike("tournament/open", last));
    let open = stream("tournament/open");
    let other = imported(&exported(&scene, Some(&open)), 3);
    let state = tournament_at(&other.log, &open, &Cut::NOW).unwrap();
    assert_eq!(state.tournament.rounds[&2].boards[&2].outcome(), None);
}
