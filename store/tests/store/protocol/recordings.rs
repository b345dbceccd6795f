//! Recordings of what processes ask of the kernel, held against the model: each must be one of its runs.

use std::collections::HashSet;

use annals_store::Log;
use nix::errno::Errno;

use super::model::{Action, Model, State, Step};
use crate::child::{Said, command, listen};
use crate::process::{Process, Progress};
use crate::scene::{sample, tempdir_in_memory};
use crate::trace::{Failure, How, Op, Trace};
use crate::work::{self, dice};

/// Such that nothing is out of the model for its size.
const MODEL: Model =
    Model { processes: 2, events: 250, crashes: u8::MAX, damages: 0, backups: false, mistake: None };

/// Transactions of each process.
const SENT: u64 = 8;

/// What can be seen of a process from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    LogWritten,
    LogSynced,
    LogSyncFailed,
    /// A line of the anchor, by its block and the number of events.
    Line(usize, u64),
    LineSynced,
    LineSyncFailed,
    /// Up to this event.
    Acknowledged(u64),
    /// A call failed, of which nothing else may be seen.
    Failed,
    Ended,
}

fn line_in(block: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(block).ok()?;
    text.split(' ').find_map(|word| word.strip_prefix("seq="))?.parse().ok()
}

struct Recording {
    trace: Trace,
    /// The process of each operation.
    by: Vec<usize>,
    /// Which processes met a failure or ended, and after how many operations.
    marks: Vec<(usize, usize, Seen)>,
    /// The first event of each transaction in the log.
    firsts: Vec<u64>,
}

impl Recording {
    /// Processes that work at the same time, of which a failure meets the first, and then others, which send again what was not
    /// acknowledged; none where the system does not permit to trace. The seed determines which goes on at which call.
    fn with(processes: usize, failure: Option<Failure>, seed: u64) -> Option<Recording> {
        let folder = tempdir_in_memory();
        let path = folder.path().join("log.db");
        assert!(listen(command(&["append"], &path, &[0, 0, 0]).spawn().unwrap()).done);
        let trace = Trace::of(folder.path());
        let mut recording = Recording { trace, by: Vec::new(), marks: Vec::new(), firsts: vec![1] };
        let mut next = vec![0; processes];
        for (round, failure) in [failure, None].into_iter().enumerate() {
            let mut working = Vec::new();
            for (writer, next) in next.iter().enumerate() {
                let words = command(&["wait", "append"], &path, &[writer as u64, *next, SENT]);
                let number = dice(&[70, seed, round as u64, writer as u64]);
                let mut process = Process::seeded(words, number)?;
                process.begin("go", failure.filter(|_| writer == 0));
                working.push((writer, process));
            }
            for (writer, said) in recording.run(working, dice(&[71, seed, round as u64])) {
                let acks = Said::from_lines(said.as_bytes()).acks;
                next[writer] = acks.iter().map(|ack| ack.transaction + 1).max().unwrap_or(next[writer]);
            }
        }
        let sent =
            (0..processes as u64).flat_map(|writer| (0..2 * SENT).map(move |n| work::id(writer, n, 0)));
        let sent: HashSet<_> = sent.collect();
        for event in Log::inspect(&path).unwrap().events(2..=u64::MAX) {
            let event = event.unwrap();
            recording.firsts.extend(sent.contains(&event.id).then_some(event.seq));
        }
        Some(recording)
    }

    /// Lets processes on until the last one ends; what each said.
    fn run(&mut self, mut working: Vec<(usize, Process)>, seed: u64) -> Vec<(usize, String)> {
        let (mut said, mut chosen) = (Vec::new(), 0);
        let mut choose = |among: u64| {
            chosen += 1;
            dice(&[72, seed, chosen]) % among
        };
        while !working.is_empty() {
            let at = choose(working.len() as u64) as usize;
            let (writer, process) = &mut working[at];
            let mut progress = Progress::Working;
            for _ in 0..1 << choose(5) {
                if progress == Progress::Working {
                    progress = process.go_on(&mut self.trace);
                }
            }
            let done = self.trace.ops.len();
            self.by.resize(done, *writer);
            if std::mem::take(&mut process.has_failed) {
                self.marks.push((done, *writer, Seen::Failed));
            }
            if progress == Progress::Ended {
                self.marks.push((done, *writer, Seen::Ended));
                let (writer, process) = working.remove(at);
                said.push((writer, String::from_utf8(process.rest()).unwrap()));
            }
        }
        said
    }

    /// What was seen of each process, and the state that they began in.
    fn seen(&self) -> (State, Vec<(usize, Seen)>) {
        let mut names: Vec<String> = self.trace.before.iter().map(|(name, _)| name.clone()).collect();
        let mut seen: Vec<(usize, Seen)> = Vec::new();
        let mut marks = self.marks.iter().peekable();
        for (at, (op, by)) in self.trace.ops.iter().zip(&self.by).enumerate() {
            while let Some((_, by, mark)) = marks.next_if(|(after, ..)| *after <= at) {
                seen.push((*by, *mark));
            }
            let of = |file: &usize| names[*file].as_str();
            let found = match op {
                Op::Create { name, .. } => {
                    names.push(name.clone());
                    None
                }
                // Writes in a row are one.
                Op::Write { file, .. } if of(file) == "log.db-wal" => {
                    Some(Seen::LogWritten).filter(|found| seen.last() != Some(&(*by, *found)))
                }
                Op::Write { file, at, bytes } if of(file) == "log.anchor" => {
                    Some(Seen::Line(*at as usize / 4096, line_in(bytes).unwrap()))
                }
                Op::Sync { file } if of(file) == "log.db-wal" => Some(Seen::LogSynced),
                Op::Sync { file } if of(file) == "log.anchor" => Some(Seen::LineSynced),
                Op::SyncFailed { file } if of(file) == "log.db-wal" => Some(Seen::LogSyncFailed),
                Op::SyncFailed { file } if of(file) == "log.anchor" => Some(Seen::LineSyncFailed),
                Op::Say { bytes } => {
                    Said::from_lines(bytes).acks.first().map(|ack| Seen::Acknowledged(ack.last))
                }
                _ => None,
            };
            seen.extend(found.map(|found| (*by, found)));
        }
        seen.extend(marks.map(|(_, by, mark)| (*by, *mark)));
        let anchor = self.trace.before.iter().find(|(name, _)| name == "log.anchor").unwrap();
        let lines: Vec<u64> = anchor.1.chunks(4096).filter_map(line_in).collect();
        assert!(lines == [0, 1] || lines == [1, 0], "{lines:?}");
        (State::new(MODEL.processes, lines.iter().position(|line| *line == 1).unwrap()), seen)
    }
}

/// The states that may be after an observation of a process; `place` is the number of transactions up to an event.
fn explain(states: &HashSet<State>, p: usize, seen: Seen, place: &dyn Fn(u64) -> u8) -> HashSet<State> {
    let mut out = HashSet::new();
    for before in with_hidden(states) {
        // More writes and syncs of the write-ahead log than the model has are its header, and its parts moved to the database. A
        // process that met a failure releases its locks.
        if matches!(seen, Seen::LogWritten | Seen::LogSynced | Seen::LogSyncFailed | Seen::Failed) {
            out.insert(before.clone());
        }
        if seen == Seen::Ended && before.processes[p].step == Step::Closed {
            out.insert(before.clone());
        }
        let goal = match before.processes[p].step {
            Step::Anchored(goal) => Some(goal),
            _ => None,
        };
        for (action, after) in MODEL.next(&before) {
            let wrote = match after.processes[p].step {
                Step::LineRewritten(_, slot) | Step::Lined(_, slot) => Some(slot),
                _ => None,
            };
            let is_it = match (seen, action) {
                (Seen::LogWritten, Action::Write(by) | Action::Rewrite(by))
                | (Seen::LogSynced, Action::Sync(by))
                | (Seen::LogSyncFailed, Action::SyncFails(by))
                | (Seen::LineSynced, Action::SyncLine(by))
                | (Seen::LineSyncFailed, Action::LineSyncFails(by))
                | (Seen::Failed, Action::Kill(by))
                | (Seen::Ended, Action::Kill(by) | Action::Close(by)) => by == p,
                (Seen::Line(slot, seq), Action::Line(by)) if by == p => {
                    wrote == Some(slot) && after.slots[slot].read.is_some_and(|line| line.seq == place(seq))
                }
                (Seen::Acknowledged(seq), Action::Acknowledge(by)) if by == p => {
                    let event = goal.and_then(|goal| goal.event);
                    let at = event.and_then(|event| before.events.iter().position(|id| *id == event));
                    at.is_some_and(|at| at + 1 == usize::from(place(seq)))
                }
                _ => false,
            };
            if is_it {
                out.insert(after);
            }
        }
    }
    out
}

/// With what processes do unseen: they open the log, look at the anchor, are ready for more.
fn with_hidden(states: &HashSet<State>) -> HashSet<State> {
    let mut all = states.clone();
    let mut new: Vec<State> = states.iter().cloned().collect();
    while let Some(state) = new.pop() {
        let settled =
            |p: usize| matches!(state.processes[p].step, Step::Anchored(goal) if goal.event.is_none());
        for (action, after) in MODEL.next(&state) {
            let is_hidden = match action {
                Action::Open(_) | Action::SendAgain(..) => true,
                Action::Line(p) => matches!(after.processes[p].step, Step::Anchored(_)),
                Action::Acknowledge(p) => settled(p),
                _ => false,
            };
            if is_hidden && all.insert(after.clone()) {
                new.push(after);
            }
        }
    }
    all
}

/// The first observation that no run of the model explains.
fn unexplained(recording: &Recording) -> Option<String> {
    let (first, seen) = recording.seen();
    let place = |seq: u64| recording.firsts.iter().filter(|first| **first <= seq).count() as u8;
    let mut states = HashSet::from([first]);
    for (at, (p, observation)) in seen.iter().enumerate() {
        states = explain(&states, *p, *observation, &place);
        if states.is_empty() {
            let before = &seen[at.saturating_sub(20)..at];
            return Some(format!("{at}: {observation:?} of {p} after {before:?}"));
        }
    }
    None
}

#[test]
fn what_processes_do_is_a_run_of_the_model() {
    held_against_the_model(1);
}

#[test]
fn what_processes_do_at_once_is_a_run_of_the_model() {
    held_against_the_model(2);
}

fn held_against_the_model(processes: usize) {
    let calls = || (0..140).step_by(sample(11, 1));
    let killed = calls().map(|call| Some(Failure { call, how: How::Killed }));
    let failing = calls().map(|call| Some(Failure { call, how: How::Fails(Errno::EIO) }));
    let (mut recordings, mut observations, mut turns) = (0, 0, 0);
    for failure in killed.chain(failing).chain([None]) {
        let Some(recording) = Recording::with(processes, failure, recordings) else {
            eprintln!("skipped: this system does not permit to trace a process (ptrace)");
            return;
        };
        turns += recording.by.windows(2).filter(|by| by[0] != by[1]).count();
        assert_eq!(unexplained(&recording), None, "{failure:?}");
        recordings += 1;
        observations += recording.seen().1.len();
    }
    let turns = turns / recordings as usize;
    assert!(processes == 1 || turns > 20, "another process went on only {turns} times in a recording");
    println!(
        "{processes} at once: {recordings} recordings with {observations} observations and {turns} turns each are runs of \
         the model"
    );
}

#[test]
fn a_recording_that_leaves_out_a_sync_or_acknowledges_early_is_no_run_of_the_model() {
    for processes in [1, 2] {
        let Some(recording) = Recording::with(processes, None, 0) else { return };
        for name in ["log.db-wal", "log.anchor"] {
            let found = unexplained(&recording.without_syncs_of(name));
            assert!(found.is_some(), "{processes} processes, without the syncs of {name}");
        }
        let found = unexplained(&recording.with_an_early_acknowledgement());
        assert!(found.is_some_and(|found| found.contains("Acknowledged")), "{processes} processes");
    }
}

impl Recording {
    fn without_syncs_of(&self, name: &str) -> Recording {
        let before = self.trace.before.iter().map(|(name, _)| name);
        let created = self.trace.ops.iter().filter_map(|op| match op {
            Op::Create { name, .. } => Some(name),
            _ => None,
        });
        let file = before.chain(created).position(|known| known == name).unwrap();
        let stays = |op: &Op| *op != Op::Sync { file };
        let staying = |ops: &[Op]| ops.iter().filter(|op| stays(op)).count();
        let ops = self.trace.ops.iter().zip(&self.by).filter(|(op, _)| stays(op));
        let (ops, by) = ops.map(|(op, by)| (op.clone(), *by)).unzip();
        let moved = |&(after, by, mark): &_| (staying(&self.trace.ops[..after]), by, mark);
        let marks = self.marks.iter().map(moved).collect();
        Recording { trace: Trace { ops, ..self.trace.clone() }, by, marks, firsts: self.firsts.clone() }
    }

    /// The first acknowledgement comes before the last sync of its process before it.
    fn with_an_early_acknowledgement(&self) -> Recording {
        let (mut trace, mut by) = (self.trace.clone(), self.by.clone());
        let is_ack = |op: &Op| matches!(op, Op::Say { bytes } if bytes.starts_with(b"ack "));
        let at = trace.ops.iter().position(is_ack).unwrap();
        let is_sync = |n: &usize| by[*n] == by[at] && matches!(trace.ops[*n], Op::Sync { .. });
        let synced = (0..at).rev().find(is_sync).unwrap();
        trace.ops[synced..=at].rotate_right(1);
        by[synced..=at].rotate_right(1);
        Recording { trace, by, marks: self.marks.clone(), firsts: self.firsts.clone() }
    }
}
