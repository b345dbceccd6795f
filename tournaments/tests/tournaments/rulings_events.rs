//! Technical rulings by commands: what follows from them, and what they may not touch.

use annals_events::tournament::{Effect, Failure, GameAttached, Outcome, Stage};
use annals_events::{BoardId, Side, Termination, TournamentEvent};
use annals_rules::{EndFacts, GameFacts};
use annals_tournaments::check::EventMeta;
use annals_tournaments::commands::{Command, handle};
use annals_tournaments::rulings::failure_paragraph;

use crate::director::{Director, game, id, recorded};

fn two_rounds() -> Director {
    let mut director = Director::with_players("wcc-2015", &["A", "B", "C", "D"]);
    director.pair(1, Stage::Final, &[("A", "D"), ("B", "C")]);
    for (board, name) in [(1, "g1"), (2, "g2")] {
        director.games.0.insert(game(name), GameFacts { plies: 6, ..GameFacts::default() });
        let pairing = BoardId { round: 1, board };
        director.does(&Command::Start { pairing, game: Some(game(name)) });
        let end = EndFacts { at: 0, winner: Some(Side::Gold), termination: Termination::Goal };
        director.games.0.get_mut(&game(name)).unwrap().ended = Some(end);
        director.does(&Command::Result {
            pairing,
            outcome: None,
            termination: None,
            game: None,
            territory: None,
        });
    }
    director.pair(2, Stage::Final, &[("A", "B"), ("C", "D")]);
    director
}

fn ruling(effect: Effect) -> Command {
    Command::Rule {
        effect,
        reason: "as the director found".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    }
}

#[test]
fn an_invalidation_revokes_the_next_round_that_has_not_begun_by_an_event_of_its_own() {
    let mut director = two_rounds();
    let effect = Effect::Invalidate {
        pairing: BoardId { round: 1, board: 1 },
        game: None,
        ply: 2,
        failure: Failure::Misconfigured,
        clocks: None,
    };
    let decision = director.does(&ruling(effect));
    assert_eq!(decision.events.len(), 2);
    let TournamentEvent::RulingGiven(given) = &decision.events[0] else { panic!() };
    let Effect::Invalidate { game: named, .. } = &given.effect else { panic!() };
    assert_eq!(*named, Some(game("g1")), "the ruling names the game");
    assert_eq!(given.grounds[0].paragraph.as_deref(), Some("2015 WCC, Technical Problems 3"));
    assert!(matches!(&decision.events[1], TournamentEvent::PairingRevoked(revoked) if revoked.round == 2));
    assert!(!director.tournament.rounds.contains_key(&2));
    assert!(director.tournament.rounds[&1].boards[&1].owed().is_some());
}

#[test]
fn a_ruling_on_the_rating_names_the_game() {
    let mut director = two_rounds();
    let effect = Effect::SetRated { pairing: BoardId { round: 1, board: 1 }, game: None, rated: false };
    let decision = director.does(&ruling(effect));
    let TournamentEvent::RulingGiven(given) = &decision.events[0] else { panic!() };
    assert!(matches!(&given.effect, Effect::SetRated { game: Some(named), .. } if *named == game("g1")));
}

#[test]
fn a_round_with_a_game_that_begins_without_its_start_is_not_revoked() {
    let mut director = two_rounds();
    let attached = GameAttached { pairing: BoardId { round: 2, board: 1 }, attempt: 1, game: game("g3") };
    director.tell(TournamentEvent::GameAttached(attached));
    let effect = Effect::SetResult {
        pairing: BoardId { round: 1, board: 1 },
        outcome: Outcome::Silver,
        termination: None,
    };
    let command = ruling(effect);
    let when =
        EventMeta { seq: director.seq + 1, at: director.at, recorded_at: director.at, imported: false };
    let drafted = handle(&director.case(), &when, &command).unwrap().events;
    assert_eq!(drafted.len(), 1, "{drafted:?}");
}

#[test]
fn a_round_whose_revocation_was_left_out_is_not_begun() {
    let mut director = two_rounds();
    let effect = Effect::SetResult {
        pairing: BoardId { round: 1, board: 1 },
        outcome: Outcome::Silver,
        termination: None,
    };
    let decision = director.ask(&ruling(effect)).unwrap();
    director.tell(decision.events[0].clone());
    let start = Command::Start { pairing: BoardId { round: 2, board: 1 }, game: None };
    let (rule, text) = director.refuses(&start);
    assert_eq!(rule, "round.order", "{text}");
    assert!(text.contains("before the result of r1.1 changed"), "{text}");
    // A ruling in its place puts the result back, on which the round was paired.
    let Command::Rule { effect, reason, evidence, dispute, .. } = ruling(Effect::Nothing) else { panic!() };
    let undo = Command::Rule { effect, reason, evidence, dispute, supersedes: Some(1) };
    let undone = director.ask(&undo).unwrap();
    director.tell(undone.events[0].clone());
    director.does(&start);
}

#[test]
fn every_change_to_a_frozen_round_is_refused_with_the_paragraph() {
    let mut director = two_rounds();
    director.does(&Command::Start { pairing: BoardId { round: 2, board: 1 }, game: None });
    let pairing = BoardId { round: 1, board: 1 };
    let (ply, failure) = (2, Failure::Misconfigured);
    for effect in [
        Effect::Invalidate { pairing, game: None, ply, failure, clocks: None },
        Effect::Rematch { pairing, failure },
        Effect::SetResult { pairing, outcome: Outcome::Silver, termination: None },
        Effect::SetColours { pairing, gold: id("D") },
        Effect::SetRated { pairing, game: None, rated: false },
        Effect::Vacate { pairing },
    ] {
        let (rule, text) = director.refuses(&ruling(effect.clone()));
        assert_eq!(rule, "ruling.frozen", "{effect:?}");
        assert!(text.contains("2015 WCC, Technical Problems 1"), "{text}");
    }
}

#[test]
fn under_the_reading_that_pairing_begins_a_round_an_earlier_result_is_not_invalidated() {
    let mut director = two_rounds();
    director.rulebook.read("T21", "B").unwrap();
    let (ply, failure) = (2, Failure::Misconfigured);
    let pairing = BoardId { round: 1, board: 1 };
    let effect = Effect::Invalidate { pairing, game: None, ply, failure, clocks: None };
    let (rule, text) = director.refuses(&ruling(effect));
    assert_eq!(rule, "ruling.frozen");
    assert!(text.contains("round 2 has begun, so nothing of round 1 changes any more"), "{text}");
}

#[test]
fn a_resumed_game_is_unrated_unless_read_otherwise() {
    for (reading, rated) in [("A", false), ("B", true)] {
        let mut director = Director::with_players("wcc-2015", &["A", "B"]);
        director.rulebook.read("T25", reading).unwrap();
        director.pair(1, Stage::Final, &[("A", "B")]);
        let facts = |rated| GameFacts { plies: 6, rated: Some(rated), ..GameFacts::default() };
        director.games.0.insert(game("one"), facts(true));
        let pairing = BoardId { round: 1, board: 1 };
        director.does(&Command::Start { pairing, game: Some(game("one")) });
        let (ply, failure) = (2, Failure::Misconfigured);
        director.does(&ruling(Effect::Halt { pairing, game: None, ply, failure, clocks: None }));
        let two = |rated| GameFacts { resumes: Some((game("one"), 2)), ..facts(rated) };
        director.games.0.insert(game("two"), two(!rated));
        let start = Command::Start { pairing, game: Some(game("two")) };
        assert_eq!(director.refuses(&start).0, "ruling.unrated", "{reading}");
        director.games.0.insert(game("two"), two(rated));
        assert_eq!(director.refuses(&start).0, "ruling.unrated", "the halted game is unrated in any case");
        director.games.0.insert(game("one"), facts(false));
        director.does(&start);
    }
}

#[test]
fn colours_are_ruled_for_players_of_the_pairing_before_its_first_game() {
    let mut director = two_rounds();
    let colours = |at: &str, gold: &str| {
        let pairing = at.parse().unwrap();
        ruling(Effect::SetColours { pairing, gold: id(gold) })
    };
    assert_eq!(director.refuses(&colours("r2.1", "D")).0, "game.players");
    assert_eq!(director.refuses(&colours("r1.1", "D")).0, "game.players", "its game has started");
    director.does(&colours("r2.1", "B"));
    assert_eq!(director.tournament.rounds[&2].boards[&1].silver(), Some(&id("A")));
    director.does(&Command::Start { pairing: BoardId { round: 2, board: 1 }, game: None });
    director.does(&colours("r2.2", "D"));
    director.tell(recorded("r2.2", Outcome::Gold, Termination::Goal));
    assert_eq!(director.refuses(&colours("r2.2", "C")).0, "game.players");
}

#[test]
fn a_forfeit_has_one_winner_or_two_losers() {
    let mut director = Director::with_players("wcc-2015", &["A", "B"]);
    director.pair(1, Stage::Final, &[("A", "B")]);
    let is_violation = |outcome| director.is_violation(&recorded("r1.1", outcome, Termination::Forfeit));
    assert!(is_violation(Outcome::Draw).contains(&"result.game"));
    assert!(is_violation(Outcome::Silver).is_empty() && is_violation(Outcome::DoubleLoss).is_empty());
    assert_eq!(failure_paragraph(Failure::RestartedMidMove), "2015 WCC, Technical Problems 4.4");
    assert_eq!(failure_paragraph(Failure::Other), "2015 WCC, Technical Problems 5");
}
