//! What happens in a world, step by step. A step depends on its seed and its number alone, so steps can be left out of a
//! sequence and the others stay as they are.

use nix::errno::Errno;

use crate::trace::{Failure, How};
use crate::work::dice;

/// Numbers of one step.
#[derive(Debug, Clone, Copy)]
pub struct Numbers(u64, u64);

impl Numbers {
    pub fn of(seed: u64, step: usize) -> Numbers {
        Numbers(seed, step as u64)
    }

    /// The number of a purpose, below a limit.
    pub fn below(self, purpose: u64, limit: u64) -> u64 {
        dice(&[60, self.0, self.1, purpose]) % limit.max(1)
    }

    pub fn once_in(self, purpose: u64, n: u64) -> bool {
        self.below(purpose, n) == 0
    }

    /// Other numbers, for the next try of the same step.
    pub fn again(self, attempt: u64) -> Numbers {
        Numbers(dice(&[61, self.0, attempt]), self.1)
    }
}

/// A process that keeps the log open, or that of a command or a reader, which do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Writer(usize),
    Command,
    Reader,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum File {
    Database,
    Wal,
    Shm,
    Anchor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The next transaction.
    Append(Who),
    /// An earlier transaction once more, acknowledged or not.
    Retry(Who),
    Close(Who),
    Checkpoint(Who),
    /// Writers, a command and a reader work at the same time.
    AtOnce,
    /// Reads and verifies everything, and proves events and receipts.
    Read,
    Backup,
    /// The newest backup is put in the place of the log, as the documents describe it.
    Restore,
    /// The clock is set wrong by so many seconds.
    Clock(i64),
    /// The clock is set right.
    ClockRight,
    /// A file changes at rest: so many bits flip.
    Flip(File, u64),
    /// A file at rest is cut off.
    Cut(File),
    /// The files as they were at an earlier time are put back, or some of them.
    PutBack(&'static [File]),
    /// The anchor is gone.
    NoAnchor,
    /// A receipt that was kept changes.
    FlipReceipt,
    FlipBackup,
}

/// What happens to an act while a process carries it out.
#[derive(Debug, Clone, Copy)]
pub enum Fault {
    Call(Failure),
    /// The power fails at an instant of it.
    Power,
    /// The same, on a disk that lied about syncs.
    Liar,
}

#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub number: usize,
    pub act: Act,
    pub fault: Option<Fault>,
    pub numbers: Numbers,
}

fn fault(act: Act, numbers: Numbers) -> Option<Fault> {
    // A backup has several names, so that it is the only act with an order of its own to lose.
    if matches!(act, Act::Backup) && numbers.once_in(13, 3) {
        return Some(Fault::Power);
    }
    // Some acts have few calls: the first are met more often.
    let calls = if matches!(act, Act::Append(_) | Act::Retry(_)) { 16 } else { 40 };
    let call = numbers.below(11, 1 + numbers.below(12, calls)) as usize;
    let how = match numbers.below(10, 100) {
        0..6 => return Some(Fault::Power),
        6..8 => return Some(Fault::Liar),
        8..16 => How::Killed,
        16..20 => How::Fails(Errno::EIO),
        20..22 => How::Fails(Errno::ENOSPC),
        22..24 => How::Stays(Errno::ENOSPC),
        _ => return None,
    };
    Some(Fault::Call(Failure { call, how }))
}

fn who(numbers: Numbers) -> Who {
    match numbers.below(1, 5) {
        0..2 => Who::Writer(0),
        2..4 => Who::Writer(1),
        _ => Who::Command,
    }
}

fn act(numbers: Numbers) -> Act {
    let who = who(numbers);
    let file = match numbers.below(2, 10) {
        0..4 => File::Database,
        4..7 => File::Wal,
        7..9 => File::Anchor,
        _ => File::Shm,
    };
    const DAY: i64 = 86_400;
    match numbers.below(0, 100) {
        0..52 => Act::Append(who),
        52..62 => Act::Retry(who),
        62..66 => Act::Close(who),
        66..68 => Act::Checkpoint(who),
        68..73 => Act::Read,
        73..79 => Act::Backup,
        79..81 => Act::Restore,
        81..85 => Act::Clock(match numbers.below(3, 6) {
            0 => -5,
            1 => -3_600,
            2 => -400 * DAY,
            3 => 30 * DAY,
            4 => 300 * DAY,
            _ => 400 * DAY,
        }),
        85..87 => Act::ClockRight,
        87..92 => Act::Flip(file, 1 + numbers.below(4, 3) * numbers.below(5, 2)),
        92..93 => Act::Cut(file),
        93..96 => Act::PutBack(match numbers.below(3, 4) {
            0 => &[File::Database, File::Wal, File::Anchor],
            1 => &[File::Database, File::Wal],
            2 => &[File::Anchor],
            _ => &[File::Wal],
        }),
        96..97 => Act::NoAnchor,
        97..98 => Act::FlipReceipt,
        _ => Act::FlipBackup,
    }
}

/// The steps of a seed in which most work is done by several processes at once.
pub fn steps_at_once(seed: u64) -> Vec<Step> {
    let at_once = |mut step: Step| {
        let is_work = matches!(step.act, Act::Append(_) | Act::Retry(_) | Act::Read | Act::Backup);
        if step.number > 0 && is_work {
            step.act = Act::AtOnce;
        }
        step
    };
    steps(seed).into_iter().map(at_once).collect()
}

/// The steps of a seed.
pub fn steps(seed: u64) -> Vec<Step> {
    let count = 8 + dice(&[62, seed]) as usize % 17;
    let alone = |number| {
        let numbers = Numbers::of(seed, number);
        // A log is always made first.
        let act = if number == 0 { Act::Append(Who::Writer(0)) } else { act(numbers) };
        (act, fault(act, numbers), numbers)
    };
    let step = |number| {
        let (mut act, mut fault, numbers) = alone(number);
        // What was interrupted is often sent again at once, and then the power may fail: nothing of the first try
        // counts that is not on the disk.
        let before = number.checked_sub(1).map(alone);
        if matches!(before, Some((Act::Append(_), Some(Fault::Call(_)), _))) && numbers.below(14, 4) > 0 {
            (act, fault) = (Act::Retry(who(numbers)), Some(Fault::Power));
        }
        Step { number, act, fault, numbers }
    };
    (0..count).map(step).collect()
}
