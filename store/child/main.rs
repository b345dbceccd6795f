//! A process that appends to a log and prints what was acknowledged to its standard output, line by line, so that
//! a test can kill it, trace it, or run several of them on one log.
//!
//! ```text
//! annals-store-child append DB WRITER FIRST COUNT   transactions FIRST.. ; creates the log when there is none
//! annals-store-child count  DB WRITER COUNT         adds 1 to shared counters, each time on what it just read
//! annals-store-child backup DB TO                   makes a sealed copy
//! annals-store-child accept DB                      accepts that acknowledged events are lost
//! annals-store-child serve  DB KIND                 does what it is asked, line by line (see `serve.rs`)
//! ```
//!
//! Lines: `ready`, `try N`, `ack N FIRST LAST`, `no N REASON`, `done`. With `wait` as first argument, it waits for a
//! line on standard input before it opens any file.

mod serve;
mod work;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use annals_store::{AppendError, Expected, Log, MachineClock, OpenError, Transaction};

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // The reader may have closed the pipe; then the line is dropped.
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}

fn open_or_create(path: &Path) -> Result<Log, OpenError> {
    match Log::create(path, &work::new_log(), Box::new(MachineClock)) {
        Err(OpenError::Exists { .. }) => Log::open_for_append(path, Box::new(MachineClock)),
        other => other,
    }
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "wait") {
        words.remove(0);
        say("ready\n");
        let mut line = String::new();
        let _ = std::io::stdin().read_line(&mut line);
    }
    let number = |i: usize| words.get(i).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    let path = words.get(1).map(Path::new).unwrap_or(Path::new(""));
    let result = match words.first().map(String::as_str) {
        Some("append") => append(path, number(2), number(3), number(4)),
        Some("count") => count(path, number(2), number(3)),
        Some("serve") => {
            say("ready\n");
            serve::serve(path, words.get(2).is_some_and(|kind| kind == "real"));
            Ok(())
        }
        Some("backup") => backup(path, words.get(2).map(Path::new).unwrap_or(Path::new(""))),
        Some("accept") => accept(path),
        _ => {
            Err("append DB WRITER FIRST COUNT | count DB WRITER COUNT | backup DB TO | accept DB".to_owned())
        }
    };
    match result {
        Ok(()) => {
            say("done\n");
            ExitCode::SUCCESS
        }
        Err(error) => {
            say(&format!("failed {error}\n"));
            ExitCode::from(2)
        }
    }
}

fn append(path: &Path, writer: u64, first: u64, count: u64) -> Result<(), String> {
    let mut log = open_or_create(path).map_err(|e| e.to_string())?;
    for n in first..first + count {
        say(&format!("try {n}\n"));
        match log.append(&work::transaction(writer, n)) {
            Ok(done) => say(&format!("ack {n} {} {}\n", done.first_seq, done.last_seq)),
            Err(error) => say(&format!("no {n} {error}\n")),
        }
    }
    Ok(())
}

fn count(path: &Path, writer: u64, count: u64) -> Result<(), String> {
    let mut log = open_or_create(path).map_err(|e| e.to_string())?;
    let mut attempt = 0;
    for n in 0..count {
        loop {
            let stream = work::stream(work::dice(&[6, writer, n]) % work::STREAMS);
            let version = log.stream_info(&stream).map_err(|e| e.to_string())?.map_or(0, |info| info.version);
            attempt += 1;
            let expected = if version == 0 { Expected::NoStream } else { Expected::Version(version) };
            let tick = work::tick(writer, &stream, version + 1, attempt);
            match log.append(&Transaction::of(vec![tick]).expecting(stream, expected)) {
                Ok(done) => {
                    say(&format!("ack {n} {} {}\n", done.first_seq, done.last_seq));
                    break;
                }
                Err(AppendError::Conflict { .. }) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    }
    Ok(())
}

fn backup(path: &Path, to: &Path) -> Result<(), String> {
    let log = Log::open(path).map_err(|e| e.to_string())?;
    log.backup(to).map(|_| ()).map_err(|e| e.to_string())
}

fn accept(path: &Path) -> Result<(), String> {
    Log::accept_loss(path, Box::new(MachineClock), "child", "lost").map(|_| ()).map_err(|e| e.to_string())
}
