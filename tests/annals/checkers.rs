//! The independent checkers in Python (`ANNALS_ORACLES` names their folder, else `../shared/oracles` beside the workspace),
//! and what a test says when they are not at hand.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match std::env::var_os("ANNALS_ORACLES") {
        Some(folder) => root.join(folder),
        None => root.join("../shared/oracles"),
    }
}

/// Runs a Python text among the checkers, with JSON on its standard input, and reads the JSON that it prints. None, said
/// aloud, where Python, a module or the folder is not at hand; under `CI=true` that is a failure.
pub fn ask_the_checkers(text: &str, input: &Value) -> Option<Value> {
    let folder = folder();
    let ready = Command::new("python3").args(["-c", "import networkx, mpmath"]).output();
    let ready = ready.is_ok_and(|output| output.status.success());
    if !ready || !folder.join("olympiad.py").is_file() {
        let what = format!("no checkers in {}, or no python3 with networkx and mpmath", folder.display());
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{what}; name them in ANNALS_ORACLES");
        eprintln!("skipped: {what}; name their folder in ANNALS_ORACLES");
        return None;
    }
    let mut child = Command::new("python3")
        .args(["-c", text])
        .env("PYTHONPATH", &folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = input.to_string().into_bytes();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the checker finds something wrong: see its message above");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}
