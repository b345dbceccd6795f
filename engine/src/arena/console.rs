//! The lines that a director types while a game is played.

use std::io::{BufRead as _, BufReader, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};

use super::director::Decision;

/// The interval at which the flag that stops the match is read while waiting for a decision.
const LOOK: Duration = Duration::from_millis(100);

/// The lines of a director.
#[derive(Debug)]
pub struct Console(Mutex<Receiver<String>>);

impl Console {
    /// Reads lines in a thread of its own, until the input ends.
    #[must_use]
    pub fn read(input: impl Read + Send + 'static) -> Console {
        let (typed, lines) = unbounded();
        thread::spawn(move || {
            for line in BufReader::new(input).lines().map_while(Result::ok) {
                if typed.send(line).is_err() {
                    return;
                }
            }
        });
        Console(Mutex::new(lines))
    }

    /// The next line, if one is typed already.
    pub fn line(&self) -> Option<String> {
        self.0.lock().ok()?.try_recv().ok()
    }

    /// Waits for a decision; play is halted when `stop` is set or the input ends. `note` prints a message for the director.
    pub fn decision(&self, stop: &AtomicBool, note: &dyn Fn(&str)) -> Decision {
        while !stop.load(Ordering::Relaxed) {
            let line =
                self.0.lock().map_or(Err(RecvTimeoutError::Disconnected), |lines| lines.recv_timeout(LOOK));
            match line.as_deref().map(str::trim) {
                Err(RecvTimeoutError::Timeout) | Ok("") => {}
                Err(RecvTimeoutError::Disconnected) => {
                    note("no decision can be entered any more, so play is halted");
                    break;
                }
                Ok(text) => match text.parse() {
                    Ok(decision) => return decision,
                    Err(error) => note(&error.to_string()),
                },
            }
        }
        Decision::Halt
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn lines_are_read_until_one_is_a_decision_and_play_halts_where_the_input_ends() {
        let notes = RefCell::new(Vec::new());
        let note = |text: &str| notes.borrow_mut().push(text.to_owned());
        let going = AtomicBool::new(false);
        let console = Console::read("\nperhaps\n again \n".as_bytes());
        assert_eq!(console.decision(&going, &note), Decision::Again);
        assert_eq!(notes.take(), ["`perhaps` is not a valid decision; write `lost`, `again` or `halt`"]);
        assert_eq!(console.decision(&going, &note), Decision::Halt);
        assert_eq!(notes.take(), ["no decision can be entered any more, so play is halted"]);
        let stopped = Console::read("lost\n".as_bytes());
        assert_eq!(stopped.decision(&AtomicBool::new(true), &note), Decision::Halt);
    }
}
