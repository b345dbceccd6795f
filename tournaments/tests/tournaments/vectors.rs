//! What the tests share: the vectors of the independent checkers (`ANNALS_ORACLES` names their folder, else
//! `../shared/oracles` beside the repository), and the checkers themselves where Python is at hand. Where a file is missing a
//! test says so and passes, except under `CI=true`.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use annals_events::tournament::Outcome;
use annals_events::{BoardId, PlayerId};
use annals_tournaments::record::{Contestant, Ending, PlayedGame, PlayedRound};
use serde_json::Value;

pub use crate::driver::numbers::{Numbers, cases, long};

fn folder() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    match std::env::var_os("ANNALS_ORACLES") {
        Some(folder) => root.join(folder),
        None => root.join("../shared/oracles"),
    }
}

/// A file of vectors; none, with a message, where it is not at hand.
pub fn vectors(name: &str) -> Option<Value> {
    let path = folder().join("vectors").join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice(&bytes).expect("the vectors are JSON")),
        Err(error) => {
            let ci = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!ci, "{} cannot be read: {error}", path.display());
            eprintln!("skipped: {} cannot be read ({error}); set ANNALS_ORACLES", path.display());
            None
        }
    }
}

/// Runs a Python text among the independent checkers, with JSON on its standard input, and reads the JSON that it
/// prints. None, with a message, without `ANNALS_LONG=1` or where Python or a module is not at hand.
pub fn ask_the_checkers(text: &str, input: &Value) -> Option<Value> {
    if !long() {
        eprintln!("skipped: the comparison with the checkers themselves is a long run; set ANNALS_LONG=1");
        return None;
    }
    let folder = folder();
    if !folder.is_dir() {
        eprintln!("skipped: {} is no folder; set ANNALS_ORACLES", folder.display());
        return None;
    }
    let ready = Command::new("python3").args(["-c", "import networkx, mpmath"]).output();
    if !ready.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 with networkx and mpmath is not at hand");
        return None;
    }
    let mut child = Command::new("python3")
        .args(["-c", text])
        .env("PYTHONPATH", &folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut stdin = child.stdin.take().expect("it has a standard input");
    let bytes = input.to_string().into_bytes();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends").expect("python3 reads its input");
    assert!(output.status.success(), "the checker failed: see its message above");
    Some(serde_json::from_slice(&output.stdout).expect("the checker prints JSON"))
}

/// A player of the checkers' files, whose names may have capitals: each becomes the small letter and `_`.
pub fn id(name: &str) -> PlayerId {
    let small = |letter: char| {
        let mark = if letter.is_ascii_uppercase() { "_" } else { "" };
        format!("{}{mark}", letter.to_ascii_lowercase())
    };
    name.chars().map(small).collect::<String>().parse().unwrap()
}

/// The name that [`id`] was made from.
pub fn named(player: &PlayerId) -> String {
    let mut name = String::new();
    for letter in player.as_str().chars() {
        match name.pop() {
            Some(capital) if letter == '_' => name.push(capital.to_ascii_uppercase()),
            before => name.extend(before.into_iter().chain([letter])),
        }
    }
    name
}

/// A game of a record that has only what scores depend on.
pub fn played(gold: &PlayerId, silver: &PlayerId, outcome: Option<Outcome>, ending: Ending) -> PlayedGame {
    PlayedGame {
        pairing: BoardId { round: 1, board: 1 },
        encounter: None,
        gold: gold.clone(),
        silver: silver.clone(),
        coloured: true,
        outcome,
        ending,
        games_played: 1,
        territory: None,
        territory_ruled: false,
    }
}

/// Rounds of one stage, numbered from 1.
pub fn numbered(rounds: &[PlayedRound]) -> Vec<PlayedRound> {
    let mut rounds = rounds.to_vec();
    for (number, round) in (1..).zip(&mut rounds) {
        round.number = number;
        round.games.iter_mut().for_each(|game| game.pairing.round = number);
    }
    rounds
}

/// A player of a record.
pub fn contestant(player: PlayerId, rating: Option<i64>) -> Contestant {
    Contestant { name: named(&player), player, rating }
}
