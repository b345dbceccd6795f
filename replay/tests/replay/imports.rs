//! Imports: never refused as illegal, flagged by the fold, lifted to their causes, the same when they come again.

use annals_events::{Entry, Event, GameEvent, LogEvent, Side, TimeNote, TurnTaken};
use annals_replay::handler::{Draft, ImportError, Importer, SourceNote};
use annals_replay::{Cut, game_at, log_at};

use super::games::started;
use super::scene::{SECOND, START, Scene, draft, game, stream, tournament};

fn import(scene: &mut Scene, drafts: &[Draft]) -> Result<annals_replay::handler::StreamImport, ImportError> {
    scene.clock.advance(SECOND);
    let mut importer = Importer::new(&mut scene.log, "importer")?;
    let import = importer.stream(drafts)?;
    importer.finish()?;
    Ok(import)
}

#[test]
fn importing_again_changes_nothing_and_a_longer_source_goes_on() {
    let mut scene = Scene::new();
    let drafts = game("game/1", START, 11, 12);
    let first = import(&mut scene, &drafts[..8]).unwrap();
    assert_eq!((first.new, first.known, first.lifted), (8, 0, 0));
    let head = scene.log.head().unwrap();
    let again = import(&mut scene, &drafts[..8]).unwrap();
    assert_eq!((again.new, again.known), (0, 8));
    assert_eq!(again.flags, first.flags);
    assert_eq!(scene.log.head().unwrap(), head);
    let rest = import(&mut scene, &drafts).unwrap();
    assert_eq!((rest.new, rest.known), (drafts.len() as u64 - 8, 8));
    assert!(rest.flags.is_empty(), "{:?}", rest.flags);
    let ids: std::collections::HashSet<_> = scene.all().iter().map(|event| event.id).collect();
    assert_eq!(ids.len(), scene.all().len());
}

#[test]
fn a_source_that_changed_is_an_error_that_names_the_first_difference() {
    let mut scene = Scene::new();
    let drafts = game("game/1", START, 11, 12);
    import(&mut scene, &drafts).unwrap();
    let head = scene.log.head().unwrap();
    let mut other = drafts.clone();
    other[5].effective_at += 1;
    let error = import(&mut scene, &other).unwrap_err();
    assert!(matches!(error, ImportError::Differs { version: 6, what: "effective time", .. }), "{error}");
    let mut other = drafts.clone();
    other[4] =
        draft("game/1", drafts[4].effective_at, GameEvent::TurnTaken(TurnTaken::plain(2, Side::Silver, "x")));
    let error = import(&mut scene, &other).unwrap_err();
    assert!(matches!(error, ImportError::Differs { version: 5, seq: 6, what: "payload", .. }), "{error}");
    assert!(error.to_string().contains("event 5 of `game/1`"), "{error}");
    assert_eq!(scene.log.head().unwrap(), head);
}

#[test]
fn what_was_appended_by_hand_is_not_written_over() {
    let mut scene = Scene::new();
    let drafts = game("game/1", START, 11, 12);
    scene.append(&drafts[..4]).unwrap();
    assert!(matches!(import(&mut scene, &drafts).unwrap_err(), ImportError::WentOn { version: 4, .. }));
    let drafts = game("game/2", START, 12, 12);
    import(&mut scene, &drafts[..5]).unwrap();
    scene.append(&drafts[5..6]).unwrap();
    assert!(matches!(import(&mut scene, &drafts).unwrap_err(), ImportError::WentOn { version: 6, .. }));
    assert_eq!(import(&mut scene, &drafts[..5]).unwrap().known, 5);
}

#[test]
fn illegal_history_is_taken_with_its_flag() {
    let mut scene = Scene::new();
    let mut drafts = game("game/odd", START, 13, 10);
    let at = drafts[6].effective_at;
    drafts[6] = draft("game/odd", at, GameEvent::TurnTaken(TurnTaken::plain(3, Side::Silver, "ra8n")));
    let import = import(&mut scene, &drafts).unwrap();
    assert_eq!(import.new, drafts.len() as u64);
    assert_eq!(import.flags[0].version, 7);
    let game = game_at(&scene.log, &stream("game/odd"), &Cut::NOW).unwrap();
    assert_eq!(game.findings()[0].seq, 8);
    assert_eq!(game.findings()[0].code, import.flags[0].code);
}

#[test]
fn a_time_before_its_cause_is_lifted_and_the_stated_one_kept() {
    let mut scene = Scene::new();
    let mut drafts = game("game/1", START, 14, 8);
    let floor = drafts[3].effective_at;
    drafts[4].effective_at = floor - 7 * SECOND;
    let lifted = import(&mut scene, &drafts).unwrap();
    assert_eq!(lifted.lifted, 1);
    let event = scene.log.event(6).unwrap().unwrap();
    assert_eq!(event.effective_at, floor);
    assert_eq!(event.decode_entry().unwrap().time, Some(TimeNote::Lifted { stated_at: floor - 7 * SECOND }));
    assert_eq!(import(&mut scene, &drafts).unwrap().known, drafts.len() as u64);

    // A game cannot have begun before the pairing that it is an attempt at, known from another stream.
    let mut importer = Importer::new(&mut scene.log, "importer").unwrap();
    importer.stream(&tournament("tournament/open", START)).unwrap();
    let mut of_pairing = started();
    of_pairing.pairing = Some("open.r1.1".into());
    let begin = draft("game/open.r1.1", START, GameEvent::Started(Box::new(of_pairing)));
    assert_eq!(importer.stream(&[begin]).unwrap().lifted, 1);
    importer.finish().unwrap();
    let paired_at = START + 5 * 60 * SECOND;
    let event = scene.log.stream(&stream("game/open.r1.1"), u64::MAX).unwrap().remove(0);
    assert_eq!(event.effective_at, paired_at);
}

#[test]
fn a_time_that_nobody_knows_is_moved_and_stays_unknown() {
    let mut scene = Scene::new();
    let unknown = |at, event: GameEvent<'static>| {
        let entry = Entry { event: Event::from(event), time: Some(TimeNote::Unknown) };
        Draft::of_entry(stream("game/old"), at, &entry).unwrap()
    };
    let drafts: Vec<Draft> = super::games::play(3, 6)
        .into_iter()
        .enumerate()
        .map(|(i, (_, event))| unknown(START - i as i64, event))
        .collect();
    let first = import(&mut scene, &drafts).unwrap();
    assert_eq!((first.lifted, first.new), (0, drafts.len() as u64));
    assert_eq!(import(&mut scene, &drafts).unwrap().new, 0);
    let game = game_at(&scene.log, &stream("game/old"), &Cut::as_of(START)).unwrap();
    assert!(game.times_unknown());
    assert_eq!(game.game().plies().len(), 6);
}

#[test]
fn an_import_says_once_what_it_was() {
    let mut scene = Scene::new();
    let note = SourceNote {
        source: "games.txt".to_owned(),
        format: "arimaa_archive".to_owned(),
        digest: "sha256:00".to_owned(),
        bytes: 10,
        program: "test".to_owned(),
        rejected: 1,
        left_out: 2,
    };
    for round in 0..2 {
        scene.clock.advance(SECOND);
        let mut importer = Importer::new(&mut scene.log, "importer").unwrap();
        for seed in 0..3 {
            importer.stream(&game(&format!("game/{seed}"), START, seed, 4)).unwrap();
        }
        let counts = importer.finish_with(&note, START).unwrap();
        assert_eq!(counts.accepted, 3);
        assert_eq!(counts.events, if round == 0 { 18 } else { 0 });
    }
    let summary = log_at(&scene.log, &Cut::NOW).unwrap();
    let [import] = summary.imports.as_slice() else { panic!("{:?}", summary.imports) };
    let recorded = scene.log.event(import.seq).unwrap().unwrap();
    let Ok(Event::Log(LogEvent::Imported(imported))) = recorded.decode() else { panic!("{recorded:?}") };
    assert_eq!((import.seq, imported.rows, import.events), (20, 6, 18));
    assert_eq!((imported.first_seq, imported.last_seq), (Some(2), Some(19)));
}

#[test]
fn many_streams_go_in_by_batches_and_each_finds_its_causes() {
    let mut scene = Scene::new();
    let mut importer = Importer::new(&mut scene.log, "importer").unwrap();
    importer.stream(&tournament("tournament/open", START)).unwrap();
    let drafts = super::games::play(1, 10);
    for n in 0..700 {
        let name = format!("game/{n}");
        let drafts: Vec<Draft> = drafts.iter().map(|(_, event)| draft(&name, START, event.clone())).collect();
        let import = importer.stream(&drafts).unwrap();
        assert_eq!((import.new, import.lifted), (12, 0));
    }
    let counts = importer.finish().unwrap();
    assert_eq!((counts.events, counts.streams, counts.accepted), (700 * 12 + 14, 701, 701));
    assert_eq!(scene.log.last_seq().unwrap(), 1 + counts.events);
}
