//! The files of one log, the processes that work on it, and its clock. Everything that the processes do is recorded, so
//! the power can fail at any instant of it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use annals_store::{anchor_path, wal_path};
use tempfile::TempDir;

use super::steps::{Fault, File, Numbers, Who};
use crate::child::command;
use crate::disk::Image;
use crate::process::Process;
use crate::scene::{START, tempdir_in_memory};
use crate::trace::{How, Op, Trace};
use crate::work::dice;

/// What came of a request to a process.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Ok(Vec<String>),
    No {
        kind: String,
        reason: String,
    },
    /// Nobody heard an answer.
    None,
}

/// What happened meanwhile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Happened {
    /// A call failed, or might have.
    pub call_failed: bool,
    pub killed: bool,
    pub power_lost: bool,
    pub lied: bool,
}

/// Files with their contents, as far as they are there.
pub type Files = Vec<(File, Option<Vec<u8>>)>;

pub struct World {
    pub folder: TempDir,
    pub path: PathBuf,
    pub is_real: bool,
    /// What the clock shows, and what it should, in microseconds.
    pub shows: i64,
    pub time: i64,
    pub story: Vec<String>,
    trace: Trace,
    /// Two writers, and the commands.
    processes: [Option<Process>; 3],
    /// Which of them have the log open.
    holds: [bool; 3],
    /// Which of these had it open when a command repaired it.
    outdated: [bool; 3],
    started: u64,
    seed: u64,
}

impl World {
    pub fn new(seed: u64) -> World {
        let folder = tempdir_in_memory();
        let (path, trace) = (folder.path().join("log.db"), Trace::of(folder.path()));
        let is_real = !dice(&[63, seed]).is_multiple_of(4);
        let (processes, started) = (Default::default(), 0);
        let story = Vec::new();
        World {
            folder,
            path,
            is_real,
            shows: START,
            time: START,
            story,
            trace,
            processes,
            holds: [false; 3],
            outdated: [false; 3],
            started,
            seed,
        }
    }

    pub fn file(&self, file: File) -> PathBuf {
        match file {
            File::Database => self.path.clone(),
            File::Wal => wal_path(&self.path),
            File::Shm => self.folder.path().join("log.db-shm"),
            File::Anchor => anchor_path(&self.path),
        }
    }

    pub fn tell(&mut self, what: impl Into<String>) {
        self.story.push(what.into());
    }

    /// A second goes by.
    pub fn tick(&mut self) {
        self.time += 1_000_000;
        self.shows += 1_000_000;
    }

    fn slot(who: Who) -> usize {
        match who {
            Who::Writer(number) => number,
            Who::Command => 2,
        }
    }

    /// Requests something of a process, which is started if it does not run.
    pub fn ask(
        &mut self,
        who: Who,
        line: &str,
        fault: Option<Fault>,
        numbers: Numbers,
    ) -> (Answer, Happened) {
        let slot = World::slot(who);
        if self.processes[slot].is_none() {
            self.started += 1;
            let mut command = command(&["serve"], &self.path, &[]);
            command.arg(if self.is_real { "real" } else { "simulated" });
            self.processes[slot] = Process::seeded(command, dice(&[64, self.seed, self.started]));
        }
        let process = self.processes[slot].as_mut().expect("a process that can be traced");
        let failure = match fault {
            Some(Fault::Call(failure)) => Some(failure),
            _ => None,
        };
        let before = self.trace.ops.len();
        let said = process.ask(&mut self.trace, line, failure);
        let mut happened = Happened::default();
        match failure.map(|failure| failure.how) {
            Some(How::Killed) => happened.killed = said.is_none(),
            Some(_) => happened.call_failed = true,
            None => assert!(said.is_some(), "{line}: the process ended: {:#?}", self.story),
        }
        if said.is_none() {
            self.processes[slot] = None;
        }
        let mut answer = said.as_deref().map_or(Answer::None, Answer::of);
        match (line.split(' ').next(), &answer) {
            (Some("accept"), _) => (self.outdated, self.holds[slot]) = (self.holds, false),
            (_, Answer::None) | (Some("close"), _) => self.holds[slot] = false,
            (Some("open" | "create" | "confirm"), answer) => {
                self.holds[slot] = matches!(answer, Answer::Ok(_))
            }
            _ => {}
        }
        if let Some(Fault::Power | Fault::Liar) = fault {
            let lies = matches!(fault, Some(Fault::Liar));
            happened = Happened { power_lost: true, lied: lies, ..happened };
            if !self.lose_power(before, lies, numbers) {
                answer = Answer::None;
            }
        }
        self.tell(format!("{who:?} {line}: {answer}{happened}"));
        (answer, happened)
    }

    /// The power fails at an instant since an operation. Whether what was said since was said before that.
    fn lose_power(&mut self, since: usize, lies: bool, numbers: Numbers) -> bool {
        let end = self.trace.ops.len();
        // The last operations make safe what the others did: half of the instants are near them.
        let instants = (end - since) as u64 + 1;
        let instants = if numbers.once_in(24, 2) { 1 + numbers.below(25, instants) } else { instants };
        let instant = end - numbers.below(20, instants) as usize;
        // The lies began some time before, and are about all files or one.
        let first = numbers.below(21, instant as u64 + 1) as usize;
        let about = ["", "log.db", "log.db-wal", "log.anchor"][numbers.below(22, 4) as usize];
        let lied = |name: &str, at| lies && at >= first && (about.is_empty() || name == about);
        let image = Image::of_liar(&self.trace, instant, numbers.below(23, u64::MAX), lied);
        let heard = self.trace.ops[since..instant].iter().any(|op| matches!(op, Op::Say { .. }));
        let lies = if lies { format!("; syncs of `{about}` since {first} were lies") } else { String::new() };
        self.tell(format!("{} (from {since}){lies}", image.what));
        self.stop_all();
        image.write(self.folder.path());
        self.trace = Trace::of(self.folder.path());
        heard
    }

    /// Kills every process.
    pub fn stop_all(&mut self) {
        self.processes = Default::default();
        self.holds = [false; 3];
    }

    /// Whether a loss was accepted while a process had the log open.
    pub fn is_outdated(&self, who: Who) -> bool {
        self.outdated[World::slot(who)]
    }

    /// Whether a process has the log open.
    pub fn holds(&self, who: Who) -> bool {
        self.holds[World::slot(who)]
    }

    /// Changes files from outside, and takes down the result.
    pub fn change(&mut self, change: impl FnOnce(&Path)) {
        change(self.folder.path());
        self.trace.refresh();
    }

    /// The contents of the files of the log.
    pub fn files(&self) -> Files {
        [File::Database, File::Wal, File::Anchor].map(|file| (file, fs::read(self.file(file)).ok())).into()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Ok(words) => write!(f, "ok {}", words.join(" ")),
            Answer::No { kind, reason } => write!(f, "no {kind} {reason}"),
            Answer::None => f.write_str("(nobody heard an answer)"),
        }
    }
}

impl fmt::Display for Happened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (happened, what) in [
            (self.call_failed, "a call failed"),
            (self.killed, "it was killed"),
            (self.power_lost, "the power failed"),
            (self.lied, "the disk had lied"),
        ] {
            if happened {
                write!(f, "; {what}")?;
            }
        }
        Ok(())
    }
}

impl Answer {
    fn of(line: &str) -> Answer {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("ok") => Answer::Ok(words.map(str::to_owned).collect()),
            _ => {
                let kind = words.next().unwrap_or_default().to_owned();
                Answer::No { kind, reason: words.collect::<Vec<_>>().join(" ") }
            }
        }
    }

    /// The receipt at its end.
    pub fn receipt(words: &[String], from: usize) -> Option<annals_store::Head> {
        words.get(from..)?.join(" ").parse().ok()
    }
}
