//! The protocol of the log as a state machine: what processes do in which order, and what a kill, a failed sync, a loss
//! of power and damage at rest leave. A transaction counts as one event.

use std::collections::{BTreeMap, BTreeSet};

/// A line of the anchor: lines are ordered by epoch, then by event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    pub epoch: u8,
    /// How many events it acknowledges.
    pub seq: u8,
    /// The last of them. No two events have the same number, so it stands for the hash of all events before it too.
    pub last: u8,
}

/// A block of the anchor; a line that cannot be read is none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Slot {
    pub read: Option<Line>,
    /// What the disk may have of it.
    pub disk: BTreeSet<Option<Line>>,
    /// The next sync of the file writes it.
    pub dirty: bool,
}

impl Slot {
    pub fn of(line: Line) -> Slot {
        Slot { read: Some(line), disk: BTreeSet::from([Some(line)]), dirty: false }
    }

    fn put(&mut self, line: Option<Line>) {
        // The same bytes over themselves are never torn.
        if self.disk != BTreeSet::from([line]) {
            self.disk.insert(None);
        }
        self.disk.insert(line);
        self.read = line;
        self.dirty = true;
    }
}

/// What a process wants to have in the anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Goal {
    pub line: Line,
    /// The event to acknowledge then.
    pub event: Option<u8>,
    pub accepts: Option<Accepts>,
}

/// How far a process is that accepts a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accepts {
    /// Both places of the anchor are not yet known to have a line of the new epoch.
    Begun,
    Filled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    Closed,
    Idle,
    /// It saw events of which nobody knows that they are on the disk.
    Unsettled(Goal),
    /// It wrote the write-ahead log again, and holds the lock of the database.
    Rewritten(Goal),
    /// It wrote its event, and holds the lock of the database.
    Written(Goal),
    /// Its events are on the disk.
    Committed(Goal),
    /// It wrote the newest line again in place, and holds the lock of the anchor.
    LineRewritten(Goal, usize),
    /// It synced that line, and holds the lock of the anchor.
    LineSafe(Goal),
    /// It wrote its line, and holds the lock of the anchor.
    Lined(Goal, usize),
    Anchored(Goal),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Process {
    pub step: Step,
    epoch: u8,
    /// The anchor as last read or written.
    seen: [Option<Line>; 2],
    /// Lines that this process has synced.
    synced: [bool; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Copied {
    Written,
    Synced,
    Named,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Backup {
    events: Vec<u8>,
    stage: Copied,
    is_whole: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// All that the files hold and recovery would find.
    pub events: Vec<u8>,
    /// How many of them the processes see.
    pub visible: usize,
    /// How many are surely on the disk.
    pub safe: usize,
    /// Up to here a failed sync left bytes that no later sync writes.
    forgotten: usize,
    pub slots: [Slot; 2],
    pub processes: Vec<Process>,
    pub acknowledged: BTreeSet<u8>,
    /// The events that accept a loss, with the acknowledged events that each one names as lost.
    losses: BTreeMap<u8, Vec<u8>>,
    backup: Option<Backup>,
    next: u8,
    crashes: u8,
    damages: u8,
    /// Damage has destroyed something, and nobody has accepted a loss since.
    is_damaged: bool,
    /// It has destroyed acknowledged events, or the log is refused for it.
    is_spoiled: bool,
}

/// A mistake of the program, to see that the promises notice it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    AcknowledgesBeforeTheSync,
    AnchorsBeforeTheSync,
    WritesOverTheNewestLine,
    TrustsLinesOfOthers,
    DoesNotSettle,
    SettlesWithoutWritingAgain,
    AcceptsALossUnsettled,
    KeepsTheEpoch,
    ReadsAnUnreadableLineAsOld,
    NamesABackupBeforeTheSync,
    AcceptsALossWithoutTheLock,
}

#[derive(Debug, Clone, Copy)]
pub struct Model {
    pub processes: usize,
    pub events: usize,
    pub crashes: u8,
    pub damages: u8,
    pub backups: bool,
    pub mistake: Option<Mistake>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Open(usize),
    Close(usize),
    Write(usize),
    SendAgain(usize, u8),
    Rewrite(usize),
    Sync(usize),
    SyncFails(usize),
    Line(usize),
    SyncLine(usize),
    LineSyncFails(usize),
    Acknowledge(usize),
    Kill(usize),
    PowerFails,
    TailIsLost(usize),
    LineIsLost(usize),
    StaleBackupIsPutBack,
    AcceptLoss(usize),
    Copy,
    SyncCopy,
    NameCopy,
}

impl State {
    /// A log that was closed after its creation: one event, acknowledged by one of the two lines.
    pub fn new(processes: usize, newest: usize) -> State {
        let none = Line { epoch: 0, seq: 0, last: 0 };
        let first = Line { epoch: 0, seq: 1, last: 1 };
        let mut slots = [Slot::of(none), Slot::of(none)];
        slots[newest] = Slot::of(first);
        let closed = Process { step: Step::Closed, epoch: 0, seen: [None; 2], synced: [false; 2] };
        State {
            events: vec![1],
            visible: 1,
            safe: 1,
            forgotten: 0,
            slots,
            processes: vec![closed; processes],
            acknowledged: BTreeSet::from([1]),
            losses: BTreeMap::new(),
            backup: None,
            next: 2,
            crashes: 0,
            damages: 0,
            is_damaged: false,
            is_spoiled: false,
        }
    }

    fn is_closed(&self) -> bool {
        self.processes.iter().all(|process| process.step == Step::Closed)
    }

    fn is_locked(&self) -> bool {
        let holds = |process: &Process| matches!(process.step, Step::Rewritten(_) | Step::Written(_));
        self.processes.iter().any(holds)
    }

    /// Whether a process that accepts a loss holds the lock of the anchor: from its event on until it is done.
    fn is_accepting(&self) -> bool {
        self.processes.iter().any(|process| match process.step {
            Step::Written(goal)
            | Step::Committed(goal)
            | Step::LineRewritten(goal, _)
            | Step::LineSafe(goal)
            | Step::Lined(goal, _)
            | Step::Anchored(goal) => goal.accepts.is_some(),
            Step::Closed | Step::Idle | Step::Unsettled(_) | Step::Rewritten(_) => false,
        })
    }

    fn is_anchor_locked(&self) -> bool {
        let holds = |process: &Process| {
            matches!(process.step, Step::LineRewritten(..) | Step::LineSafe(_) | Step::Lined(..))
        };
        self.processes.iter().any(holds)
    }

    /// The place of the newest readable line.
    fn newest(&self) -> Option<usize> {
        (0..2).filter(|slot| self.slots[*slot].read.is_some()).max_by_key(|slot| self.slots[*slot].read)
    }

    /// How many events a process sees that opens the log now.
    fn length(&self) -> usize {
        if self.is_closed() { self.events.len() } else { self.visible }
    }

    /// Whether opening refuses the log: the anchor acknowledges what is not there, or may have done.
    fn is_refused(&self, mistake: Option<Mistake>) -> bool {
        let Some(newest) = self.newest() else { return true };
        let Some(line) = self.slots[newest].read else { return true };
        let length = self.length();
        let seq = usize::from(line.seq);
        let is_met = seq <= length && (seq == 0 || self.events[seq - 1] == line.last);
        let may_be_older = self.slots[1 - newest].read.is_none() && seq == length;
        !is_met || (may_be_older && mistake != Some(Mistake::ReadsAnUnreadableLineAsOld))
    }

    /// Whether one line cannot be read, and there are more events than the other one acknowledges. A loss of power while a line
    /// is written leaves the same.
    fn is_as_after_a_torn_line(&self) -> bool {
        let Some(newest) = self.newest() else { return false };
        let is_longer = |line: Line| usize::from(line.seq) < self.length();
        self.slots[1 - newest].read.is_none() && self.slots[newest].read.is_some_and(is_longer)
    }

    /// Whether the first events hold every acknowledged one, or name it as lost.
    fn holds_the_acknowledged(&self, within: usize) -> bool {
        let events = &self.events[..within];
        let is_named = |lost: &u8| {
            self.losses.iter().any(|(event, names)| events.contains(event) && names.contains(lost))
        };
        self.acknowledged.iter().all(|event| events.contains(event) || is_named(event))
    }

    fn line(&self, epoch: u8) -> Line {
        let last = self.visible.checked_sub(1).map_or(0, |at| self.events[at]);
        Line { epoch, seq: self.visible as u8, last }
    }

    fn sync(&mut self) {
        if self.forgotten <= self.safe {
            self.safe = self.events.len();
        }
    }

    fn sync_lines(&mut self) {
        for slot in self.slots.iter_mut().filter(|slot| slot.dirty) {
            (slot.disk, slot.dirty) = (BTreeSet::from([slot.read]), false);
        }
    }
}

impl Model {
    /// A promise that does not hold.
    pub fn broken(&self, state: &State) -> Option<&'static str> {
        let is_refused = state.is_refused(self.mistake);
        let is_idle = state.processes.iter().any(|process| process.step == Step::Idle);
        if !state.is_spoiled && !state.holds_the_acknowledged(state.safe.min(state.events.len())) {
            return Some("an acknowledged event is not surely on the disk");
        }
        if !is_refused && !state.holds_the_acknowledged(state.length()) {
            return Some("an acknowledged event is lost, and nothing shows it");
        }
        if !state.is_damaged && is_refused {
            return Some("a log without damage is refused");
        }
        if is_idle && is_refused {
            return Some("a log that a process has open for appending would be refused");
        }
        if state.backup.as_ref().is_some_and(|backup| backup.stage == Copied::Named && !backup.is_whole) {
            return Some("a backup that has its name is not whole");
        }
        None
    }

    /// What can happen next.
    pub fn next(&self, state: &State) -> Vec<(Action, State)> {
        let mut out = Vec::new();
        for p in 0..state.processes.len() {
            self.of_process(state, p, &mut out);
        }
        self.of_the_machine(state, &mut out);
        if self.backups {
            self.of_backups(state, &mut out);
        }
        out
    }

    fn of_process(&self, state: &State, p: usize, out: &mut Vec<(Action, State)>) {
        let mut add = |action: Action, change: &dyn Fn(&mut State)| {
            let mut reached = state.clone();
            change(&mut reached);
            out.push((action, reached));
        };
        let step = state.processes[p].step;
        let may_crash = state.crashes < self.crashes;
        match step {
            Step::Closed if self.may_open(state) => {
                add(Action::Open(p), &|state| self.open(state, p));
            }
            Step::Closed if state.is_closed() && state.events.len() < self.events => {
                add(Action::AcceptLoss(p), &|state| self.accept(state, p));
            }
            Step::Closed => {}
            Step::Idle => {
                add(Action::Close(p), &|state| state.processes[p].step = Step::Closed);
                if !state.is_locked() && state.visible < self.events {
                    add(Action::Write(p), &|state| self.append(state, p, None));
                }
                let again =
                    state.events[..state.visible].iter().filter(|id| !state.acknowledged.contains(id));
                for event in again {
                    add(Action::SendAgain(p, *event), &|state| self.settle(state, p, Some(*event)));
                }
            }
            Step::Unsettled(goal) if !state.is_locked() => add(Action::Rewrite(p), &|state| {
                if self.mistake != Some(Mistake::SettlesWithoutWritingAgain) {
                    state.forgotten = 0;
                }
                state.processes[p].step = Step::Rewritten(goal);
            }),
            Step::Unsettled(_) => {}
            Step::Rewritten(goal) | Step::Written(goal) => {
                add(Action::Sync(p), &|state| {
                    if !(matches!(step, Step::Written(_))
                        && self.mistake == Some(Mistake::AnchorsBeforeTheSync))
                    {
                        state.sync();
                    }
                    match step {
                        Step::Written(_) => {
                            state.visible = state.events.len();
                            state.processes[p].step = Step::Committed(goal);
                        }
                        _ if goal.accepts.is_some() => self.append(state, p, Some(Accepts::Begun)),
                        _ => state.processes[p].step = Step::Committed(goal),
                    }
                });
                if may_crash {
                    add(Action::SyncFails(p), &|state| {
                        state.forgotten = state.events.len();
                        state.processes[p].step = Step::Closed;
                        state.crashes += 1;
                    });
                }
            }
            Step::Committed(_) | Step::LineSafe(_) => {
                if matches!(step, Step::LineSafe(_)) || !state.is_anchor_locked() {
                    add(Action::Line(p), &|state| self.line(state, p));
                }
            }
            Step::LineRewritten(goal, slot) | Step::Lined(goal, slot) => {
                add(Action::SyncLine(p), &|state| {
                    state.sync_lines();
                    state.processes[p].synced[slot] = true;
                    state.processes[p].step = match step {
                        Step::Lined(..) => Step::Anchored(goal),
                        _ => Step::LineSafe(goal),
                    };
                });
                if may_crash {
                    add(Action::LineSyncFails(p), &|state| {
                        state.slots.iter_mut().for_each(|slot| slot.dirty = false);
                        state.processes[p].step = Step::Closed;
                        state.crashes += 1;
                    });
                }
            }
            Step::Anchored(goal) => {
                if goal.accepts != Some(Accepts::Begun) || !state.is_anchor_locked() {
                    add(Action::Acknowledge(p), &|state| self.acknowledge(state, p, goal));
                }
            }
        }
        if may_crash && !matches!(step, Step::Closed | Step::Idle) {
            add(Action::Kill(p), &|state| {
                state.processes[p].step = Step::Closed;
                state.crashes += 1;
            });
        }
    }

    fn may_open(&self, state: &State) -> bool {
        let is_held = state.is_accepting() && self.mistake != Some(Mistake::AcceptsALossWithoutTheLock);
        !is_held && !state.is_refused(self.mistake)
    }

    fn open(&self, state: &mut State, p: usize) {
        state.visible = state.length();
        let epoch = state.newest().and_then(|slot| state.slots[slot].read).map_or(0, |line| line.epoch);
        let seen = [state.slots[0].read, state.slots[1].read];
        state.processes[p] = Process { step: Step::Closed, epoch, seen, synced: [false; 2] };
        self.settle(state, p, None);
    }

    /// Makes all that it sees safe; then the event is acknowledged.
    fn settle(&self, state: &mut State, p: usize, event: Option<u8>) {
        let line = state.line(state.processes[p].epoch);
        let goal = Goal { line, event, accepts: None };
        let is_anchored = state.processes[p].seen.iter().flatten().any(|seen| seen.seq >= line.seq);
        state.processes[p].step = match (is_anchored, self.mistake) {
            (true, _) => Step::Committed(goal),
            (false, Some(Mistake::DoesNotSettle)) => Step::Committed(goal),
            (false, _) => Step::Unsettled(goal),
        };
    }

    fn append(&self, state: &mut State, p: usize, accepts: Option<Accepts>) {
        // Over what nobody saw.
        state.events.truncate(state.visible);
        state.safe = state.safe.min(state.visible);
        state.forgotten = state.forgotten.min(state.visible);
        let event = state.next;
        if accepts.is_some() {
            let is_lost = |event: &&u8| !state.events.contains(event);
            state.losses.insert(event, state.acknowledged.iter().filter(is_lost).copied().collect());
        }
        state.events.push(event);
        state.next += 1;
        let line = Line { epoch: state.processes[p].epoch, seq: state.events.len() as u8, last: event };
        state.processes[p].step = Step::Written(Goal { line, event: Some(event), accepts });
    }

    fn accept(&self, state: &mut State, p: usize) {
        state.visible = state.length();
        let known = state.newest().and_then(|slot| state.slots[slot].read).map_or(0, |line| line.epoch);
        let raised = u8::from(self.mistake != Some(Mistake::KeepsTheEpoch));
        let seen = [state.slots[0].read, state.slots[1].read];
        state.processes[p] = Process { step: Step::Closed, epoch: known + raised, seen, synced: [false; 2] };
        if self.mistake == Some(Mistake::AcceptsALossUnsettled) {
            self.append(state, p, Some(Accepts::Begun));
            return;
        }
        let line = state.line(known);
        state.forgotten = 0;
        state.processes[p].step = Step::Rewritten(Goal { line, event: None, accepts: Some(Accepts::Begun) });
    }

    /// With the lock of the anchor: writes the newest line again in its place, unless the process has synced it.
    fn makes_newest_safe(&self, state: &mut State, p: usize, goal: Goal) -> bool {
        for slot in 0..2 {
            let read = state.slots[slot].read;
            let process = &mut state.processes[p];
            process.synced[slot] &= process.seen[slot] == read;
            process.seen[slot] = read;
        }
        let unsafe_one = state.newest().filter(|slot| !state.processes[p].synced[*slot]);
        let Some(slot) = unsafe_one.filter(|_| self.mistake != Some(Mistake::TrustsLinesOfOthers)) else {
            return false;
        };
        let line = state.slots[slot].read;
        state.slots[slot].put(line);
        state.processes[p].step = Step::LineRewritten(goal, slot);
        true
    }

    /// Advances the anchor to the line of the goal: the newest line is safe before the other place is written.
    fn line(&self, state: &mut State, p: usize) {
        let (Step::Committed(goal) | Step::LineSafe(goal)) = state.processes[p].step else { return };
        if self.makes_newest_safe(state, p, goal) {
            return;
        }
        let newest = state.newest();
        let accepted =
            newest.and_then(|slot| state.slots[slot].read).is_some_and(|line| line.epoch > goal.line.epoch);
        if accepted {
            // A loss was accepted meanwhile: an error, and the process has to open the log again.
            state.processes[p].step = Step::Closed;
            return;
        }
        let is_behind = |slot: usize| state.slots[slot].read < Some(goal.line);
        if newest.is_some_and(|slot| !is_behind(slot)) {
            state.processes[p].step = Step::Anchored(goal);
            return;
        }
        let slot = match self.mistake {
            Some(Mistake::WritesOverTheNewestLine) => newest.unwrap_or(0),
            _ => newest.map_or(0, |newest| 1 - newest),
        };
        self.put(state, p, slot, goal);
        if self.mistake == Some(Mistake::AcknowledgesBeforeTheSync) {
            state.acknowledged.extend(goal.event);
        }
    }

    fn put(&self, state: &mut State, p: usize, slot: usize, goal: Goal) {
        state.slots[slot].put(Some(goal.line));
        let process = &mut state.processes[p];
        (process.seen[slot], process.synced[slot]) = (Some(goal.line), false);
        process.step = Step::Lined(goal, slot);
    }

    fn acknowledge(&self, state: &mut State, p: usize, goal: Goal) {
        if let (Some(Accepts::Begun), Some(slot)) = (goal.accepts, state.newest()) {
            if self.makes_newest_safe(state, p, goal) {
                return;
            }
            // No line of the epoch before remains.
            let line = state.slots[slot].read.unwrap_or(goal.line);
            self.put(state, p, 1 - slot, Goal { line, accepts: Some(Accepts::Filled), ..goal });
            return;
        }
        if goal.accepts.is_some() {
            (state.is_damaged, state.is_spoiled) = (false, false);
        }
        state.acknowledged.extend(goal.event);
        state.processes[p].step = Step::Idle;
    }

    fn of_the_machine(&self, state: &State, out: &mut Vec<(Action, State)>) {
        if state.crashes < self.crashes {
            for length in state.safe.min(state.events.len())..=state.events.len() {
                for first in &state.slots[0].disk {
                    for second in &state.slots[1].disk {
                        out.push((Action::PowerFails, self.power_fails(state, length, [*first, *second])));
                    }
                }
            }
        }
        if state.damages == self.damages || !state.is_closed() {
            return;
        }
        let mut damage = |action: Action, change: &dyn Fn(&mut State)| {
            let mut reached = state.clone();
            change(&mut reached);
            reached.damages += 1;
            reached.is_damaged = true;
            let is_harmed =
                !reached.holds_the_acknowledged(reached.events.len()) || reached.is_refused(self.mistake);
            reached.is_spoiled |= is_harmed;
            self.forget_what_only_a_receipt_shows(&mut reached);
            out.push((action, reached));
        };
        let put_back = |state: &mut State, events: Vec<u8>| {
            (state.visible, state.safe, state.forgotten) = (events.len(), events.len(), 0);
            state.events = events;
        };
        for length in 0..state.events.len() {
            damage(Action::TailIsLost(length), &|state| put_back(state, state.events[..length].to_vec()));
        }
        for slot in 0..2 {
            damage(Action::LineIsLost(slot), &|state| {
                state.slots[slot] = Slot { read: None, disk: BTreeSet::from([None]), dirty: false };
            });
        }
        if let Some(Backup { events, stage: Copied::Named, is_whole: true }) = &state.backup {
            damage(Action::StaleBackupIsPutBack, &|state| put_back(state, events.clone()));
        }
    }

    /// Damage to a line and to events that leaves the files of a loss of power is shown by a receipt alone.
    fn forget_what_only_a_receipt_shows(&self, state: &mut State) {
        if state.is_as_after_a_torn_line() && !state.is_refused(self.mistake) {
            let held: BTreeSet<u8> = state.events.iter().copied().collect();
            state.acknowledged.retain(|event| held.contains(event));
        }
    }

    fn power_fails(&self, state: &State, length: usize, lines: [Option<Line>; 2]) -> State {
        let mut reached = state.clone();
        reached.events.truncate(length);
        (reached.visible, reached.safe, reached.forgotten) = (length, length, 0);
        reached.slots = lines.map(|read| Slot { read, disk: BTreeSet::from([read]), dirty: false });
        reached.processes.iter_mut().for_each(|process| process.step = Step::Closed);
        reached.backup = reached.backup.filter(|backup| backup.stage == Copied::Named);
        reached.crashes += 1;
        if reached.is_damaged {
            self.forget_what_only_a_receipt_shows(&mut reached);
        }
        reached
    }

    fn of_backups(&self, state: &State, out: &mut Vec<(Action, State)>) {
        let mut stage = |action: Action, backup: Backup| {
            out.push((action, State { backup: Some(backup), ..state.clone() }));
        };
        match &state.backup {
            Some(backup) if backup.stage == Copied::Written => {
                let synced = Backup { stage: Copied::Synced, is_whole: true, ..backup.clone() };
                stage(Action::SyncCopy, synced);
                if self.mistake == Some(Mistake::NamesABackupBeforeTheSync) {
                    stage(Action::NameCopy, Backup { stage: Copied::Named, ..backup.clone() });
                }
            }
            Some(backup) if backup.stage == Copied::Synced => {
                stage(Action::NameCopy, Backup { stage: Copied::Named, ..backup.clone() });
            }
            Some(_) => {}
            None if !state.is_refused(self.mistake) => {
                let events = state.events[..state.length()].to_vec();
                stage(Action::Copy, Backup { events, stage: Copied::Written, is_whole: false });
            }
            None => {}
        }
    }
}
