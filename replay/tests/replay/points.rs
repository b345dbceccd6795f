//! From a user's words to a cut.

use annals_events::tournament::Outcome;
use annals_replay::point::zone;
use annals_replay::{Asked, Cut, ReplayError, RoundEnd, resolve, tournament_at, view_at};
use jiff::tz::TimeZone;

use super::games::started;
use super::scene::{
    SECOND, START, Scene, announced, draft, game, paired, registered, replace, result, round_started, stream,
    tournament,
};

const MINUTE: i64 = 60 * SECOND;

fn scene() -> Scene {
    let mut scene = Scene::new();
    for draft in tournament("tournament/open", START) {
        scene.take(draft);
    }
    scene.append(&game("game/1", START, 2, 4)).unwrap();
    scene
}

/// The end of a round: the time of its last event, and that event.
fn end(round: u32, at: i64, last: u64) -> Cut {
    Cut { round_end: Some(RoundEnd { round: Some(round), last: Some(last), stated: None }), ..Cut::as_of(at) }
}

fn as_of(text: &str) -> Asked<'_> {
    Asked { as_of: Some(text), ..Asked::default() }
}

#[test]
fn a_round_ends_with_its_last_result() {
    let mut scene = scene();
    let open = stream("tournament/open");
    let cut = |scene: &Scene, text| resolve(&scene.log, Some(&open), &as_of(text), &TimeZone::UTC);
    assert_eq!(cut(&scene, "round:1").unwrap(), end(1, START + 8 * MINUTE, 10));
    assert_eq!(cut(&scene, "round:2").unwrap(), end(2, START + 12 * MINUTE, 14));
    let error = cut(&scene, "round:3").unwrap_err();
    assert!(error.to_string().contains("paired are the rounds 1, 2"), "{error}");
    // A game of a pairing counts in its tournament, any other in none.
    let mut of_pairing = started();
    of_pairing.pairing = Some("open.r1.1".into());
    let begun = annals_events::GameEvent::Started(Box::new(of_pairing));
    scene.take(draft("game/g", START + 11 * MINUTE, begun));
    let game = stream("game/g");
    let found = resolve(&scene.log, Some(&game), &as_of("round:1"), &TimeZone::UTC).unwrap();
    assert_eq!(found, end(1, START + 8 * MINUTE, 10));
    for lost in [Some(stream("game/1")), None] {
        let error = resolve(&scene.log, lost.as_ref(), &as_of("round:1"), &TimeZone::UTC).unwrap_err();
        assert!(matches!(error, ReplayError::RoundOfWhat { round: 1 }), "{error}");
    }
}

#[test]
fn a_round_is_read_as_it_was_known_at_the_rest_of_the_cut() {
    let scene = scene();
    let open = stream("tournament/open");
    // Before its last result was recorded, the first round had no end: it is shown as it stands.
    let at = |seq| {
        let asked = Asked { as_of: Some("round:1"), known_at: None, seq: Some(seq) };
        resolve(&scene.log, Some(&open), &asked, &TimeZone::UTC).unwrap()
    };
    let unfinished = Some(RoundEnd { round: Some(1), last: None, stated: None });
    assert_eq!(at(9), Cut { round_end: unfinished, ..Cut::at_seq(9) });
    assert_eq!(at(10), Cut { seq: Some(10), ..end(1, START + 8 * MINUTE, 10) });
}

#[test]
fn positions_and_times_are_points_too() {
    let scene = scene();
    let cut = |asked: Asked<'_>, name: &str| resolve(&scene.log, None, &asked, &zone(name).unwrap());
    assert_eq!(cut(as_of("seq:7"), "UTC").unwrap(), Cut::at_seq(7));
    let known = Asked { known_at: Some("seq:7"), ..Asked::default() };
    assert_eq!(cut(known, "UTC").unwrap(), Cut::at_seq(7));
    assert_eq!(cut(as_of("2020-09-13 07:26:40"), "EST").unwrap(), Cut::as_of(START));
    let both =
        Asked { as_of: Some("2020-09-13T12:26:40Z"), known_at: Some("2020-09-13T12:26:41Z"), seq: Some(3) };
    let expected = Cut { as_of: Some(START), known_at: Some(START + SECOND), seq: Some(3), ..Cut::NOW };
    assert_eq!(cut(both, "UTC").unwrap(), expected);
    assert!(matches!(cut(as_of("seq:999"), "UTC"), Err(ReplayError::NoSuchSeq { asked: 999, .. })));
    assert!(matches!(cut(as_of("soon"), "UTC"), Err(ReplayError::Point(_))));
    let two = Asked { as_of: Some("seq:4"), known_at: Some("seq:6"), seq: Some(5) };
    assert_eq!(cut(two, "UTC").unwrap(), Cut::at_seq(4));
}

#[test]
fn what_is_not_there_is_told_from_what_is_not_yet() {
    let scene = scene();
    let error = annals_replay::game_at(&scene.log, &stream("game/none"), &Cut::NOW).unwrap_err();
    assert!(matches!(error, ReplayError::NoSuchStream { .. }), "{error}");
    let error = annals_replay::game_at(&scene.log, &stream("game/1"), &Cut::as_of(START - 1)).unwrap_err();
    assert!(error.to_string().contains("which happened 2020-09-13 12:26:40Z"), "{error}");
    let error = annals_replay::game_at(&scene.log, &stream("tournament/open"), &Cut::NOW).unwrap_err();
    assert!(matches!(error, ReplayError::NoSuchFamily { .. }), "{error}");
}

/// Four players, two rounds of one board and a bye each, all of it in one instant; the second round is paired, and forfeited,
/// before the last result of the first.
fn at_once() -> Scene {
    let mut scene = Scene::new();
    let open = "tournament/open";
    let mut events = vec![announced()];
    events.extend(["anna", "bela", "carl", "dora", "emil"].map(registered));
    events.push(paired(1, &[("anna", "bela"), ("carl", "dora")], Some("emil")));
    events.push(round_started(1));
    events.push(result(1, 1, Outcome::Gold));
    events.push(paired(2, &[("anna", "carl"), ("emil", "dora")], Some("bela")));
    events.push(result(1, 2, Outcome::Gold));
    events.push(round_started(2));
    events.push(result(2, 1, Outcome::Gold));
    for event in events {
        scene.take(draft(open, START, event));
    }
    scene
}

fn half_points(scene: &Scene, cut: &Cut, player: &str) -> Option<u32> {
    let state = tournament_at(&scene.log, &stream("tournament/open"), cut).unwrap();
    let standings = annals_tournaments::standings(&state.tournament);
    standings.iter().find(|(known, _)| known.as_str() == player).map(|(_, score)| score.half_points)
}

#[test]
fn nothing_of_the_next_round_counts_at_the_end_of_a_round() {
    let mut scene = at_once();
    let open = stream("tournament/open");
    let cut = |scene: &Scene, text| resolve(&scene.log, Some(&open), &as_of(text), &TimeZone::UTC).unwrap();
    let first = cut(&scene, "round:1");
    assert_eq!(first.round_end.unwrap().last, Some(12), "the last result of round 1");
    // The bye and the result of round 2 fell into the same instant.
    let points =
        |scene: &Scene, cut: &Cut| ["anna", "bela", "carl", "emil"].map(|name| half_points(scene, cut, name));
    assert_eq!(points(&scene, &first), [Some(2), Some(0), Some(2), Some(2)]);
    let state = tournament_at(&scene.log, &open, &first).unwrap();
    assert!(state.tournament.rounds[&1].is_over() && state.findings().is_empty());
    assert_eq!(state.tournament.rounds.len(), 1);
    // Round 2 is not over: as it stands, and marked so.
    let second = cut(&scene, "round:2");
    assert_eq!(
        (second.as_of, second.round_end),
        (None, Some(RoundEnd { round: Some(2), last: None, stated: None }))
    );
    assert_eq!(points(&scene, &second), points(&scene, &Cut::NOW));
    let view =
        view_at(&scene.log, &open, &second).unwrap().document(&TimeZone::UTC).text(&TimeZone::UTC, None);
    assert!(view.contains("round 2 unfinished"), "{view}");
    let view =
        view_at(&scene.log, &open, &first).unwrap().document(&TimeZone::UTC).text(&TimeZone::UTC, None);
    assert!(view.contains("end of round 1"), "{view}");
    // A correction counts by its effective time: the result had been another one all along.
    scene.take(replace("tournament/open", 12, result(1, 2, Outcome::Silver), None));
    assert_eq!(points(&scene, &cut(&scene, "round:1"))[2], Some(0));
    // And one that puts it later moves the end of the round.
    scene.take(replace("tournament/open", 10, result(1, 1, Outcome::Gold), Some(START + MINUTE)));
    assert_eq!(cut(&scene, "round:1"), end(1, START + MINUTE, 10));
}
