//! What a director has to decide first, and what is named as the next step: before the close, after a halt, after the close.

use annals_events::tournament::{
    AppealFiled, Closed, DisputeFiled, Effect, Failure, Outcome, Placing, RoundStarted, Stage,
};
use annals_events::{PlayerKind, Termination, TournamentEvent};
use annals_rules::GameFacts;
use annals_tournaments::commands::Command;
use annals_tournaments::formats::next_round;
use annals_tournaments::fund::before_close;
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::RuleId;
use annals_tournaments::verdict::{Compliance, Verdict};

use crate::director::{Director, game, pairing};
use crate::rounds_desk::{Desk, id};

/// A ring of three, whose games all have results.
fn played_ring() -> Desk {
    let mut desk = Desk::new("postal-2006");
    for name in ["u", "v", "w"] {
        desk.enter(name, PlayerKind::Human, Some(1500), None);
    }
    desk.ask(&Command::Pair { seed: None }).unwrap();
    desk.start(1);
    for board in ["r1.1", "r1.2", "r1.3"] {
        desk.result(pairing(board), Outcome::Gold, Termination::Resignation, None);
    }
    desk
}

fn dispute() -> Command {
    Command::Dispute(DisputeFiled {
        number: 0,
        by: id("u"),
        against: None,
        pairing: Some(pairing("r1.1")),
        claim: "the result is wrong".to_owned(),
        grounds: Vec::new(),
        evidence: vec!["moves".into()],
    })
}

fn appeal() -> Command {
    Command::Appeal(AppealFiled {
        number: 0,
        by: id("v"),
        ruling: None,
        pairing: Some(pairing("r1.2")),
        claim: "the mail was lost".to_owned(),
        evidence: Vec::new(),
    })
}

fn rule(effect: Effect, dispute: Option<u32>) -> Command {
    let reason = "as the director found".to_owned();
    Command::Rule { effect, reason, evidence: Vec::new(), dispute, supersedes: None }
}

fn close() -> Command {
    Command::Close { note: None }
}

/// What the overview names as the next step.
fn next(desk: &Desk) -> (String, Option<Remedy>) {
    let refusal = next_round(&desk.tournament, &desk.rulebook).unwrap_err();
    let refusal = before_close(&desk.tournament, &desk.rulebook, refusal);
    (refusal.what, refusal.next)
}

#[test]
fn a_close_waits_for_the_decision_on_every_dispute_and_appeal() {
    let mut desk = played_ring();
    assert_eq!(next(&desk).1, Some(Remedy::Close));
    desk.ask(&dispute()).unwrap();
    desk.ask(&appeal()).unwrap();

    let refusal = desk.ask(&close()).unwrap_err();
    assert_eq!(refusal.what, "dispute 1 of `u` is not decided");
    assert_eq!(refusal.next, Some(Remedy::DecideDispute(1)));
    assert_eq!(next(&desk), (refusal.what, refusal.next));
    desk.ask(&rule(Effect::Nothing, Some(1))).unwrap();

    let refusal = desk.ask(&close()).unwrap_err();
    assert_eq!(refusal.what, "appeal 1 of `v` is not decided");
    assert_eq!(refusal.next, Some(Remedy::DecideAppeal(1)));
    assert_eq!(next(&desk), (refusal.what, refusal.next));
    let reason = "no evidence".to_owned();
    desk.ask(&Command::DecideAppeal { number: 1, accepted: false, reason }).unwrap();

    assert_eq!(next(&desk).1, Some(Remedy::Close));
    desk.ask(&close()).unwrap();
}

#[test]
fn the_audit_leaves_an_imported_close_over_a_dispute_undetermined() {
    let mut desk = played_ring();
    let places = |desk: &mut Desk| -> Vec<Placing> {
        let closed = desk.tournament.clone();
        let decision = desk.ask(&close()).unwrap();
        desk.tournament = closed;
        let TournamentEvent::Closed(closed) = &decision.events[0] else { panic!("{decision:?}") };
        closed.places.clone()
    };
    let places = places(&mut desk);
    let event = TournamentEvent::Closed(Closed { places, fund_left: None, note: None });
    let about = |verdicts: Vec<Verdict>| -> Vec<String> {
        let why = |verdict: Verdict| match verdict.holds {
            Compliance::Undetermined { why } => Some(format!("{}: {why}", verdict.rule.id.name())),
            _ => None,
        };
        verdicts.into_iter().filter_map(why).filter(|why| why.contains("not decided")).collect()
    };
    assert!(about(desk.check(&event)).is_empty());
    desk.ask(&dispute()).unwrap();
    desk.ask(&appeal()).unwrap();
    assert_eq!(
        about(desk.check(&event)),
        ["dispute.evidence: dispute 1 of `u` is not decided", "ruling.final: appeal 1 of `v` is not decided"]
    );
    assert!(desk.is_violation(&event).is_empty());
}

#[test]
fn after_the_close_no_step_is_named_that_the_close_refuses() {
    let mut desk = played_ring();
    desk.ask(&close()).unwrap();
    let start = Command::Start { pairing: pairing("r1.1"), game: None };
    let set = Effect::SetResult { pairing: pairing("r1.1"), outcome: Outcome::Silver, termination: None };
    for command in [start, Command::Pair { seed: None }, rule(set, None)] {
        let refusal = desk.ask(&command).unwrap_err();
        assert!(refusal.to_string().contains("closed"), "{refusal}");
        let reads = [Remedy::History, Remedy::Show, Remedy::Breach(RuleId::Closed)];
        assert!(reads.contains(refusal.next.as_ref().unwrap()), "{refusal:?}");
    }
    // An appeal is filed and answered also after the close.
    desk.ask(&appeal()).unwrap();
    desk.ask(&Command::DecideAppeal { number: 1, accepted: false, reason: "too late".to_owned() }).unwrap();
}

/// A round of 2015 whose first game is under way, after six plies.
fn under_way() -> Director {
    let mut director = Director::with_players("wcc-2015", &["A", "B", "C", "D"]);
    director.pair(1, Stage::Final, &[("A", "D"), ("B", "C")]);
    director.tell(TournamentEvent::RoundStarted(RoundStarted {
        round: 1,
        pairing: None,
        game: None,
        programs: Vec::new(),
    }));
    director.games.0.insert(game("g1"), GameFacts { plies: 6, ..GameFacts::default() });
    director.does(&Command::Start { pairing: pairing("r1.1"), game: Some(game("g1")) });
    director
}

fn halt(ply: u32) -> Command {
    let failure = Failure::RestartedMidMove;
    rule(Effect::Halt { pairing: pairing("r1.1"), game: None, ply, failure, clocks: None }, None)
}

#[test]
fn a_halted_game_is_started_again_before_it_has_a_result() {
    let mut director = under_way();
    director.does(&halt(4));
    let refusal = next_round(&director.tournament, &director.rulebook).unwrap_err();
    assert_eq!(refusal.next, Some(Remedy::StartGame(pairing("r1.1"))), "{refusal}");

    let resumed = GameFacts { plies: 4, resumes: Some((game("g1"), 4)), ..GameFacts::default() };
    director.games.0.insert(game("g2"), resumed);
    director.does(&Command::Start { pairing: pairing("r1.1"), game: Some(game("g2")) });
    let refusal = next_round(&director.tournament, &director.rulebook).unwrap_err();
    assert_ne!(refusal.next, Some(Remedy::StartGame(pairing("r1.1"))), "{refusal}");
}

#[test]
fn a_game_is_not_halted_at_a_ply_after_which_no_game_can_go_on() {
    let director = under_way();
    let (rule, why) = director.refuses(&halt(1));
    assert_eq!(rule, "ruling.resume");
    assert!(why.contains("r1.1 cannot go on after ply 1: it is between the two setups"), "{why}");
    assert!(why.contains("possible is 0, or from 2 on"), "{why}");
    for ply in [0, 2, 6] {
        director.ask(&halt(ply)).unwrap();
    }
}
