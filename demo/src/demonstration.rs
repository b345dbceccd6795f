//! What a demonstration takes from its caller and returns.

use std::path::Path;

use annals_store::Head;

use crate::{DemoError, FollowUp};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Arimaa by the rules of 2015.
    Championship,
    /// The Amazons by the rules of 2000.
    Olympiad,
}

#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    pub event: Event,
    /// Created if missing.
    pub folder: &'a Path,
    pub log: &'a Path,
    /// The same seed gives the same log.
    pub seed: u64,
    /// Positions per turn in the middle of the field; none for the default.
    pub nodes: Option<u64>,
}

/// The caller's part.
pub trait Progress: Sync {
    /// Of the event.
    fn begin(&self, part: &'static str);

    /// A game was played.
    fn game(&self);

    /// A line of the narrative.
    ///
    /// # Errors
    /// If it cannot be written, which ends the demonstration.
    fn say(&self, line: &str) -> Result<(), DemoError>;
}

#[derive(Debug)]
pub struct Played {
    /// Of the log.
    pub head: Head,
    /// In the log.
    pub events: u64,
    pub follow_up: FollowUp,
}
