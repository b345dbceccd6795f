//! When a search stops: limits and the stop signal, polled at intervals.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Limits;

/// Positions between polls.
const BETWEEN_LOOKS: u64 = 128;

/// What a search may still use.
pub(crate) struct Budget<'a> {
    limits: &'a Limits,
    stop: &'a AtomicBool,
    begun: Instant,
    /// A limit was reached: results from then on are meaningless.
    stopped: bool,
    /// Positions at the next poll.
    next_look: u64,
}

impl<'a> Budget<'a> {
    pub(crate) const fn new(limits: &'a Limits, stop: &'a AtomicBool, begun: Instant) -> Budget<'a> {
        Budget { limits, stop, begun, stopped: false, next_look: 0 }
    }

    #[inline]
    pub(crate) const fn stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a position; returns whether the search is over.
    #[inline]
    pub(crate) fn is_spent(&mut self, nodes: &mut u64) -> bool {
        if self.stopped {
            return true;
        }
        let look = *nodes >= self.next_look;
        if look {
            self.next_look = *nodes + BETWEEN_LOOKS;
        }
        let spent = self.limits.nodes.is_some_and(|most| *nodes >= most)
            || look
                && (self.stop.load(Ordering::Relaxed)
                    || self.limits.time.is_some_and(|most| self.begun.elapsed() >= most));
        self.stopped = spent;
        *nodes += u64::from(!spent);
        spent
    }
}
