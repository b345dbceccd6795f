//! From a user's words to a cut.

use annals_replay::point::zone;
use annals_replay::{Asked, Cut, ReplayError, resolve};
use jiff::tz::TimeZone;

use super::games::started;
use super::scene::{SECOND, START, Scene, draft, game, stream, tournament};

const MINUTE: i64 = 60 * SECOND;

fn scene() -> Scene {
    let mut scene = Scene::new();
    for draft in tournament("tournament/open", START) {
        scene.take(draft);
    }
    scene.append(&game("game/1", START, 2, 4)).unwrap();
    scene
}

fn as_of(text: &str) -> Asked<'_> {
    Asked { as_of: Some(text), ..Asked::default() }
}

#[test]
fn a_round_ends_just_before_the_next_begins_or_with_the_close() {
    let mut scene = scene();
    let open = stream("tournament/open");
    let cut = |scene: &Scene, text| resolve(&scene.log, Some(&open), &as_of(text), &TimeZone::UTC);
    assert_eq!(cut(&scene, "round:1").unwrap(), Cut::as_of(START + 10 * MINUTE - 1));
    assert_eq!(cut(&scene, "round:2").unwrap(), Cut::as_of(START + 13 * MINUTE));
    let error = cut(&scene, "round:3").unwrap_err();
    assert!(error.to_string().contains("paired are the rounds 1, 2"), "{error}");
    // A game of a pairing counts in its tournament, any other in none.
    let mut of_pairing = started();
    of_pairing.pairing = Some("open.r1.1".into());
    let begun = annals_events::GameEvent::Started(Box::new(of_pairing));
    scene.take(draft("game/g", START + 11 * MINUTE, begun));
    let game = stream("game/g");
    let found = resolve(&scene.log, Some(&game), &as_of("round:1"), &TimeZone::UTC).unwrap();
    assert_eq!(found, Cut::as_of(START + 10 * MINUTE - 1));
    for lost in [Some(stream("game/1")), None] {
        let error = resolve(&scene.log, lost.as_ref(), &as_of("round:1"), &TimeZone::UTC).unwrap_err();
        assert!(matches!(error, ReplayError::RoundOfWhat { round: 1 }), "{error}");
    }
}

#[test]
fn a_round_is_read_as_it_was_known_at_the_rest_of_the_cut() {
    let scene = scene();
    let open = stream("tournament/open");
    // Before the second round was recorded as begun, the first had no end.
    let asked = Asked { as_of: Some("round:1"), known_at: None, seq: Some(11) };
    let error = resolve(&scene.log, Some(&open), &asked, &TimeZone::UTC).unwrap_err();
    assert!(error.to_string().contains("no later round has begun"), "{error}");
    let asked = Asked { as_of: Some("round:1"), known_at: None, seq: Some(12) };
    let cut = resolve(&scene.log, Some(&open), &asked, &TimeZone::UTC).unwrap();
    assert_eq!(cut, Cut { as_of: Some(START + 10 * MINUTE - 1), known_at: None, seq: Some(12) });
}

#[test]
fn positions_and_times_are_points_too() {
    let scene = scene();
    let cut = |asked: Asked<'_>, name: &str| resolve(&scene.log, None, &asked, &zone(name).unwrap());
    assert_eq!(cut(as_of("seq:7"), "UTC").unwrap(), Cut::as_of(START + 5 * MINUTE));
    let known = Asked { known_at: Some("seq:7"), ..Asked::default() };
    assert_eq!(cut(known, "UTC").unwrap(), Cut::at_seq(7));
    assert_eq!(cut(as_of("2020-09-13 07:26:40"), "EST").unwrap(), Cut::as_of(START));
    let both =
        Asked { as_of: Some("2020-09-13T12:26:40Z"), known_at: Some("2020-09-13T12:26:41Z"), seq: Some(3) };
    let expected = Cut { as_of: Some(START), known_at: Some(START + SECOND), seq: Some(3) };
    assert_eq!(cut(both, "UTC").unwrap(), expected);
    assert!(matches!(cut(as_of("seq:999"), "UTC"), Err(ReplayError::NoSuchSeq { asked: 999, .. })));
    assert!(matches!(cut(as_of("soon"), "UTC"), Err(ReplayError::Point(_))));
    let two = Asked { as_of: None, known_at: Some("seq:4"), seq: Some(5) };
    assert!(matches!(cut(two, "UTC"), Err(ReplayError::TwoSeqs { .. })));
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
