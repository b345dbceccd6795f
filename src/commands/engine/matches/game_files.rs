//! The file of each game, as organisers ask for it after a game of the Amazons.

use std::path::{Path, PathBuf};

use annals_events::{GameEvent, Micros};
use annals_ingest::game_files::{self, Format};

use crate::errors::{CliError, InWords as _};
use crate::output_file;

/// Writes the list of moves of a game into a folder; gives the path.
pub fn write(
    folder: &Path,
    name: &str,
    force: bool,
    events: &[(Option<Micros>, GameEvent<'_>)],
) -> Result<PathBuf, CliError> {
    let text = game_files::write(Format::MoveList, events)
        .cannot(format_args!("{name} cannot be written as a game file"))?;
    std::fs::create_dir_all(folder).cannot(format_args!("cannot make the folder {}", folder.display()))?;
    let path = folder.join(format!("{name}.moves"));
    output_file::write(&path, force, text.as_bytes())?;
    Ok(path)
}
