//! The clock that stamps `recorded_at`. It is handed in: the machine's clock for a real log, a clock that a test
//! or a simulation sets for a simulated one. Which of the two a log has is said in its first event, and the
//! other kind cannot append to it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use annals_events::Micros;
use annals_events::log::ClockKind;

/// Tells the time at which the log takes an event.
pub trait Clock: fmt::Debug + Send {
    /// Microseconds since the Unix epoch, UTC.
    fn now(&self) -> Micros;

    /// Whether it is the machine's clock or one that somebody sets.
    fn kind(&self) -> ClockKind;
}

#[derive(Debug, Clone, Copy, Default)]
pub struct MachineClock;

impl Clock for MachineClock {
    fn now(&self) -> Micros {
        match SystemTime::UNIX_EPOCH.elapsed() {
            Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |n| -n),
        }
    }

    fn kind(&self) -> ClockKind {
        ClockKind::Real
    }
}

/// A clock that stands still until it is set. Clones share one time.
#[derive(Debug, Clone, Default)]
pub struct SetClock(Arc<AtomicI64>);

impl SetClock {
    /// A clock that shows this time, in microseconds since the epoch.
    #[must_use]
    pub fn at(now: Micros) -> SetClock {
        SetClock(Arc::new(AtomicI64::new(now)))
    }

    pub fn set(&self, now: Micros) {
        self.0.store(now, Ordering::SeqCst);
    }

    /// Moves it on by some microseconds.
    pub fn advance(&self, by: Micros) {
        self.0.fetch_add(by, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Micros {
        self.0.load(Ordering::SeqCst)
    }

    fn kind(&self) -> ClockKind {
        ClockKind::Simulated
    }
}
