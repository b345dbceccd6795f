//! When a search has to stop: its limits, and the order to stop, looked at often enough and no oftener.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Limits;

/// How many positions are looked at between two looks at the clock and at the order to stop.
const BETWEEN_LOOKS: u64 = 128;

/// What a search may still spend.
pub(crate) struct Budget<'a> {
    limits: &'a Limits,
    stop: &'a AtomicBool,
    begun: Instant,
    /// Whether a limit was met: what a search returns from then on means nothing.
    stopped: bool,
    /// After how many positions the clock is looked at again.
    next_look: u64,
}

impl<'a> Budget<'a> {
    /// All that the limits allow, from a point in time on.
    pub(crate) const fn new(limits: &'a Limits, stop: &'a AtomicBool, begun: Instant) -> Budget<'a> {
        Budget { limits, stop, begun, stopped: false, next_look: 0 }
    }

    /// Whether a limit was met.
    #[inline]
    pub(crate) const fn stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a position, and says whether the search is over.
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
