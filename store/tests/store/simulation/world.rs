//! The files of one log, the processes that work on it, and its clock. Everything that the processes do is recorded, so
//! the power can fail at any instant of it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use annals_store::{anchor_path, wal_path};
use tempfile::TempDir;

use super::steps::{Fault, File, Numbers, Who};
use crate::child::serving;
use crate::disk::Image;
use crate::process::{Process, Progress};
use crate::scene::{START, tempdir_in_memory};
use crate::trace::{Failure, How, Op, Trace};
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

/// What is asked of a process: line after line, each once the one before it was done. A call may fail in each.
pub struct Asked {
    pub who: Who,
    pub lines: Vec<(String, Option<Failure>)>,
}

/// What a process answered to the lines that it began, and what happened to it.
#[derive(Debug, Default)]
pub struct Heard {
    pub answers: Vec<Answer>,
    /// After how many operations each was heard.
    heard_at: Vec<usize>,
    /// Whether a call was made to fail.
    pub has_failed: bool,
    pub happened: Happened,
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
    /// Two writers, the commands, and a reader.
    processes: [Option<Process>; 4],
    /// Which of them have the log open.
    holds: [bool; 4],
    /// Which of these had it open when a command repaired it.
    outdated: [bool; 4],
    started: u64,
    /// How many operations there were when each of them answered.
    said: [usize; 4],
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
            holds: [false; 4],
            outdated: [false; 4],
            started,
            said: [0; 4],
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
            Who::Reader => 3,
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
        let failure = match fault {
            Some(Fault::Call(failure)) => Some(failure),
            _ => None,
        };
        let asked = Asked { who, lines: vec![(line.to_owned(), failure)] };
        let mut heard = self.ask_all(&[asked], fault, numbers);
        let Heard { mut answers, happened, .. } = heard.remove(0);
        (answers.remove(0), happened)
    }

    /// Requests something of several processes, which work at the same time: between any two calls to the kernel another of
    /// them may go on. Then the power may fail at an instant of it.
    pub fn ask_all(&mut self, asked: &[Asked], power: Option<Fault>, numbers: Numbers) -> Vec<Heard> {
        let before = self.trace.ops.len();
        let mut heard: Vec<Heard> = asked.iter().map(|_| Heard::default()).collect();
        let mut working: Vec<usize> = (0..asked.len()).collect();
        for one in asked {
            self.start(World::slot(one.who));
            self.begin(one, 0);
        }
        let (mut asleep, mut chosen) = (None, 1_000);
        while !working.is_empty() {
            chosen += 2;
            let at = choose(numbers, chosen, working.len(), asleep.take());
            let (one, heard) = (&asked[working[at]], &mut heard[working[at]]);
            // Long runs of one process, and single calls in turn.
            let run = if working.len() > 1 { 1 << (2 * numbers.below(chosen + 1, 5)) } else { 1 };
            match self.go_on(one.who, run) {
                Progress::Working => {}
                Progress::Sleeping => asleep = Some(at),
                progress => {
                    let is_done = self.hear(one, heard, progress);
                    match is_done && heard.answers.len() < one.lines.len() {
                        true => self.begin(one, heard.answers.len()),
                        false => drop(working.remove(at)),
                    }
                }
            }
        }
        if let Some(fault @ (Fault::Power | Fault::Liar)) = power {
            let lies = matches!(fault, Fault::Liar);
            let instant = self.lose_power(before, lies, numbers);
            for heard in &mut heard {
                heard.happened = Happened { power_lost: true, lied: lies, ..heard.happened };
                let known = heard.heard_at.iter().filter(|at| **at <= instant).count();
                heard.answers.truncate(known);
                heard.answers.resize_with(heard.heard_at.len().min(known + 1), || Answer::None);
            }
        }
        for (asked, heard) in asked.iter().zip(&heard) {
            for ((line, _), answer) in asked.lines.iter().zip(&heard.answers) {
                self.tell(format!("{:?} {line}: {answer}{}", asked.who, heard.happened));
            }
        }
        heard
    }

    /// Lets a process on, so many times while it works.
    fn go_on(&mut self, who: Who, run: usize) -> Progress {
        let slot = World::slot(who);
        let process = self.processes[slot].as_mut().expect("a process that can be traced");
        for n in 1..=run {
            let before = self.trace.ops.len();
            let progress = process.go_on(&mut self.trace);
            if self.trace.ops[before..].iter().any(|op| matches!(op, Op::Say { .. })) {
                self.said[slot] = self.trace.ops.len();
            }
            if progress != Progress::Working || n == run {
                return progress;
            }
        }
        Progress::Working
    }

    fn start(&mut self, slot: usize) {
        if self.processes[slot].is_none() {
            self.started += 1;
            let clock = if self.is_real { "real" } else { "simulated" };
            self.processes[slot] =
                Process::seeded(serving(&self.path, clock), dice(&[64, self.seed, self.started]));
        }
    }

    fn begin(&mut self, asked: &Asked, line: usize) {
        let process = self.processes[World::slot(asked.who)].as_mut();
        let (line, failure) = &asked.lines[line];
        process.expect("a process that can be traced").begin(line, *failure);
    }

    /// Takes down an answer, or the end of a process. Whether what was asked was done.
    fn hear(&mut self, asked: &Asked, heard: &mut Heard, progress: Progress) -> bool {
        let slot = World::slot(asked.who);
        let (line, failure) = &asked.lines[heard.answers.len()];
        let answer = match (progress, &mut self.processes[slot]) {
            (Progress::Idle, Some(process)) => Answer::of(&process.answer()),
            _ => Answer::None,
        };
        match failure.map(|failure| failure.how) {
            Some(How::Killed) => heard.happened.killed |= answer == Answer::None,
            Some(_) => {
                let process = self.processes[slot].as_mut();
                heard.has_failed = process.is_some_and(|process| std::mem::take(&mut process.has_failed));
                heard.happened.call_failed = true;
            }
            None => assert!(answer != Answer::None, "{line}: the process ended: {:#?}", self.story),
        }
        match (line.split(' ').next(), &answer) {
            (Some("accept"), _) => (self.outdated, self.holds[slot]) = (self.holds, false),
            (_, Answer::None) | (Some("close"), _) => self.holds[slot] = false,
            (Some("open" | "create" | "confirm"), answer) => {
                self.holds[slot] = matches!(answer, Answer::Ok(_));
                self.outdated[slot] &= !self.holds[slot];
            }
            _ => {}
        }
        if answer == Answer::None {
            self.processes[slot] = None;
        }
        let is_done = matches!(answer, Answer::Ok(_));
        heard.heard_at.push(if answer == Answer::None { self.trace.ops.len() } else { self.said[slot] });
        heard.answers.push(answer);
        is_done
    }

    /// The power fails at an instant since an operation: after how many operations.
    fn lose_power(&mut self, since: usize, lies: bool, numbers: Numbers) -> usize {
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
        let lies = if lies { format!("; syncs of `{about}` since {first} were lies") } else { String::new() };
        self.tell(format!("{} (from {since}){lies}", image.what));
        self.stop_all();
        image.write(self.folder.path());
        self.trace = Trace::of(self.folder.path());
        instant
    }

    /// Kills every process.
    pub fn stop_all(&mut self) {
        self.processes = Default::default();
        self.holds = [false; 4];
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

/// One of several, and not this one.
fn choose(numbers: Numbers, purpose: u64, among: usize, not: Option<usize>) -> usize {
    let others = among - usize::from(not.is_some());
    let chosen = numbers.below(purpose, others as u64) as usize;
    (chosen + usize::from(not.is_some_and(|not| not <= chosen))).min(among - 1)
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
