//! The demonstrations: whole events that the engine plays into a new log, with a director's work and follow-up
//! commands. Nothing depends on the machine's clock or on chance: the same seed gives the same log to the byte.

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

impl Played {
    fn of(director: &Director, follow_up: FollowUp) -> Result<Played, DemoError> {
        let head = director.log.acknowledged();
        let head = head.ok_or_else(|| DemoError::Script("the log acknowledges nothing".to_owned()))?;
        Ok(Played { head, events: director.log.last_seq()?, follow_up })
    }
}

/// Into a new log in an empty folder.
///
/// # Errors
/// `NotEmpty` and `Folder` for an unusable folder, else those of the log, the rules or `progress`.
pub fn demonstrate(options: &Options<'_>, progress: &dyn Progress) -> Result<Played, DemoError> {
    must_be_empty(options.folder)?;
    fs::create_dir_all(options.folder).map_err(DemoError::folder("make", options.folder))?;
    match options.event {
        Event::Championship => championship::demonstrate(options, progress),
        Event::Olympiad => olympiad::demonstrate(options, progress),
    }
}

/// A fictional event is not mixed with other data.
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
