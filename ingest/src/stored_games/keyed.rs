//! The rows of a stored file that have a key: row groups by their ranges, pages by the page index, and of the other columns only
//! the pages with these rows.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{RecordBatch, UInt64Array};
use arrow::compute::kernels::cmp::eq;
use bytes::Bytes;
use parquet::errors::Result as ParquetResult;
use parquet::file::reader::{ChunkReader, Length};

use super::error::StoredGamesError;
use super::table::StoredTable;
use crate::location::{TableFile, TableReader};

/// An opened file; its footer is in memory.
#[derive(Debug)]
pub struct KeyedFile(StoredTable);

/// What was read of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyedReads {
    pub row_groups_read: usize,
    /// Row groups without the key by their ranges.
    pub row_groups_skipped: usize,
    pub bytes: u64,
    pub rows: usize,
}

impl KeyedFile {
    /// # Errors
    /// If the file cannot be read.
    pub fn open(file: &TableFile) -> Result<KeyedFile, StoredGamesError> {
        StoredTable::open(file).map(KeyedFile)
    }

    /// Bytes of the footer and the page index in memory.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.0.memory()
    }

    /// Reads columns of the rows whose column `column`, an unsigned number of 64 bits, is `key`, in the order of the file.
    ///
    /// # Errors
    /// If the file is damaged; the first error of `each`.
    pub fn read<E: From<StoredGamesError>>(
        &self,
        (column, key): (&'static str, u64),
        columns: &[&str],
        mut each: impl FnMut(&RecordBatch) -> Result<(), E>,
    ) -> Result<KeyedReads, E> {
        let may_have = |least, most| (least..=most).contains(&key);
        let wanted = UInt64Array::new_scalar(key);
        let mut reads = KeyedReads::default();
        for (group, range) in self.0.ranges(column)?.into_iter().enumerate() {
            if !range.is_none_or(|(least, most)| may_have(least, most)) {
                reads.row_groups_skipped += 1;
                continue;
            }
            reads.row_groups_read += 1;
            let pages = self.0.pages(group, column, may_have);
            if pages.is_empty() {
                continue;
            }
            let wanted = wanted.clone();
            let is_key = move |batch: RecordBatch| eq(batch.column(0), &wanted);
            let file = Counted::open(self.0.file())?;
            let bytes = Arc::clone(&file.bytes);
            for batch in self.0.filtered(file, group, &pages, columns, (column, is_key))? {
                let batch = batch.map_err(|error| self.0.damaged(&error))?;
                reads.rows += batch.num_rows();
                each(&batch)?;
            }
            reads.bytes += bytes.load(Ordering::Relaxed);
        }
        Ok(reads)
    }
}

/// A file that counts the bytes that are read of it.
struct Counted {
    file: TableReader,
    bytes: Arc<AtomicU64>,
}

impl Counted {
    fn open(file: &TableFile) -> Result<Counted, StoredGamesError> {
        Ok(Counted { file: super::table::open(file)?, bytes: Arc::default() })
    }

    fn count(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

impl Length for Counted {
    fn len(&self) -> u64 {
        Length::len(&self.file)
    }
}

impl ChunkReader for Counted {
    type T = CountedRead<<TableReader as ChunkReader>::T>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(CountedRead { read: self.file.get_read(start)?, bytes: Arc::clone(&self.bytes) })
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        self.count(length);
        self.file.get_bytes(start, length)
    }
}

struct CountedRead<R> {
    read: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for CountedRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.read.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
