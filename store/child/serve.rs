//! A process that does what it is asked, line by line, so that a test can stop it in between, and at each call in it:
//!
//! ```text
//! create NOW | open NOW | append N NOW | decide N NOW                         on one handle, which stays open
//! confirm NOW | checkpoint | close                                            the same
//! read | backup TO | accept NOW | rebuild | restore | acknowledge | salvage TO       as the commands of the program do it
//! ```
//!
//! Each answer is a line: `ok …`, or `no KIND REASON`. The clock shows what the line before it said.

use std::fmt::Display;
use std::fs::File;
use std::path::Path;

use annals_events::Micros;
use annals_events::log::ClockKind;
use annals_store::{
    AppendError, Appended, Clock, ClockSetting, ConfirmError, Expected, FaultKind, Log, LossError, OpenError,
    SetClock, VerifyOptions, damage_of, rebuild_tree, restore_schema, salvage,
};

use crate::{say, work};

/// What was appended: its first and last event, its time, whether it was there before, and the receipt.
fn acknowledged(done: Appended) -> String {
    let Appended { first_seq, last_seq, recorded_at, repeated, head, .. } = done;
    format!("{first_seq} {last_seq} {recorded_at} {} {head}", u8::from(repeated))
}

/// A clock that shows what it is set to, in a log that declares any kind.
#[derive(Debug, Clone)]
struct Given(SetClock, ClockKind);

impl Clock for Given {
    fn now(&self) -> Micros {
        self.0.now()
    }

    fn kind(&self) -> ClockKind {
        self.1
    }
}

struct Server<'p> {
    path: &'p Path,
    clock: Given,
    log: Option<Log>,
}

/// Why something was not done: a word for programs, and the reason.
type No = (&'static str, String);

fn other(error: impl Display) -> No {
    ("other", error.to_string())
}

fn fault(kind: FaultKind, error: impl Display) -> No {
    (kind.word(), error.to_string())
}

fn not_opened(error: OpenError) -> No {
    match &error {
        OpenError::Fault(found) => fault(found.kind, &error),
        _ => ("refused", error.to_string()),
    }
}

fn not_appended(error: AppendError) -> No {
    match &error {
        AppendError::ClockBehind { .. } => ("behind", error.to_string()),
        AppendError::ClockAhead { .. } => ("ahead", error.to_string()),
        AppendError::Damaged { .. } => ("refused", error.to_string()),
        AppendError::NotAcknowledged { fault } if fault.kind == FaultKind::Replaced => {
            ("replaced", error.to_string())
        }
        AppendError::NotAcknowledged { .. } => ("unsure", error.to_string()),
        AppendError::Poisoned { .. } => ("closed", error.to_string()),
        AppendError::Conflict { .. } => ("conflict", error.to_string()),
        AppendError::Fault(found) => fault(found.kind, &error),
        _ => other(error),
    }
}

fn not_accepted(error: LossError) -> No {
    match error {
        LossError::NothingLost { .. } => ("nothing", error.to_string()),
        LossError::Open(error) => not_opened(error),
        LossError::Append(error) => not_appended(error),
        LossError::Fault(found) => fault(found.kind, &found),
        error => other(error),
    }
}

pub fn serve(path: &Path, is_real: bool) {
    let kind = if is_real { ClockKind::Real } else { ClockKind::Simulated };
    let mut server = Server { path, clock: Given(SetClock::at(0), kind), log: None };
    let mut line = String::new();
    while std::io::stdin().read_line(&mut line).is_ok_and(|length| length > 0) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match server.answer(&words) {
            Ok(answer) => format!("ok {answer}\n"),
            Err((kind, reason)) => format!("no {kind} {}\n", reason.replace('\n', " ")),
        };
        say(&answer);
        line.clear();
    }
}

impl Server<'_> {
    fn answer(&mut self, words: &[&str]) -> Result<String, No> {
        let word = |i: usize| words.get(i).copied().unwrap_or_default();
        let number = |i: usize| word(i).parse::<i64>().unwrap_or_default();
        match word(0) {
            "create" => {
                self.clock.0.set(number(2));
                let mut new = work::new_log();
                new.log_id.0 = [number(1) as u8; 16];
                let log = Log::create(self.path, &new, Box::new(self.clock.clone())).map_err(not_opened)?;
                let head = log.acknowledged().map(|head| head.to_string()).unwrap_or_default();
                self.log = Some(log);
                Ok(head)
            }
            "open" => self.open(number(1)).map(|()| String::new()),
            "append" => {
                self.clock.0.set(number(2));
                let log = self.log.as_mut().ok_or_else(|| other("there is no handle"))?;
                let done = log.append(&work::transaction(0, number(1).unsigned_abs()));
                done.map(acknowledged).map_err(not_appended)
            }
            // As a command that looks at a stream first, and expects that nothing follows what it saw.
            "decide" => {
                self.clock.0.set(number(2));
                let log = self.log.as_mut().ok_or_else(|| other("there is no handle"))?;
                let number = number(1).unsigned_abs();
                let stream = work::stream(number % work::STREAMS);
                let info = log.stream_info(&stream).map_err(other)?;
                let version = info.map_or(0, |info| info.version);
                let expected = if version == 0 { Expected::NoStream } else { Expected::Version(version) };
                let transaction = work::transaction(0, number).expecting(stream, expected);
                let done = log.append(&transaction).map_err(not_appended)?;
                Ok(format!("{version} {}", acknowledged(done)))
            }
            "read" => {
                let log = Log::open_verified(self.path).map_err(|e| ("refused", e.to_string()))?;
                let last = log.last_seq().map_err(other)?;
                let head = log.acknowledged().ok_or_else(|| other("nothing is acknowledged"))?;
                let proof = log.prove_inclusion(head.seq).map_err(other)?;
                Ok(format!("{last} {} {head}", u8::from(proof.holds())))
            }
            "confirm" => {
                self.open(number(1))?;
                let log = self.log.as_mut().ok_or_else(|| other("there is no handle"))?;
                match log.confirm_clock("omar", "the clock is right") {
                    Ok(done) => Ok(done.head.to_string()),
                    Err(ConfirmError::Append(error)) => Err(not_appended(error)),
                    Err(error) => Err(other(error)),
                }
            }
            "checkpoint" => match &self.log {
                Some(log) => log.checkpoint().map(|()| String::new()).map_err(|e| fault(e.kind, &e)),
                None => Ok(String::new()),
            },
            "close" => {
                self.log = None;
                Ok(String::new())
            }
            "backup" => {
                let log = Log::open(self.path).map_err(not_opened)?;
                log.backup(Path::new(word(1))).map(|sealed| sealed.head.to_string()).map_err(other)
            }
            "accept" => {
                self.log = None;
                self.clock.0.set(number(1));
                let clock = Box::new(self.clock.clone());
                let accepted = Log::accept_verified_loss_by(self.path, clock, "omar", "it is gone");
                let accepted = accepted.map_err(not_accepted)?;
                Ok(format!("{} {} {}", accepted.seq, accepted.anchored, accepted.left))
            }
            "rebuild" => rebuild_tree(self.path).map(|rebuilt| rebuilt.head.to_string()).map_err(other),
            "restore" => restore_schema(self.path).map(|_| String::new()).map_err(other),
            "acknowledge" => {
                let open = Log::open_verified_for_append(self.path, ClockSetting::LastEvent);
                let log = open.map_err(|e| ("refused", e.to_string()))?.log;
                Ok(log.acknowledged().map(|head| head.to_string()).unwrap_or_default())
            }
            "salvage" => {
                let mut out = File::create(word(1)).map_err(other)?;
                let saved = salvage(self.path, &mut out).map_err(other)?;
                Ok(format!("{} {}", saved.written, u8::from(saved.is_complete())))
            }
            word => Err(other(format!("`{word}` is not known here"))),
        }
    }

    /// As a command of the program does it, but with the clock of the test.
    fn open(&mut self, now: Micros) -> Result<(), No> {
        self.log = None;
        self.clock.0.set(now);
        let options = VerifyOptions { payloads: false, threads: 1, ..VerifyOptions::default() };
        if let Some(damage) = damage_of(self.path, &options).map_err(not_opened)? {
            return Err(("refused", damage));
        }
        let log = Log::open_for_append(self.path, Box::new(self.clock.clone())).map_err(not_opened)?;
        self.log = Some(log);
        Ok(())
    }
}
