//! The demonstrations: whole events that the engine plays from scratch into a new log, with everything that a director does, and the
//! commands by which the log is examined afterwards. Nothing in the log comes from the machine's clock or from chance: the same
//! seed gives the same log, to the last byte.

mod boards;
mod championship;
mod director;
mod entry;
mod error;
mod follow_up;
mod game_in_play;
mod olympiad;
mod ongoing_game;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use annals_store::Head;

use self::director::Director;
pub use error::DemoError;
pub use follow_up::{FollowUp, Question};

/// An event that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Arimaa: the World Computer Championship by the rules of 2015.
    Championship,
    /// The Amazons: the Computer Olympiad by the rules of 2000.
    Olympiad,
}

/// What is played, and where.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The event.
    pub event: Event,
    /// The folder for the event; created if it is missing.
    pub folder: &'a Path,
    /// The new log.
    pub log: &'a Path,
    /// The same seed gives the same log.
    pub seed: u64,
    /// Positions that the middle of the field searches in a turn; none for the event's default.
    pub nodes: Option<u64>,
}

/// What the caller does while an event is played.
pub trait Progress: Sync {
    /// A part of the event begins.
    fn begin(&self, part: &'static str);

    /// One more game was played.
    fn game(&self);

    /// A line of the narrative.
    ///
    /// # Errors
    /// If it cannot be written, which ends the demonstration.
    fn say(&self, line: &str) -> Result<(), DemoError>;
}

/// What an event leaves.
#[derive(Debug)]
pub struct Played {
    /// The head of its log.
    pub head: Head,
    /// How many events the log holds.
    pub events: u64,
    /// How the log can be examined.
    pub follow_up: FollowUp,
}

impl Played {
    fn of(director: &Director, follow_up: FollowUp) -> Result<Played, DemoError> {
        let head = director.log.acknowledged();
        let head = head.ok_or_else(|| DemoError::Script("the log acknowledges nothing".to_owned()))?;
        Ok(Played { head, events: director.log.last_seq()?, follow_up })
    }
}

/// Plays an event into a new log in an empty folder.
///
/// # Errors
/// `NotEmpty` and `Folder` for a folder that cannot be used, otherwise what the log, the rules or `progress` return.
pub fn demonstrate(options: &Options<'_>, progress: &dyn Progress) -> Result<Played, DemoError> {
    must_be_empty(options.folder)?;
    fs::create_dir_all(options.folder).map_err(DemoError::folder("make", options.folder))?;
    match options.event {
        Event::Championship => championship::demonstrate(options, progress),
        Event::Olympiad => olympiad::demonstrate(options, progress),
    }
}

/// An invented event is not mixed with anything else.
fn must_be_empty(folder: &Path) -> Result<(), DemoError> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(DemoError::folder("look into", folder)(error)),
    };
    let Some(entry) = entries.next().transpose()? else { return Ok(()) };
    let name = entry.file_name().to_string_lossy().into_owned();
    Err(DemoError::NotEmpty(folder.to_owned(), name))
}
