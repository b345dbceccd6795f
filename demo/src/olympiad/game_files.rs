//! Game files: every program submits one of its moves, and the director gets one of every logged game.

use std::fs;
use std::path::Path;

use annals_ingest::game_files::{Format, write};
use annals_ingest::output_file;
use annals_replay::{Cut, standing_events};
use annals_store::Log;

use crate::DemoError;

/// With endings.
const FORMATS: [(Format, &str); 2] = [(Format::Sgf, "sgf"), (Format::MoveList, "moves")];

/// In every format; returns the number of files.
pub fn write_all(log: &Path, folder: &Path) -> Result<usize, DemoError> {
    let log = Log::open(log)?;
    fs::create_dir_all(folder).map_err(DemoError::folder("make", folder))?;
    let mut written = 0;
    for stream in log.streams(Some("game"))? {
        let standing = standing_events(&log, &stream.name, &Cut::NOW)?;
        let events = standing.game_events();
        for (format, ending) in FORMATS {
            let text = write(format, &events)
                .map_err(|e| DemoError::Script(format!("{} cannot be written down: {e}", stream.name)))?;
            let path = folder.join(format!("{}.{ending}", stream.name.name()));
            output_file::write(&path, false, text.as_bytes())?;
            written += 1;
        }
    }
    Ok(written)
}
