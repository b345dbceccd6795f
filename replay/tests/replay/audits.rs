//! The pass over all games finds what the fold of each finds, however many games there are side by side.

use annals_events::{Ended, GameEvent, Halted, Side, TurnTaken};
use annals_replay::{Cut, GameFinding, audit_games, game_at};
use annals_store::{NewEvent, Transaction};

use super::games::{setup, started};
use super::scene::{SECOND, START, Scene, draft, game, strike};

/// More games than are kept side by side, an event of each in turn, and some that go on when they are long over.
fn many(scene: &mut Scene) {
    let turn = |number, side: Side, steps: &'static str| {
        GameEvent::TurnTaken(TurnTaken { used: Some(3), ..TurnTaken::plain(number, side, steps) })
    };
    let resigned = GameEvent::Ended(Ended {
        winner: Some(Side::Gold),
        termination: Some(annals_events::Termination::Resignation),
        stated: None,
        draw: false,
    });
    let rounds: [(GameEvent<'static>, usize); 6] = [
        (GameEvent::Started(Box::new(started())), 1),
        (turn(1, Side::Gold, setup(Side::Gold)), 1),
        (turn(1, Side::Silver, setup(Side::Silver)), 1),
        (turn(2, Side::Gold, "Ra1n"), 7),
        (resigned, 2),
        (GameEvent::Halted(Halted::default()), 50),
    ];
    for (round, (event, every)) in rounds.into_iter().enumerate() {
        let events: Vec<NewEvent> = (0..1_500)
            .filter(|game| game % every == 0)
            .map(|game| {
                let draft = draft(&format!("game/{game}"), START + round as i64 * SECOND, event.clone());
                let mut id = [round as u8 + 1; 16];
                id[..8].copy_from_slice(&(game as u64).to_be_bytes());
                let entry = draft.decode().unwrap();
                NewEvent::new(
                    draft.stream.clone(),
                    annals_events::EventId(id),
                    draft.effective_at,
                    "t",
                    &entry,
                )
                .unwrap()
            })
            .collect();
        scene.clock.advance(SECOND);
        scene.log.append(&Transaction::of(events)).unwrap();
    }
}

#[test]
fn one_pass_finds_what_each_game_by_itself_shows() {
    let mut scene = Scene::new();
    many(&mut scene);
    scene.append(&game("game/good", START, 8, 20)).unwrap();
    // A game with a correction is folded from its own stream.
    let ended = scene.log.last_seq().unwrap();
    scene.take(strike("game/good", ended));
    for cut in
        [Cut::NOW, Cut::at_seq(5_000), Cut::as_of(START + 3 * SECOND), Cut::as_of(START - 1), Cut::at_seq(1)]
    {
        let audit = audit_games(&scene.log, &cut, None).unwrap();
        let mut findings = Vec::new();
        let (mut games, mut events) = (0, 0);
        for info in scene.log.streams(Some("game")).unwrap() {
            let Ok(game) = game_at(&scene.log, &info.name, &cut) else { continue };
            games += 1;
            events += game.events();
            let of = |finding: &annals_replay::Finding| GameFinding {
                stream: info.name.clone(),
                finding: finding.clone(),
            };
            findings.extend(game.findings().iter().map(of));
        }
        findings.sort_by_key(|found| found.finding.seq);
        assert_eq!((audit.games, audit.events), (games, events), "{cut:?}");
        assert_eq!(audit.findings, findings, "{cut:?}");
    }
    let audit = audit_games(&scene.log, &Cut::NOW, None).unwrap();
    assert!(audit.flagged > 200 && audit.games == 1_501, "{} of {}", audit.flagged, audit.games);
}
