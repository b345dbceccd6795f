//! A ruling that takes the place of another undoes what that did, whatever it did, as long as nothing rests on it; else it is
//! refused, and one that is imported undoes nothing.

use annals_events::tournament::{
    Effect, Failure, GameAttached, GameScheduled, Outcome, PairingRevoked, PrizeAwarded, ResultRecorded,
    RulingGiven, Stage,
};
use annals_events::{PlayerId, Termination, TournamentEvent};
use annals_rules::GameFacts;
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;

use crate::director::{Director, game, id, pairing, recorded, result};

/// What rulings change of a tournament.
fn state(tournament: &Tournament) -> impl PartialEq + std::fmt::Debug + use<> {
    let entrants = tournament
        .entrants
        .iter()
        .map(|(player, entrant)| (player.clone(), entrant.status(), entrant.left.clone()));
    let entrants: Vec<_> = entrants.collect();
    (tournament.rounds.clone(), entrants, tournament.readings_ruled.clone())
}

fn given(director: &Director, effect: Effect, supersedes: Option<u32>) -> TournamentEvent {
    TournamentEvent::RulingGiven(RulingGiven {
        number: u32::try_from(director.tournament.rulings.len()).unwrap() + 1,
        effect,
        reason: "as the director found".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes,
    })
}

/// Gives a ruling that departs from nothing.
fn rules(director: &mut Director, effect: Effect, supersedes: Option<u32>) {
    let event = given(director, effect, supersedes);
    assert!(director.is_violation(&event).is_empty(), "{:?}", director.judged(&event));
    director.tell(event);
}

/// A round of two boards: a game under way on the first, a result on the second, nothing on the third.
fn begun(rulebook: &str, stage: Stage) -> Director {
    let mut director = Director::with_players(rulebook, &["A", "B", "C", "D", "E", "F"]);
    director.pair(1, stage, &[("A", "D"), ("B", "C"), ("E", "F")]);
    director.begin(1);
    for (at, name) in [("r1.1", "g1"), ("r1.2", "g2")] {
        director.games.0.insert(game(name), GameFacts { plies: 6, ..GameFacts::default() });
        let attached = GameAttached { pairing: pairing(at), attempt: 1, game: game(name) };
        director.tell(TournamentEvent::GameAttached(attached));
    }
    let won = result("r1.2", Outcome::Gold, Some(Termination::Immobilization));
    director.tell(TournamentEvent::ResultRecorded(ResultRecorded {
        game: Some(game("g2")),
        territory: Some(9),
        ..won
    }));
    director
}

fn set_result(at: &str, outcome: Outcome) -> Effect {
    Effect::SetResult { pairing: pairing(at), outcome, termination: None }
}

fn halt(at: &str) -> Effect {
    let (ply, failure) = (2, Failure::Misconfigured);
    Effect::Halt { pairing: pairing(at), game: None, ply, failure, clocks: None }
}

fn invalidate(at: &str) -> Effect {
    let (ply, failure) = (2, Failure::Misconfigured);
    Effect::Invalidate { pairing: pairing(at), game: None, ply, failure, clocks: None }
}

fn remove(player: &str) -> Effect {
    Effect::Remove { player: id(player) }
}

/// Every effect, with a rulebook that allows it.
fn every_effect() -> Vec<(&'static str, Stage, Effect)> {
    let of_2015 = |effect| ("wcc-2015", Stage::Final, effect);
    let colours = Effect::SetColours { pairing: pairing("r1.3"), gold: id("F") };
    let rated = Effect::SetRated { pairing: pairing("r1.2"), game: None, rated: false };
    let read = Effect::Read { option: "T7".to_owned(), reading: "B".to_owned() };
    let failure = Failure::GameServer;
    let rematch = |at| Effect::Rematch { pairing: pairing(at), failure };
    let territory = Effect::SetTerritory { pairing: pairing("r1.2"), squares: 9 };
    vec![
        of_2015(halt("r1.1")),
        of_2015(invalidate("r1.2")),
        ("wc-2009", Stage::Swiss, rematch("r1.2")),
        of_2015(set_result("r1.1", Outcome::Silver)),
        of_2015(set_result("r1.2", Outcome::Silver)),
        ("postal-2006", Stage::Ring, set_result("r1.3", Outcome::DoubleLoss)),
        of_2015(Effect::Vacate { pairing: pairing("r1.3") }),
        ("olympiad-amazons-2000", Stage::Swiss, territory),
        of_2015(rated),
        of_2015(colours),
        of_2015(remove("C")),
        of_2015(read),
        of_2015(Effect::Nothing),
    ]
}

#[test]
fn whatever_a_ruling_does_is_undone_by_one_that_takes_its_place() {
    for (rulebook, stage, effect) in every_effect() {
        let mut director = begun(rulebook, stage);
        let before = state(&director.tournament);
        rules(&mut director, effect.clone(), None);
        let by_itself = matches!(effect, Effect::SetRated { .. } | Effect::Nothing);
        assert_eq!(state(&director.tournament) == before, by_itself, "{effect:?}");
        rules(&mut director, Effect::Nothing, Some(1));
        assert_eq!(state(&director.tournament), before, "{effect:?}");
        assert_eq!(director.tournament.rulings[0].superseded_by, Some(2));
        // The same may be ruled again, and be replaced again.
        rules(&mut director, effect.clone(), Some(2));
        rules(&mut director, Effect::Nothing, Some(3));
        assert_eq!(state(&director.tournament), before, "{effect:?}");
        assert!(director.tournament.findings.is_empty(), "{:?}", director.tournament.findings);
    }
}

#[test]
fn a_player_is_out_again_when_the_ruling_that_brought_them_back_is_replaced() {
    let mut director = begun("wcc-2015", Stage::Final);
    rules(&mut director, remove("C"), None);
    let before = state(&director.tournament);
    rules(&mut director, Effect::Reinstate { player: id("C") }, None);
    assert_ne!(state(&director.tournament), before);
    rules(&mut director, Effect::Nothing, Some(2));
    assert_eq!(state(&director.tournament), before);
}

#[test]
fn a_ruling_in_the_place_of_another_acts_on_what_was_before_both() {
    let mut director = begun("wcc-2015", Stage::Final);
    rules(&mut director, set_result("r1.1", Outcome::Gold), None);
    // Of the result that was set no game could be halted; of the game under way one can.
    let alone = given(&director, halt("r1.1"), None);
    assert_eq!(director.is_violation(&alone), ["ruling.halt"]);
    rules(&mut director, halt("r1.1"), Some(1));
    let board = &director.tournament.rounds[&1].boards[&1];
    assert!(board.halted() && board.outcome().is_none() && board.owed().is_some());
    rules(&mut director, set_result("r1.1", Outcome::Silver), Some(2));
    let board = &director.tournament.rounds[&1].boards[&1];
    assert_eq!((board.outcome(), board.set_aside.len()), (Some(Outcome::Silver), 0));
    rules(&mut director, Effect::Vacate { pairing: pairing("r1.3") }, None);
    rules(&mut director, set_result("r1.3", Outcome::Gold), Some(4));
    assert_eq!(director.tournament.rounds[&1].boards[&3].outcome(), Some(Outcome::Gold));
}

/// What a ruling in the place of ruling 1 departs from; it undoes nothing.
fn late(director: &mut Director) -> Vec<&'static str> {
    let event = given(director, Effect::Nothing, Some(1));
    let is_violation = director.is_violation(&event);
    let (before, found) = (state(&director.tournament), director.tournament.findings.len());
    director.tell(event);
    if director.tournament.findings.len() > found {
        assert_eq!(director.tournament.findings[found].code, "ruling_not_undone");
        assert_eq!(state(&director.tournament), before, "nothing is undone");
    }
    is_violation
}

#[test]
fn it_is_too_late_when_the_game_went_on_or_another_event_changed_the_same() {
    type Later = fn(&mut Director);
    let attach: Later = |director| {
        director
            .games
            .0
            .insert(game("g9"), GameFacts { resumes: Some((game("g1"), 2)), ..GameFacts::default() });
        let attached = GameAttached { pairing: pairing("r1.1"), attempt: 2, game: game("g9") };
        director.tell(TournamentEvent::GameAttached(attached));
    };
    let record: Later = |director| director.tell(recorded("r1.1", Outcome::Gold, Termination::Goal));
    let rule_again: Later = |director| rules(director, set_result("r1.1", Outcome::Gold), None);
    let pair_again: Later = |director| director.pair(1, Stage::Final, &[("A", "D"), ("B", "C"), ("E", "F")]);
    let register: Later = |director| rules(director, Effect::Reinstate { player: id("C") }, None);
    for (effect, later) in [
        (halt("r1.1"), attach),
        (halt("r1.1"), record),
        (set_result("r1.1", Outcome::Silver), rule_again),
        (Effect::Vacate { pairing: pairing("r1.3") }, pair_again),
        (remove("C"), register),
    ] {
        let mut director = begun("wcc-2015", Stage::Final);
        rules(&mut director, effect.clone(), None);
        later(&mut director);
        director.tournament.findings.clear();
        assert!(late(&mut director).contains(&"ruling.number"), "{effect:?}");
        assert_eq!(director.tournament.findings.len(), 1, "{effect:?}");
        let text = director.judged(&given(&director, Effect::Nothing, None));
        assert!(
            text.iter().all(|verdict| !verdict.is_violation()),
            "a ruling in no other's place is not touched"
        );
    }
}

#[test]
fn an_appointment_made_since_is_kept() {
    let mut director = begun("wcc-2015", Stage::Final);
    rules(&mut director, halt("r1.1"), None);
    let (at, ground) = (director.at + 1, None);
    let scheduled = GameScheduled { pairing: pairing("r1.1"), at, ground, reason: None };
    director.tell(TournamentEvent::GameScheduled(scheduled));
    rules(&mut director, Effect::Nothing, Some(1));
    let board = &director.tournament.rounds[&1].boards[&1];
    assert_eq!((board.scheduled_at(), board.halted()), (Some(at), false));
    rules(&mut director, Effect::Vacate { pairing: pairing("r1.1") }, None);
    rules(&mut director, Effect::Nothing, Some(3));
    assert_eq!(director.tournament.rounds[&1].boards[&1].scheduled_at(), Some(at));
    rules(&mut director, Effect::Vacate { pairing: pairing("r1.1") }, None);
    director.tournament.rounds.clear();
    assert!(director.is_violation(&given(&director, Effect::Nothing, Some(5))).contains(&"ruling.number"));
}

#[test]
fn it_is_too_late_when_a_later_round_has_begun_and_an_earlier_pairing_is_revoked() {
    let finish = |director: &mut Director| {
        director.tell(recorded("r1.3", Outcome::Gold, Termination::Goal));
        director.pair(2, Stage::Final, &[("A", "B"), ("C", "D"), ("E", "F")]);
    };
    for effect in [
        set_result("r1.1", Outcome::Silver),
        Effect::SetRated { pairing: pairing("r1.1"), game: None, rated: false },
    ] {
        let mut director = begun("wcc-2015", Stage::Final);
        rules(&mut director, effect, None);
        finish(&mut director);
        director.begin(2);
        assert!(late(&mut director).contains(&"ruling.frozen"));
    }
    let mut director = begun("wcc-2015", Stage::Final);
    rules(&mut director, set_result("r1.1", Outcome::Silver), None);
    finish(&mut director);
    let ruling = Command::Rule {
        effect: Effect::Nothing,
        reason: "it was a mistake".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: Some(1),
    };
    let decision = director.does(&ruling);
    assert!(matches!(&decision.events[1], TournamentEvent::PairingRevoked(revoked) if revoked.round == 2));
    assert!(director.tournament.rounds[&1].boards[&1].outcome().is_none());
    assert_eq!(director.refuses(&ruling).0, "ruling.number", "it was replaced before");
}

#[test]
fn it_is_too_late_when_prizes_were_awarded_or_a_round_rests_on_a_place_or_a_return() {
    let prize = |player: PlayerId| {
        TournamentEvent::PrizeAwarded(PrizeAwarded {
            player,
            amount: 5,
            games_won: Some(1),
            half_points: None,
            thing: None,
            ground: None,
        })
    };
    let mut director = begun("wcc-2015", Stage::Final);
    rules(&mut director, set_result("r1.1", Outcome::Silver), None);
    director.tell(prize(id("D")));
    assert!(late(&mut director).contains(&"ruling.number"));
    let mut director = begun("wcc-2015", Stage::Final);
    rules(&mut director, Effect::Nothing, None);
    director.tell(prize(id("D")));
    assert!(late(&mut director).is_empty(), "what does nothing is always replaced");
    let mut director = begun("wcc-2015", Stage::Final);
    director.tell(given(&director, Effect::Place { players: vec![id("A")], place: 1 }, None));
    assert!(director.is_violation(&given(&director, Effect::Nothing, Some(1))).is_empty());
    director.pair(2, Stage::Final, &[("B", "C")]);
    assert!(late(&mut director).contains(&"ruling.number"));
    let mut director = begun("wcc-2015", Stage::Final);
    director.tell(given(&director, remove("C"), None));
    director.tell(given(&director, Effect::Reinstate { player: id("C") }, None));
    let back = given(&director, Effect::Nothing, Some(2));
    assert!(director.is_violation(&back).is_empty());
    director.pair(2, Stage::Final, &[("A", "B")]);
    assert!(director.is_violation(&back).is_empty());
    director.pair(3, Stage::Final, &[("C", "B")]);
    assert_eq!(director.is_violation(&back), ["ruling.number"]);
}

#[test]
fn what_is_said_of_a_game_is_what_the_rulings_in_force_say_of_it() {
    let mut director = begun("wcc-2015", Stage::Final);
    let said = |director: &Director, name: &str| {
        let ruled = director.tournament.ruled_game(&game(name));
        (ruled.halted, ruled.rated)
    };
    let rated = |rated| Effect::SetRated { pairing: pairing("r1.1"), game: None, rated };
    assert_eq!(said(&director, "g1"), (false, None));
    rules(&mut director, halt("r1.1"), None);
    let first = director.seq;
    assert_eq!(said(&director, "g1"), (true, Some(false)));
    rules(&mut director, rated(false), None);
    rules(&mut director, Effect::Nothing, Some(1));
    assert_eq!(said(&director, "g1"), (false, Some(false)), "ruling 2 is in force");
    rules(&mut director, rated(true), None);
    assert_eq!(said(&director, "g1"), (false, Some(true)), "the last ruling counts");
    rules(&mut director, Effect::Nothing, Some(4));
    rules(&mut director, Effect::Nothing, Some(2));
    let ruled = director.tournament.ruled_game(&game("g1"));
    assert_eq!((ruled.halted, ruled.rated, ruled.first), (false, None, Some(first)));
    assert_eq!(said(&director, "g2"), (false, None), "of another game nothing was ruled");
}

#[test]
fn a_round_of_which_every_pairing_is_taken_back_was_never_paired() {
    let next = |director: &Director| director.tournament.rounds.keys().next_back().copied();
    let mut director = Director::with_players("wcc-2015", &["A", "B", "C", "D"]);
    let pairs = [("A", "D"), ("B", "C")];
    for boards in [[1, 2], [2, 1]] {
        director.pair(1, Stage::Final, &pairs);
        for board in boards.map(Some) {
            assert_eq!(next(&director), Some(1));
            let revoked = PairingRevoked { round: 1, board, reason: "a mistake".to_owned() };
            director.tell(TournamentEvent::PairingRevoked(revoked));
        }
        assert_eq!(next(&director), None);
    }
    // So by rulings, of which each can be undone while the round is not paired again.
    director.pair(1, Stage::Final, &pairs);
    let before = state(&director.tournament);
    let vacate = |at| Effect::Vacate { pairing: pairing(at) };
    rules(&mut director, vacate("r1.1"), None);
    rules(&mut director, vacate("r1.2"), None);
    assert_eq!(next(&director), None);
    rules(&mut director, Effect::Nothing, Some(1));
    assert_eq!(director.tournament.rounds[&1].boards.keys().collect::<Vec<_>>(), [&1]);
    rules(&mut director, Effect::Nothing, Some(2));
    assert_eq!(state(&director.tournament), before);
    rules(&mut director, vacate("r1.1"), None);
    rules(&mut director, vacate("r1.2"), None);
    director.pair(1, Stage::Final, &pairs);
    let late = given(&director, Effect::Nothing, Some(6));
    assert_eq!(director.is_violation(&late), ["ruling.number"], "the round is paired again");
}
