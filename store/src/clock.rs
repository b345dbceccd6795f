//! The clock that stamps `recorded_at`: the machine's for a real log, a set one for a simulated log. The log's first
//! event states the kind, and the other kind cannot append.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use annals_events::Micros;
use annals_events::log::ClockKind;

pub trait Clock: fmt::Debug + Send {
    /// Microseconds since the Unix epoch, UTC.
    fn now(&self) -> Micros;

    /// Real or simulated.
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

/// Constant until set. Clones share the time.
#[derive(Debug, Clone, Default)]
pub struct SetClock(Arc<AtomicI64>);

impl SetClock {
    /// Microseconds since the epoch.
    #[must_use]
    pub fn at(now: Micros) -> SetClock {
        SetClock(Arc::new(AtomicI64::new(now)))
    }

    pub fn set(&self, now: Micros) {
        self.0.store(now, Ordering::SeqCst);
    }

    /// By microseconds.
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
