//! How far a search may go.

use std::time::Duration;

/// When a search stops: at the first limit that it meets. Without any limit it stops when it is told to, or when the game is
/// decided. Searches limited by depth or nodes alone are the same on every machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Steps to look ahead (a turn is up to four).
    pub depth: Option<u16>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
}

impl Limits {
    #[must_use]
    pub fn depth(steps: u16) -> Limits {
        Limits { depth: Some(steps), ..Limits::default() }
    }

    /// So many positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So much time.
    #[must_use]
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Whether so much of the time is gone that one more depth would hardly be finished.
    pub(crate) fn are_nearly_met(&self, elapsed: Duration) -> bool {
        self.time.is_some_and(|most| elapsed * 10 >= most * 7)
    }
}
