//! Programs play each other, ours and others', and the log keeps what happened.

use std::ffi::OsString;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::Place;

const OURS: &str = "annals:nodes=60";

/// The program itself as an engine of the protocol.
fn ours_by_aei() -> String {
    format!("'{}' engine aei --nodes 60", env!("CARGO_BIN_EXE_annals"))
}

#[test]
fn a_match_in_which_no_program_started_is_a_finding() {
    let place = Place::new();
    for (one, other) in [("no-such-program", "sh -c 'exit 3'"), (OURS, "no-such-program")] {
        let run = place.run(&["engine", "match", one, other, "--games", "2", "--log", "--actor", "omar"]);
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.talk.contains("no game of the match began"), "{run:?}");
    }
}

#[test]
fn a_match_is_kept_in_the_log_with_its_clocks_and_verifies() {
    let place = Place::new();
    let words = [
        "engine",
        "match",
        OURS,
        &ours_by_aei(),
        "--games",
        "2",
        "--time-control",
        "10s/10s/100/0/0",
        "--turns",
        "6",
        "--name",
        "one",
        "--name",
        "two",
        "--event",
        "trial",
        "--log",
        "--actor",
        "omar",
        "--json",
    ];
    let results = place.ask_json(&words);
    let games = results["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!((&games[0]["gold"], &games[1]["gold"]), (&"one".into(), &"two".into()));
    assert!(
        games.iter().all(|game| game["failure"].is_null() && game["remarks"] == serde_json::json!([])),
        "{results:#}"
    );
    let played: u64 =
        results["contestants"].as_array().unwrap().iter().map(|c| c["games"].as_u64().unwrap()).sum();
    assert_eq!(played, 4);

    let lines = place.ask(&["log", "show", "game/trial-1", "--json"]);
    let events: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0]["payload"]["time_control"], "10s/10s/100/0/0/0");
    assert_eq!(events[0]["payload"]["gold"]["name"], "one");
    let turn = &events[3]["payload"];
    assert!(turn["used"].is_u64() && turn["gold_reserve"].is_i64() && turn["game_time"].is_u64(), "{turn}");
    assert_eq!(events.last().unwrap()["type"], "game.ended");
    let verified = place.run(&["log", "verify"]);
    assert_eq!(verified.status, 0, "{verified:?}");

    // Another match of that name goes on counting.
    let more = place.ask_json(&[
        "engine", "match", OURS, OURS, "--games", "1", "--turns", "4", "--event", "trial", "--log",
        "--actor", "omar", "--json",
    ]);
    assert_eq!(more["games"][0]["stream"], "game/trial-3");
}

#[test]
fn a_match_of_ours_by_positions_is_the_same_with_any_number_of_threads() {
    let place = Place::new();
    let games = |threads: &str| {
        let words = [
            "engine", "match", OURS, "annals:nodes=90", "annals:nodes=30", "--games", "2", "--turns", "5",
            "--threads", threads, "--json",
        ];
        place.ask_json(&words)
    };
    let one = games("1");
    assert_eq!(one["games"].as_array().unwrap().len(), 6);
    assert_eq!(one, games("3"));
    assert!(!place.path("home").exists(), "without --log there is no log");
}

/// A match of which the end is known: the second player looks at single positions.
const UNEVEN: [&str; 4] = ["engine", "match", "annals:nodes=2000", "annals:material,nodes=1"];

#[test]
fn a_match_ends_as_soon_as_the_test_decides_and_counts_the_same_with_any_number_of_threads() {
    let place = Place::new();
    let words = |threads| {
        [&UNEVEN[..], &["--sprt", "0,200", "--turns", "30", "--threads", threads, "--json"]].concat()
    };
    let one = place.ask_json(&words("1"));
    let standing = &one["sprt"]["standing"];
    assert_eq!(standing["verdict"], "upper", "{one:#}");
    assert!(standing["ratio"].as_f64() >= standing["upper"].as_f64(), "{standing}");
    let games = one["games"].as_array().unwrap().len() as u64;
    assert!(games.is_multiple_of(2) && games < 100, "{games} games");
    let pairs: u64 = one["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!((2 * pairs, &one["elo"]["games"]), (games, &games.into()));
    assert_eq!(one, place.ask_json(&words("3")), "what ran when it was decided is not counted");
    let open = place.ask(&[&UNEVEN[..], &["--sprt", "0,2", "--games", "2", "--turns", "4"]].concat());
    assert!(open.contains("sequential test after 1 pair: not decided between +0 and +2 Elo"), "{open}");
    for (words, why) in [
        (&["--sprt", "20,0"][..], "elo0 below elo1"),
        (&["--sprt", "20"], "write two numbers"),
        (&["--sprt", "0,20", "--alpha", "0.7"], "rates of error"),
        (&["annals", "--sprt", "0,20"], "there are 3 contestants"),
    ] {
        let run = place.run(&[&UNEVEN[..], words].concat());
        assert!(run.status == 2 && run.talk.contains(why), "`{why}`: {run:?}");
    }
}

#[test]
fn of_two_the_difference_is_told_and_of_more_their_ratings() {
    let place = Place::new();
    let short = ["--turns", "3"];
    let two = place.ask(&[&UNEVEN[..], &["--games", "4"], &short].concat());
    assert!(two.contains("annals-n2000 against annals-material-n1, Elo: "), "{two}");
    let words = [&UNEVEN[..], &["annals:nodes=30", "--games", "4"], &short].concat();
    let three = place.ask(&words);
    assert!(three.contains("  Elo\n") && three.contains('±'), "{three}");
    let json = place.ask_json(&[&words[..], &["--json"]].concat());
    let ratings: Vec<f64> = json["contestants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|contestant| contestant["rating"]["elo"].as_f64().unwrap())
        .collect();
    assert!(ratings.len() == 3 && ratings.iter().sum::<f64>().abs() < 1e-6, "{json:#}");
    let gauntlet = place.ask_json(&[&words[..], &["--gauntlet", "--json"]].concat());
    assert_eq!(gauntlet["games"].as_array().unwrap().len(), 8);
    assert_eq!(
        (&gauntlet["contestants"][0]["games"], &gauntlet["contestants"][1]["games"]),
        (&8.into(), &4.into())
    );
}

#[test]
fn a_match_is_written_as_an_archive_that_ingests() {
    let place = Place::new();
    place.write("dies.sh", "exit 9\n");
    let words = [
        "engine",
        "match",
        OURS,
        &ours_by_aei(),
        "sh dies.sh",
        "--games",
        "2",
        "--time-control",
        "9s/9s/100/0/4t",
        "--actor",
        "omar",
        "--output",
        "games.txt",
        "--threads",
        "2",
        "--log",
    ];
    let run = place.run(&words);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains("6 games in the archive\n"), "{run:?}");
    let again = place.run(&words);
    assert!(again.status == 2 && again.talk.contains("--force"), "{again:?}");
    let summary = place.ask_json(&["ingest", "--json", "games.txt"]);
    assert_eq!(summary["counts"]["rows"], 6, "{summary}");
    assert_eq!(summary["generated"], 0, "{summary}");
    // Against a program that is not there, no turn is played.
    assert_eq!(summary["flags"], serde_json::json!({ "no-turns": 4 }), "{summary}");
    let quick = ["engine", "match", OURS, OURS, "--games", "1", "--move-time", "0.05", "--turns", "3"];
    place.ask(&[&quick[..], &["--output", "quick.txt", "--first-id", "5"]].concat());
    assert!(std::fs::read_to_string(place.path("quick.txt")).unwrap().contains("\n5\t"));
    let summary = place.ask_json(&["ingest", "--strict", "--json", "quick.txt"]);
    assert_eq!(summary["counts"]["accepted"], 1, "{summary}");
    place.ask(&[&quick[..], &["--output", "quick.txt", "--force"]].concat());
}

#[test]
fn a_program_that_dies_loses_and_the_record_says_how() {
    let place = Place::new();
    place.write("dies.sh", "echo out of memory >&2\nexit 9\n");
    let run = place.run(&[
        "engine", "match", OURS, "sh dies.sh", "--games", "1", "--log", "--actor", "omar", "--time-control",
        "5s/0",
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains("won by forfeit") && run.talk.contains("out of memory"), "{run:?}");
    let narrative = place.ask(&["log", "show", "game/match-1", "--json"]);
    assert!(narrative.contains("exit status: 9") && narrative.contains("forfeit"), "{narrative}");
    assert_eq!(place.run(&["log", "verify"]).status, 0);
}

#[test]
fn what_cannot_be_played_is_said_before_anything_is() {
    let place = Place::new();
    for (words, why) in [
        (&["engine", "match", OURS][..], "two contestants or more"),
        (&["engine", "match", OURS, "annals:strength=9"], "not a valid setting of a player"),
        (&["engine", "match", OURS, "annals:nods=9"], "did you mean `nodes`?"),
        (&["engine", "match", OURS, "annals:evaluator=oracle"], "there is no evaluator `oracle`"),
        (&["engine", "match", OURS, OURS, "--time-control", "soon"], "time control has two to six"),
        (&["engine", "match", OURS, OURS, "--move-time", "0"], "not a valid time for a turn"),
        (&["engine", "match", OURS, OURS, "--position", "g [E]"], "64 are wanted"),
        (&["engine", "match", OURS, OURS, "--event", "Not A Name", "--actor", "omar"], "no name of a game"),
    ] {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.talk.contains(why), "`{why}`: {run:?}");
    }
    place.ask(&["log", "init", "--simulated", "--actor", "omar"]);
    let simulated = place.run(&["engine", "match", OURS, OURS, "--log", "--actor", "omar"]);
    assert!(simulated.status == 2 && simulated.talk.contains("simulated clock"), "{simulated:?}");
}

#[test]
fn a_match_that_is_interrupted_or_ended_halts_its_games_and_leaves_no_program_behind() {
    for signal in ["-INT", "-TERM"] {
        interrupted_by(signal);
    }
}

fn interrupted_by(signal: &str) {
    let place = Place::new();
    place.write(
        "silent.sh",
        "while read -r word rest; do case $word in aei) echo aeiok ;; isready) echo readyok ;; \
         go) echo $$ > asked.part; mv asked.part asked; sleep 600 ;; esac; done",
    );
    place.ask(&["log", "init", "--actor", "omar"]);
    let mut running = Command::new(env!("CARGO_BIN_EXE_annals"))
        .args(["engine", "match", OURS, "sh silent.sh", "--games", "3", "--log", "--actor", "omar"])
        .env("ANNALS_HOME", "home")
        .current_dir(place.path(""))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let since = Instant::now();
    while !place.path("asked").exists() {
        assert!(since.elapsed() < Duration::from_secs(30), "the program was never asked for a turn");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args([signal, &running.id().to_string()]).status().unwrap().success());
    let asked = Instant::now();
    let status = loop {
        if let Some(status) = running.try_wait().unwrap() {
            break status;
        }
        if asked.elapsed() > Duration::from_secs(20) {
            let _ = running.kill();
            let _ = running.wait();
            panic!("it does not stop");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(130));
    let group = format!("-{}", std::fs::read_to_string(place.path("asked")).unwrap().trim());
    // What the program started is dead too, but it is there until the system has taken note of it.
    let ended = Instant::now();
    while Command::new("kill").args(["-0", "--", &group]).output().unwrap().status.success() {
        assert!(
            ended.elapsed() < Duration::from_secs(20),
            "{signal}: the program or what it started is still there"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    let narrative = place.ask(&["log", "show", "game/match-1"]);
    assert!(narrative.contains("Play was halted"), "{narrative}");
    assert_eq!(place.run(&["log", "show", "game/match-2"]).status, 2, "no further game began");
}

/// A Python with pyrimaa, named by the environment; none, said aloud, where there is none.
fn pyrimaa() -> Option<OsString> {
    let python = std::env::var_os("ANNALS_PYRIMAA");
    if python.is_none() {
        eprintln!(
            "skipped: ANNALS_PYRIMAA names no Python in which `import pyrimaa` works (pip install aei)"
        );
    }
    python
}

#[test]
fn pyrimaas_controller_plays_our_engine_without_a_complaint() {
    let Some(python) = pyrimaa() else { return };
    let place = Place::new();
    let simple = format!("{} -m pyrimaa.simple_engine", python.to_string_lossy());
    let ours = format!("{} engine aei --nodes 2000", env!("CARGO_BIN_EXE_annals"));
    let config = format!(
        "[global]\nbots = ours simple\nrounds = 2\ntimecontrol = 2s/20s/100/1m/0/0\n\
         [ours]\ncmdline = {ours}\n[simple]\ncmdline = {simple}\n"
    );
    place.write("roundrobin.cfg", config);
    let output = Command::new(&python)
        .args(["-m", "pyrimaa.roundrobin", "--config", "roundrobin.cfg", "--log", "DEBUG"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("After round 2") && said.contains("ours has 2 wins and 0 timeouts"), "{said}");
    for complaint in
        ["Error:", "Warning:", "Traceback", "Unexpected", "illegal", "because of i", "because of t"]
    {
        assert!(!said.contains(complaint), "`{complaint}` in\n{said}");
    }
}

#[test]
fn pyrimaas_engine_plays_under_our_controller() {
    let Some(python) = pyrimaa() else { return };
    let place = Place::new();
    let simple = format!("{} -m pyrimaa.simple_engine", python.to_string_lossy());
    let results = place.ask_json(&[
        "engine", "match", "annals:nodes=2000", &simple, "--games", "2", "--move-time", "0.1", "--threads",
        "2", "--log", "--actor", "omar", "--json",
    ]);
    assert_eq!(results["contestants"][0]["wins"], 2, "{results:#}");
    for game in results["games"].as_array().unwrap() {
        assert_eq!(
            (&game["remarks"], &game["failure"]),
            (&serde_json::json!([]), &serde_json::Value::Null),
            "{game:#}"
        );
    }
    assert_eq!(place.run(&["log", "verify"]).status, 0);
}
