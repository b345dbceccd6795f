//! Rows of one key, read from the files of a table without the query engine. A query is planned and looks into every file, which takes
//! a thousand times as long as the rows of a game.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use annals_ingest::location::TableFile;
use annals_ingest::stored_games::{KeyedFile, StoredGamesError};
use datafusion::arrow::array::RecordBatch;
use serde::de::DeserializeOwned;

use crate::files_table::ListedFile;
use crate::kept::Kept;
use crate::reads::TableReads;
use crate::session::Session;
use crate::typed_rows::{fields_of, rows_of};
use crate::{Error, Reads};

/// The most bytes of footers that a session keeps.
pub const FOOTERS: usize = 192 << 20;

/// Bytes of a footer besides those of its tables: path and links.
const OVERHEAD: usize = 512;

/// Opened files.
pub(crate) struct Footers {
    kept: Mutex<Kept<Arc<Path>, Arc<KeyedFile>>>,
    /// Held by the thread that opens a file.
    opening: Mutex<()>,
}

impl Default for Footers {
    fn default() -> Footers {
        Footers { kept: Mutex::new(Kept::new(FOOTERS)), opening: Mutex::default() }
    }
}

impl Footers {
    fn of(&self, file: &TableFile) -> Result<Arc<KeyedFile>, StoredGamesError> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let path: Arc<Path> = file.name().into();
        if let Some(opened) = kept().get(&path) {
            return Ok(opened);
        }
        // Others wait, so that each footer is read once.
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = kept().get(&path) {
            return Ok(opened);
        }
        let opened = Arc::new(KeyedFile::open(file)?);
        kept().put(path, Arc::clone(&opened), opened.memory() + OVERHEAD);
        Ok(opened)
    }
}

/// A column of unsigned numbers, and one of them.
pub(crate) type Key = (&'static str, u64);

/// A row, and the file that has it.
type WithFile<'s, T> = (&'s ListedFile, T);

impl Session {
    /// Opens the files that are read by key, for a session that shows many games and positions; not if their footers exceed
    /// [`FOOTERS`].
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn prepare_footers(&self) -> Result<(), Error> {
        let mut bytes = 0;
        for file in ["games", "turns", "lookup"].into_iter().flat_map(|table| self.dataset().files(table)) {
            bytes += self.footers.of(&file.file)?.memory() + OVERHEAD;
            if bytes > FOOTERS {
                break;
            }
        }
        Ok(())
    }

    /// The rows of a table with a key as values of a type, each with its file.
    pub(crate) fn of_key<T: DeserializeOwned>(
        &self,
        table: &'static str,
        key: Key,
        is_wanted: impl Fn(&ListedFile) -> bool,
    ) -> Result<(Vec<WithFile<'_, T>>, Reads), Error> {
        let mut found = Vec::new();
        let reads = self.each_of_key(table, key, fields_of::<T>(), is_wanted, |file, batch| {
            found.extend(rows_of(batch)?.into_iter().map(|row| (file, row)));
            Ok(())
        })?;
        Ok((found, reads))
    }

    /// Calls a function with the rows of a table with a key: columns of the files, batch by batch.
    pub(crate) fn each_of_key<'s>(
        &'s self,
        table: &'static str,
        key: Key,
        columns: &[&'static str],
        is_wanted: impl Fn(&ListedFile) -> bool,
        mut each: impl FnMut(&'s ListedFile, &RecordBatch) -> Result<(), Error>,
    ) -> Result<Reads, Error> {
        let mut reads = TableReads {
            columns: columns.iter().map(ToString::to_string).collect(),
            ..TableReads::default()
        };
        for file in self.dataset().files(table).iter().filter(|file| is_wanted(file)) {
            let read = self.footers.of(&file.file)?.read(key, columns, |batch| each(file, batch))?;
            reads.files += 1;
            reads.bytes_in_files += file.bytes;
            reads.row_groups_read += read.row_groups_read;
            reads.row_groups_skipped += read.row_groups_skipped;
            reads.bytes += usize::try_from(read.bytes).unwrap_or(usize::MAX);
            reads.rows += read.rows;
        }
        let tables = (reads.files > 0).then(|| (table.to_owned(), reads));
        Ok(Reads(tables.into_iter().collect()))
    }
}
