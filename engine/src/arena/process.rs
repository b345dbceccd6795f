//! A child program with communication by lines. Independent of its behaviour, a call never waits longer than
//! its limit, memory for its output is bounded, and no process remains.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use nix::unistd::Pid;

use super::command_line::CommandLine;
use super::running::Running;
use crate::aei::lines::{AeiLine, Lines};

/// Lines that wait to be read; when there are more, the program waits.
const LINES: usize = 256;

/// Lines that wait to be written.
const TO_WRITE: usize = 256;

/// Bytes of a program's standard error that are stored.
const KEPT_TALK: usize = 2048;

/// The interval of checks whether a program has ended.
const LOOK: Duration = Duration::from_millis(5);

/// The interval of checks while it sends nothing.
const LOOK_WHILE_SILENT: Duration = Duration::from_millis(100);

/// The time limit for the last output on standard error of an ended program.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Why the communication with a program ended.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    #[error("`{command}` cannot be started: {source}")]
    Start { command: String, source: io::Error },
    #[error("{0}")]
    Gone(String),
    /// It sent nothing (more) in time.
    #[error("it did not answer in time")]
    Silent,
    #[error("it does not read its input")]
    Deaf,
}

/// A running program. Dropping it ends it, with all processes of its group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Option<Pid>,
    running: Running,
    ended: bool,
    lines: Receiver<AeiLine>,
    to_write: Sender<String>,
    talk: Arc<Mutex<VecDeque<u8>>>,
    talk_over: Receiver<()>,
}

impl Process {
    /// Starts a program in a folder (default: that of this program) with further variables of environment, and adds it to
    /// the running ones.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(
        command: &CommandLine,
        folder: Option<&PathBuf>,
        environment: &[(String, String)],
        running: &Running,
    ) -> Result<Process, ProcessError> {
        let mut start = Command::new(command.program());
        start.args(command.arguments()).envs(environment.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = folder {
            start.current_dir(folder);
        }
        // A group of its own, so that its child processes can be ended with it.
        start.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, group) = running
            .start(&mut start)
            .map_err(|source| ProcessError::Start { command: command.to_string(), source })?;
        let (line_sender, lines) = bounded(LINES);
        let (to_write, writing) = bounded::<String>(TO_WRITE);
        let (over, talk_over) = bounded::<()>(0);
        let talk = Arc::new(Mutex::new(VecDeque::new()));
        let outputs = (child.stdout.take(), child.stderr.take(), child.stdin.take());
        let kept = Arc::clone(&talk);
        // From here on every return ends the program.
        let process = Process {
            child,
            group,
            running: running.clone(),
            ended: false,
            lines,
            to_write,
            talk,
            talk_over,
        };
        let threads = || -> io::Result<()> {
            if let (Some(output), Some(errors), Some(input)) = outputs {
                spawn(move || hear(output, &line_sender))?;
                spawn(move || {
                    overhear(errors, &kept);
                    drop(over);
                })?;
                spawn(move || tell(input, &writing))?;
            }
            Ok(())
        };
        threads().map_err(|source| ProcessError::Start { command: command.to_string(), source })?;
        Ok(process)
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line; never waits.
    ///
    /// # Errors
    /// When it has ended, or does not read.
    pub fn say(&mut self, line: &str) -> Result<(), ProcessError> {
        match self.to_write.try_send(format!("{line}\n")) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(ProcessError::Deaf),
            Err(TrySendError::Disconnected(_)) => Err(self.gone("input")),
        }
    }

    /// The next line that it sends, or none until then.
    ///
    /// # Errors
    /// When it sends nothing until then, or has ended and all its output was read.
    pub fn hear(&mut self, until: Instant) -> Result<AeiLine, ProcessError> {
        loop {
            match self.lines.recv_deadline(until.min(Instant::now() + LOOK_WHILE_SILENT)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone("output")),
                // Its child processes may keep its output open after its end; ending them ends the output.
                Err(RecvTimeoutError::Timeout) if self.has_ended() => {
                    self.end_now();
                    let last = self.lines.recv_timeout(LAST_WORDS);
                    return last.map_err(|_| self.gone("output"));
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= until => {
                    return Err(ProcessError::Silent);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The last part of its standard error, on one line.
    #[must_use]
    pub fn last_words(&self) -> String {
        let Ok(talk) = self.talk.lock() else { return String::new() };
        let bytes: Vec<u8> = talk.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let last = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("");
        crate::aei::shown(last)
    }

    /// The message for a closed input or output of the program.
    fn gone(&mut self, closed: &str) -> ProcessError {
        // That is nearly always the end of the program, which the system reports slightly later.
        let ended = self.wait_for_end(LAST_WORDS);
        let mut what = match ended.then(|| self.child.try_wait()) {
            Some(Ok(Some(status))) => format!("the program ended ({status})"),
            _ => format!("the program closed its {closed}"),
        };
        let _ = self.talk_over.recv_timeout(LAST_WORDS);
        let words = self.last_words();
        if !words.is_empty() {
            what.push_str(&format!("; it said: {words}"));
        }
        ProcessError::Gone(what)
    }

    /// Waits for its end, and ends the other processes of its group; false if it still runs.
    fn wait_for_end(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        while !self.ended {
            if self.has_ended() {
                self.end_now();
            } else if Instant::now() >= until {
                return false;
            } else {
                thread::sleep(LOOK);
            }
        }
        true
    }

    /// Whether it has ended. It is not reaped: until then, its process id is not reused, and its group
    /// can be ended by that id.
    fn has_ended(&mut self) -> bool {
        self.ended || ended_unreaped(self.group).unwrap_or_else(|| !matches!(self.child.try_wait(), Ok(None)))
    }

    /// Waits for its own end up to a limit, and then ends it.
    pub fn end(mut self, patience: Duration) {
        self.wait_for_end(patience);
    }

    fn end_now(&mut self) {
        if self.ended {
            return;
        }
        if let Some(group) = self.group {
            self.running.end(group);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.ended = true;
    }
}

/// Whether a process has ended, without reaping it; none if the system does not report it.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn ended_unreaped(process: Option<Pid>) -> Option<bool> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};

    let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    process.map(|process| !matches!(waitid(Id::Pid(process), look), Ok(WaitStatus::StillAlive)))
}

/// On this system the query reaps the process.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
fn ended_unreaped(_process: Option<Pid>) -> Option<bool> {
    None
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end_now();
    }
}

/// Starts a thread, if the system allows one.
fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

/// Writes lines until there are no more, or the program does not read.
fn tell(mut input: impl Write, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Passes lines on until the output ends or no receiver is left.
fn hear(output: impl Read, lines: &Sender<AeiLine>) {
    let mut output = Lines::new(BufReader::new(output));
    while let Ok(Some(line)) = output.next_line() {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Stores the last part of the output, and drops the earlier one.
fn overhear(mut errors: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut chunk = [0; 4096];
    loop {
        let read = match errors.read(&mut chunk) {
            Ok(0) => return,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let Ok(mut kept) = kept.lock() else { return };
        kept.extend(&chunk[..read]);
        let surplus = kept.len().saturating_sub(KEPT_TALK);
        kept.drain(..surplus);
    }
}
