//! Corrections at the desk: they reach back, but never pull the ground from under a later event.

use annals_events::tournament::{Ground, Outcome};
use annals_events::{GameEvent, RatedChanged, TournamentEvent};
use annals_replay::handler::{HandlerError, Reason};
use annals_replay::{Cut, game_at, tournament_at};

use super::games::started;
use super::scene::{
    DAY, SECOND, START, Scene, draft, game, registered, replace, result, stream, strike, tournament,
};

fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.append(&game("game/1", START, 4, 12)).unwrap();
    for draft in tournament("tournament/open", START) {
        scene.take(draft);
    }
    scene
}

fn seq_of(scene: &Scene, name: &str, event_type: &str, which: usize) -> u64 {
    let all = scene.all();
    let mut found = all.iter().filter(|e| e.stream.as_str() == name && e.event_type == event_type);
    found.nth(which).unwrap().seq
}

#[test]
fn a_corrected_start_makes_a_game_unrated_from_the_start_and_only_for_those_who_know() {
    let mut scene = scene();
    let known = scene.log.last_seq().unwrap();
    let mut unrated = started();
    unrated.rated = false;
    let first = seq_of(&scene, "game/1", "game.started", 0);
    scene.take(replace("game/1", first, GameEvent::Started(Box::new(unrated)), None));
    let name = stream("game/1");
    let rated = |cut: &Cut| game_at(&scene.log, &name, cut).unwrap().game().is_rated();
    assert!(!rated(&Cut::NOW));
    assert!(!rated(&Cut::as_of(START)));
    assert!(rated(&Cut::at_seq(known)));
    assert!(rated(&Cut { as_of: Some(START), ..Cut::at_seq(known) }));
}

#[test]
fn nothing_is_struck_while_others_rest_on_it() {
    let mut scene = scene();
    let turn = seq_of(&scene, "game/1", "game.turn_taken", 5);
    let error = scene.append(&[strike("game/1", turn)]).unwrap_err();
    let HandlerError::Refused(refusal) = error else { panic!("{error}") };
    assert!(
        matches!(refusal.reason, Reason::OthersRest { corrects, resting, .. } if corrects == turn && resting == turn + 1),
        "{refusal}"
    );
    let open = "tournament/open";
    let paired = seq_of(&scene, open, "tournament.round_paired", 0);
    assert_eq!(scene.refused(strike(open, paired)), "others_rest_on_it");
    let announced = seq_of(&scene, open, "tournament.announced", 0);
    assert_eq!(scene.refused(strike(open, announced)), "others_rest_on_it");
    // The last event of a game holds nothing up.
    let ended = seq_of(&scene, "game/1", "game.ended", 0);
    scene.take(strike("game/1", ended));
    assert!(game_at(&scene.log, &stream("game/1"), &Cut::NOW).unwrap().game().ending().is_none());
    // Nor does a result that nobody has built on.
    let last = seq_of(&scene, open, "tournament.result_recorded", 3);
    scene.take(strike(open, last));
    let state = tournament_at(&scene.log, &stream(open), &Cut::NOW).unwrap();
    assert_eq!(state.tournament.rounds[&2].boards[&2].outcome(), None);
    scene.take(draft(open, START + DAY, result(2, 2, Outcome::Draw)));
}

#[test]
fn a_game_that_a_tournament_tells_of_is_not_struck() {
    let mut scene = scene();
    let mut of_pairing = started();
    of_pairing.pairing = Some("open.r2.2".into());
    let at = START + DAY;
    let begun = scene.take(draft("game/open.r2.2", at, GameEvent::Started(Box::new(of_pairing))));
    let attached = TournamentEvent::GameAttached(annals_events::tournament::GameAttached {
        pairing: "r2.2".parse().unwrap(),
        attempt: 1,
        game: "open.r2.2".parse().unwrap(),
    });
    scene.take(draft("tournament/open", at, attached));
    assert_eq!(scene.refused(strike("game/open.r2.2", begun)), "others_rest_on_it");
}

#[test]
fn a_new_time_lies_between_causes_and_effects() {
    let mut scene = scene();
    let open = "tournament/open";
    let entry = seq_of(&scene, open, "tournament.player_registered", 1);
    let moved = |at| replace(open, entry, registered("bela"), Some(at));
    assert_eq!(scene.refused(moved(START - 1)), "before_its_cause");
    // Round 1 was paired five minutes after the announcement, with this player in it.
    assert_eq!(scene.refused(moved(START + 300 * SECOND + 1)), "others_rest_on_it");
    scene.take(moved(START + 300 * SECOND));
    let before = Cut::as_of(START + 300 * SECOND - 1);
    let state = tournament_at(&scene.log, &stream(open), &before).unwrap();
    assert!(!state.tournament.entrants.contains_key(&super::scene::id("bela")));
    assert!(state.findings().is_empty());
}

#[test]
fn a_result_is_not_moved_before_the_start_of_its_round() {
    let mut scene = scene();
    let open = "tournament/open";
    let minute = 60 * SECOND;
    // Paired in the sixth minute, started in the seventh; the start names the round, the result its board.
    let of_board = seq_of(&scene, open, "tournament.result_recorded", 0);
    let moved = |at| replace(open, of_board, result(1, 1, Outcome::Gold), Some(at));
    assert_eq!(scene.refused(moved(START + 6 * minute - 1)), "before_its_cause");
    scene.take(moved(START + 6 * minute));
    // Said once more, it is the later start that a result comes after, whether it is new or moved.
    let mut scene = Scene::new();
    let of = |at, event: annals_events::TournamentEvent| draft(open, START + at, event);
    scene.take(of(0, super::scene::announced()));
    for name in ["anna", "bela", "carl", "dora"] {
        scene.take(of(5, registered(name)));
    }
    scene.take(of(5, super::scene::paired(1, &[("anna", "bela")], None)));
    scene.take(of(27, super::scene::paired(2, &[("anna", "carl")], None)));
    scene.take(of(36, super::scene::round_started(1)));
    scene.take(of(42, super::scene::round_started(1)));
    assert_eq!(scene.refused(of(41, result(1, 1, Outcome::Gold))), "before_its_cause");
    let said = scene.take(of(46, result(1, 1, Outcome::Gold)));
    let moved = |at| replace(open, said, result(1, 1, Outcome::Gold), Some(START + at));
    for too_early in [33, 35, 41] {
        assert_eq!(scene.refused(moved(too_early)), "before_its_cause");
    }
    scene.take(moved(42));
    for at in 0..60 {
        let state = tournament_at(&scene.log, &stream(open), &Cut::as_of(START + at)).unwrap();
        assert_eq!(state.findings(), [], "as of {at}");
    }
}

#[test]
fn a_correction_must_reach_an_earlier_event_of_its_stream() {
    let mut scene = scene();
    let turn = seq_of(&scene, "game/1", "game.turn_taken", 0);
    assert_eq!(scene.refused(strike("tournament/open", turn)), "no_such_event");
    assert_eq!(scene.refused(strike("game/1", 10_000)), "no_such_event");
    assert_eq!(scene.refused(strike("log/annals", 1)), "no_such_event");
    let ended = seq_of(&scene, "game/1", "game.ended", 0);
    let correction = scene.take(strike("game/1", ended));
    assert_eq!(scene.refused(strike("game/1", correction)), "no_such_event");
    // A replacement is decided as if it had been there from the start.
    let wrong = GameEvent::RatedChanged(RatedChanged { rated: true, reason: None });
    assert_eq!(scene.refused(replace("game/1", turn, wrong, None)), "no_event");
}

#[test]
fn what_follows_a_correction_in_one_transaction_rests_on_what_it_leaves() {
    let mut scene = scene();
    let drafts = game("game/1", START, 4, 12);
    let (last_turn, ended) = (&drafts[drafts.len() - 2], seq_of(&scene, "game/1", "game.ended", 0));
    let resigned = drafts[drafts.len() - 1].clone();
    // The game ended a second after its last turn, and not when it was said to.
    let earlier = annals_replay::handler::Draft { effective_at: last_turn.effective_at + SECOND, ..resigned };
    let before_the_turn =
        annals_replay::handler::Draft { effective_at: last_turn.effective_at - SECOND, ..earlier.clone() };
    let error = scene.append(&[strike("game/1", ended), before_the_turn]).unwrap_err();
    assert!(matches!(error, HandlerError::Refused(refusal) if refusal.index == 1));
    assert_eq!(scene.refused(earlier.clone()), "before_its_cause");
    scene.append(&[strike("game/1", ended), earlier.clone()]).unwrap();
    let game = game_at(&scene.log, &stream("game/1"), &Cut::NOW).unwrap();
    assert_eq!(game.ended_at(), Some(earlier.effective_at));
    assert!(game.findings().is_empty());
}

#[test]
fn what_brought_in_what_later_events_name_is_not_struck() {
    let mut scene = scene();
    let open = "tournament/open";
    let entry = seq_of(&scene, open, "tournament.player_registered", 0);
    assert_eq!(scene.refused(strike(open, entry)), "others_rest_on_it");
    // Nor can the entry become somebody else's.
    assert_eq!(scene.refused(replace(open, entry, registered("emil"), None)), "others_rest_on_it");
    let begun = seq_of(&scene, open, "tournament.round_started", 0);
    assert_eq!(scene.refused(strike(open, begun)), "others_rest_on_it");
    // An entry that nothing names can go.
    let late = scene.take(draft(open, START + DAY, registered("emil")));
    scene.take(strike(open, late));
}

#[test]
fn a_pair_with_a_result_is_not_paired_anew() {
    let mut scene = scene();
    let open = "tournament/open";
    let first = seq_of(&scene, open, "tournament.round_paired", 0);
    let anew = super::scene::paired(1, &[("anna", "bela"), ("dora", "carl")], None);
    let error = scene.append(&[replace(open, first, anew, None)]).unwrap_err();
    let HandlerError::Refused(refusal) = error else { panic!("{error}") };
    let result = seq_of(&scene, open, "tournament.result_recorded", 1);
    assert!(
        matches!(refusal.reason, Reason::OthersRest { corrects, resting, .. } if corrects == first && resting == result),
        "{refusal}"
    );
    scene.take(draft(open, START + DAY, super::scene::paired(3, &[("anna", "dora")], None)));
    let third = seq_of(&scene, open, "tournament.round_paired", 2);
    scene.take(replace(open, third, super::scene::paired(3, &[("dora", "anna")], None), None));
}

#[test]
fn the_paragraph_that_gave_the_colours_is_put_right_whatever_was_played() {
    let mut scene = scene();
    let open = "tournament/open";
    let first = seq_of(&scene, open, "tournament.round_paired", 0);
    let mut cited = super::scene::paired(1, &[("anna", "bela"), ("carl", "dora")], None);
    let TournamentEvent::RoundPaired(paired) = &mut cited else { panic!() };
    let paragraph = Some("Preliminary 5".to_owned());
    paired.pairs[1].colour = Some(Ground { rule: "swiss.colour".to_owned(), paragraph, finding: None });
    scene.take(replace(open, first, cited, None));
    let state = tournament_at(&scene.log, &stream(open), &Cut::NOW).unwrap();
    assert!(state.tournament.rounds[&1].paired.fact.pairs[1].colour.is_some());
}
