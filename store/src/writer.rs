//! Several threads, one log: a writer that takes transactions from all of them, and carries what is waiting in one
//! commit with one sync (group commit). Each transaction is still taken or refused by itself, has its own
//! `recorded_at`, and is acknowledged only when it is safe.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::log::Log;
use crate::transaction::{AppendError, Appended, Transaction};

/// The most transactions that wait in line; who comes later waits to get in line.
const LINE: usize = 1024;

/// The most events that one commit carries, unless a single transaction has more.
const EVENTS_PER_COMMIT: usize = 20_000;

/// How long a commit waits for those who were part of the last one: far less than a sync takes, and enough for a
/// thread to come back with its next transaction.
const GATHER: Duration = Duration::from_micros(200);

enum Message {
    Append(Transaction, SyncSender<Result<Appended, AppendError>>),
    Stop,
}

/// A thread that owns a log and appends for others.
#[derive(Debug)]
pub struct Writer {
    line: SyncSender<Message>,
    thread: JoinHandle<Log>,
}

/// A place in the line of a [`Writer`]; clone one for each thread.
#[derive(Debug, Clone)]
pub struct Appender {
    line: SyncSender<Message>,
}

impl Writer {
    /// Hands a log that is open for appending to a thread of its own.
    #[must_use]
    pub fn start(log: Log) -> Writer {
        let (line, waiting) = sync_channel(LINE);
        let thread = std::thread::spawn(move || serve(log, &waiting));
        Writer { line, thread }
    }

    /// A place in line.
    #[must_use]
    pub fn appender(&self) -> Appender {
        Appender { line: self.line.clone() }
    }

    /// Appends what stands in line before this call, then gives the log back. Later appends are refused.
    ///
    /// # Panics
    /// When the writer's thread did; it has no way to.
    #[must_use]
    pub fn stop(self) -> Log {
        // The thread ends by itself only when this message, or the last sender, is gone.
        let _ = self.line.send(Message::Stop);
        match self.thread.join() {
            Ok(log) => log,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Appender {
    /// Appends a transaction, as [`Log::append`] does, and waits until it is safe.
    ///
    /// # Errors
    /// As [`Log::append`]; [`AppendError::Stopped`] when the writer is gone.
    pub fn append(&self, transaction: Transaction) -> Result<Appended, AppendError> {
        let (reply, answer) = sync_channel(1);
        let message = match self.line.try_send(Message::Append(transaction, reply)) {
            Ok(()) => None,
            Err(TrySendError::Full(message)) => Some(message),
            Err(TrySendError::Disconnected(_)) => return Err(AppendError::Stopped),
        };
        if let Some(message) = message {
            self.line.send(message).map_err(|_| AppendError::Stopped)?;
        }
        answer.recv().unwrap_or(Err(AppendError::Stopped))
    }
}

fn serve(mut log: Log, waiting: &Receiver<Message>) -> Log {
    let mut last_group = 1;
    while let Ok(Message::Append(transaction, reply)) = waiting.recv() {
        let mut group = vec![(transaction, reply)];
        let stopped = gather(waiting, &mut group, last_group);
        last_group = group.len();
        let transactions: Vec<&Transaction> = group.iter().map(|(transaction, _)| transaction).collect();
        let results = log.append_group(&transactions);
        for ((_, reply), result) in group.iter().zip(results) {
            // Whoever asked may have gone; that changes nothing.
            let _ = reply.send(result);
        }
        if stopped {
            break;
        }
    }
    log
}

/// Takes into the group whoever waits, and waits a moment for as many as came last time. Whether to stop after it.
fn gather(
    waiting: &Receiver<Message>,
    group: &mut Vec<(Transaction, SyncSender<Result<Appended, AppendError>>)>,
    last_group: usize,
) -> bool {
    let start = Instant::now();
    let mut events = group.iter().map(|(transaction, _)| transaction.events.len()).sum::<usize>();
    while events < EVENTS_PER_COMMIT {
        let patience =
            if group.len() < last_group { GATHER.saturating_sub(start.elapsed()) } else { Duration::ZERO };
        match waiting.recv_timeout(patience) {
            Ok(Message::Append(transaction, reply)) => {
                events += transaction.events.len();
                group.push((transaction, reply));
            }
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return true,
            Err(RecvTimeoutError::Timeout) => break,
        }
    }
    false
}
