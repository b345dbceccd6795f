//! Commands that are interrupted at a call to the kernel.

use std::fs;
use std::process::Command;

use crate::program::{Place, Run};

/// Runs the program under strace, which reports its calls on files of the log, or fails some of them; none, said aloud, where
/// there is no strace.
pub fn traced(place: &Place, files: &[&str], how: &str, words: &[&str]) -> Option<(Run, String)> {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "calls.txt"]);
    for name in files {
        strace.arg("-P").arg(place.path("home").join(name));
    }
    strace.args(["-e", "trace=write,pwrite64,fsync,fdatasync,ftruncate,unlink,rename", "-e", how]);
    let program = strace.arg(env!("CARGO_BIN_EXE_annals")).args(words).current_dir(place.path(""));
    // Paths are compared as texts.
    let output = match program.env("ANNALS_HOME", place.path("home")).output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: strace cannot be run ({error})");
            return None;
        }
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().unwrap_or(-1);
    let run = Run { status, out: text(&output.stdout), talk: text(&output.stderr) };
    let calls = fs::read_to_string(place.path("calls.txt")).unwrap_or_default();
    if calls.is_empty() {
        eprintln!("skipped: this system does not permit to trace a process: {run:?}");
        return None;
    }
    Some((run, calls))
}
