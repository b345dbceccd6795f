//! What comes from outside while programs play: others who play on the same home, signals, and readers that go away.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{ACTOR_VARIABLES, Place, system_user};

const QUICK: [&str; 7] = ["engine", "match", "annals:nodes=5", "annals:nodes=5", "--turns", "6", "--log"];

/// The program in the folder of a place, not yet started.
fn program(place: &Place, words: &[&str]) -> Command {
    if words.contains(&"--log") && !place.path("home/log.db").exists() {
        place.ask(&["log", "init", "--actor", "omar"]);
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_annals"));
    program.args(words).env("ANNALS_HOME", "home").current_dir(place.path(""));
    program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    program
}

/// Plays in several processes at the same time; every one has to keep all of its games.
fn play_at_once(place: &Place, processes: usize, games: u64) {
    let count = games.to_string();
    let words = [&QUICK[..], &["--games", &count, "--event", "cup", "--actor", "omar"]].concat();
    let running: Vec<Child> = (0..processes).map(|_| program(place, &words).spawn().unwrap()).collect();
    for child in running {
        let output = child.wait_with_output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{talk}");
        assert_eq!(talk.matches(", game/cup-").count() as u64, games, "{talk}");
    }
    let all = processes as u64 * games;
    assert_eq!(place.run(&["log", "show", &format!("game/cup-{all}")]).status, 0);
    assert_eq!(place.run(&["log", "show", &format!("game/cup-{}", all + 1)]).status, 2);
    let verified = place.run(&["log", "verify"]);
    assert_eq!(verified.status, 0, "{verified:?}");
}

#[test]
fn matches_of_one_name_on_one_home_keep_all_their_games() {
    let place = Place::new();
    place.ask(&["log", "init", "--actor", "omar"]);
    play_at_once(&place, 2, 12);
}

#[test]
fn imports_that_begin_at_once_on_a_new_home_share_the_log_that_one_of_them_makes() {
    for _ in 0..3 {
        let place = Place::new();
        place.grow("games.txt", 3, 1);
        let words = ["log", "import", "games.txt", "--actor", "omar"];
        let running: Vec<Child> = (0..4).map(|_| program(&place, &words).spawn().unwrap()).collect();
        for child in running {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert_eq!(place.run(&["log", "verify"]).status, 0);
    }
}

/// A match with a program that is silent when it is asked for a turn and writes its number down; its game is running.
fn running_game(place: &Place) -> (Child, String) {
    place.write(
        "silent.sh",
        "trap '' TERM INT HUP\nwhile read -r word rest; do case $word in aei) echo aeiok ;; isready) echo readyok ;; \
         go) echo $$ > asked.part; mv asked.part asked; sleep 600 ;; esac; done",
    );
    let words =
        ["engine", "match", "annals:nodes=5", "sh silent.sh", "--games", "3", "--log", "--actor", "omar"];
    // A group of its own, so that the test is not part of what is ended.
    let child = program(place, &words).process_group(0).spawn().unwrap();
    let since = Instant::now();
    while !place.path("asked").exists() {
        assert!(since.elapsed() < Duration::from_secs(30), "the program was never asked for a turn");
        std::thread::sleep(Duration::from_millis(20));
    }
    (child, std::fs::read_to_string(place.path("asked")).unwrap().trim().to_owned())
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Waits for the end, which has to come soon, and for the group of the silent program to be gone.
fn ends_with_its_programs(mut child: Child, group: &str) {
    let asked = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if asked.elapsed() > Duration::from_secs(20) {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it does not stop");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(130));
    let gone =
        || !Command::new("kill").args(["-0", "--", &format!("-{group}")]).output().unwrap().status.success();
    let since = Instant::now();
    // Where the match is ended at once, nobody waits for what was killed.
    while !gone() {
        assert!(since.elapsed() < Duration::from_secs(5), "the program or what it started is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_second_signal_ends_the_programs_too() {
    let place = Place::new();
    let (child, group) = running_game(&place);
    // The match is held between the two, so that the first cannot be done with before the second comes.
    send("-STOP", &child);
    send("-INT", &child);
    send("-TERM", &child);
    send("-CONT", &child);
    ends_with_its_programs(child, &group);
}

#[test]
fn a_match_halts_its_game_when_the_terminal_goes_away() {
    let place = Place::new();
    let (mut child, group) = running_game(&place);
    drop(child.stderr.take());
    send("-HUP", &child);
    ends_with_its_programs(child, &group);
    let narrative = place.ask(&["log", "show", "game/match-1"]);
    assert!(narrative.contains("Play was halted"), "{narrative}");
}

#[test]
fn a_match_goes_on_when_nobody_listens_to_what_is_said() {
    let place = Place::new();
    let words = [&QUICK[..], &["--games", "6", "--actor", "omar"]].concat();
    let mut child = program(&place, &words).spawn().unwrap();
    let mut talk = BufReader::new(child.stderr.take().unwrap());
    let mut first = String::new();
    talk.read_line(&mut first).unwrap();
    drop(talk);
    assert!(first.contains("match"), "{first}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(place.run(&["log", "show", "game/match-6"]).status, 0);
    if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
        let status = program(&place, &words).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(0));
        assert_eq!(place.run(&["log", "show", "game/match-12"]).status, 0);
    }
}

#[test]
fn without_a_name_in_the_environment_the_actor_of_a_match_is_the_user() {
    let place = Place::new();
    let mut match_of_nobody = program(&place, &[&QUICK[..], &["--games", "1"]].concat());
    for name in ACTOR_VARIABLES {
        match_of_nobody.env_remove(name);
    }
    assert_eq!(match_of_nobody.status().unwrap().code(), Some(0));
    let narrative = place.ask(&["log", "show", "game/match-1", "--json"]);
    let actor = format!(r#""actor":"{}""#, system_user());
    assert!(narrative.lines().next().unwrap().contains(&actor), "{narrative}");
}

#[test]
fn a_position_in_which_nothing_can_be_played_is_refused_before_anything_starts() {
    let place = Place::new();
    let decided = format!("2s [{:63}e]", 'E');
    let start = format!("2s [rrrrrrrrhdcemcdh{:32}HDCMECDHRRRRRRRR]", "");
    for (position, why) in [
        (decided.as_str(), "the position is decided already: gold won by elimination"),
        (&format!("{start} Ra2n"), "`Ra2n` stands outside of the brackets"),
    ] {
        let run = place.run(&[&QUICK[..6], &["--actor", "omar", "--position", position]].concat());
        assert!(run.status == 2 && run.talk.contains(why) && run.out.is_empty(), "`{why}`: {run:?}");
        assert!(!place.path("home").exists(), "nothing was to begin");
    }
    // It plays its own kind from there.
    let ours = format!("'{}' engine aei --nodes 5", env!("CARGO_BIN_EXE_annals"));
    let words = [
        "engine", "match", "annals:nodes=5", &ours, "--turns", "4", "--actor", "omar", "--position", &start,
        "--json",
    ];
    let results = place.ask_json(&words);
    for game in results["games"].as_array().unwrap() {
        assert_eq!(
            (&game["termination"], &game["remarks"]),
            (&"score".into(), &serde_json::json!([])),
            "{game:#}"
        );
    }
}

#[test]
fn a_turn_that_the_match_refuses_is_no_finding_in_its_own_log() {
    let place = Place::new();
    place.write(
        "short.sh",
        "while read -r word rest; do case $word in aei) echo aeiok ;; isready) echo readyok ;; \
         go) echo 'bestmove Ra1' ;; quit) exit ;; esac; done",
    );
    place.write(
        "false.sh",
        "n=0; while read -r word rest; do case $word in aei) echo aeiok ;; isready) echo readyok ;; \
         go) n=$((n+1)); case $n in \
         1) echo 'bestmove Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Ed2 Me2 Cf2 Hg2 Rh2' ;; \
         *) echo 'bestmove Ra2n Ra3x' ;; esac ;; quit) exit ;; esac; done",
    );
    for (program, rule) in [("sh short.sh", "setup_incomplete"), ("sh false.sh", "capture_misstated")] {
        let words = [
            "engine", "match", program, "annals:nodes=5", "--games", "1", "--strict", "--log", "--actor",
            "omar", "--json",
        ];
        let results = place.ask_json(&words);
        let failure = &results["games"][0]["failure"];
        assert_eq!(failure["code"], "illegal_move", "{results:#}");
        assert!(failure["message"].as_str().unwrap().contains(rule), "{failure}");
    }
    assert!(place.ask(&["log", "show", "game/match-2", "--json"]).contains("turn_rejected"));
    let verified = place.run(&["log", "verify"]);
    assert!(verified.status == 0 && !verified.out.contains("rejection_disagrees"), "{verified:?}");
}
