//! The writing thread: staged files of each source from encoded blocks, and its manifest entry. Here duplicates are
//! decided and rows counted.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use super::error::IngestError;
use super::stored_games::StoredGames;
use super::worker::{BlockDone, Encoders, RejectedRow, Tally, Why};
use crate::flags::Flag;
use crate::manifest::{Counts, FileEntry, InputEntry, RejectedSource, SourceEntry};
use crate::source::{SourceEnd, SourceRejected};
use crate::tables::{GameRows, RejectRows, RejectedTurnRows, Rows, SCHEMA_VERSION, ServerLogRows, TurnRows};
use crate::write::{BatchedTable, FinishedSource, StagedFile, Staging, TableFile};

pub struct Writer<'e> {
    encoders: &'e Encoders,
    turns: BTreeMap<i16, TableFile>,
    server_log: Option<TableFile>,
    games: BatchedTable<GameRows>,
    rejected_turns: BatchedTable<RejectedTurnRows>,
    rejects: BatchedTable<RejectRows>,
    reject_rows: RejectRows,
    tally: Tally,
    reasons: BTreeMap<&'static str, u64>,
    /// By digest: the same text is not stored twice.
    known: HashSet<String>,
    /// To decide whether a duplicate is the same record.
    stored: &'e StoredGames,
    /// The source is a log.
    of_log: bool,
    /// Rows stored from a log with the same events.
    also_in_log: u64,
}

impl<'e> Writer<'e> {
    /// `known` and `stored` are the stored sources and games; `of_log`: the source is a log.
    ///
    /// # Errors
    /// As [`crate::write::Encoder::new`].
    pub fn new(
        encoders: &'e Encoders,
        known: HashSet<String>,
        stored: &'e StoredGames,
        of_log: bool,
    ) -> Result<Writer<'e>, IngestError> {
        Ok(Writer {
            encoders,
            turns: BTreeMap::new(),
            server_log: None,
            games: BatchedTable::new()?,
            rejected_turns: BatchedTable::new()?,
            rejects: BatchedTable::new()?,
            reject_rows: RejectRows::default(),
            tally: Tally::default(),
            reasons: BTreeMap::new(),
            known,
            stored,
            of_log,
            also_in_log: 0,
        })
    }

    /// Adds a block of the present source.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn block(&mut self, name: &str, done: BlockDone, staging: &mut Staging) -> Result<(), IngestError> {
        for (year, group) in done.turns {
            let file = match self.turns.entry(year) {
                std::collections::btree_map::Entry::Occupied(file) => file.into_mut(),
                std::collections::btree_map::Entry::Vacant(none) => {
                    let path = staging.fresh_path();
                    none.insert(TableFile::create(&path, &self.encoders.turns)?)
                }
            };
            file.append(group)?;
        }
        for group in done.server_log {
            let file = match &mut self.server_log {
                Some(file) => file,
                none => none.insert(TableFile::create(&staging.fresh_path(), &self.encoders.server_log)?),
            };
            file.append(group)?;
        }
        if let Some(games) = done.games {
            self.games.push(games, || staging.fresh_path())?;
        }
        if let Some(turns) = done.rejected_turns {
            self.rejected_turns.push(turns, || staging.fresh_path())?;
        }
        for (id, digest) in done.stored {
            self.stored.store(id, digest)?;
        }
        for row in done.rejected {
            self.reject(name, row)?;
        }
        if self.reject_rows.len() >= RejectRows::SPEC.page_rows {
            self.rejects.push_rows(&mut self.reject_rows, || staging.fresh_path())?;
        }
        self.count(&done.tally);
        Ok(())
    }

    fn reject(&mut self, name: &str, row: RejectedRow) -> Result<(), IngestError> {
        let (id, reason, detail) = match &row.why {
            Why::Duplicate { id, events } => {
                let stored = self.stored.record(*id)?;
                let same_events =
                    stored.is_some_and(|record| record.of_log && *events == Some(record.digest));
                if same_events && !self.of_log {
                    self.also_in_log += 1;
                    return Ok(());
                }
                let (reason, detail) = match stored {
                    Some(record) if Some(record.digest) == row.digest => {
                        ("duplicate", "the same record is stored already")
                    }
                    _ => ("duplicate_differs", "another record of this game is stored already"),
                };
                (Some(*id), reason, detail.to_owned())
            }
            Why::InFile { id, difference: None } => {
                let stays = "a record of this game is stored from a file, and stays";
                (Some(*id), "stored_from_file", stays.to_owned())
            }
            Why::InFile { id, difference: Some(words) } => (Some(*id), "duplicate_differs", words.clone()),
            Why::Unreadable(reason) => (None, reason.code(), reason.to_string()),
            Why::NoGame { code, reason } => (None, *code, reason.clone()),
        };
        *self.reasons.entry(reason).or_default() += 1;
        let rows = &mut self.reject_rows;
        rows.source.push(name);
        rows.source_digest.push("");
        rows.byte_offset.push(row.byte_offset);
        rows.line.push(row.line);
        rows.byte_length.push(row.bytes);
        rows.game_id.push(id);
        rows.reason.push(reason);
        rows.detail.push(&detail);
        rows.row_digest.push(row.digest.map(hex::encode).as_deref());
        Ok(())
    }

    fn count(&mut self, tally: &Tally) {
        self.tally.rows += tally.rows;
        self.tally.accepted += tally.accepted;
        self.tally.flagged += tally.flagged;
        self.tally.turns += tally.turns;
        self.tally.generated += tally.generated;
        self.tally.unknown.add(&tally.unknown);
        self.tally.flags.resize(Flag::ALL.len(), 0);
        for (sum, count) in self.tally.flags.iter_mut().zip(&tally.flags) {
            *sum += count;
        }
    }

    /// Names the files of a completed source. A text that is stored already is discarded.
    ///
    /// # Errors
    /// If the disk fails, or the row counts do not add up.
    pub fn end(&mut self, end: &SourceEnd, staging: &mut Staging) -> Result<FinishedSource, IngestError> {
        let digest = end.digest.to_string();
        let entry = self.entry(end, digest.clone())?;
        let fresh = self.known.insert(digest.clone());
        let mut finished = FinishedSource { ordinal: end.source.ordinal, entry: None, files: Vec::new() };
        let (turns, server_log) = (std::mem::take(&mut self.turns), self.server_log.take());
        if !fresh {
            self.games.clear();
            self.rejected_turns.clear();
            self.rejects.clear();
            self.reject_rows = RejectRows::default();
            for file in turns.into_values().chain(server_log) {
                let _ = std::fs::remove_file(file.finish()?.path);
            }
            return Ok(finished);
        }
        let short = file_name(&digest);
        let fill = Some(("source_digest", digest.as_str()));
        let mut files: Vec<FileEntry> = Vec::new();
        let mut keep = |file: StagedFile, table: &str, folder: String, year: Option<i16>| {
            let path = format!("{folder}/{short}.parquet");
            staging.keep(file, table, path, year, Some(digest.clone()))
        };
        for (year, file) in turns {
            files.push(keep(
                file.finish()?,
                TurnRows::SPEC.name,
                format!("turns/year={year:04}"),
                Some(year),
            )?);
        }
        if let Some(file) = server_log {
            files.push(keep(file.finish()?, ServerLogRows::SPEC.name, "server_log".to_owned(), None)?);
        }
        if let Some(why) = &end.incomplete {
            // Not a row of the source: what follows cannot be counted.
            self.note_source(&end.source.name, end.bytes, "broken_packing", why);
        }
        self.rejects.push_rows(&mut self.reject_rows, || staging.fresh_path())?;
        let paths: [PathBuf; 3] = std::array::from_fn(|_| staging.fresh_path());
        let small = [
            (GameRows::SPEC.name, self.games.finish(&paths[0], fill)?),
            (RejectedTurnRows::SPEC.name, self.rejected_turns.finish(&paths[1], None)?),
            (RejectRows::SPEC.name, self.rejects.finish(&paths[2], fill)?),
        ];
        for (table, file) in small {
            if let Some(file) = file {
                let path = format!("{table}/{short}.parquet");
                files.push(staging.keep(file, table, path, None, Some(digest.clone()))?);
            }
        }
        finished.files = files;
        finished.entry = Some(entry);
        Ok(finished)
    }

    /// Adds unreadable sources to `rejects`, one row each.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn rejected_sources(
        &mut self,
        input: &InputEntry,
        staging: &mut Staging,
    ) -> Result<Option<FileEntry>, IngestError> {
        for rejected in &input.rejected {
            self.note_source(&rejected.name, 0, &rejected.reason, &rejected.detail);
        }
        self.rejects.push_rows(&mut self.reject_rows, || staging.fresh_path())?;
        let path = staging.fresh_path();
        let file = self.rejects.finish(&path, Some(("source_digest", &input.digest)))?;
        let Some(file) = file else { return Ok(None) };
        let short = file_name(&input.digest);
        let path = format!("{}/{short}.parquet", RejectRows::SPEC.name);
        let entry = staging.keep(file, RejectRows::SPEC.name, path, None, Some(input.digest.clone()))?;
        Ok(Some(entry))
    }

    /// A row on a source from some byte on.
    fn note_source(&mut self, name: &str, from: u64, reason: &str, detail: &str) {
        let rows = &mut self.reject_rows;
        rows.source.push(name);
        rows.source_digest.push("");
        rows.byte_offset.push(from);
        rows.line.push(0);
        rows.byte_length.push(0);
        rows.game_id.push(None);
        rows.reason.push(reason);
        rows.detail.push(detail);
        rows.row_digest.push(None);
    }

    fn entry(&mut self, end: &SourceEnd, digest: String) -> Result<SourceEntry, IngestError> {
        let tally = std::mem::take(&mut self.tally);
        let reasons = std::mem::take(&mut self.reasons);
        let counts = Counts {
            rows: end.rows,
            accepted: tally.accepted,
            flagged: tally.flagged,
            rejected: reasons.values().sum(),
            also_in_log: std::mem::take(&mut self.also_in_log),
        };
        if !counts.add_up() || tally.rows != end.rows {
            return Err(IngestError::Counts { source_name: end.source.name.clone(), counts });
        }
        let flags = Flag::ALL.iter().zip(&tally.flags).filter(|(_, count)| **count > 0);
        Ok(SourceEntry {
            name: end.source.name.clone(),
            digest,
            bytes: end.bytes,
            counts,
            turns: tally.turns,
            generated: tally.generated,
            flags: flags.map(|(flag, count)| (flag.word().to_owned(), *count)).collect(),
            reasons: reasons.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect(),
            incomplete: end.incomplete.clone(),
            unknown: tally.unknown.counts(),
            other_columns: end.other_columns.clone(),
            missing_columns: end.missing_columns.iter().map(|column| (*column).to_owned()).collect(),
        })
    }
}

/// File name of a source, unique to this version: earlier files remain until replaced.
fn file_name(digest: &str) -> String {
    format!("{}-v{SCHEMA_VERSION}", digest.get(..12).unwrap_or(digest))
}

/// The manifest entry of an unreadable source.
#[must_use]
pub fn rejected_source(rejected: &SourceRejected) -> RejectedSource {
    RejectedSource {
        name: rejected.source.name.clone(),
        reason: rejected.reason.code().to_owned(),
        detail: rejected.reason.to_string(),
    }
}
