//! What a tournament's rules ask of the log around it: games as plain facts, bans recorded in other tournaments.

use annals_events::tournament::{BanLifted, BanRecorded, PlayerRegistered};
use annals_events::{GameEvent, PlayerKind, Side, TournamentEvent, TurnRetracted, TurnTaken};
use annals_replay::facts::FoldedGame;
use annals_replay::handler::Draft;
use annals_replay::{Cut, Replayed, Scope};
use annals_rules::ClockFacts;
use annals_tournaments::commands::{AnnounceOrder, announcement};
use annals_tournaments::rulebook::Rulebook;

use super::scene::{DAY, SECOND, START, Scene, draft, game, id, stream};

fn folded(scene: &Scene, name: &str) -> FoldedGame {
    Replayed::<FoldedGame>::rebuild(&scene.log, Scope::Stream(stream(name)), &Cut::NOW).unwrap().into_state()
}

#[test]
fn the_facts_of_a_game_are_its_plies_its_clocks_and_its_end() {
    let mut scene = Scene::new();
    let drafts = game("game/1", START, 3, 14);
    for draft in &drafts {
        scene.take(draft.clone());
    }
    let facts = folded(&scene, "game/1").facts();
    let turns: Vec<TurnTaken<'static>> = super::games::play(3, 14)
        .into_iter()
        .filter_map(|(_, event)| match event {
            GameEvent::TurnTaken(turn) => Some(turn),
            _ => None,
        })
        .collect();
    assert_eq!(facts.plies as usize, turns.len());
    assert_eq!((facts.gold.as_deref(), facts.silver.as_deref()), (Some("anna"), Some("bela")));
    assert_eq!(facts.clocks.len(), turns.len() + 1);
    for (turn, clocks) in turns.iter().zip(&facts.clocks[1..]) {
        let said = ClockFacts {
            gold_reserve: turn.gold_reserve,
            silver_reserve: turn.silver_reserve,
            game_time: turn.game_time,
        };
        assert_eq!(*clocks, said);
    }
    let end = facts.ended.unwrap();
    assert_eq!(Some(end.at), drafts.last().map(|draft| draft.effective_at));
    assert!(facts.violations.is_empty() && facts.retracted == 0 && !facts.halted);
    assert_eq!(facts.rated, Some(true));
}

#[test]
fn a_turn_that_is_taken_back_is_counted_and_its_ply_is_gone() {
    let mut scene = Scene::new();
    for draft in &game("game/1", START, 3, 6)[..7] {
        scene.take(draft.clone());
    }
    let before = folded(&scene, "game/1").facts();
    assert_eq!((before.plies, before.retracted), (6, 0));
    let retract = GameEvent::TurnRetracted(TurnRetracted { reason: None });
    scene.take(draft("game/1", START + 3_600 * SECOND, retract));
    let after = folded(&scene, "game/1");
    assert_eq!((after.facts().plies, after.facts().retracted), (5, 1));
    assert_eq!(after.position_after(6), None);
    assert!(after.position_after(5).is_some() && after.position_after(0).is_some());
    // What cannot be taken back is a departure, and no retraction.
    let mut other = Scene::new();
    other.take(draft("game/2", START, GameEvent::Started(Box::new(super::games::started()))));
    let refused = GameEvent::TurnRetracted(TurnRetracted { reason: None });
    assert!(!other.refused(draft("game/2", START + SECOND, refused)).is_empty());
    let wrong = GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, "Ra1"));
    assert!(!other.refused(draft("game/2", START + SECOND, wrong)).is_empty());
}

fn announced(name: &str, at: i64) -> Draft {
    let rulebook = Rulebook::named("wcc-2015").unwrap();
    draft(name, at, TournamentEvent::Announced(announcement(&rulebook, AnnounceOrder::default())))
}

fn entry(name: &str, player: &str, developer: &str, at: i64) -> Draft {
    let entry = PlayerRegistered {
        player: id(player),
        name: player.to_owned(),
        kind: PlayerKind::Bot,
        developers: vec![developer.to_owned()],
        account: None,
        rating: Some(2_000),
        number: None,
        country: None,
    };
    draft(name, at, TournamentEvent::PlayerRegistered(entry))
}

#[test]
fn a_ban_recorded_in_one_tournament_binds_the_next_until_it_ends_or_is_lifted() {
    let mut scene = Scene::new();
    let (first, second) = ("tournament/wcc-2015", "tournament/wcc-2016");
    scene.take(announced(first, START));
    scene.take(entry(first, "sharp", "David", START + SECOND));
    let ban = |series: Option<&str>, until: Option<i64>| {
        TournamentEvent::BanRecorded(BanRecorded {
            player: id("sharp"),
            developers: vec!["David".to_owned()],
            series: series.map(str::to_owned),
            until,
            grounds: Vec::new(),
            evidence: Vec::new(),
            reason: "a cluster".to_owned(),
        })
    };
    scene.take(draft(first, START + 2 * SECOND, ban(None, Some(START + DAY / 2))));
    scene.take(announced(second, START + 3 * SECOND));
    let at = START + 4 * SECOND;
    assert_eq!(scene.refused(entry(second, "sharp", "Somebody", at)), "registration.ban");
    assert_eq!(scene.refused(entry(second, "blunt", "david ", at)), "registration.ban", "the developer too");
    scene.take(entry(second, "other", "Else", at));
    // When its time is over it binds nobody,
    scene.take(entry(second, "blunt", "David", START + DAY / 2));
    // and when it is lifted neither, and not before.
    scene.take(draft(first, START + DAY / 2, ban(None, None)));
    let later = START + DAY / 2 + SECOND;
    assert_eq!(scene.refused(entry(second, "sharp", "Somebody", later)), "registration.ban");
    let lift = BanLifted { player: id("sharp"), series: None, reason: "misread".to_owned() };
    scene.take(draft(first, later, TournamentEvent::BanLifted(lift)));
    scene.take(entry(second, "sharp", "Somebody", later));
}
