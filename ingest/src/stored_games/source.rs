//! Sources of stored games: of a dataset by its manifest, or named files.

use std::collections::HashSet;
use std::fs::File;
use std::path::PathBuf;

use super::error::StoredGamesError;
use super::games::{self, StoredGame, Window};
use super::table::StoredTable;
use super::turns::{self, StoredTurns, Wanted};
use crate::location::{Location, OpenDataset, TableFile};
use crate::manifest::{ManifestError, SourceEntry};
use crate::playthrough::Playthrough;
use crate::tables::{GameRows, Rows, TurnRows};

/// Reasons in `rejects` for a game that is stored already.
const DUPLICATES: [&str; 2] = ["duplicate", "duplicate_differs"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSource {
    /// Of the stored source; for named files, of the file of games.
    pub name: String,
    /// BLAKE3 of its text, in hexadecimal; for named files, of the file of games.
    pub digest: String,
    pub bytes: u64,
    /// Rejected rows included; none if only the table of games is known.
    pub rows: Option<u64>,
    /// Rows of games stored from another row.
    pub duplicates: u64,
    pub unreadable: u64,
    /// Why the source is truncated.
    pub incomplete: Option<String>,
    games: Option<TableFile>,
    turns: Vec<TableFile>,
    /// The files have no turns of other games.
    closed: bool,
}

/// An input that is not a source of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceNotStored {
    pub name: String,
    pub reason: String,
}

/// The sources of a dataset by name, members of packed files in their order; and the others.
///
/// # Errors
/// If there is no dataset, or its files differ from its manifest.
pub fn of_dataset(
    location: &Location,
) -> Result<(Vec<StoredSource>, Vec<SourceNotStored>), StoredGamesError> {
    let dataset = location.open()?;
    let manifest = &dataset.manifest;
    let mut known = HashSet::new();
    let (mut sources, mut not_stored) = (Vec::new(), Vec::new());
    for input in &manifest.inputs {
        for digest in input.sources.iter().filter(|digest| known.insert(digest.as_str())) {
            let entry = manifest.sources.iter().find(|source| source.digest == *digest);
            sources.extend(entry.map(|entry| of_entry(&dataset, entry)));
        }
        not_stored.extend(input.rejected.iter().map(|rejected| SourceNotStored {
            name: rejected.name.clone(),
            reason: rejected.detail.clone(),
        }));
    }
    match manifest.sources.iter().find(|source| !known.contains(source.digest.as_str())) {
        Some(lost) => Err(StoredGamesError::Manifest(ManifestError::Damaged {
            path: location.to_string().into(),
            why: format!("no input has the source `{}`", lost.name),
        })),
        None => Ok((sources, not_stored)),
    }
}

fn of_entry(dataset: &OpenDataset, entry: &SourceEntry) -> StoredSource {
    let files = |table| {
        let files = dataset.manifest.table(table).filter(|file| file.source.as_ref() == Some(&entry.digest));
        files.map(|file| dataset.file(file)).collect::<Vec<_>>()
    };
    let duplicates = DUPLICATES.iter().filter_map(|reason| entry.reasons.get(*reason)).sum();
    StoredSource {
        name: entry.name.clone(),
        digest: entry.digest.clone(),
        bytes: entry.bytes,
        rows: Some(entry.counts.rows),
        duplicates,
        unreadable: entry.counts.rejected.saturating_sub(duplicates),
        incomplete: entry.incomplete.clone(),
        games: files(GameRows::SPEC.name).pop(),
        turns: files(TurnRows::SPEC.name),
        closed: true,
    }
}

/// Files of `games` and `turns`, recognised by columns, in any order. Every file of games is a source; its turns are in
/// any of the files.
///
/// # Errors
/// If a file is neither, or a table is missing.
pub fn of_files(files: &[PathBuf]) -> Result<Vec<StoredSource>, StoredGamesError> {
    let (mut games, mut turns) = (Vec::new(), Vec::new());
    for path in files {
        let table = StoredTable::open(&TableFile::Local(path.clone()))?;
        if table.has(TurnRows::steps) {
            turns.push(path.clone());
        } else if table.has(GameRows::result) {
            games.push(path.clone());
        } else {
            let (games, turns) = (GameRows::result, TurnRows::steps);
            return Err(StoredGamesError::NeitherTable { path: path.clone(), games, turns });
        }
    }
    let missing = match (games.first(), turns.first()) {
        (None, Some(turns)) => Some((turns, GameRows::SPEC.name)),
        (Some(games), None) => Some((games, TurnRows::SPEC.name)),
        _ => None,
    };
    if let Some((named, missing)) = missing {
        return Err(StoredGamesError::OneTable { named: named.clone(), missing });
    }
    games.into_iter().map(|path| of_file(path, &turns)).collect()
}

fn of_file(path: PathBuf, turns: &[PathBuf]) -> Result<StoredSource, StoredGamesError> {
    let digested = || -> std::io::Result<(String, u64)> {
        let mut hasher = blake3::Hasher::new();
        let bytes = std::io::copy(&mut File::open(&path)?, &mut hasher)?;
        Ok((hasher.finalize().to_hex().to_string(), bytes))
    };
    let (digest, bytes) =
        digested().map_err(|source| StoredGamesError::Read { path: path.clone(), source })?;
    let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    Ok(StoredSource {
        name: name.into_owned(),
        digest,
        bytes,
        rows: None,
        duplicates: 0,
        unreadable: 0,
        incomplete: None,
        games: Some(TableFile::Local(path)),
        turns: turns.iter().cloned().map(TableFile::Local).collect(),
        closed: false,
    })
}

/// Opened files, shared by threads.
#[derive(Debug)]
pub struct OpenSource {
    games: StoredTable,
    turns: Vec<StoredTable>,
    closed: bool,
}

impl StoredSource {
    /// Opens the files and checks the columns; none without stored games.
    ///
    /// # Errors
    /// If a file cannot be read, or a column is missing or has another type.
    pub fn open(&self) -> Result<Option<OpenSource>, StoredGamesError> {
        let Some(games) = &self.games else { return Ok(None) };
        let games = StoredTable::open(games)?;
        games.check::<GameRows>(&games::COLUMNS)?;
        let mut turns = Vec::with_capacity(self.turns.len());
        for path in &self.turns {
            let table = StoredTable::open(path)?;
            table.check::<TurnRows>(&turns::COLUMNS)?;
            turns.push(table);
        }
        Ok(Some(OpenSource { games, turns, closed: self.closed }))
    }
}

impl OpenSource {
    /// In source order.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn windows(&self) -> Result<Vec<Window>, StoredGamesError> {
        games::windows(&self.games)
    }

    #[must_use]
    pub fn games(&self) -> u64 {
        self.games.rows()
    }

    /// Reads a window's games, in no particular order.
    ///
    /// # Errors
    /// If the file is damaged or inconsistent; the first error of `each`.
    pub fn read(
        &self,
        window: &Window,
        each: impl FnMut(&StoredGame<'_>) -> Result<(), StoredGamesError>,
    ) -> Result<(), StoredGamesError> {
        games::read(&self.games, window, each)
    }

    /// Reads games by rising numbers, in no particular order.
    ///
    /// # Errors
    /// If the file is damaged or inconsistent; the first error of `each`.
    pub fn find(
        &self,
        ids: &[u64],
        each: impl FnMut(&StoredGame<'_>) -> Result<(), StoredGamesError>,
    ) -> Result<(), StoredGamesError> {
        games::find(&self.games, ids, each)
    }

    /// A game that occurs twice.
    #[must_use]
    pub fn repeated(&self, game: &StoredGame<'_>) -> StoredGamesError {
        self.games.contradiction(game.row, game.id, "stands in the table a second time")
    }

    /// Compares the number of turns of all games with the table of turns.
    ///
    /// # Errors
    /// If they differ.
    pub fn check_turns(&self, plies: u64) -> Result<(), StoredGamesError> {
        let rows: u64 = self.turns.iter().map(StoredTable::rows).sum();
        if !self.closed || rows == plies {
            return Ok(());
        }
        let path = self.games.path().to_owned();
        let why = format!("its games have {plies} plies, and the files of their turns {rows} rows");
        Err(StoredGamesError::Damaged { path, why })
    }

    /// # Errors
    /// If a file is damaged, or a turn is missing, repeated or invalid.
    pub fn turns<'w>(&self, wanted: &'w [Wanted]) -> Result<StoredTurns<'w>, StoredGamesError> {
        turns::read(&self.games, &self.turns, wanted)
    }

    /// Checks that all turns of a played game are in force.
    ///
    /// # Errors
    /// If the rules rejected one.
    pub fn check_played(
        &self,
        turns: &StoredTurns<'_>,
        game: usize,
        played: &Playthrough,
    ) -> Result<(), StoredGamesError> {
        turns.refused(&self.games, &self.turns, game, played).map_or(Ok(()), Err)
    }
}
