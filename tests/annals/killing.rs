//! Commands that are ended while they work.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::program::Place;

/// Runs a command and sends it a signal as soon as `is_reached`; returns whether it was still running, and its output.
pub fn ended(place: &Place, words: &[&str], signal: Signal, is_reached: impl Fn() -> bool) -> (bool, Output) {
    let mut child = place.command(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    let running = loop {
        if child.try_wait().unwrap().is_some() {
            break false;
        }
        if is_reached() {
            kill(Pid::from_raw(child.id() as i32), signal).unwrap();
            break true;
        }
        assert!(started.elapsed() < Duration::from_secs(300), "{words:?} does not get so far");
        std::thread::sleep(Duration::from_millis(1));
    };
    (running, child.wait_with_output().unwrap())
}

/// The length of a file, 0 if there is none.
pub fn length(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |data| data.len())
}

/// When a file was last written, if there is one.
pub fn written(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file).and_then(|data| data.modified()).ok()
}
