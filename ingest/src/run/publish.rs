//! The end of an ingest: rebuilds the indexes of changed years and the player table, and publishes everything at once.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::error::IngestError;
use super::{Moment, Run, Stage};
use crate::location::TableFile;
use crate::manifest::{FileEntry, Manifest};
use crate::players;
use crate::position_index::{self, YearFiles};
use crate::tables::{GameRows, LookupRows, PlayerRows, Rows, TurnRows};
use crate::write::{Journal, StagedFile};

impl Run<'_> {
    /// Publishes completed sources; writes nothing without new games. Games of `touched` years were removed.
    pub(super) fn publish(&mut self, journal: &Journal, touched: &BTreeSet<i16>) -> Result<(), IngestError> {
        for source in journal.sources() {
            self.summary.add(source);
        }
        let nothing = self.summary.has_no_game() && touched.is_empty();
        if journal.inputs.is_empty() || nothing {
            return Ok(());
        }
        let mut next = self.manifest.clone();
        next.inputs.extend(journal.inputs.iter().map(|input| input.entry.clone()));
        next.sources.extend(journal.sources().cloned());
        let mut new: Vec<FileEntry> = journal.files().cloned().collect();
        next.files.extend(new.iter().cloned());
        self.index(&mut next, &mut new, touched)?;
        next.seal()?;
        self.say(Stage::Publishing);
        self.may_go_on()?;
        self.staging.publish(&next, &new)?;
        self.manifest = next;
        Ok(())
    }

    pub(super) fn say(&self, stage: Stage) {
        let games = self.summary.counts.accepted + self.summary.counts.flagged;
        let bytes = self.summary.bytes;
        self.progress.at(Moment { stage, bytes, total: bytes, games, turns: self.summary.turns });
    }

    /// Rebuilds the indexes of years with new turns, and the player table.
    fn index(
        &mut self,
        next: &mut Manifest,
        new: &mut Vec<FileEntry>,
        touched: &BTreeSet<i16>,
    ) -> Result<(), IngestError> {
        self.say(Stage::Indexing);
        if of_table(new, GameRows::SPEC.name).next().is_none() && touched.is_empty() {
            return Ok(());
        }
        let mut years: BTreeSet<i16> =
            of_table(new, TurnRows::SPEC.name).filter_map(|file| file.year).collect();
        years.extend(touched);
        for year in years {
            let built = self.year_index(year, &next.files)?;
            new.extend(self.replace_index(next, year, built)?);
            self.say(Stage::Indexing);
            self.may_go_on()?;
        }
        new.extend(self.replace_players(next)?);
        Ok(())
    }

    /// Puts an index in the place of that of its year; returns the file if it is new.
    pub(super) fn replace_index(
        &mut self,
        next: &mut Manifest,
        year: i16,
        index: Option<StagedFile>,
    ) -> Result<Option<FileEntry>, IngestError> {
        next.files.retain(|file| file.table != LookupRows::SPEC.name || file.year != Some(year));
        let Some(file) = index else { return Ok(None) };
        let path = index_name(year, &file);
        self.put(next, file, LookupRows::SPEC.name, path, Some(year))
    }

    /// Builds the table of players, in the place of the one before; returns the file if it is new.
    pub(super) fn replace_players(&mut self, next: &mut Manifest) -> Result<Option<FileEntry>, IngestError> {
        let built = self.player_table(&next.files)?;
        next.files.retain(|file| file.table != PlayerRows::SPEC.name);
        let Some(file) = built else { return Ok(None) };
        let path = format!("players/{}.parquet", &file.digest[..12]);
        self.put(next, file, PlayerRows::SPEC.name, path, None)
    }

    /// Builds the index of a year from all turns in `files`; none without turns.
    pub(super) fn year_index(
        &mut self,
        year: i16,
        files: &[FileEntry],
    ) -> Result<Option<StagedFile>, IngestError> {
        let turns: Vec<&FileEntry> =
            of_table(files, TurnRows::SPEC.name).filter(|file| file.year == Some(year)).collect();
        let sources: BTreeSet<&str> = turns.iter().filter_map(|file| file.source.as_deref()).collect();
        let games = of_table(files, GameRows::SPEC.name)
            .filter(|file| file.source.as_deref().is_some_and(|source| sources.contains(source)));
        let files = YearFiles {
            year,
            games: games.map(|file| self.locate(file)).collect(),
            turns: turns.iter().map(|file| self.locate(file)).collect(),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.options.threads.max(1)).build();
        let pool = pool.map_err(|error| IngestError::Panicked { what: error.to_string() })?;
        let path = self.staging.fresh_path();
        let (limits, cancel) = (&self.options.limits, &self.options.cancel);
        let stop = || cancel.load(Ordering::Relaxed);
        Ok(pool.install(|| position_index::build(&files, &path, limits, &stop))?)
    }

    /// Builds the table of players from all games in `files`; none without games.
    fn player_table(&mut self, files: &[FileEntry]) -> Result<Option<StagedFile>, IngestError> {
        let path = self.staging.fresh_path();
        let games: Vec<TableFile> =
            of_table(files, GameRows::SPEC.name).map(|file| self.locate(file)).collect();
        Ok(players::build(&games, &path, self.options.limits.held_bytes)?)
    }

    /// Adds a file named by content, unless it is listed already.
    fn put(
        &mut self,
        next: &mut Manifest,
        file: StagedFile,
        table: &str,
        path: String,
        year: Option<i16>,
    ) -> Result<Option<FileEntry>, IngestError> {
        let entry = self.staging.keep(file, table, path, year, None)?;
        next.files.push(entry.clone());
        if self.manifest.files.iter().any(|file| file.path == entry.path) {
            self.staging.discard(&entry);
            return Ok(None);
        }
        Ok(Some(entry))
    }
}

pub(super) fn of_table<'f>(files: &'f [FileEntry], table: &str) -> impl Iterator<Item = &'f FileEntry> {
    files.iter().filter(move |file| file.table == table)
}

/// The path of an index in the dataset.
pub(super) fn index_name(year: i16, file: &StagedFile) -> String {
    format!("lookup/year={year:04}-{}.parquet", &file.digest[..12])
}
