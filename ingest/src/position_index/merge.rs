//! The index of a year from the indexes of its parts. Each part is sorted, so they are merged in one pass, with a key
//! range in memory and a batch of each part. The bytes are those of an index that is built from all turns.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use arrow::array::{PrimitiveArray, RecordBatch};
use arrow::compute::interleave_record_batch;
use arrow::datatypes::{UInt32Type, UInt64Type};

use super::{KeyRanges, PositionIndexError};
use crate::location;
use crate::tables::{LookupRows, Rows as _};
use crate::write::{Encoder, StagedFile, StoredFile, StoredFileError, TableFile, WriteError};

/// Merges the indexes of different games of one year at `path`; none without rows. `stop` is polled.
///
/// # Errors
/// If a part cannot be read, or the disk fails.
pub fn merge(
    parts: &[location::TableFile],
    path: &Path,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<StagedFile>, PositionIndexError> {
    let files: Vec<StoredFile> = parts.iter().map(StoredFile::open).collect::<Result<_, _>>()?;
    let rows = files.iter().map(StoredFile::rows).sum();
    if rows == 0 {
        return Ok(None);
    }
    let ranges = KeyRanges::new(rows);
    let mut range = Range::create(path)?;
    let mut parts = Vec::with_capacity(files.len());
    let mut next = BinaryHeap::with_capacity(files.len());
    for file in &files {
        let mut part = Part::begin(file)?;
        next.extend(part.turn_over(&mut range)?.map(|place| Reverse((place, parts.len()))));
        parts.push(part);
    }
    let mut present = 0;
    while let Some(Reverse((place, number))) = next.pop() {
        if ranges.of(place.0) != present {
            if stop() {
                return Err(PositionIndexError::Stopped);
            }
            range.write()?;
            parts.iter_mut().for_each(|part| part.stays_in(&mut range));
            present = ranges.of(place.0);
        }
        let part = &mut parts[number];
        range.rows.push((part.number, part.row));
        next.extend(part.advance(&mut range)?.map(|place| Reverse((place, number))));
    }
    range.write()?;
    Ok(Some(range.file.finish()?))
}

/// Key, game and ply: the order of an index.
type Place = (u64, u64, u32);

/// The key range that is merged: the batches that have its rows, and the rows in order.
struct Range {
    file: TableFile,
    encoder: Encoder<LookupRows>,
    batches: Vec<RecordBatch>,
    /// Batch and row.
    rows: Vec<(usize, usize)>,
}

impl Range {
    fn create(path: &Path) -> Result<Range, WriteError> {
        let encoder = Encoder::new()?;
        let file = TableFile::create(path, &encoder)?;
        Ok(Range { file, encoder, batches: Vec::new(), rows: Vec::new() })
    }

    /// Writes a row group, and empties the range.
    fn write(&mut self) -> Result<(), WriteError> {
        if !self.rows.is_empty() {
            let batches: Vec<&RecordBatch> = self.batches.iter().collect();
            let merged = interleave_record_batch(&batches, &self.rows);
            let columns = merged.map_err(|error| self.encoder.failed(error.into()))?.columns().to_vec();
            self.file.append(self.encoder.encode_columns(columns)?)?;
            self.rows.clear();
        }
        self.batches.clear();
        Ok(())
    }
}

/// A part, and its next row.
struct Part<'f> {
    file: &'f StoredFile,
    batches: Box<dyn Iterator<Item = Result<RecordBatch, StoredFileError>>>,
    batch: Option<Batch>,
    /// Of the batch in the range.
    number: usize,
    row: usize,
}

struct Batch {
    all: RecordBatch,
    keys: PrimitiveArray<UInt64Type>,
    games: PrimitiveArray<UInt64Type>,
    plies: PrimitiveArray<UInt32Type>,
}

impl<'f> Part<'f> {
    fn begin(file: &'f StoredFile) -> Result<Part<'f>, StoredFileError> {
        let names: Vec<&str> = LookupRows::columns().iter().map(|column| column.name).collect();
        Ok(Part { file, batches: Box::new(file.batches(&names)?), batch: None, number: 0, row: 0 })
    }

    /// The next row after the present one.
    fn advance(&mut self, range: &mut Range) -> Result<Option<Place>, StoredFileError> {
        self.row += 1;
        match self.place() {
            Some(place) => Ok(Some(place)),
            None => self.turn_over(range),
        }
    }

    /// The first row of the next batch.
    fn turn_over(&mut self, range: &mut Range) -> Result<Option<Place>, StoredFileError> {
        self.row = 0;
        self.batch = match self.batches.next().transpose()? {
            Some(all) => {
                let columns = self.file.columns(&all);
                let keys = columns.numbers::<UInt64Type>(LookupRows::key)?.clone();
                let games = columns.numbers::<UInt64Type>(LookupRows::game_id)?.clone();
                let plies = columns.numbers::<UInt32Type>(LookupRows::ply)?.clone();
                Some(Batch { all, keys, games, plies })
            }
            None => None,
        };
        self.stays_in(range);
        Ok(self.place())
    }

    /// Adds the present batch to a range.
    fn stays_in(&mut self, range: &mut Range) {
        if let Some(batch) = &self.batch {
            self.number = range.batches.len();
            range.batches.push(batch.all.clone());
        }
    }

    fn place(&self) -> Option<Place> {
        let batch = self.batch.as_ref().filter(|batch| self.row < batch.all.num_rows())?;
        let row = self.row;
        Some((batch.keys.value(row), batch.games.value(row), batch.plies.value(row)))
    }
}
