use std::time::Duration;

/// The first limit reached stops a search; without any, the stop signal or a decided game does. Limits of depth or
/// nodes alone give the same result on every machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// In steps (a turn has up to four).
    pub depth: Option<u16>,
    /// In positions.
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
}

impl Limits {
    #[must_use]
    pub fn depth(steps: u16) -> Limits {
        Limits { depth: Some(steps), ..Limits::default() }
    }

    #[must_use]
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    #[must_use]
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Whether time alone, or the signal to stop, ends a search.
    pub(crate) const fn are_of_time(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none()
    }
}
