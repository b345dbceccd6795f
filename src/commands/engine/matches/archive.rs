//! The games of a match as an archive in the gameroom's format, which knows whole seconds only and no reasons of a forfeit: both
//! stay in the log.

use std::io::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use annals_events::{GameEvent, Micros};

use crate::errors::CliError;
use crate::output::{one_line, talk};
use crate::output_file::OutputFile;
use crate::terminal::counted;
use annals_ingest::archive_row::Rows;

/// What is said of the mode of a game in the archive.
const MODE: &str = "play";

const SECOND: Micros = 1_000_000;

/// An archive that is being written.
pub struct Archive {
    file: OutputFile,
    rows: Rows,
    games: u64,
    left_out: u64,
}

impl Archive {
    /// Begins one. Where no number is given, the games are numbered by the microseconds since the Unix epoch, far from those of
    /// the gameroom and from those of other matches.
    pub fn create(path: &Path, force: bool, first_id: Option<u64>) -> Result<Archive, CliError> {
        let mut file = OutputFile::create(path, force)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut rows = Rows::new(first_id.unwrap_or(since.as_secs().saturating_mul(1_000_000)), MODE);
        file.write_all(rows.header())?;
        Ok(Archive { file, rows, games: 0, left_out: 0 })
    }

    /// Writes a game. What the archive has no words for, as a game that was halted, is left out and told.
    pub fn take(&mut self, events: &[(Micros, GameEvent<'static>)]) -> Result<(), CliError> {
        let said: Vec<_> =
            events.iter().map(|(at, event)| (at - at.rem_euclid(SECOND), plain(event))).collect();
        match self.rows.of(self.games, &said) {
            Ok(row) => {
                self.file.write_all(row)?;
                self.games += 1;
            }
            Err(error) => {
                self.left_out += 1;
                talk(format_args!("note: not in the archive: {}", one_line(&error.to_string())));
            }
        }
        Ok(())
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), CliError> {
        self.file.finish()?;
        let left_out =
            if self.left_out == 0 { String::new() } else { format!(", {} left out", self.left_out) };
        talk(format_args!("note: {} in the archive{left_out}", counted(self.games, "game")));
        Ok(())
    }
}

/// An event without the words that an archive has no place for.
fn plain(event: &GameEvent<'static>) -> GameEvent<'static> {
    match event {
        GameEvent::Ended(ended) => {
            let mut ended = ended.clone();
            ended.stated = None;
            GameEvent::Ended(ended)
        }
        other => other.clone(),
    }
}
