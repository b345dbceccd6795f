//! Recordings of what processes ask of the kernel, held against the model: each must be one of its runs.

use std::collections::{BTreeSet, HashSet};

use nix::errno::Errno;

use super::model::{Action, Model, State, Step};
use crate::child::{Said, command, listen};
use crate::scene::{sample, tempdir_in_memory};
use crate::trace::{Failure, How, Op, Trace};

/// Such that nothing is out of the model for its size.
const MODEL: Model =
    Model { processes: 1, events: 250, crashes: u8::MAX, damages: 0, backups: false, mistake: None };

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
    Ended,
}

fn line_in(block: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(block).ok()?;
    text.split(' ').find_map(|word| word.strip_prefix("seq="))?.parse().ok()
}

struct Recording {
    trace: Trace,
    /// Where processes ended.
    ends: Vec<usize>,
}

impl Recording {
    /// A process that a failure meets, and the next one, which sends again what was not acknowledged; none where the system
    /// does not permit to trace.
    fn with(failure: Option<Failure>) -> Option<Recording> {
        let folder = tempdir_in_memory();
        let path = folder.path().join("log.db");
        assert!(listen(command(&["append"], &path, &[0, 0, 0]).spawn().unwrap()).done);
        let mut recording = Recording { trace: Trace::of(folder.path()), ends: Vec::new() };
        let mut next = 0;
        for failure in [failure, None] {
            let words = command(&["wait", "append"], &path, &[0, next, SENT]);
            let said = Said::from_lines(&recording.trace.record(words, failure)?);
            recording.ends.push(recording.trace.ops.len());
            next = said.acks.iter().map(|ack| ack.transaction + 1).max().unwrap_or(next);
        }
        Some(recording)
    }

    /// What was seen of it, and the state that it began in.
    fn seen(&self) -> (State, Vec<Seen>) {
        let mut names: Vec<String> = self.trace.before.iter().map(|(name, _)| name.clone()).collect();
        let mut seen = Vec::new();
        for (at, op) in self.trace.ops.iter().enumerate() {
            let of = |file: &usize| names[*file].as_str();
            match op {
                Op::Create { name, .. } => names.push(name.clone()),
                // Writes in a row are one.
                Op::Write { file, .. }
                    if of(file) == "log.db-wal" && seen.last() != Some(&Seen::LogWritten) =>
                {
                    seen.push(Seen::LogWritten);
                }
                Op::Write { file, at, bytes } if of(file) == "log.anchor" => {
                    seen.push(Seen::Line(*at as usize / 4096, line_in(bytes).unwrap()));
                }
                Op::Sync { file } if of(file) == "log.db-wal" => seen.push(Seen::LogSynced),
                Op::Sync { file } if of(file) == "log.anchor" => seen.push(Seen::LineSynced),
                Op::SyncFailed { file } if of(file) == "log.db-wal" => seen.push(Seen::LogSyncFailed),
                Op::SyncFailed { file } if of(file) == "log.anchor" => seen.push(Seen::LineSyncFailed),
                Op::Say { bytes } => {
                    let acks = Said::from_lines(bytes).acks;
                    seen.extend(acks.iter().map(|ack| Seen::Acknowledged(ack.last)));
                }
                _ => {}
            }
            if self.ends.contains(&(at + 1)) {
                seen.push(Seen::Ended);
            }
        }
        let anchor = self.trace.before.iter().find(|(name, _)| name == "log.anchor").unwrap();
        let lines: Vec<u64> = anchor.1.chunks(4096).filter_map(line_in).collect();
        assert!(lines == [0, 1] || lines == [1, 0], "{lines:?}");
        (State::new(1, lines.iter().position(|line| *line == 1).unwrap()), seen)
    }
}

/// The states that may be after an observation; `place` is the number of transactions up to an event.
fn explain(states: &HashSet<State>, seen: Seen, place: &dyn Fn(u64) -> u8) -> HashSet<State> {
    let mut out = HashSet::new();
    for before in with_hidden(states) {
        // More writes and syncs of the write-ahead log than the model has are its header, and its parts moved to the database.
        if matches!(seen, Seen::LogWritten | Seen::LogSynced | Seen::LogSyncFailed) {
            out.insert(before.clone());
        }
        if seen == Seen::Ended && before.processes[0].step == Step::Closed {
            out.insert(before.clone());
        }
        let goal = match before.processes[0].step {
            Step::Anchored(goal) => Some(goal),
            _ => None,
        };
        for (action, after) in MODEL.next(&before) {
            let wrote = match after.processes[0].step {
                Step::LineRewritten(_, slot) | Step::Lined(_, slot) => Some(slot),
                _ => None,
            };
            let is_it = match (seen, action) {
                (Seen::LogWritten, Action::Write(_) | Action::Rewrite(_))
                | (Seen::LogSynced, Action::Sync(_))
                | (Seen::LogSyncFailed, Action::SyncFails(_))
                | (Seen::LineSynced, Action::SyncLine(_))
                | (Seen::LineSyncFailed, Action::LineSyncFails(_))
                | (Seen::Ended, Action::Kill(_) | Action::Close(_)) => true,
                (Seen::Line(slot, seq), Action::Line(_)) => {
                    wrote == Some(slot) && after.slots[slot].read.is_some_and(|line| line.seq == place(seq))
                }
                (Seen::Acknowledged(seq), Action::Acknowledge(_)) => {
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

/// With what a process does unseen: it opens the log, looks at the anchor, is ready for more.
fn with_hidden(states: &HashSet<State>) -> HashSet<State> {
    let mut all = states.clone();
    let mut new: Vec<State> = states.iter().cloned().collect();
    while let Some(state) = new.pop() {
        let settled = matches!(state.processes[0].step, Step::Anchored(goal) if goal.event.is_none());
        for (action, after) in MODEL.next(&state) {
            let is_hidden = match action {
                Action::Open(_) | Action::SendAgain(..) => true,
                Action::Line(_) => matches!(after.processes[0].step, Step::Anchored(_)),
                Action::Acknowledge(_) => settled,
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
    // Every transaction that stayed got a line.
    let heads: BTreeSet<u64> = seen
        .iter()
        .filter_map(|seen| match seen {
            Seen::Line(_, seq) | Seen::Acknowledged(seq) => Some(*seq),
            _ => None,
        })
        .chain([1])
        .collect();
    let place = |seq: u64| heads.iter().filter(|head| **head <= seq).count() as u8;
    let mut states = HashSet::from([first]);
    for (at, observation) in seen.iter().enumerate() {
        states = explain(&states, *observation, &place);
        if states.is_empty() {
            return Some(format!("{at}: {observation:?} after {:?}", &seen[at.saturating_sub(12)..at]));
        }
    }
    None
}

#[test]
fn what_processes_do_is_a_run_of_the_model() {
    let calls = || (0..140).step_by(sample(11, 1));
    let killed = calls().map(|call| Some(Failure { call, how: How::Killed }));
    let failing = calls().map(|call| Some(Failure { call, how: How::Fails(Errno::EIO) }));
    let (mut recordings, mut observations) = (0, 0);
    for failure in killed.chain(failing).chain([None]) {
        let Some(recording) = Recording::with(failure) else {
            eprintln!("skipped: this system does not permit to trace a process (ptrace)");
            return;
        };
        assert_eq!(unexplained(&recording), None, "{failure:?}");
        recordings += 1;
        observations += recording.seen().1.len();
    }
    println!("{recordings} recordings with {observations} observations are runs of the model");
}

#[test]
fn a_recording_that_leaves_out_a_sync_or_acknowledges_early_is_no_run_of_the_model() {
    let Some(recording) = Recording::with(None) else { return };
    let name_of = |name: &str| {
        let before = recording.trace.before.iter().map(|(name, _)| name);
        let created = recording.trace.ops.iter().filter_map(|op| match op {
            Op::Create { name, .. } => Some(name),
            _ => None,
        });
        before.chain(created).position(|known| known == name).unwrap()
    };
    let with = |ops: Vec<Op>| {
        let mut trace = recording.trace.clone();
        trace.ops = ops;
        Recording { trace, ends: Vec::new() }
    };
    for name in ["log.db-wal", "log.anchor"] {
        let file = name_of(name);
        let mut ops = recording.trace.ops.clone();
        ops.retain(|op| *op != Op::Sync { file });
        let changed = with(ops);
        let found = unexplained(&changed);
        assert!(found.is_some(), "without the syncs of {name}");
    }
    let mut ops = recording.trace.ops.clone();
    let is_ack = |op: &Op| matches!(op, Op::Say { bytes } if bytes.starts_with(b"ack "));
    let at = ops.iter().position(is_ack).unwrap();
    let synced = ops[..at].iter().rposition(|op| matches!(op, Op::Sync { .. })).unwrap();
    ops[synced..=at].rotate_right(1);
    let changed = with(ops);
    assert!(unexplained(&changed).is_some_and(|found| found.contains("Acknowledged")));
}
