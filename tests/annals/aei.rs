//! Our engine as any controller meets it: a process that is talked to in lines.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::program::Place;

/// A running engine.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(words: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_annals"))
            .args(["engine", "aei"])
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, lines: &str) {
        writeln!(self.input.as_mut().unwrap(), "{lines}").unwrap();
    }

    fn until(&mut self, begin: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(30)).unwrap();
            if line.starts_with(begin) {
                return line;
            }
        }
    }

    /// Its exit status, within a few seconds.
    fn status(&mut self) -> Option<i32> {
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(15) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_sets_up_and_plays_and_ends_with_quit_or_the_end_of_its_input() {
    let mut engine = Engine::start(&["--nodes", "300", "--setup", "random", "--seed", "5"]);
    engine.say("aei");
    engine.until("aeiok");
    engine.say("newgame\ngo");
    let setup = engine.until("bestmove");
    assert_eq!(setup.split(' ').count(), 17, "{setup}");
    engine.say("quit");
    assert_eq!(engine.status(), Some(0));

    let mut again = Engine::start(&["--settings", "nodes=300,setup=random,seed=5"]);
    again.say("aei\nnewgame\ngo");
    assert_eq!(again.until("bestmove"), setup, "the seed decides");
    again.input = None;
    assert_eq!(again.status(), Some(0));
}

#[test]
fn it_leaves_with_an_error_when_it_is_told_nonsense_or_cannot_begin() {
    let mut engine = Engine::start(&[]);
    engine.say("aei\nwhat is this");
    let said = engine.until("log Error:");
    assert!(said.contains("`what`"), "{said}");
    assert_eq!(engine.status(), Some(1));

    let place = Place::new();
    let run = place.run(&["engine", "aei", "--evaluator", "oracle"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("there is no evaluator `oracle`"), "{run:?}");
    for (words, why) in [
        (&["--nodes", "0"][..], "is not a valid value of `nodes`"),
        (&["--time", "soon"], "is not a valid value of `time`"),
        (&["--settings", "nods=5"], "did you mean `nodes`?"),
        (&["--settings", "nodes=5", "--nodes", "6"], "`nodes` is set twice"),
    ] {
        let run = place.run(&[&["engine", "aei"], words].concat());
        assert!(run.status == 2 && run.talk.contains(why), "`{why}`: {run:?}");
    }
}
