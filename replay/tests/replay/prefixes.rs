//! For every prefix of a log, the state at `--seq k` is the fold of the first k events. The model folds by hand, with
//! `rules::Game` and `Tournament` themselves, and knows nothing of projections.

use annals_events::log::Change;
use annals_events::{Event, LogEvent, RawEnvelope};
use annals_replay::queries::TournamentAt;
use annals_replay::{Cut, Growing, HeldStream, ReplayError, Replayed, Scope, recorded};
use annals_replay::{GameReplay, LogSummary, People, TournamentReplay};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{Game, Strictness};
use annals_tournaments::Tournament;

use super::scene::{SECOND, START, Scene, game, registered, replace, stream, tournament};

/// Corrections put in place by rewriting a copy.
pub fn corrected(prefix: &[RawEnvelope]) -> Vec<RawEnvelope> {
    let mut events: Vec<Option<RawEnvelope>> = prefix.iter().cloned().map(Some).collect();
    for (i, event) in prefix.iter().enumerate() {
        if let Ok(Event::Log(LogEvent::Correction(correction))) = event.decode() {
            events[i] = None;
            let Some(place) = prefix[..i].iter().position(|e| e.seq == correction.corrects) else { continue };
            let original = &prefix[place];
            if original.stream != event.stream || original.event_type == "log.correction" {
                continue;
            }
            events[place] = match correction.change {
                Change::Strike => None,
                Change::Replace { payload, schema, effective_at } => Some(RawEnvelope {
                    payload,
                    schema,
                    effective_at: effective_at.unwrap_or(original.effective_at),
                    ..original.clone()
                }),
            };
        }
    }
    events.into_iter().flatten().collect()
}

fn naive_game(events: &[RawEnvelope], name: &str) -> String {
    let mut game: Game<AnyGame> = Game::new(Strictness::Archive);
    for event in events.iter().filter(|event| event.stream.as_str() == name) {
        if let Ok(Event::Game(what)) = event.decode() {
            let _ = game.apply(Some(event.effective_at), &what);
        }
    }
    format!("{game:?}")
}

fn naive_tournament(events: &[RawEnvelope], name: &str) -> Tournament {
    let mut tournament = Tournament::default();
    for event in events.iter().filter(|event| event.stream.as_str() == name) {
        if let Ok(Event::Tournament(what)) = event.decode() {
            tournament.evolve(event.seq, event.effective_at, &what);
        }
    }
    tournament
}

fn scene() -> Scene {
    let mut scene = Scene::new();
    let mut games = game("game/one", START, 1, 24);
    let rest = games.split_off(8);
    let mut tournament = tournament("tournament/open", START + SECOND);
    let last_rounds = tournament.split_off(9);
    scene.append(&games).unwrap();
    for draft in tournament {
        scene.take(draft);
    }
    scene.append(&game("game/two", START + 5 * SECOND, 2, 10)).unwrap();
    for draft in rest {
        scene.take(draft);
    }
    // The rating of an entry was wrong; then it is found to have been wrong in another way.
    let entry = scene.all().iter().find(|e| e.event_type == "tournament.player_registered").unwrap().seq;
    let mut other = registered("anna");
    if let annals_events::TournamentEvent::PlayerRegistered(entry) = &mut other {
        entry.rating = Some(1600);
    }
    scene.take(replace("tournament/open", entry, other.clone(), None));
    for draft in last_rounds {
        scene.take(draft);
    }
    if let annals_events::TournamentEvent::PlayerRegistered(entry) = &mut other {
        entry.rating = Some(1700);
    }
    scene.take(replace("tournament/open", entry, other, Some(START + 30 * SECOND)));
    scene
}

#[test]
fn the_state_at_every_seq_is_the_fold_of_the_events_before() {
    let scene = scene();
    let all = scene.all();
    assert!(all.len() > 50, "{}", all.len());
    for k in 0..=all.len() {
        let cut = Cut::at_seq(k as u64);
        let stand = corrected(&all[..k]);
        for name in ["game/one", "game/two"] {
            let ours =
                Replayed::<GameReplay>::rebuild(&scene.log, Scope::Stream(stream(name)), &cut).unwrap();
            assert_eq!(format!("{:?}", ours.state().game()), naive_game(&stand, name), "{name} at {k}");
        }
        let ours =
            Replayed::<TournamentReplay>::rebuild(&scene.log, Scope::Stream(stream("tournament/open")), &cut)
                .unwrap();
        assert_eq!(ours.state().tournament, naive_tournament(&stand, "tournament/open"), "at {k}");
        let summary = Replayed::<LogSummary>::rebuild(&scene.log, Scope::Log, &cut).unwrap();
        assert_eq!(summary.state().events, stand.len() as u64, "at {k}");
    }
}

#[test]
fn the_state_from_a_stream_in_memory_is_that_from_the_log_at_every_cut() {
    let scene = scene();
    let name = stream("tournament/open");
    let held = HeldStream::read(&scene.log, &name).unwrap();
    let state = |opened: Result<TournamentAt<'_>, ReplayError>| {
        opened
            .map(|opened| format!("{:?} {:?}", opened.replay, opened.rulebook().ok()))
            .map_err(|e| e.to_string())
    };
    let all = scene.all();
    assert!(all.iter().any(|event| event.event_type == "log.correction"));
    let cuts = all.iter().flat_map(|event| {
        let known_at = Some(event.recorded_at);
        let as_of = Some(event.effective_at);
        [
            Cut::at_seq(event.seq),
            Cut { known_at, ..Cut::NOW },
            Cut { as_of, ..Cut::NOW },
            Cut { known_at, as_of, ..Cut::NOW },
        ]
    });
    for cut in cuts {
        let (of_log, of_held) =
            (TournamentAt::at(&scene.log, &name, &cut), TournamentAt::held(&scene.log, &held, &cut));
        assert_eq!(state(of_held), state(of_log), "{cut:?}");
    }
}

#[test]
fn a_state_that_grows_event_by_event_is_that_of_each_prefix() {
    let scene = scene();
    let last = scene.log.last_seq().unwrap();
    fn check<P: annals_replay::Projection>(scene: &Scene, scope: &Scope, last: u64, as_of: Option<i64>) {
        let mut growing = Growing::<P>::knowing(Cut { as_of, ..Cut::NOW }, Default::default());
        for event in recorded(&scene.log, scope, last).unwrap() {
            let seq = event.seq;
            growing.push(event);
            let cut = Cut { as_of, ..Cut::at_seq(seq) };
            let whole = Replayed::<P>::rebuild(&scene.log, scope.clone(), &cut).unwrap();
            assert_eq!(
                format!("{:?}", growing.state()),
                format!("{:?}", whole.state()),
                "{scope:?} at {seq}"
            );
            assert_eq!(growing.folded(), whole.folded(), "{scope:?} at {seq}");
        }
        let before = format!("{:?}", growing.state());
        if let Some(again) = growing.events().last().cloned() {
            growing.pop();
            growing.push(again);
        }
        assert_eq!(format!("{:?}", growing.state()), before, "{scope:?}");
    }
    for as_of in [None, Some(START + 300 * SECOND)] {
        check::<GameReplay>(&scene, &Scope::Stream(stream("game/one")), last, as_of);
        check::<TournamentReplay>(&scene, &Scope::Stream(stream("tournament/open")), last, as_of);
        check::<People>(&scene, &Scope::People, last, as_of);
        check::<LogSummary>(&scene, &Scope::Log, last, as_of);
    }
}
