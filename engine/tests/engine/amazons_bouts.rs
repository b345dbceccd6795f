//! Games of the Amazons between programs that speak the protocol, and under a director; and our engine under a controller.

use std::cell::RefCell;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use annals_engine::aei::{Served, serve};
use annals_engine::amazons::{Registry, Settings};
use annals_engine::arena::{
    Bout, BoutError, Contestant, Decision, Director, Failure, Instruction, Kind, Pace, Patience, Report,
    Running, Winner, position_to_play,
};
use annals_engine::player;
use annals_events::{GameEvent, Micros, Side, Termination};
use annals_rules::amazons::Amazons;
use annals_rules::clock::TimeControl;
use annals_rules::game::{Game, Strictness};

/// A board on which a game is over after a few moves.
const SMALL: &str = "w [.B.../...../...../...W.]";

/// The beginning of every script that gets as far as a game.
const POLITE: &str = r#"
while read -r word rest; do
  case "$word" in
    aei) echo protocol-version 1; echo id game amazons; echo aeiok ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
"#;
const END: &str = "  esac\ndone\n";

fn script(folder: &Path, text: &str) -> Contestant<Settings> {
    let path = folder.join("bot.sh");
    std::fs::write(&path, format!("{POLITE}{text}{END}")).unwrap();
    let mut contestant: Contestant<Settings> = format!("sh '{}'", path.display()).parse().unwrap();
    if let Kind::Program { environment, .. } = &mut contestant.kind {
        environment.push(("MARK".to_owned(), folder.display().to_string()));
    }
    contestant
}

fn ours() -> Contestant<Settings> {
    "annals:nodes=40,seed=3".parse().unwrap()
}

fn control(text: &str) -> Pace {
    Pace::Control(text.parse::<TimeControl>().unwrap())
}

struct Played {
    report: Report,
    events: Vec<(Micros, GameEvent<'static>)>,
}

struct Match<'a> {
    contestants: [&'a Contestant<Settings>; 2],
    pace: Pace,
    position: Option<&'a str>,
    opening: &'a [(Micros, GameEvent<'a>)],
    director: Option<&'a dyn Director>,
}

impl Match<'_> {
    fn play(&self) -> Played {
        let (registry, stop, running) = (Registry::standard(), AtomicBool::new(false), Running::default());
        let bout = Bout {
            contestants: self.contestants,
            pace: self.pace,
            patience: Patience {
                start: Duration::from_secs(5),
                turn: Duration::from_secs(3),
                ..Patience::default()
            },
            captures: Strictness::Archive,
            position: self.position,
            event: None,
            most_turns: None,
            seed: 1,
            registry: &registry,
            opening: self.opening,
            director: self.director,
            stop: &stop,
            running: &running,
        };
        let mut events: Vec<(Micros, GameEvent<'static>)> = Vec::new();
        let report = bout.play(&mut |at, event| events.push((at, event))).unwrap();
        let mut game: Game<Amazons> = Game::new(Strictness::Strict);
        for (at, event) in self.opening {
            game.apply(Some(*at), event).unwrap();
        }
        for (at, event) in &events {
            game.apply(Some(*at), event).unwrap_or_else(|error| panic!("{error}: {event:?}"));
            if let (GameEvent::TurnTaken(turn), Pace::Control(_)) = (event, self.pace) {
                assert_eq!(game.plies().last().unwrap().clock_matches, Some(true), "{turn:?}");
            }
        }
        Played { report, events }
    }
}

fn kinds(events: &[(Micros, GameEvent<'static>)]) -> Vec<&'static str> {
    let kinds = events.iter().map(|(_, event)| event.type_name());
    kinds.map(|name| name.trim_start_matches("game.")).filter(|name| *name != "turn_taken").collect()
}

/// Says what it was given to say, each after so many turns of the game.
struct Scripted {
    says: RefCell<Vec<Instruction>>,
    decides: RefCell<Vec<Decision>>,
    asked: RefCell<Vec<String>>,
    from: &'static str,
    folder: std::path::PathBuf,
}

impl Director for Scripted {
    /// The director speaks as soon as the program has been asked for a turn.
    fn next(&self) -> Option<Instruction> {
        if !self.folder.join(self.from).exists() {
            return None;
        }
        let mut says = self.says.borrow_mut();
        if says.is_empty() { None } else { Some(says.remove(0)) }
    }

    fn decide(&self, who: &str, failure: &Failure) -> Decision {
        self.asked.borrow_mut().push(format!("{who}: {failure}"));
        let mut decides = self.decides.borrow_mut();
        if decides.is_empty() { Decision::Halt } else { decides.remove(0) }
    }
}

#[test]
fn two_players_of_the_amazons_play_a_whole_game_under_one_time_for_all_moves() {
    let (white, black) = (ours(), "annals:random,seed=9".parse().unwrap());
    let played = Match {
        contestants: [&white, &black],
        pace: control("game 5m"),
        position: None,
        opening: &[],
        director: None,
    }
    .play();
    assert_eq!(played.report.termination, Some(Termination::Immobilization));
    assert_eq!(played.report.winner, Some(Winner::Side(Side::Gold)), "a search beats moves of chance");
    let GameEvent::Started(started) = &played.events[0].1 else { panic!("{:?}", played.events[0]) };
    assert_eq!(started.time_control.as_deref(), Some("game 5m"));
}

#[test]
fn without_a_director_a_program_that_fails_loses() {
    let folder = tempfile::tempdir().unwrap();
    for (text, termination) in [
        ("go) echo bestmove a1-a9\\(a1\\) ;;\n", Termination::IllegalMove),
        ("go) exit 3 ;;\n", Termination::Forfeit),
        ("go) echo bestmove resign ;;\n", Termination::Resignation),
        ("go) sleep 600 ;;\n", Termination::Time),
    ] {
        let (white, black) = (ours(), script(folder.path(), text));
        let played = Match {
            contestants: [&white, &black],
            pace: control("game 1s"),
            position: Some(SMALL),
            opening: &[],
            director: None,
        }
        .play();
        let report = &played.report;
        assert_eq!(
            (report.winner, report.termination),
            (Some(Winner::Side(Side::Gold)), Some(termination)),
            "{text}"
        );
    }
}

#[test]
fn a_director_takes_a_move_back_and_the_programs_are_told_the_game_from_its_beginning() {
    let folder = tempfile::tempdir().unwrap();
    // It is silent the first time that it is asked, and resigns the second time.
    let text = "makemove|newgame|stop) echo \"$word $rest\" >> \"$MARK/told\" ;;\n \
                go) if [ -e \"$MARK/asked\" ]; then echo bestmove resign; else touch \"$MARK/asked\"; fi ;;\n \
                setoption) case \"$rest\" in *reserve*) echo \"$rest\" >> \"$MARK/clock\" ;; esac ;;\n";
    let (white, black) = (ours(), script(folder.path(), text));
    let director = Scripted {
        says: RefCell::new(vec![Instruction::Retract {
            by: "eva".to_owned(),
            why: "b4 was meant".to_owned(),
        }]),
        decides: RefCell::default(),
        asked: RefCell::default(),
        from: "asked",
        folder: folder.path().to_owned(),
    };
    let played = Match {
        contestants: [&white, &black],
        pace: control("game 30m"),
        position: Some(SMALL),
        opening: &[],
        director: Some(&director),
    }
    .play();
    assert_eq!(kinds(&played.events), ["started", "turn_retracted", "ended"]);
    let retracted = played.events.iter().find_map(|(_, event)| match event {
        GameEvent::TurnRetracted(retracted) => retracted.reason.as_deref(),
        _ => None,
    });
    assert_eq!(retracted, Some("b4 was meant"));
    assert_eq!((played.report.turns, played.report.termination), (1, Some(Termination::Resignation)));
    let told = std::fs::read_to_string(folder.path().join("told")).unwrap();
    let words: Vec<&str> = told.lines().map(|line| line.split(' ').next().unwrap()).collect();
    // The move, then its retraction, then the move that White plays instead.
    assert_eq!(words, ["newgame", "makemove", "stop", "newgame", "makemove"]);
    let clock = std::fs::read_to_string(folder.path().join("clock")).unwrap();
    assert!(
        clock.contains("name wreserve value 1800") && clock.contains("name breserve value 1800"),
        "{clock}"
    );
}

#[test]
fn the_director_decides_what_comes_of_a_program_that_fails_and_the_rules_of_time() {
    let folder = tempfile::tempdir().unwrap();
    let text = "go) echo bestmove d4-d5\\(d4\\) ;;\n";
    let director = |decides: &[Decision]| Scripted {
        says: RefCell::default(),
        decides: RefCell::new(decides.to_vec()),
        asked: RefCell::default(),
        from: "never",
        folder: folder.path().to_owned(),
    };
    let (white, black) = (ours(), script(folder.path(), text));
    let game = |director: &Scripted| {
        let contestants = [&white, &black];
        Match {
            contestants,
            pace: control("game 30m"),
            position: Some(SMALL),
            opening: &[],
            director: Some(director),
        }
        .play()
    };
    let lost = director(&[Decision::Again, Decision::Lost]);
    let played = game(&lost);
    assert_eq!(kinds(&played.events), ["started", "turn_rejected", "turn_rejected", "ended"]);
    assert_eq!(played.report.termination, Some(Termination::IllegalMove));
    assert_eq!(lost.asked.borrow().len(), 2);
    let halt = director(&[Decision::Halt]);
    let played = game(&halt);
    assert_eq!(kinds(&played.events), ["started", "turn_rejected", "halted"]);
    assert_eq!(played.report.winner, None);
    // What was halted goes on from the position and the clocks that stand.
    let opening = played.events;
    let again: Contestant<Settings> = "annals:random,seed=4".parse().unwrap();
    let resumed = Match {
        contestants: [&white, &again],
        pace: control("game 30m"),
        position: None,
        opening: &opening,
        director: None,
    }
    .play();
    assert_eq!(kinds(&resumed.events), ["resumed", "ended"]);
    assert!(resumed.report.turns > 1 && resumed.report.termination == Some(Termination::Immobilization));
    // Time is the rules' matter: the director is not asked.
    let silent = script(folder.path(), "go) sleep 600 ;;\n");
    let asked = director(&[]);
    let late = Match {
        contestants: [&white, &silent],
        pace: control("game 1s"),
        position: Some(SMALL),
        opening: &[],
        director: Some(&asked),
    }
    .play();
    assert_eq!(late.report.termination, Some(Termination::Time));
    assert!(asked.asked.borrow().is_empty());
}

#[test]
fn what_was_rounded_away_of_a_turn_counts_with_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    // Every turn takes some 0.4 s, which alone would be none.
    let text = "go) sleep 0.4; echo bestmove $(sed -n \"$(cat \"$MARK/next\")p\" \"$MARK/moves\"); \
                echo $(($(cat \"$MARK/next\") + 1)) > \"$MARK/next\" ;;\n";
    std::fs::write(folder.path().join("next"), "1\n").unwrap();
    std::fs::write(folder.path().join("moves"), "a7-b7(a7)\nb7-c7(b7)\nc7-b8(c7)\nb8-a8(b8)\nresign\n")
        .unwrap();
    let white: Contestant<Settings> = "annals:random,seed=5".parse().unwrap();
    let black = script(folder.path(), text);
    let position = "w [..j......./........../....../".to_owned();
    drop(position);
    let played = Match {
        contestants: [&white, &black],
        pace: control("game 30m"),
        position: None,
        opening: &[],
        director: None,
    }
    .play();
    let used: u32 = played
        .events
        .iter()
        .filter_map(|(_, event)| match event {
            GameEvent::TurnTaken(turn) if turn.side == Side::Silver => turn.used,
            _ => None,
        })
        .sum();
    assert_eq!((played.report.turns, played.report.termination), (9, Some(Termination::Resignation)));
    assert!((1..=4).contains(&used), "four turns of 0.4 s are {used} s");
}

#[test]
fn a_position_is_one_of_its_game() {
    assert!(position_to_play::<Settings>(SMALL).is_ok());
    let decided = position_to_play::<Settings>("w [WxB/xx.]").unwrap_err();
    assert_eq!(decided.to_string(), "the position is decided already: Black won by immobilization");
    assert!(matches!(position_to_play::<player::Settings>(SMALL), Err(BoutError::Start(_))));
}

/// What our engine answers to lines, without what it tells of its search.
fn answers(lines: &str) -> (Vec<String>, Served) {
    #[derive(Clone, Default)]
    struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let out = Shared::default();
    let input = std::io::Cursor::new(lines.as_bytes().to_vec());
    let settings: Settings = "nodes=200".parse().unwrap();
    let served = serve(input, out.clone(), &settings, &Registry::standard()).unwrap();
    let text = String::from_utf8(out.0.lock().unwrap().clone()).unwrap();
    (text.lines().filter(|line| !line.starts_with("info ")).map(str::to_owned).collect(), served)
}

#[test]
fn our_engine_plays_the_amazons_for_any_controller() {
    let (said, served) = answers(
        "aei\nsetoption name tcreserve value 1800\nsetoption name wreserve value 1800\nsetoption name greserve value 3\n\
         newgame\nmakemove d1-d7(g7)\nmakemove d7-d1(g7)\nsetposition w [WB.]\ngo\nisready\nsetposition w [WxB/xx.]\ngo\nquit\n",
    );
    assert_eq!(
        said[..6],
        [
            "protocol-version 1",
            "id name Annals",
            "id author Annals",
            concat!("id version ", env!("CARGO_PKG_VERSION")),
            "id game amazons",
            "aeiok"
        ]
    );
    assert!(said[6].contains("there is no option `greserve`"), "{said:#?}");
    assert!(said[7].starts_with("log Error: the position stands as it was"), "{said:#?}");
    assert_eq!(said.last().map(String::as_str), Some("bestmove resign"), "{said:#?}");
    assert_eq!(served, Served::Quit);
}
