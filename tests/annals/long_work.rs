//! Long work: what a training says of a network that learned nothing, what Ctrl-C leaves, and progress on a terminal.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::killing::{ended, written};
use crate::program::Place;

const GAMES: [&str; 9] = ["engine", "selfplay", "--games", "16", "--seed", "4", "--nodes", "40", "-o"];

const TRAIN: [&str; 9] = [
    "learn",
    "train",
    "games.txt",
    "--network",
    "conv filters=2 kernel=4 hidden=8",
    "--batch-size",
    "64",
    "--all-games",
    "--folds",
];

fn place_with_games() -> Place {
    let place = Place::new();
    place.ask(&[&GAMES[..], &["games.txt"]].concat());
    place
}

#[test]
fn a_network_that_loses_to_the_constant_is_named_as_such() {
    let place = place_with_games();
    for rate in ["0.00001", "5"] {
        let words = [&TRAIN[..], &["3", "--epochs", "1", "--learning-rate", rate]].concat();
        let told = place.ask_json(&[&words[..], &["--json"]].concat());
        let network = told["all"]["network"]["all"]["mse"].as_f64().unwrap();
        let constant = told["all"]["baselines"][0]["score"]["all"]["mse"].as_f64().unwrap();
        let text = place.ask(&words);
        let is_said = text.contains("predicts no better than the constant");
        assert_eq!(is_said, network >= constant, "{network} {constant}: {text}");
        assert!(rate != "5" || is_said, "{network} {constant}: {text}");
        for bin in told["all"]["network"]["calibration"].as_array().unwrap() {
            assert!((0.0..=1.0).contains(&bin["predicted"].as_f64().unwrap()), "{bin}");
        }
    }
}

#[test]
fn ctrl_c_names_the_option_that_goes_on_with_a_training() {
    let place = place_with_games();
    let words =
        [&TRAIN[..], &["3", "--epochs", "100000", "--patience", "100000", "-o", "n.safetensors"]].concat();
    let checkpoint = place.path("n.safetensors.checkpoint");
    // The second run goes on from the checkpoint of the first, and writes it again.
    for more in [&[][..], &["--resume"]] {
        let before = written(&checkpoint);
        let words = [&words[..], more].concat();
        let (_, output) = ended(&place, &words, Signal::SIGINT, || written(&checkpoint) != before);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("--resume continues from n.safetensors.checkpoint"), "{said}");
        assert!(!said.contains("starts again"), "{said}");
    }
}

/// Runs a command to its end through up to so many kills, each after its checkpoint was written again; returns their number.
fn through_kills(place: &Place, words: &[&str], checkpoint: &str, most: usize) -> usize {
    let checkpoint = place.path(checkpoint);
    for kills in 0..most {
        let before = written(&checkpoint);
        let (running, output) = ended(place, words, Signal::SIGKILL, || written(&checkpoint) != before);
        if !running {
            assert!(output.status.success(), "{output:?}");
            return kills;
        }
    }
    place.ask(words);
    most
}

#[test]
fn a_training_that_is_killed_ends_with_the_same_network() {
    let place = place_with_games();
    let words = |output: &'static str| [&TRAIN[..], &["3", "--epochs", "40", "-o", output]].concat();
    place.ask(&words("whole.safetensors"));
    let resumed = [&words("killed.safetensors")[..], &["--resume"]].concat();
    let kills = through_kills(&place, &resumed, "killed.safetensors.checkpoint", 6);
    assert!(kills >= 3, "{kills} kills");
    let [whole, killed] =
        ["whole", "killed"].map(|name| std::fs::read(place.path(&format!("{name}.safetensors"))).unwrap());
    assert!(whole == killed, "the networks differ");
}

#[test]
fn a_grid_that_is_killed_ends_with_the_same_table() {
    let place = place_with_games();
    let words = [
        "learn", "grid", "games.txt", "--epochs", "2", "--batch-size", "64", "--all-games", "--dropouts",
        "0,0.1", "--kernels", "4x4,2x2", "--optimizers", "nesterov,momentum", "--regularizers", "none",
    ];
    let whole = place.ask(&words);
    let resumed = [&words[..], &["--checkpoint", "grid.json", "--resume"]].concat();
    let kills = through_kills(&place, &resumed, "grid.json", 6);
    assert!(kills >= 3, "{kills} kills");
    assert_eq!(place.ask(&resumed), whole);
}

#[test]
fn ctrl_c_names_what_a_grid_keeps() {
    let place = place_with_games();
    let words = ["learn", "grid", "games.txt", "--epochs", "20", "--batch-size", "64", "--all-games"];
    for (more, said) in [
        (&[][..], "nothing is kept"),
        (&["--checkpoint", "grid.json"][..], "--resume continues from grid.json"),
    ] {
        let mut command = place.command(&[&words[..], more].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("trainings finished") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "the grid ended");
        }
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
        assert!(rest.contains(said), "{rest}");
    }
}

#[test]
fn generating_and_ingesting_show_their_progress_on_a_terminal() {
    let place = Place::new();
    let shown = |words: &str| {
        let program = format!("{} {words}", env!("CARGO_BIN_EXE_annals"));
        let mut command = Command::new("script");
        command.args(["-qefc", &program, "/dev/null"]).current_dir(place.path("")).stdin(Stdio::null());
        let output = command.env("ANNALS_HOME", "home").env("TERM", "xterm").output().ok()?;
        assert!(output.status.success(), "{output:?}");
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Some(generated) = shown("synthesize --games 400 -o games.txt") else {
        eprintln!("skipped: there is no `script` to make a terminal");
        return;
    };
    assert!(generated.contains("generating") && generated.contains("/400 games"), "{generated}");
    let ingested = shown("ingest games.txt").unwrap();
    assert!(ingested.contains("turns/s"), "{ingested}");
    // In a pipe there is none.
    let piped = place.run(&["synthesize", "--games", "2", "-o", "two.txt"]);
    assert!(!piped.talk.contains("generating"), "{piped:?}");
}
