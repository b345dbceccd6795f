//! Rounds and their colours explained: what is recorded, and what the rules say of it.

use annals_events::tournament::{Bye, Effect, Outcome, Pair, PairingRevoked, RoundPaired, Stage};
use annals_events::{BoardId, Side, TournamentEvent};
use annals_replay::queries::explain::{self, Asked, RoundExplained};
use annals_replay::queries::{TournamentAt, rounds};
use annals_replay::{Cut, end_of_round, tournament_at};
use annals_report::ToDocument;
use annals_tournaments::commands::Command;
use jiff::tz::TimeZone;

use super::judging::{ask, correction, entered, first, open, result, swiss, to_silver};
use super::scene::{DAY, START, Scene, id};

const FIRST: BoardId = BoardId { round: 1, board: 1 };

fn opened(scene: &Scene) -> TournamentAt<'_> {
    TournamentAt::at(&scene.log, &open(), &Cut::NOW).unwrap()
}

fn round(scene: &Scene, number: u32) -> RoundExplained {
    explain::round(&opened(scene), number, &Asked::default()).unwrap()
}

fn text(answer: &impl ToDocument) -> String {
    answer.document(&TimeZone::UTC).text(&TimeZone::UTC, None)
}

fn rule(scene: &mut Scene, effect: Effect, supersedes: Option<u32>) {
    let reason = "as the director found".to_owned();
    ask(scene, Command::Rule { effect, reason, evidence: Vec::new(), dispute: None, supersedes });
}

/// A Swiss of nine whose first round is due.
fn due() -> Scene {
    let mut scene = swiss(0);
    ask(&mut scene, Command::DrawLots { seed: "lots".to_owned(), commitment: None });
    scene
}

#[test]
fn open_colours_are_shown_as_open_whether_the_round_is_published_or_not() {
    let mut scene = due();
    for published in [false, true] {
        let explained = round(&scene, 1);
        assert_eq!(explained.published.is_some(), published);
        let board = &explained.boards[0];
        assert_eq!((&board.gold, &board.silver), (&None, &None));
        assert_eq!(board.colour_how.as_deref(), Some("a coin decides"));
        let colours = explain::part(&opened(&scene), explained.clone(), Some(FIRST));
        let shown = text(&colours);
        assert!(shown.contains("(open)") && shown.contains("a coin decides"), "{shown}");
        assert!(colours.table().csv().contains(&format!("r1.1,{},{},,,", board.upper, board.lower)));
        if !published {
            ask(
                &mut scene,
                Command::Record(Box::new(TournamentEvent::RoundPaired(explained.expected.round))),
            );
        }
    }
}

#[test]
fn colours_are_those_of_the_board_with_what_gave_them_last() {
    let mut scene = due();
    ask(&mut scene, Command::Pair { seed: Some("coins".to_owned()) });
    let drawn = round(&scene, 1).boards[0].clone();
    let how = drawn.colour_how.clone().unwrap();
    assert!(how.starts_with("drawn by lot"), "{how}");
    let silver = drawn.silver.clone().unwrap();
    rule(&mut scene, Effect::SetColours { pairing: FIRST, gold: silver.clone() }, None);
    let ruled = round(&scene, 1).boards[0].clone();
    assert_eq!((ruled.gold, ruled.silver), (Some(silver.clone()), drawn.gold.clone()));
    assert_eq!(ruled.colour_how.as_deref(), Some("by ruling 1"));
    assert_eq!(ruled.reason, drawn.reason, "the rules say the same as before");
    let board = rounds::ask(&opened(&scene), Some(1)).unwrap().rounds[0].boards[0].clone();
    assert_eq!((board.gold, board.colour_how.as_deref()), (Some(silver), Some("by ruling 1")));
    assert_eq!(board.colour_rule, None, "no rule of the pairing gave them");

    rule(&mut scene, Effect::Nothing, Some(1));
    assert_eq!(round(&scene, 1).boards[0], drawn);
    let board = rounds::ask(&opened(&scene), Some(1)).unwrap().rounds[0].boards[0].clone();
    assert_eq!((board.gold, board.colour_how), (drawn.gold, Some(how)));
}

/// The two games of an encounter.
fn encounter(number: u32, upper: &str, lower: &str) -> [Pair; 2] {
    [(2 * number - 1, Side::Gold), (2 * number, Side::Silver)].map(|(board, side)| Pair {
        board,
        upper: id(upper),
        lower: id(lower),
        upper_side: Some(side),
        colour: None,
        encounter: Some(number),
    })
}

#[test]
fn a_round_of_an_all_play_all_that_was_published_otherwise_is_explained_as_published() {
    let mut scene = Scene::new();
    entered(&mut scene, "olympiad-amazons-2000", 5);
    ask(&mut scene, Command::DeclareRounds);
    let proposed = round(&scene, 1);
    let pairs = |explained: &RoundExplained| -> Vec<String> {
        explained.boards.iter().map(|board| format!("{}-{}", board.upper, board.lower)).collect()
    };
    let published = ["p01-p02", "p01-p02", "p03-p04", "p03-p04"];
    assert_ne!(pairs(&proposed), published);
    let paired = TournamentEvent::RoundPaired(RoundPaired {
        round: 1,
        stage: Stage::RoundRobin,
        pairs: [encounter(1, "p01", "p02"), encounter(2, "p03", "p04")].concat(),
        byes: vec![Bye { player: id("p05"), half_points: Some(0), grounds: Vec::new() }],
        order: Vec::new(),
        measures: Vec::new(),
        equals: None,
        inferred: false,
    });
    ask(&mut scene, Command::Record(Box::new(paired)));
    let asked = Asked { why_not: None, why_no_bye: Some(id("p05")) };
    let explained = explain::round(&opened(&scene), 1, &asked).unwrap();
    assert_eq!(pairs(&explained), published);
    assert!(explained.why_not[0].possible, "{:?}", explained.why_not);
    let unexplained = explained.boards.iter().find(|board| board.reason.is_none());
    assert!(unexplained.is_none(), "its colours have a reason though it states none: {unexplained:?}");
    let reasons = &explained.expected.reasons;
    assert_eq!(reasons.byes.iter().map(|bye| bye.what.as_str()).collect::<Vec<_>>(), ["p05 rests"]);
    let mut another = pairs(&proposed);
    another.dedup();
    let of = |(one, other): &(_, _)| format!("{one}-{other}");
    assert_eq!(reasons.another.iter().flatten().map(of).collect::<Vec<_>>(), another);
    let published = explained.published.as_ref().unwrap();
    assert!(published.in_order && !published.canonical, "{published:?}");
    let shown = text(&explained);
    assert!(shown.contains("1 of at least 2 equivalent") && shown.contains("at least 2 pairings"), "{shown}");
    let bye = text(&explain::part(&opened(&scene), explained.clone(), None));
    assert!(bye.contains("p05 rests") && !bye.contains("p01 rests"), "{bye}");
    let second = BoardId { round: 1, board: 3 };
    let colour = text(&explain::part(&opened(&scene), explained, Some(second)));
    assert!(colour.contains("P3") && !colour.contains("P5"), "{colour}");
}

/// The first round of so many players of 2009, without a Swiss where they are few.
fn paired(players: u32) -> Scene {
    let mut scene = Scene::new();
    entered(&mut scene, "wc-2009", players);
    ask(&mut scene, Command::DeclareRounds);
    if players > 8 {
        ask(&mut scene, Command::DrawLots { seed: "lots".to_owned(), commitment: None });
    }
    ask(&mut scene, Command::Pair { seed: Some("coins".to_owned()) });
    scene
}

fn bye(scene: &Scene) -> (RoundExplained, String) {
    let part = explain::part(&opened(scene), round(scene, 1), None);
    let text = text(&part);
    (part, text)
}

#[test]
fn the_bye_is_explained_by_what_is_about_it_and_so_is_that_there_is_none() {
    let (part, shown) = bye(&paired(10));
    assert!(shown.contains("no player has a bye: 10 players, an even number\n"), "{shown}");
    assert!(part.expected.reasons.criteria.is_empty() && part.expected.reasons.equals.is_none(), "{shown}");

    let (part, shown) = bye(&paired(5));
    assert!(
        shown.contains("seed of the player with the bye") && shown.contains("p01 has the bye"),
        "{shown}"
    );
    assert!(!shown.contains("differences in rank") && !shown.contains("as good"), "{shown}");
    let lines = part.table().csv();
    assert!(lines.contains("seed of the player with the bye") && !lines.contains("rank"), "{lines}");
    assert!(text(&round(&paired(5), 1)).contains("differences in rank"));
}

/// Fixes a time for the first game, so many days after the round was paired.
fn appointed(scene: &mut Scene, days: i64) {
    scene.clock.advance(2 * DAY);
    let at = Some(START + days * DAY);
    ask(scene, Command::Schedule { pairing: FIRST, at, reason: None });
}

/// How many times were fixed for the first game, and how many pairs were revoked.
fn appointed_and_revoked(scene: &Scene) -> (usize, usize) {
    let round = rounds::ask(&opened(scene), Some(1)).unwrap().rounds.remove(0);
    let first = round.boards.iter().find(|board| board.pairing == FIRST);
    (first.map_or(0, |board| board.appointments.len()), round.revoked.len())
}

#[test]
fn a_pair_that_is_made_again_has_only_its_own_appointments() {
    let mut scene = paired(10);
    appointed(&mut scene, 5);
    appointed(&mut scene, 6);
    assert_eq!(appointed_and_revoked(&scene), (2, 0));
    let revoked = PairingRevoked { round: 1, board: None, reason: "a wrong entry".to_owned() };
    ask(&mut scene, Command::Record(Box::new(TournamentEvent::PairingRevoked(revoked))));
    ask(&mut scene, Command::Pair { seed: Some("coins".to_owned()) });
    assert_eq!(appointed_and_revoked(&scene), (0, 5));
    // The pair is published anew on a Thursday: its week is the next, and its time is fixed from Monday evening.
    scene.clock.advance(3 * DAY);
    appointed(&mut scene, 11);
    assert_eq!(appointed_and_revoked(&scene), (1, 5));
}

#[test]
fn a_vacated_pair_is_revoked_only_while_the_ruling_is_in_force() {
    let mut scene = paired(10);
    appointed(&mut scene, 5);
    rule(&mut scene, Effect::Vacate { pairing: FIRST }, None);
    assert_eq!(appointed_and_revoked(&scene), (0, 1));
    rule(&mut scene, Effect::Nothing, Some(1));
    assert_eq!(appointed_and_revoked(&scene), (1, 0));
}

#[test]
fn a_correction_is_frozen_by_the_rounds_that_freeze_a_ruling() {
    let mut scene = swiss(1);
    ask(&mut scene, Command::DrawLots { seed: "lots".to_owned(), commitment: None });
    let inferred = RoundPaired { inferred: true, ..round(&scene, 2).expected.round };
    ask(&mut scene, Command::Record(Box::new(TournamentEvent::RoundPaired(inferred))));
    let slip = first(&scene, "tournament.result_recorded", 1);
    let corrected = correction(&scene, slip, Some(&to_silver));
    scene.take(corrected);
    let set = Effect::SetResult { pairing: FIRST, outcome: Outcome::Gold, termination: None };
    rule(&mut scene, set, None);
}

#[test]
fn a_player_who_is_removed_for_a_forfeit_is_removed_at_the_end_of_its_round_whatever_came_last() {
    for forfeit_last in [false, true] {
        let mut scene = paired(5);
        ask(&mut scene, Command::Start { pairing: FIRST, game: None });
        let board = rounds::ask(&opened(&scene), Some(1)).unwrap().rounds[0].boards[1].clone();
        let absent = vec![board.upper.player.clone()];
        let forfeit = Command::Forfeit { pairing: board.pairing, absent, waited_until: None };
        let mut commands = [forfeit, result(FIRST, Outcome::Gold)];
        if forfeit_last {
            commands.reverse();
        }
        commands.into_iter().for_each(|command| ask(&mut scene, command));
        let cut = end_of_round(&scene.log, &open(), 1, &Cut::NOW).unwrap();
        let state = tournament_at(&scene.log, &open(), &cut).unwrap().tournament;
        assert!(state.entrants[&board.upper.player].left.is_some(), "the forfeit last: {forfeit_last}");
    }
}
