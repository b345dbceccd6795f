//! A state file on the disk, and what an import prints of it.

use std::io;
use std::path::{Path, PathBuf};

use annals_report::counted;
use serde::Serialize;

use super::{FromState, StateFile, StateFileError, Statement};
use crate::input_file;

/// Why a file is not a state file. Nothing of it is imported.
#[derive(Debug, thiserror::Error)]
pub enum OpenStateError {
    #[error("cannot read {}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}:{line}: expected UTF-8", path.display())]
    NotUtf8 { path: PathBuf, line: usize },
    #[error("{}:{}: {}", path.display(), error.line, error.fault)]
    Line { path: PathBuf, error: StateFileError },
}

/// What an import prints of a state file.
#[derive(Debug, Serialize)]
pub struct StateSummary<'s> {
    pub file: &'s Path,
    pub players: u32,
    pub rounds: u32,
    pub rounds_inferred: bool,
    pub games: u32,
    pub byes: u32,
    pub events: usize,
    pub remarks: &'s [String],
}

impl StateFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is not one of a state file.
    pub fn open(path: &Path) -> Result<StateFile, OpenStateError> {
        let path_buf = || path.to_owned();
        let bytes =
            input_file::bytes(path).map_err(|error| OpenStateError::Io { path: path_buf(), error })?;
        let text = str::from_utf8(&bytes).map_err(|error| {
            let before = bytes.iter().take(error.valid_up_to()).filter(|byte| **byte == b'\n').count();
            OpenStateError::NotUtf8 { path: path_buf(), line: before + 1 }
        })?;
        StateFile::read(text).map_err(|error| OpenStateError::Line { path: path_buf(), error })
    }

    /// The names of the players who enter.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.said().filter_map(|said| match said {
            Statement::Player { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }
}

impl FromState {
    /// What an import of a file prints.
    #[must_use]
    pub fn summary<'s>(&'s self, file: &'s Path) -> StateSummary<'s> {
        StateSummary {
            file,
            players: self.players,
            rounds: self.rounds,
            rounds_inferred: self.inferred,
            games: self.games,
            byes: self.byes,
            events: self.events.len(),
            remarks: &self.remarks,
        }
    }
}

impl StateSummary<'_> {
    /// The summary as lines.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let inferred = if self.rounds_inferred { ", inferred from the order of the games" } else { "" };
        let counts = format!(
            "{}: {}, {}, {}, {}{inferred}",
            self.file.display(),
            counted(self.players.into(), "player"),
            counted(self.games.into(), "game"),
            counted(self.byes.into(), "bye"),
            counted(self.rounds.into(), "round"),
        );
        std::iter::once(counts).chain(self.remarks.iter().map(|remark| format!("  {remark}"))).collect()
    }
}
