//! Games against programs that misbehave in every way we could think of: each ends, in time, with its own result, and
//! leaves no process behind.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use annals_engine::arena::{
    Bout, BoutError, Contestant, Failure, Kind, Pace, Patience, Report, Running, Winner,
};
use annals_engine::evaluation::Registry;
use annals_engine::player::Settings;
use annals_engine::search::Limits;
use annals_events::{GameEvent, Side, Termination};
use annals_rules::arimaa::Arimaa;
use annals_rules::clock::TimeControl;
use annals_rules::game::{Applied, EndingCheck, Game, LimitCheck, Strictness};

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Ed2 Me2 Cf2 Hg2 Rh2";

/// The beginning of every script that gets as far as a game: it answers all that is asked before one.
const POLITE: &str = r#"
setup=
while read -r word rest; do
  case "$word" in
    aei) echo protocol-version 1; echo id name Script; echo aeiok ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
"#;

const END: &str = "  esac\ndone\n";

fn script(folder: &Path, text: &str) -> Contestant {
    let path = folder.join("bot.sh");
    std::fs::write(&path, text).unwrap();
    let mut contestant: Contestant = format!("sh '{}'", path.display()).parse().unwrap();
    contestant.name = "script".to_owned();
    if let Kind::Program { environment, .. } = &mut contestant.kind {
        environment.push(("MARK".to_owned(), folder.display().to_string()));
    }
    contestant
}

fn ours(nodes: u64) -> Contestant {
    let settings = Settings { limits: Limits::nodes(nodes), ..Settings::default() };
    Contestant { name: "ours".to_owned(), kind: Kind::Player(Box::new(settings)) }
}

fn patience() -> Patience {
    let second = Duration::from_secs(1);
    Patience { start: 3 * second, turn: 2 * second, grace: second, farewell: second / 2, chatter: 256 << 10 }
}

/// Processes that are still there a while after they should have ended: one that was killed takes a moment to die.
fn left_behind(mark: &Path) -> Vec<String> {
    let since = Instant::now();
    loop {
        let left = running(mark);
        if left.is_empty() || since.elapsed() > Duration::from_secs(3) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Processes that carry a folder's mark in their environment, and shells of ours that nobody has waited for.
fn running(mark: &Path) -> Vec<String> {
    let mark = format!("MARK={}", mark.display());
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().into_string().ok());
    numbers
        .filter(|name| name.bytes().all(|b| b.is_ascii_digit()) && *name != own)
        .filter(|name| {
            let read = |file: &str| std::fs::read(format!("/proc/{name}/{file}")).unwrap_or_default();
            let marked = String::from_utf8_lossy(&read("environ")).split('\0').any(|entry| entry == mark);
            let stat = String::from_utf8_lossy(&read("stat")).into_owned();
            let after = stat.rsplit(") ").next().unwrap_or("").to_owned();
            let zombie_of_ours = after.starts_with('Z') && after.split(' ').nth(1) == Some(&own);
            marked || (zombie_of_ours && stat.contains("(sh)"))
        })
        .collect()
}

struct Outcome {
    report: Report,
    events: Vec<GameEvent<'static>>,
    took: Duration,
}

fn bout(contestants: [&Contestant; 2], pace: Pace, captures: Strictness, most: Option<u32>) -> Outcome {
    let (registry, stop, running) = (Registry::standard(), AtomicBool::new(false), Running::default());
    let bout = Bout {
        contestants,
        pace,
        patience: patience(),
        captures,
        position: None,
        event: None,
        most_turns: most,
        seed: 1,
        registry: &registry,
        stop: &stop,
        running: &running,
        opening: &[],
        director: None,
    };
    let since = Instant::now();
    let mut told = Vec::new();
    let report = bout.play(&mut |at, event| told.push((at, event))).unwrap();
    let took = since.elapsed();
    // Whatever happened, the events are a game that the rules accept, strictly.
    let mut game: Game<Arimaa> = Game::new(Strictness::Strict);
    for (at, event) in &told {
        let applied = game.apply(Some(*at), event).unwrap_or_else(|e| panic!("{e}: {event:?}"));
        if let Applied::Ended(check) = applied {
            assert!(!matches!(check, EndingCheck::Disagrees { .. }), "{event:?}");
        }
        if let GameEvent::TurnTaken(turn) = event
            && matches!(pace, Pace::Control(_))
        {
            assert_eq!(game.plies().last().unwrap().clock_matches, Some(true), "{turn:?}");
        }
    }
    let ending = game.ending().unwrap_or_else(|| panic!("the game has no end: {told:?}"));
    assert_eq!(ending.limit, LimitCheck::Fits, "{told:?}");
    Outcome { report, events: told.into_iter().map(|(_, event)| event).collect(), took }
}

fn control() -> Pace {
    Pace::Control(TimeControl::parse("1s/1s/100/0/0/2s").unwrap())
}

/// A script plays Silver against one of our players.
fn against(text: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let outcome = bout([&ours(50), &script(folder.path(), text)], control(), Strictness::Archive, None);
    let left = left_behind(folder.path());
    assert!(left.is_empty(), "processes {left:?} are left behind");
    assert!(outcome.took < Duration::from_secs(12), "it took {:?}", outcome.took);
    assert_eq!(outcome.report.winner, Some(Winner::Side(Side::Gold)), "{:?}", outcome.report);
    outcome
}

fn ended(outcome: &Outcome) -> (Option<Termination>, Option<String>) {
    match outcome.events.last() {
        Some(GameEvent::Ended(ended)) => (ended.termination, ended.stated.as_ref().map(ToString::to_string)),
        other => panic!("no end: {other:?}"),
    }
}

fn forfeits(text: &str, why: &str) {
    let outcome = against(text);
    let (termination, stated) = ended(&outcome);
    assert_eq!(termination, Some(Termination::Forfeit), "{:?}", outcome.report);
    let stated = stated.unwrap();
    assert!(stated.contains(why), "`{why}` is not in: {stated}");
    assert_eq!(outcome.report.failure.as_ref().unwrap().1.to_string(), stated);
}

fn loses_on_time(text: &str) {
    let outcome = against(text);
    assert_eq!(ended(&outcome), (Some(Termination::Time), None), "{:?}", outcome.report);
}

#[test]
fn a_program_that_dies_forfeits_with_its_last_words() {
    forfeits("echo the licence has run out >&2\nexit 3", "exit status: 3); it said: the licence has run out");
    forfeits(&format!("{POLITE} go) kill -9 $$ ;;\n{END}"), "signal: 9");
    forfeits(&format!("{POLITE} go) exit 0 ;;\n{END}"), "exit status: 0");
    forfeits("exec nothing-of-that-name", "exit status: 127");
}

#[test]
fn a_program_that_cannot_be_started_forfeits() {
    let missing: Contestant = "/nowhere/at-all".parse().unwrap();
    let outcome = bout([&ours(50), &missing], control(), Strictness::Archive, None);
    let (termination, stated) = ended(&outcome);
    assert_eq!(termination, Some(Termination::Forfeit));
    assert!(stated.unwrap().contains("`/nowhere/at-all` cannot be started"));
    let neither = bout([&missing, &missing], control(), Strictness::Archive, None);
    assert_eq!(
        (neither.report.winner, ended(&neither).0),
        (Some(Winner::Nobody), Some(Termination::Abandoned))
    );
}

#[test]
fn a_program_that_is_never_ready_forfeits() {
    forfeits("sleep 600", "`aeiok` in time");
    forfeits("while read -r line; do echo what is $line; done", "`aeiok` in time");
    forfeits("read -r line; echo aeiok; sleep 600", "`readyok` in time");
    // It neither reads nor ends when it is asked to.
    forfeits("trap '' TERM INT HUP; while :; do sleep 1; done", "`aeiok` in time");
}

#[test]
fn a_program_that_says_nothing_when_asked_for_a_turn_loses_on_time() {
    loses_on_time(&format!("{POLITE} go) sleep 600 ;;\n{END}"));
    loses_on_time(&format!("{POLITE} go) echo thinking hard; echo 'info depth 4' ;;\n{END}"));
    loses_on_time(&format!("{POLITE} go) echo 'bestmov ra8' ;;\n quit) sleep 600 ;;\n{END}"));
}

#[test]
fn a_program_that_floods_forfeits_and_what_it_says_is_not_kept() {
    forfeits(&format!("{POLITE} go) yes 'info depth 4' ;;\n{END}"), "bytes and no answer");
    forfeits(&format!("{POLITE} go) tr '\\0' x < /dev/zero ;;\n{END}"), "bytes and no answer");
    forfeits("cat /dev/urandom", "");
}

#[test]
fn a_program_that_talks_on_standard_error_for_ever_is_let_talk() {
    loses_on_time(&format!("yes complaining >&2 &\n{POLITE} go) sleep 600 ;;\n{END}"));
}

#[test]
fn a_program_that_closes_its_output_and_lives_on_forfeits() {
    forfeits(&format!("{POLITE} go) exec 1>&-; sleep 600 ;;\n{END}"), "closed its output");
}

#[test]
fn of_a_program_that_closes_its_input_and_lives_on_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let setup = "ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7";
    let text = format!("{POLITE} go) exec 0<&-; echo 'bestmove {setup}'; sleep 600 ;;\n{END}");
    // Gold thinks long enough for the first line that finds nobody.
    let outcome =
        bout([&ours(5000), &script(folder.path(), &text)], Pace::Untimed, Strictness::Archive, Some(4));
    let (termination, stated) = ended(&outcome);
    assert_eq!(termination, Some(Termination::Forfeit), "{:?}", outcome.report);
    assert_eq!(stated.as_deref(), Some("the program closed its input"));
    assert!(left_behind(folder.path()).is_empty());
}

#[test]
fn what_a_program_started_ends_with_it_though_it_holds_the_output_open() {
    forfeits(&format!("sleep 600 &\n{POLITE} go) exit 5 ;;\n{END}"), "exit status: 5");
    loses_on_time(&format!("(trap '' TERM HUP INT; sleep 600) &\n{POLITE} go) sleep 600 ;;\n{END}"));
}

#[test]
fn a_turn_that_is_none_is_an_illegal_one_and_the_record_keeps_it() {
    let rejected = |best: &str, code: &str| {
        let outcome = against(&format!("{POLITE} go) echo 'bestmove {best}' ;;\n{END}"));
        assert_eq!(ended(&outcome), (Some(Termination::IllegalMove), None), "{best}");
        let Some((Side::Silver, Failure::Illegal { code: found, why, .. })) = &outcome.report.failure else {
            panic!("{:?}", outcome.report)
        };
        assert_eq!(found, code, "{best}: {why}");
        let before = &outcome.events[outcome.events.len() - 2];
        let GameEvent::TurnRejected(turn) = before else { panic!("{before:?}") };
        assert_eq!((turn.number, turn.side, &*turn.reason), (1, Side::Silver, why.as_str()));
    };
    rejected("", "empty_turn");
    rejected("ra8", "setup_incomplete");
    rejected("Ra8", "setup_side");
    rejected("nonsense", "unreadable_turn");
    rejected("takeback", "not_on_board");
    rejected(&"ra8 ".repeat(3000), "unreadable_turn");
}

/// Silver sets up well and then says something; Gold is one of ours.
fn after_setup(best: &str) -> String {
    let setup = "ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7";
    format!(
        "{POLITE} go) if [ -z \"$setup\" ]; then setup=1; echo 'bestmove {setup}'; else {best}; fi ;;\n{END}"
    )
}

#[test]
fn a_null_move_is_illegal_and_giving_up_is_giving_up() {
    let null = against(&after_setup("echo 'bestmove hb7s hb6n'"));
    let Some((Side::Silver, Failure::Illegal { code, .. })) = &null.report.failure else {
        panic!("{:?}", null.report)
    };
    assert_eq!(code, "position_unchanged");
    let resigned = against(&after_setup("echo 'bestmove resign'"));
    assert_eq!(ended(&resigned), (Some(Termination::Resignation), None));
    assert_eq!(resigned.report.turns, 3);
}

#[test]
fn captures_stated_wrongly_are_put_right_unless_they_are_to_be_strict() {
    let folder = tempfile::tempdir().unwrap();
    // The silver rabbit of a7 steps down into the trap's neighbourhood; no capture happens, and one is stated.
    let text = after_setup(
        "if [ -z \"$done\" ]; then done=1; echo 'bestmove ra7s ra6x'; else echo 'bestmove resign'; fi",
    );
    let silver = script(folder.path(), &text);
    let kind = bout([&ours(50), &silver], control(), Strictness::Archive, None);
    assert_eq!(ended(&kind).0, Some(Termination::Resignation));
    assert!(
        kind.report.remarks.iter().any(|(_, text)| text.contains("captures wrongly")),
        "{:?}",
        kind.report
    );
    let written = kind.events.iter().rev().find_map(|event| match event {
        GameEvent::TurnTaken(turn) if turn.side == Side::Silver => Some(turn.steps.to_string()),
        _ => None,
    });
    assert_eq!(written.as_deref(), Some("ra7s"));
    let strict = bout([&ours(50), &silver], control(), Strictness::Strict, None);
    assert_eq!(ended(&strict).0, Some(Termination::IllegalMove));
}

#[test]
fn a_time_for_each_turn_may_be_a_fraction_and_programs_are_told_to_stop() {
    let folder = tempfile::tempdir().unwrap();
    // It answers when it is told to stop, and never before.
    let text = format!("{POLITE} stop) echo 'bestmove {}' ;;\n{END}", GOLD);
    let gold = script(folder.path(), &text);
    let pace = Pace::PerTurn(Duration::from_millis(100));
    let outcome = bout([&gold, &ours(50)], pace, Strictness::Archive, None);
    let GameEvent::Started(started) = &outcome.events[0] else { panic!() };
    assert_eq!(started.time_control, None);
    let GameEvent::TurnTaken(setup) = &outcome.events[1] else { panic!("{:?}", outcome.report) };
    assert_eq!((setup.used, setup.gold_reserve), (Some(0), None));
    // Its setup again is no turn.
    assert_eq!(ended(&outcome).0, Some(Termination::IllegalMove));
    assert!(left_behind(folder.path()).is_empty());
}

#[test]
fn the_score_decides_at_the_length_of_the_game() {
    let limited = Pace::Control(TimeControl::parse("5s/0/0/0/4t").unwrap());
    for (pace, most) in [(limited, None), (Pace::Untimed, Some(4))] {
        let outcome = bout([&ours(50), &ours(60)], pace, Strictness::Archive, most);
        assert_eq!((ended(&outcome).0, outcome.report.turns), (Some(Termination::Score), 8));
    }
}

#[test]
fn a_game_that_reaches_its_length_within_a_turn_ends_by_score_at_that_instant() {
    let pace = Pace::Control(TimeControl::parse("30s/30s/100/0/2s").unwrap());
    // A resignation that comes after that instant is none.
    let cases = [
        ("sleep 600", Termination::Score, Side::Silver),
        ("sleep 2.2; echo bestmove resign", Termination::Score, Side::Silver),
        ("echo bestmove resign", Termination::Resignation, Side::Gold),
    ];
    for (then, how, winner) in cases {
        let folder = tempfile::tempdir().unwrap();
        let once = format!(
            "if [ -z \"$setup\" ]; then setup=1; echo bestmove ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7; \
             else {then}; fi"
        );
        let slow = script(folder.path(), &format!("{POLITE} go) {once} ;;\n{END}"));
        let outcome = bout([&ours(50), &slow], pace, Strictness::Archive, None);
        assert_eq!((ended(&outcome).0, outcome.report.turns), (Some(how), 3), "{:?}", outcome.report);
        assert_eq!(outcome.report.winner, Some(Winner::Side(winner)), "{:?}", outcome.report);
        assert!(outcome.took < Duration::from_secs(12), "it took {:?}", outcome.took);
        assert!(left_behind(folder.path()).is_empty());
    }
}

#[test]
fn a_game_that_is_stopped_is_halted_and_has_no_winner() {
    let folder = tempfile::tempdir().unwrap();
    let silent = script(folder.path(), &format!("{POLITE} go) sleep 600 ;;\n{END}"));
    let (registry, stop, ours) = (Registry::standard(), AtomicBool::new(false), ours(50));
    let running = Running::default();
    let bout = Bout {
        contestants: [&ours, &silent],
        pace: Pace::Untimed,
        patience: Patience::default(),
        captures: Strictness::Archive,
        position: None,
        event: None,
        most_turns: None,
        seed: 1,
        registry: &registry,
        stop: &stop,
        running: &running,
        opening: &[],
        director: None,
    };
    let since = Instant::now();
    let mut last = None;
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        bout.play(&mut |_, event| last = Some(event)).unwrap()
    });
    assert_eq!((report.winner, report.termination, report.failure), (None, None, None));
    assert!(matches!(last, Some(GameEvent::Halted(_))), "{last:?}");
    assert!(since.elapsed() < Duration::from_secs(5));
    assert!(left_behind(folder.path()).is_empty());

    let nobody = Contestant {
        name: "x".to_owned(),
        kind: Kind::Player(Box::new(Settings { evaluator: "oracle".to_owned(), ..Settings::default() })),
    };
    let error = Bout { contestants: [&nobody, &ours], ..bout }.play(&mut |_, _| {}).unwrap_err();
    assert!(matches!(error, BoutError::Evaluator { .. }), "{error}");
    let error = Bout { position: Some("g [E]"), ..bout }.play(&mut |_, _| {}).unwrap_err();
    assert!(matches!(error, BoutError::Start(_)), "{error}");
    let lone = format!("g [{:63}E]", 'e');
    let decided = Bout { position: Some(&lone), ..bout };
    let error = decided.play(&mut |_, event| panic!("{event:?}")).unwrap_err();
    assert_eq!(error.to_string(), "the position is decided already: silver won by elimination");
}

#[test]
fn programs_can_all_be_ended_from_outside_and_none_starts_after_that() {
    let folder = tempfile::tempdir().unwrap();
    let silent = script(folder.path(), &format!("sleep 600 &\n{POLITE} go) sleep 600 ;;\n{END}"));
    let (registry, stop, ours) = (Registry::standard(), AtomicBool::new(false), ours(50));
    let running = Running::default();
    let bout = Bout {
        contestants: [&ours, &silent],
        pace: Pace::Untimed,
        patience: Patience::default(),
        captures: Strictness::Archive,
        position: None,
        event: None,
        most_turns: None,
        seed: 1,
        registry: &registry,
        stop: &stop,
        running: &running,
        opening: &[],
        director: None,
    };
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            running.clone().end_all();
            assert!(left_behind(folder.path()).is_empty());
        });
        bout.play(&mut |_, _| {}).unwrap()
    });
    let Some((Side::Silver, Failure::Crashed(why))) = &report.failure else { panic!("{report:?}") };
    assert!(why.contains("signal: 9"), "{why}");
    let late = bout.play(&mut |_, _| {}).unwrap();
    let Some((Side::Silver, Failure::NotStarted(why))) = &late.failure else { panic!("{late:?}") };
    assert!(why.contains("cannot be started: all programs are being ended"), "{why}");
}

#[test]
fn a_program_is_told_of_a_position_in_the_words_of_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{POLITE} setposition) echo \"$rest\" > \"$MARK/told\" ;;\n go) echo bestmove resign ;;\n{END}"
    );
    let (silver, ours) = (script(folder.path(), &text), ours(50));
    let (registry, stop, running) = (Registry::standard(), AtomicBool::new(false), Running::default());
    let position = "17b [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    let bout = Bout {
        contestants: [&ours, &silver],
        pace: Pace::Untimed,
        patience: patience(),
        captures: Strictness::Archive,
        position: Some(position),
        event: None,
        most_turns: None,
        seed: 1,
        registry: &registry,
        stop: &stop,
        running: &running,
        opening: &[],
        director: None,
    };
    let report = bout.play(&mut |_, _| {}).unwrap();
    assert_eq!(report.termination, Some(Termination::Resignation), "{report:?}");
    let told = std::fs::read_to_string(folder.path().join("told")).unwrap();
    assert_eq!(told, format!("s [rrrrrrrrhdcemcdh{:32}HDCMECDHRRRRRRRR]\n", ""));
}
