//! No cut has orphans: whatever the desk took, and whatever an import lifted, no point in time shows an event without
//! what it rests on.

use annals_events::TournamentEvent;
use annals_events::tournament::Outcome;
use annals_replay::handler::{Draft, Importer};
use annals_replay::{Cut, tournament_at};
use proptest::prelude::*;

use super::scene::{
    SECOND, START, Scene, announced, draft, paired, registered, replace, result, round_started, stream,
    strike,
};

const PLAYERS: [&str; 4] = ["anna", "bela", "carl", "dora"];
const OPEN: &str = "tournament/open";

#[derive(Debug, Clone)]
enum Attempt {
    Say { what: u8, who: u8, round: u32, at: i64 },
    Strike { which: u64 },
    Move { which: u64, at: i64 },
}

fn attempt() -> impl Strategy<Value = Attempt> {
    prop_oneof![
        8 => (0..5u8, 0..4u8, 1..3u32, 0..60i64).prop_map(|(what, who, round, at)| Attempt::Say { what, who, round, at }),
        1 => (0..20u64).prop_map(|which| Attempt::Strike { which }),
        2 => (0..20u64, 0..60i64).prop_map(|(which, at)| Attempt::Move { which, at }),
    ]
}

fn said(what: u8, who: u8, round: u32) -> TournamentEvent {
    let (a, b) = (PLAYERS[usize::from(who)], PLAYERS[usize::from(who + round as u8) % 4]);
    match what {
        0 => registered(a),
        1 => paired(round, &[(a, b)], None),
        2 => round_started(round),
        3 => result(round, 1, Outcome::Gold),
        _ => TournamentEvent::PlayerWithdrawn(annals_events::tournament::PlayerWithdrawn {
            player: a.parse().unwrap(),
            how: annals_events::tournament::Withdrawal::Own,
            reason: None,
        }),
    }
}

fn drafts(scene: &Scene, attempt: &Attempt) -> Option<Draft> {
    match attempt {
        Attempt::Say { what, who, round, at } => Some(draft(OPEN, START + at, said(*what, *who, *round))),
        Attempt::Strike { which } => Some(strike(OPEN, *which)),
        Attempt::Move { which, at } => {
            let event = scene.log.event(*which).unwrap()?;
            match event.decode().ok()? {
                annals_events::Event::Tournament(same) => {
                    Some(replace(OPEN, *which, *same, Some(START + at)))
                }
                _ => None,
            }
        }
    }
}

fn orphans(scene: &Scene, allowed: &[(u64, &'static str)]) -> Option<String> {
    let last = scene.log.last_seq().unwrap();
    for seq in 1..=last {
        for at in -1..62 {
            let cut = Cut { as_of: Some(START + at), ..Cut::at_seq(seq) };
            let Ok(state) = tournament_at(&scene.log, &stream(OPEN), &cut) else { continue };
            let orphan = state.findings().iter().find(|f| !allowed.contains(&(f.seq, f.code)));
            if let Some(orphan) = orphan {
                return Some(format!("{cut:?}: {orphan:?}"));
            }
        }
    }
    None
}

fn cases(short: u32, long: u32) -> ProptestConfig {
    let cases = if std::env::var_os("ANNALS_LONG").is_some() { long } else { short };
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(14, 400))]

    #[test]
    fn what_the_desk_took_has_no_orphan_at_any_cut(attempts in prop::collection::vec(attempt(), 4..40)) {
        let mut scene = Scene::new();
        scene.take(draft(OPEN, START, announced()));
        for name in PLAYERS {
            scene.take(draft(OPEN, START + 5, registered(name)));
        }
        for attempt in &attempts {
            if let Some(draft) = drafts(&scene, attempt) {
                // Taken or refused: what counts is what stands.
                let _ = scene.append(&[draft]);
            }
        }
        prop_assert_eq!(orphans(&scene, &[]), None);
    }

    #[test]
    fn an_import_in_any_order_of_times_has_no_orphan_that_it_had_not_as_a_whole(
        said_at in prop::collection::vec((0..5u8, 0..4u8, 1..3u32, 0..60i64), 2..20)
    ) {
        let mut scene = Scene::new();
        let drafts: Vec<Draft> = std::iter::once(draft(OPEN, START + 3, announced()))
            .chain(said_at.iter().map(|(what, who, round, at)| draft(OPEN, START + at, said(*what, *who, *round))))
            .collect();
        scene.clock.advance(SECOND);
        let mut importer = Importer::new(&mut scene.log, "importer").unwrap();
        importer.stream(&drafts).unwrap();
        importer.finish().unwrap();
        // What never followed does not follow at any cut; but nothing comes to that by a cut.
        let whole = tournament_at(&scene.log, &stream(OPEN), &Cut::NOW).unwrap();
        let allowed: Vec<(u64, &'static str)> = whole.findings().iter().map(|f| (f.seq, f.code)).collect();
        prop_assert_eq!(orphans(&scene, &allowed), None);
    }
}
