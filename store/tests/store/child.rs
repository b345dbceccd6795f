//! The child process from the side of the test: started, listened to, and held to its word.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use annals_store::{Log, VerifyOptions, verify};

use crate::work;

/// A transaction that was acknowledged, with its first and last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ack {
    pub transaction: u64,
    pub first: u64,
    pub last: u64,
}

/// What a child said.
#[derive(Debug, Default)]
pub struct Said {
    pub acks: Vec<Ack>,
    /// Appends that failed, and why.
    pub refusals: Vec<String>,
    pub done: bool,
}

impl Said {
    /// Takes the lines apart; a line that was cut off by the death of its process says nothing.
    pub fn from_lines(bytes: &[u8]) -> Said {
        let mut said = Said::default();
        for line in String::from_utf8_lossy(bytes).split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |i: usize| words[i].parse::<u64>().unwrap();
            match words[0] {
                "ack" => {
                    said.acks.push(Ack { transaction: number(1), first: number(2), last: number(3) });
                }
                "no" | "failed" => said.refusals.push(line.trim_end().to_owned()),
                "done" => said.done = true,
                _ => {}
            }
        }
        said
    }
}

/// The program, not yet started.
pub fn command(words: &[&str], path: &Path, numbers: &[u64]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals-store-child"));
    command.args(words).arg(path).args(numbers.iter().map(u64::to_string));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// The program that does what it is asked, line by line, under a clock that is `real` or `simulated`.
pub fn serving(path: &Path, clock: &str) -> Command {
    let mut command = command(&["serve"], path, &[]);
    command.arg(clock);
    command
}

/// Lets a child go that was started with the word `wait`.
pub fn let_go(child: &mut Child) {
    let mut input = child.stdin.take().unwrap();
    // It may be dead already; then nobody reads this.
    let _ = input.write_all(b"go\n");
}

/// Waits for the end of a child, however it comes, and takes down what it said.
pub fn listen(child: Child) -> Said {
    Said::from_lines(&child.wait_with_output().unwrap().stdout)
}

/// Kills a child some time after it has said so many lines, and takes down everything that it said.
pub fn kill_after(mut child: Child, lines: u64, then: Duration) -> Said {
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut said = Vec::new();
    for _ in 0..lines {
        // It may come to its end before that.
        if output.read_until(b'\n', &mut said).unwrap() == 0 {
            break;
        }
    }
    std::thread::sleep(then);
    child.kill().unwrap();
    output.read_to_end(&mut said).unwrap();
    child.wait().unwrap();
    Said::from_lines(&said)
}

/// Whether an event is the one that a writer made for this place of this transaction.
fn is_of(event: &annals_events::RawEnvelope, writer: u64, transaction: u64, place: u64) -> bool {
    event.id == work::id(writer, transaction, place)
        && event.payload == work::payload(writer, transaction, place)
        && event.actor == "child"
}

/// Holds a log to what was acknowledged: every event of every transaction is in its place, the log is whole, and the
/// anchor is not ahead of it. How many events it has, or what is wrong.
pub fn held(path: &Path, acks: &[(u64, Ack)]) -> Result<u64, String> {
    let log = Log::inspect(path).map_err(|e| e.to_string())?;
    if let Some(problem) = log.problems().first() {
        return Err(problem.to_string());
    }
    let (head, acknowledged) = (log.head().map_err(|e| e.to_string())?, log.acknowledged());
    let acknowledged = acknowledged.ok_or("there is no anchor")?.seq;
    if acknowledged > head.seq {
        return Err(format!("the anchor says {acknowledged}, the log ends at {}", head.seq));
    }
    let events: Vec<_> = log.events(1..=u64::MAX).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    for (writer, ack) in acks {
        let wrong = |what: &str| Err(format!("{what}: {ack:?} of writer {writer}"));
        if ack.last > acknowledged {
            return wrong("acknowledged, but not by the anchor");
        }
        let size = work::size(*writer, ack.transaction);
        if ack.last - ack.first + 1 != size {
            return wrong("acknowledged with another number of events");
        }
        for place in 0..size {
            let event = events.get((ack.first + place) as usize - 1);
            if !event.is_some_and(|event| is_of(event, *writer, ack.transaction, place)) {
                return wrong("acknowledged and lost");
            }
        }
    }
    drop(log);
    let report = verify(path, &VerifyOptions { threads: 1, ..VerifyOptions::default() });
    let report = report.map_err(|e| e.to_string())?;
    if !report.is_whole() || report.intact_count() != head.seq {
        return Err(format!("not whole: {:?}", report.findings));
    }
    Ok(head.seq)
}

/// As [`held`], where anything else is a failure of the test.
pub fn hold(path: &Path, acks: &[(u64, Ack)], what: &str) -> u64 {
    held(path, acks).unwrap_or_else(|wrong| panic!("{what}: {wrong}"))
}

/// How many events the first transactions of a writer have together.
pub fn events_of(writer: u64, transactions: u64) -> u64 {
    (0..transactions).map(|transaction| work::size(writer, transaction)).sum()
}
