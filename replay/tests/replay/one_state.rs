//! The handler, the audit and `explain` check an event on one state: the prefix before it, with the corrections that were
//! recorded in it. The handler checks each event once and folds its tournament once.

use annals_events::tournament::{Effect, Outcome, PairingRevoked};
use annals_events::{BoardId, RawEnvelope, TournamentEvent};
use annals_replay::handler::{
    self, DirectError, Directed, Director, Draft, Effort, HandlerError, Reason, Step,
};
use annals_replay::queries::{TournamentAt, explain};
use annals_replay::tournament_audit::{AuditedEvent, Overturned};
use annals_replay::{Cut, audit_tournament};
use annals_store::Clock as _;
use annals_tournaments::commands::Command;
use annals_tournaments::verdict::Verdict;

use super::judging::{ask, correction, entered, first, open, pairings, result, swiss, to_silver};
use super::scene::{DAY, SECOND, START, Scene};

fn direct(scene: &mut Scene, command: Command) -> Directed {
    scene.clock.advance(SECOND);
    super::scene::direct(&mut scene.log, &open(), &command, "director", false)
        .unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn pair(round: u32) -> [Command; 2] {
    [
        Command::DrawLots { seed: format!("lots {round}"), commitment: None },
        Command::Pair { seed: Some(format!("coins {round}")) },
    ]
}

fn revoked(round: u32) -> Command {
    let reason = "a result that it rests on was corrected".to_owned();
    let revoked = PairingRevoked { round, board: None, reason };
    Command::Record(Box::new(TournamentEvent::PairingRevoked(revoked)))
}

/// Nine players, a round played, the second paired and not begun.
fn second_round_paired() -> Scene {
    let mut scene = swiss(1);
    pair(2).into_iter().for_each(|command| ask(&mut scene, command));
    scene
}

#[test]
fn a_command_folds_its_tournament_once_and_checks_each_event_once() {
    let mut scene = swiss(1);
    let mut commands = Vec::from(pair(2));
    commands.push(Command::Start { pairing: BoardId { round: 2, board: 1 }, game: None });
    for board in 1..=4 {
        commands.push(result(BoardId { round: 2, board }, Outcome::Gold));
    }
    for command in commands {
        let directed = direct(&mut scene, command.clone());
        let once = Effort { folds: 1, checks: directed.drafts.len() as u64 };
        assert_eq!(directed.effort, once, "{command:?}");
    }
    // Several steps together too, and events that are worded by hand.
    scene.clock.advance(SECOND);
    let steps: Vec<Step> = pair(3).map(Step::from).into();
    let stream = open();
    let director = Director { stream: &stream, at: None, actor: "director", dry_run: true };
    let directed = handler::direct_steps(&mut scene.log, &director, &steps).unwrap();
    assert_eq!(directed.effort, Effort { folds: 1, checks: directed.drafts.len() as u64 });
    let worded = handler::would_append(&scene.log, &directed.drafts).unwrap();
    assert_eq!(worded.effort, directed.effort);
}

/// What it takes to decide about events that are handed in as they are, and to append them.
fn effort(scene: &mut Scene, draft: Draft) -> Effort {
    let dry = handler::would_append(&scene.log, std::slice::from_ref(&draft)).unwrap();
    let done = handler::append_with_verdicts(&mut scene.log, &[draft], "director", &[]).unwrap();
    assert_eq!(dry.effort, done.effort, "a dry run takes what the real one takes");
    done.effort
}

#[test]
fn a_ruling_folds_its_tournament_once_and_a_correction_a_fixed_number_of_times() {
    let mut scene = second_round_paired();
    let slip = first(&scene, "tournament.result_recorded", 1);
    let drawn = scene.log.last_seq().unwrap();
    // As recorded, and as corrected.
    let twice = Effort { folds: 2, checks: 1 };
    let struck = correction(&scene, drawn, None);
    assert_eq!(effort(&mut scene, struck), twice);
    scene.clock.advance(SECOND);
    let replaced = correction(&scene, slip, Some(&to_silver));
    assert_eq!(effort(&mut scene, replaced), twice);
    scene.clock.advance(SECOND);
    // The event before it is checked on the record as it is corrected now.
    let struck = correction(&scene, drawn - 1, None);
    assert_eq!(effort(&mut scene, struck), twice);
    let pairing = pairings(&scene.log, 1)[0];
    let ruling = Command::Rule {
        effect: Effect::SetResult { pairing, outcome: Outcome::Gold, termination: None },
        reason: "the game shows it".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    };
    let ruled = direct(&mut scene, ruling);
    assert_eq!(ruled.effort, Effort { folds: 1, checks: ruled.drafts.len() as u64 });
}

#[test]
fn a_dry_run_gives_the_verdicts_on_every_event() {
    let mut scene = second_round_paired();
    let last = scene.log.last_seq().unwrap();
    scene.clock.advance(SECOND);
    let at = scene.clock.now();
    let start = Command::Start { pairing: BoardId { round: 2, board: 1 }, game: None };
    let steps = [start.into(), result(BoardId { round: 2, board: 1 }, Outcome::Gold).into()];
    let stream = open();
    let director = Director { stream: &stream, at: Some(at), actor: "director", dry_run: true };
    let dry = handler::direct_steps(&mut scene.log, &director, &steps).unwrap();
    assert_eq!(scene.log.last_seq().unwrap(), last);
    let worded = handler::would_append(&scene.log, &dry.drafts).unwrap();
    assert_eq!(dry.verdicts, worded.verdicts);
    for seq in [last + 1, last + 2] {
        assert!(dry.verdicts.iter().any(|verdict| verdict.seq == seq), "event {seq}: {:?}", dry.verdicts);
    }
    let done =
        handler::direct_steps(&mut scene.log, &Director { dry_run: false, ..director }, &steps).unwrap();
    assert_eq!((dry.verdicts, dry.drafts), (done.verdicts, done.drafts));
}

/// The verdicts of the audit by event, those on corrections left out.
fn audited(scene: &Scene) -> Vec<(u64, Vec<Verdict>)> {
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    let verdicts = |event: AuditedEvent| (event.seq, event.verdicts);
    audit.events.into_iter().map(verdicts).collect()
}

#[test]
fn the_audit_finds_what_the_handler_found_corrections_or_not() {
    let mut scene = Scene::new();
    entered(&mut scene, "wc-2009", 9);
    let mut found = Vec::new();
    let mut commands = vec![Command::DeclareRounds];
    for round in 1..=3 {
        commands.extend(pair(round));
        commands.push(Command::Start { pairing: BoardId { round, board: 1 }, game: None });
        commands.extend((1..=4).map(|board| result(BoardId { round, board }, Outcome::Gold)));
    }
    for command in commands {
        let paired = matches!(command, Command::Pair { .. });
        let directed = direct(&mut scene, command);
        found.extend(directed.verdicts);
        if paired {
            // Before the round begins, a result of the round before turns out to have been another one.
            let count = |event_type| scene.all().iter().filter(of_type(event_type)).count() as u32;
            let round = count("tournament.round_paired") - count("tournament.pairing_revoked") - 1;
            if round > 0 {
                let slip = first(&scene, "tournament.result_recorded", round);
                let corrected = correction(&scene, slip, Some(&to_silver));
                scene.take(corrected);
                for again in [revoked(round + 1), pair(round + 1)[1].clone()] {
                    found.extend(direct(&mut scene, again).verdicts);
                }
            }
        }
    }
    let corrected: Vec<u64> = audit_tournament(&scene.log, &open(), &Cut::NOW, &[])
        .unwrap()
        .events
        .iter()
        .filter_map(|event| event.corrected_by.map(|_| event.seq))
        .collect();
    assert_eq!(corrected.len(), 2);
    for (seq, verdicts) in audited(&scene) {
        let of: Vec<Verdict> = found.iter().filter(|verdict| verdict.seq == seq).cloned().collect();
        if !of.is_empty() && !corrected.contains(&seq) {
            assert_eq!(of, verdicts, "event {seq}");
        }
    }
}

fn of_type(event_type: &str) -> impl Fn(&&RawEnvelope) -> bool {
    move |event| event.event_type == event_type
}

#[test]
fn after_a_correction_the_audit_explain_and_the_handler_agree_and_the_correction_is_a_finding() {
    let mut scene = second_round_paired();
    let result = first(&scene, "tournament.result_recorded", 1);
    let paired = first(&scene, "tournament.round_paired", 2);
    let corrected = correction(&scene, result, Some(&to_silver));
    let correction = scene.take(corrected);

    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    let round = audit.events.iter().find(|event| event.seq == paired).unwrap();
    assert!(!round.verdicts.iter().any(Verdict::is_violation), "{:?}", round.verdicts);
    let opened = TournamentAt::at(&scene.log, &open(), &Cut::NOW).unwrap();
    let explained = explain::round(&opened, 2, &explain::Asked::default()).unwrap();
    let published = explained.published.unwrap();
    assert!(published.in_order && published.canonical);
    assert_eq!(published.verdicts, round.verdicts);

    // The correction is found, with the event whose verdict it changes.
    let names_both = |one: &&Overturned| (one.correction, one.verdict.seq) == (correction, paired);
    let found: Vec<&Overturned> = audit.overturned.iter().filter(names_both).collect();
    assert!(!found.is_empty() && found.len() == audit.overturned.len(), "{:?}", audit.overturned);
    assert!(
        found.iter().all(|one| one.verdict.is_violation())
            && !audit.is_clean()
            && audit.counts.violations == 0
    );
    let text = audit.document(&jiff::tz::TimeZone::UTC, false).text(&jiff::tz::TimeZone::UTC, None);
    assert!(text.contains(&format!("event {correction} changes a verdict on event {paired}")), "{text}");
    // As it was known before the correction, there is none.
    let before = audit_tournament(&scene.log, &open(), &Cut::at_seq(correction - 1), &[]).unwrap();
    assert!(before.is_clean() && before.overturned.is_empty());
}

#[test]
fn a_round_starts_only_on_the_results_on_which_it_was_paired() {
    let mut scene = second_round_paired();
    let slip = first(&scene, "tournament.result_recorded", 1);
    let start = Command::Start { pairing: pairings(&scene.log, 2)[0], game: None };
    let corrected = correction(&scene, slip, Some(&to_silver));
    scene.take(corrected);
    scene.clock.advance(SECOND);
    let refused = super::scene::direct(&mut scene.log, &open(), &start, "director", true);
    let Err(DirectError::Refused(refusal)) = refused else { panic!("the round starts: {refused:?}") };
    let named = refusal.to_string();
    assert!(named.contains("before the result of r1.") && named.contains("changed"), "{named}");
    // A correction that puts the result back leaves the pairing as it was.
    let back = correction(&scene, slip, Some(&|_| {}));
    scene.take(back);
    let started = super::scene::direct(&mut scene.log, &open(), &start, "director", true).unwrap();
    assert!(started.verdicts.iter().all(|verdict| !verdict.is_violation()));
    // So does a pairing after the correction.
    let corrected = correction(&scene, slip, Some(&to_silver));
    scene.take(corrected);
    for again in [revoked(2), pair(2)[1].clone()] {
        direct(&mut scene, again);
    }
    let start = Command::Start { pairing: pairings(&scene.log, 2)[0], game: None };
    let started = direct(&mut scene, start);
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    assert_eq!(audit.events.last().unwrap().verdicts, started.verdicts);
}

#[test]
fn a_correction_that_is_itself_corrected_leaves_no_finding() {
    let mut scene = second_round_paired();
    let result = first(&scene, "tournament.result_recorded", 1);
    let corrected = correction(&scene, result, Some(&to_silver));
    scene.take(corrected);
    let back = correction(&scene, result, Some(&|_| {}));
    scene.take(back);
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    assert!(audit.is_clean() && audit.overturned.is_empty(), "{:?}", audit.overturned);
}

#[test]
fn no_result_is_struck_on_which_a_round_was_paired() {
    let mut scene = second_round_paired();
    let result = first(&scene, "tournament.result_recorded", 1);
    let lots = scene.all().iter().filter(of_type("tournament.lots_drawn")).nth(1).unwrap().seq;
    scene.clock.advance(DAY);
    let struck: Draft = correction(&scene, result, None);
    let Err(HandlerError::Refused(refusal)) = scene.append(&[struck]) else { panic!("it is refused") };
    let Reason::OthersRest { corrects, resting, why } = &refusal.reason else { panic!("{refusal}") };
    assert_eq!((*corrects, *resting), (result, lots), "{why}");
    // With no later round it can go.
    let mut scene = swiss(1);
    let last = first(&scene, "tournament.result_recorded", 1);
    let struck = correction(&scene, last, None);
    scene.take(struck);
}

#[test]
fn what_was_refused_is_forgotten() {
    let scene = swiss(1);
    let last = scene.log.last_seq().unwrap();
    let mut handler = handler::Handler::at(&scene.log, last).unwrap();
    let slip = first(&scene, "tournament.result_recorded", 1);
    let corrected = correction(&scene, slip, Some(&to_silver));
    let nobody = super::scene::draft("tournament/open", START + DAY, super::scene::round_started(7));
    assert!(handler.decide(0, &nobody).unwrap().is_err());
    handler.decide(1, &corrected).unwrap().unwrap();
    assert!(handler.decide(2, &nobody).unwrap().is_err());
    assert_eq!(handler.accepted().len(), 1);
    assert_eq!(handler.accepted()[0].envelope.seq, last + 1);
    assert_eq!(handler.accepted()[0].envelope.stream, open());
}
