//! Rulings that take the place of others, by the command handler: the game goes on and is rated again, the question shows
//! before and after, an import is found by the audit.

use annals_events::tournament::{Effect, Failure, Outcome, RulingGiven};
use annals_events::{BoardId, GameEvent, Side, TournamentEvent, TurnTaken};
use annals_replay::handler::{self, DirectError, Importer};
use annals_replay::queries::{TournamentAt, rulings};
use annals_replay::{Cut, audit_tournament, game_at, tournament_at};
use annals_store::Clock as _;
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;
use annals_tournaments::verdict::{Compliance, Verdict};

use super::games::setup;
use super::judging::{ask, open, source, swiss};
use super::scene::{DAY, SECOND, START, Scene, draft, stream};

const FIRST: BoardId = BoardId { round: 1, board: 1 };
const GAME: &str = "game/open.r1.1";

fn rule(effect: Effect, supersedes: Option<u32>) -> Command {
    let reason = "as the director found".to_owned();
    Command::Rule { effect, reason, evidence: Vec::new(), dispute: None, supersedes }
}

fn halt() -> Effect {
    Effect::Halt { pairing: FIRST, game: None, ply: 0, failure: Failure::GameServer, clocks: None }
}

fn state(scene: &Scene) -> Tournament {
    tournament_at(&scene.log, &open(), &Cut::NOW).unwrap().tournament
}

fn refusal(scene: &mut Scene, command: &Command) -> String {
    match super::scene::direct(&mut scene.log, &open(), command, "director", false) {
        Err(DirectError::Refused(refusal)) => refusal.rule.unwrap().id.name().to_owned(),
        other => panic!("not refused: {other:?}"),
    }
}

/// The first round of a Swiss with a game under way.
fn under_way() -> Scene {
    let mut scene = swiss(0);
    ask(&mut scene, Command::DrawLots { seed: "lots".to_owned(), commitment: None });
    ask(&mut scene, Command::Pair { seed: Some("coins".to_owned()) });
    begin(&mut scene);
    turn(&mut scene, Side::Gold);
    scene
}

fn begin(scene: &mut Scene) {
    let (name, now) = ("open".parse().unwrap(), scene.clock.now());
    let begun = handler::begin_game(&scene.log, &name, &state(scene), FIRST, (None, now)).unwrap();
    scene.append(&begun.drafts).unwrap();
    ask(scene, Command::Start { pairing: FIRST, game: Some(begun.game) });
}

fn turn(scene: &mut Scene, side: Side) {
    let taken = GameEvent::TurnTaken(TurnTaken::plain(1, side, setup(side)));
    let at = scene.clock.now() + SECOND;
    scene.take(draft(GAME, at, taken));
}

/// Whether the game is halted, and whether it is rated.
fn game(scene: &Scene) -> (bool, bool) {
    let game = game_at(&scene.log, &stream(GAME), &Cut::NOW).unwrap();
    (game.game().is_halted(), game.game().is_rated())
}

#[test]
fn a_halt_that_is_replaced_lets_the_game_go_on_rated() {
    let mut scene = under_way();
    let before = state(&scene).rounds;
    ask(&mut scene, rule(halt(), None));
    assert_eq!(game(&scene), (true, false));
    ask(&mut scene, rule(halt(), Some(1)));
    assert_eq!(game(&scene), (true, false), "it is halted by the second ruling");
    ask(&mut scene, rule(Effect::Nothing, Some(2)));
    assert_eq!(game(&scene), (false, true));
    assert_eq!(state(&scene).rounds, before);
    turn(&mut scene, Side::Silver);
    let rated = |rated| Effect::SetRated { pairing: FIRST, game: None, rated };
    ask(&mut scene, rule(rated(false), None));
    assert_eq!(game(&scene), (false, false));
    ask(&mut scene, rule(Effect::Nothing, Some(4)));
    assert_eq!(game(&scene), (false, true));
    assert_eq!(refusal(&mut scene, &rule(Effect::Nothing, Some(4))), "ruling.number");
}

#[test]
fn a_game_is_as_the_rulings_say_that_are_still_in_force() {
    let mut scene = under_way();
    ask(&mut scene, rule(halt(), None));
    ask(&mut scene, rule(Effect::SetRated { pairing: FIRST, game: None, rated: false }, None));
    ask(&mut scene, rule(Effect::Nothing, Some(1)));
    assert_eq!(game(&scene), (false, false), "the second ruling is in force");
    ask(&mut scene, rule(Effect::Nothing, Some(2)));
    assert_eq!(game(&scene), (false, true), "as before the first ruling");
}

#[test]
fn the_audit_finds_a_game_that_is_not_as_was_ruled() {
    let mut scene = under_way();
    let rated = Effect::SetRated { pairing: FIRST, game: None, rated: false };
    for (number, effect) in (1..).zip([halt(), rated]) {
        let ruling = RulingGiven {
            number,
            effect,
            reason: "as the director found".to_owned(),
            grounds: Vec::new(),
            evidence: Vec::new(),
            dispute: None,
            supersedes: None,
        };
        let given = TournamentEvent::RulingGiven(ruling);
        let seq = scene.take(draft("tournament/open", scene.clock.now(), given));
        let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
        let last = audit.events.last().unwrap();
        assert_eq!(last.findings.iter().map(|found| found.code).collect::<Vec<_>>(), ["game_not_as_ruled"]);
        assert!(last.seq == seq && !audit.is_clean(), "{audit:?}");
    }
    assert_eq!(game(&scene), (false, true));
    ask(&mut scene, rule(halt(), Some(1)));
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    assert!(audit.events.iter().all(|event| event.findings.is_empty()) && game(&scene) == (true, false));
}

#[test]
fn a_halt_is_not_replaced_once_the_game_goes_on_in_another() {
    let mut scene = under_way();
    ask(&mut scene, rule(halt(), None));
    begin(&mut scene);
    assert_eq!(refusal(&mut scene, &rule(Effect::Nothing, Some(1))), "ruling.number");
    assert_eq!(game(&scene), (true, false));
}

#[test]
fn the_attempt_after_a_halted_game_that_the_log_does_not_hold_is_the_second() {
    let mut scene = swiss(0);
    ask(&mut scene, Command::DrawLots { seed: "lots".to_owned(), commitment: None });
    ask(&mut scene, Command::Pair { seed: Some("coins".to_owned()) });
    ask(&mut scene, Command::Start { pairing: FIRST, game: None });
    ask(&mut scene, rule(halt(), None));
    begin(&mut scene);
    let games = &state(&scene).rounds[&1].boards[&1].games;
    assert_eq!(
        games.iter().map(|(number, game)| (*number, game.as_str())).collect::<Vec<_>>(),
        [(2, "open.r1.1.2")]
    );
}

#[test]
fn the_rulings_show_what_each_changed() {
    let mut scene = under_way();
    let set = |outcome| Effect::SetResult { pairing: FIRST, outcome, termination: None };
    ask(&mut scene, rule(set(Outcome::Gold), None));
    ask(&mut scene, rule(set(Outcome::Silver), Some(1)));
    ask(&mut scene, rule(Effect::Nothing, Some(2)));
    ask(&mut scene, rule(Effect::Nothing, None));
    let opened = TournamentAt::at(&scene.log, &open(), &Cut::NOW).unwrap();
    let answer = rulings::ask(&opened).unwrap();
    let changes: Vec<Vec<String>> = answer
        .rulings
        .iter()
        .map(|ruling| ruling.changes.iter().map(ToString::to_string).collect())
        .collect();
    assert_eq!(
        changes,
        [
            vec!["result of r1.1 from none to gold"],
            vec!["result of r1.1 from gold to silver"],
            vec!["result of r1.1 from silver to none"],
            vec![],
        ]
    );
}

/// The changes that each ruling is shown with, and its words.
fn shown(scene: &Scene) -> Vec<(String, Vec<String>)> {
    let opened = TournamentAt::at(&scene.log, &open(), &Cut::NOW).unwrap();
    let rulings = rulings::ask(&opened).unwrap().rulings.into_iter();
    let changes = |ruling: &rulings::RulingAnswer| ruling.changes.iter().map(ToString::to_string).collect();
    rulings.map(|ruling| (ruling.words.clone(), changes(&ruling))).collect()
}

#[test]
fn a_ruling_is_shown_with_halt_rating_and_reading_before_and_after_and_with_what_it_undoes() {
    let mut scene = under_way();
    ask(&mut scene, rule(halt(), None));
    ask(&mut scene, rule(Effect::Nothing, Some(1)));
    ask(&mut scene, rule(Effect::SetRated { pairing: FIRST, game: None, rated: false }, None));
    ask(&mut scene, rule(Effect::Nothing, Some(3)));
    let read = |reading: &str| Effect::Read { option: "T13".to_owned(), reading: reading.to_owned() };
    ask(&mut scene, rule(read("B"), None));
    ask(&mut scene, rule(Effect::Nothing, Some(5)));
    let shown = shown(&scene);
    let changes: Vec<Vec<&str>> =
        shown.iter().map(|(_, changes)| changes.iter().map(String::as_str).collect()).collect();
    assert_eq!(
        changes,
        [
            vec![
                "resumption of r1.1 from none to ply 0",
                "halt of r1.1 from none to in force",
                "rating of open.r1.1 from as it began to unrated",
            ],
            vec![
                "resumption of r1.1 from ply 0 to none",
                "halt of r1.1 from in force to none",
                "rating of open.r1.1 from unrated to as it began",
            ],
            vec!["rating of open.r1.1 from as it began to unrated"],
            vec!["rating of open.r1.1 from unrated to as it began"],
            vec!["reading T13 from balance to gold_games"],
            vec!["reading T13 from gold_games to balance"],
        ]
    );
    assert!(shown[1].0.contains("ruling 1 is undone"), "{shown:?}");
}

#[test]
fn an_import_of_a_ruling_in_the_place_of_another_that_came_too_late_is_found() {
    let mut scene = under_way();
    let set = |outcome| Effect::SetResult { pairing: FIRST, outcome, termination: None };
    ask(&mut scene, rule(set(Outcome::Gold), None));
    ask(&mut scene, rule(set(Outcome::Silver), None));
    let drafts = scene.all().into_iter().filter(|raw| raw.stream == open());
    let mut drafts: Vec<handler::Draft> = drafts
        .map(|raw| {
            let annals_events::Event::Tournament(event) = raw.decode().unwrap() else { panic!() };
            draft("tournament/open", raw.effective_at, *event)
        })
        .collect();
    let at = drafts.last().unwrap().effective_at;
    let late = RulingGiven {
        number: 3,
        effect: Effect::Nothing,
        reason: "it was a mistake".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: Some(1),
    };
    drafts.push(draft("tournament/open", at, TournamentEvent::RulingGiven(late)));
    let mut other = Scene::with_id([7; 16]);
    other.clock.set(START + 2 * DAY);
    let mut importer = Importer::new(&mut other.log, "importer").unwrap();
    importer.stream(&drafts).unwrap();
    importer.finish_with(&source(), START).unwrap();
    assert_eq!(state(&other).rounds[&1].boards[&1].outcome(), Some(Outcome::Silver), "nothing is undone");
    let audit = audit_tournament(&other.log, &open(), &Cut::NOW, &[]).unwrap();
    let last = audit.events.last().unwrap();
    let is_violation: Vec<&Verdict> = last.verdicts.iter().filter(|verdict| verdict.is_violation()).collect();
    let [Verdict { holds: Compliance::Violation { found, .. }, .. }] = is_violation[..] else {
        panic!("{is_violation:?}")
    };
    assert_eq!(found, "what ruling 1 changed has changed since");
    assert!(last.findings.iter().any(|finding| finding.code == "ruling_not_undone"), "{last:?}");
}
