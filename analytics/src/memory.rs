//! The memory limit of the process during a query. The engine counts the memory of its sorts, joins and groups,
//! and spills beyond the limit. It does not count the results of functions and aggregates (`repeat`, `array_agg`), nor plans. So a
//! thread measures the memory of the process every few milliseconds, and ends the query, or if that has no effect in
//! time, the program.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures::future::{Either, select};
use futures::task::AtomicWaker;

use crate::Error;

/// The memory allowed beyond the engine's limit: buffers of readers and writers, batches, plans.
pub const BUFFERS: u64 = 256 << 20;

/// The memory allowed beyond the limit while a query ends. Beyond this the program ends.
pub const MARGIN: u64 = 256 << 20;

/// The interval of measurements during a query: in this time a process cannot fill [`MARGIN`].
const INTERVAL: Duration = Duration::from_millis(10);

/// Called with the error if a query does not end in time and uses more and more memory; expected to end the program.
pub type LastResort = fn(Error);

/// Measures the memory of the process.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    /// Bytes allowed for a query.
    limit: u64,
    last_resort: Option<LastResort>,
    /// Bytes of the process at the start of the query.
    base: AtomicU64,
    /// Running queries.
    active: AtomicUsize,
    /// Bytes of the query when it was ended; zero before.
    exceeded: AtomicU64,
    /// Whether the user stopped the query.
    cancelled: AtomicBool,
    /// Whether no further query is to run.
    closed: AtomicBool,
    waker: AtomicWaker,
    ended: AtomicBool,
}

/// Stops the query of a session, from any thread.
#[derive(Clone)]
pub struct Canceller(Arc<Shared>);

impl Canceller {
    /// Stops the query that is being answered. Returns false where there is none, or where it was stopped already.
    #[must_use]
    pub fn cancel(&self) -> bool {
        let is_first =
            self.0.active.load(Ordering::Acquire) > 0 && !self.0.cancelled.swap(true, Ordering::AcqRel);
        self.0.waker.wake();
        is_first
    }

    /// Stops the query that is being answered, and every later one of the session.
    pub fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        self.0.waker.wake();
    }
}

impl Watch {
    /// A watch with a limit for queries, in bytes counted by the engine. If the system does not report the memory of a
    /// process, nothing is measured.
    pub(crate) fn new(engine: usize, last_resort: Option<LastResort>) -> Watch {
        let shared = Arc::new(Shared {
            limit: (engine as u64).saturating_add(BUFFERS),
            last_resort,
            base: AtomicU64::new(0),
            active: AtomicUsize::new(0),
            exceeded: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            waker: AtomicWaker::new(),
            ended: AtomicBool::new(false),
        });
        let watched = Arc::clone(&shared);
        let thread = held().and_then(|_| {
            thread::Builder::new().name("annals-memory".into()).spawn(move || watched.run()).ok()
        });
        Watch { shared, thread }
    }

    /// What stops the query that is being answered.
    pub(crate) fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.shared))
    }

    /// Begins a query: until the value is dropped, the process may use the limit in addition to its present memory.
    pub(crate) fn begin(&self) -> Measured<'_> {
        // Simultaneous queries are measured together.
        if self.shared.active.fetch_add(1, Ordering::AcqRel) == 0 {
            self.shared.base.store(held().unwrap_or(0), Ordering::Relaxed);
            self.shared.exceeded.store(0, Ordering::Release);
            self.shared.cancelled.store(false, Ordering::Release);
        }
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
        Measured(&self.shared)
    }
}

/// A query whose memory is measured.
pub(crate) struct Measured<'w>(&'w Arc<Shared>);

impl Measured<'_> {
    /// Waits for a part of a result, at most until the query exceeds its limit.
    pub(crate) async fn bounded<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        let ended = match select(Exceeded(self.0), std::pin::pin!(work)).await {
            Either::Left((ended, _)) => ended,
            // What is returned may be the error of work that was stopped.
            Either::Right((done, _)) => match self.0.ended() {
                Some(ended) => ended,
                None => return Ok(done),
            },
        };
        Err(match ended {
            Ended::Cancelled => Error::Cancelled,
            Ended::Held(held) => self.0.error(held),
        })
    }

    /// Whether the query is to end, for work that cannot wait for it.
    pub(crate) fn ending(&self) -> Ending {
        Ending(Arc::clone(self.0))
    }
}

/// Whether the query of a session is to end.
#[derive(Clone)]
pub(crate) struct Ending(Arc<Shared>);

impl Ending {
    pub(crate) fn is_near(&self) -> bool {
        self.0.ended().is_some()
    }
}

/// Why a query is to end.
#[derive(Debug, Clone, Copy)]
enum Ended {
    Cancelled,
    /// It held so many bytes.
    Held(u64),
}

impl Drop for Measured<'_> {
    fn drop(&mut self) {
        self.0.active.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn run(&self) {
        while !self.ended.load(Ordering::Acquire) {
            let is_exceeded = self.exceeded.load(Ordering::Relaxed) != 0;
            // A query that was ended may still be running.
            let is_active = self.active.load(Ordering::Acquire) > 0 || is_exceeded;
            if is_active && let Some(held) = held() {
                let held = held.saturating_sub(self.base.load(Ordering::Relaxed));
                if held > self.limit && !is_exceeded {
                    self.exceeded.store(held, Ordering::Release);
                    self.waker.wake();
                }
                if held > self.limit.saturating_add(MARGIN)
                    && let Some(end) = self.last_resort
                {
                    end(self.error(held));
                }
            }
            thread::park_timeout(if is_active { INTERVAL } else { Duration::from_secs(1) });
        }
    }

    fn ended(&self) -> Option<Ended> {
        match self.exceeded.load(Ordering::Acquire) {
            0 => (self.cancelled.load(Ordering::Acquire) || self.closed.load(Ordering::Acquire))
                .then_some(Ended::Cancelled),
            held => Some(Ended::Held(held)),
        }
    }

    fn error(&self, held: u64) -> Error {
        Error::Memory { held, limit: self.limit - BUFFERS, buffers: BUFFERS }
    }
}

/// Is ready when the query exceeds its limit.
struct Exceeded<'s>(&'s Shared);

impl Future for Exceeded<'_> {
    type Output = Ended;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Ended> {
        self.0.waker.register(context.waker());
        self.0.ended().map_or(Poll::Pending, Poll::Ready)
    }
}

/// The memory of the process in bytes, without mapped files; none if the system does not report it.
fn held() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.trim().trim_end_matches("kB").trim_end().parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_process_holds_is_measured_and_a_question_that_holds_too_much_ends() {
        let before = held().unwrap();
        let watch = Watch::new(1 << 20, None);
        let question = watch.begin();
        let block = vec![1_u8; (BUFFERS + (64 << 20)) as usize];
        assert!(held().unwrap() - before >= BUFFERS, "what is touched counts");
        let waiting = question.bounded(std::future::pending::<()>());
        let error = futures::executor::block_on(waiting).unwrap_err();
        assert!(matches!(error, Error::Memory { held, limit, .. } if held > limit + BUFFERS), "{error}");
        drop((block, question));
        // The next one begins from the memory used then.
        futures::executor::block_on(watch.begin().bounded(std::future::ready(()))).unwrap();
    }
}
