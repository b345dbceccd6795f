//! The demonstrations: whole events that the engine plays into a new log, with a director's work and follow-up
//! commands. Nothing depends on the machine's clock or on chance: the same seed gives the same log to the byte.

mod boards;
mod championship;
mod demonstration;
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

pub use demonstration::{Event, Options, Played, Progress};
pub use error::DemoError;
pub use follow_up::{FollowUp, Question};

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
