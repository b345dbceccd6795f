//! A writer thread that appends for several threads, with one commit and sync for all waiting transactions (group
//! commit). Each transaction is accepted or rejected separately, has its own `recorded_at`, and is acknowledged when
//! durable.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::log::Log;
use crate::transaction::{AppendError, Appended, Transaction};

/// Most waiting transactions; more block.
const LINE: usize = 1024;

/// Most events per commit, unless one transaction has more.
const EVENTS_PER_COMMIT: usize = 20_000;

/// How long a commit waits for the threads of the last one: far less than a sync.
const GATHER: Duration = Duration::from_micros(200);

enum Message {
    Append(Transaction, SyncSender<Result<Appended, AppendError>>),
    Stop,
}

#[derive(Debug)]
pub struct Writer {
    line: SyncSender<Message>,
    thread: JoinHandle<Log>,
}

/// A handle of a [`Writer`]; clone one per thread.
#[derive(Debug, Clone)]
pub struct Appender {
    line: SyncSender<Message>,
}

impl Writer {
    /// Starts a thread that owns the log.
    #[must_use]
    pub fn start(log: Log) -> Writer {
        let (line, waiting) = sync_channel(LINE);
        let thread = std::thread::spawn(move || serve(log, &waiting));
        Writer { line, thread }
    }

    #[must_use]
    pub fn appender(&self) -> Appender {
        Appender { line: self.line.clone() }
    }

    /// Appends what was queued before, then returns the log. Later appends fail.
    ///
    /// # Panics
    /// If the writer's thread did, which it cannot.
    #[must_use]
    pub fn stop(self) -> Log {
        // The thread ends with this message, or with the last sender.
        let _ = self.line.send(Message::Stop);
        match self.thread.join() {
            Ok(log) => log,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Appender {
    /// As [`Log::append`], and waits until it is durable.
    ///
    /// # Errors
    /// As [`Log::append`]; [`AppendError::Stopped`] after the end of the writer.
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
            // The caller may be gone, which does not matter.
            let _ = reply.send(result);
        }
        if stopped {
            break;
        }
    }
    log
}

/// Collects waiting transactions, and waits shortly for as many as last time. Returns whether to stop.
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
