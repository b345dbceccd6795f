//! Parquet files in the staging folder, and tables of small batches.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray, UInt32Array};
use arrow::compute::{concat_batches, take_record_batch};
use arrow::datatypes::{SchemaRef, UInt64Type};
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use parquet::file::writer::SerializedFileWriter;

use super::error::WriteError;
use super::row_group::{Encoder, RowGroup};
use super::sink::Sink;
use crate::tables::Rows;

#[derive(Debug)]
pub struct StagedFile {
    pub path: PathBuf,
    pub rows: u64,
    pub bytes: u64,
    /// BLAKE3, in hexadecimal.
    pub digest: String,
    /// Still to be synced.
    pub file: std::fs::File,
}

pub struct TableFile {
    table: &'static str,
    path: PathBuf,
    rows: u64,
    writer: SerializedFileWriter<Sink>,
}

impl TableFile {
    /// # Errors
    /// If the disk fails.
    pub fn create<R: Rows>(path: &Path, encoder: &Encoder<R>) -> Result<TableFile, WriteError> {
        let table = R::SPEC.name;
        let sink = Sink::create(path).map_err(|error| WriteError::io("created", path, error))?;
        let (schema, properties) = (Arc::clone(&encoder.parquet_schema), Arc::clone(&encoder.properties));
        let writer = SerializedFileWriter::new(sink, schema, properties)
            .map_err(|error| WriteError::parquet(table, path, error))?;
        Ok(TableFile { table, path: path.to_owned(), rows: 0, writer })
    }

    /// # Errors
    /// If the disk fails.
    pub fn append(&mut self, group: RowGroup) -> Result<(), WriteError> {
        let failed = |error| WriteError::parquet(self.table, &self.path, error);
        let mut writer = self.writer.next_row_group().map_err(failed)?;
        for chunk in group.chunks {
            chunk.append_to_row_group(&mut writer).map_err(failed)?;
        }
        writer.close().map_err(failed)?;
        self.rows += group.rows;
        Ok(())
    }

    /// Writes the footer.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(self) -> Result<StagedFile, WriteError> {
        let TableFile { table, path, rows, writer } = self;
        let sink = writer.into_inner().map_err(|error| WriteError::parquet(table, &path, error))?;
        let (file, bytes, digest) = sink.finish().map_err(|error| WriteError::io("written", &path, error))?;
        Ok(StagedFile { path, rows, bytes, digest, file })
    }
}

/// A table of small batches, collected until their source is complete, since a column may be known only then; written
/// in row groups, each sorted by the game number if that is the first column. Large ones are spilled to a file.
pub struct BatchedTable<R> {
    encoder: Encoder<R>,
    batches: Vec<RecordBatch>,
    rows: usize,
    spilled: Option<Spill>,
}

struct Spill {
    path: PathBuf,
    writer: StreamWriter<File>,
}

impl<R: Rows> BatchedTable<R> {
    /// # Errors
    /// As [`Encoder::new`].
    pub fn new() -> Result<BatchedTable<R>, WriteError> {
        Ok(BatchedTable { encoder: Encoder::new()?, batches: Vec::new(), rows: 0, spilled: None })
    }

    /// Adds a batch; `spill` gives the path for spilling.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn push(&mut self, batch: RecordBatch, spill: impl FnOnce() -> PathBuf) -> Result<(), WriteError> {
        self.rows += batch.num_rows();
        self.batches.push(batch);
        if self.rows >= R::SPEC.row_group_rows {
            let batch = self.gathered()?;
            let waiting = match &mut self.spilled {
                Some(waiting) => waiting,
                none => {
                    let path = spill();
                    let file = File::create(&path).map_err(|e| WriteError::io("created", &path, e))?;
                    let writer = StreamWriter::try_new(file, self.encoder.schema());
                    let writer = writer.map_err(|error| failed::<R>(&path, error))?;
                    none.insert(Spill { path, writer })
                }
            };
            waiting.writer.write(&batch).map_err(|error| failed::<R>(&waiting.path, error))?;
        }
        Ok(())
    }

    /// Adds rows, as [`BatchedTable::push`].
    ///
    /// # Errors
    /// If the disk fails.
    pub fn push_rows(&mut self, rows: &mut R, spill: impl FnOnce() -> PathBuf) -> Result<(), WriteError> {
        match self.encoder.batch(rows)? {
            Some(batch) => self.push(batch, spill),
            None => Ok(()),
        }
    }

    /// Writes all rows to a file, with `value` in the text column `column`; none without rows. Empties the table.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(
        &mut self,
        path: &Path,
        fill: Option<(&str, &str)>,
    ) -> Result<Option<StagedFile>, WriteError> {
        let last = if self.rows > 0 { Some(self.gathered()?) } else { None };
        let mut file = None;
        let mut write = |batch: RecordBatch| -> Result<(), WriteError> {
            let group = self.encoder.encode_columns(filled(&batch, fill))?;
            match &mut file {
                Some(file) => file,
                none => none.insert(TableFile::create(path, &self.encoder)?),
            }
            .append(group)
        };
        if let Some(Spill { path, mut writer }) = self.spilled.take() {
            writer.finish().map_err(|error| failed::<R>(&path, error))?;
            drop(writer);
            let waiting = File::open(&path).map_err(|e| WriteError::io("read", &path, e))?;
            let reader = StreamReader::try_new(BufReader::new(waiting), None);
            for batch in reader.map_err(|error| failed::<R>(&path, error))? {
                write(batch.map_err(|error| failed::<R>(&path, error))?)?;
            }
            std::fs::remove_file(&path).map_err(|e| WriteError::io("removed", &path, e))?;
        }
        last.map(write).transpose()?;
        file.map(TableFile::finish).transpose()
    }

    pub fn clear(&mut self) {
        self.batches.clear();
        self.rows = 0;
        if let Some(Spill { path, .. }) = self.spilled.take() {
            // Otherwise removed with the staging folder.
            let _ = std::fs::remove_file(path);
        }
    }

    /// All batches as one, sorted.
    fn gathered(&mut self) -> Result<RecordBatch, WriteError> {
        let batches = std::mem::take(&mut self.batches);
        self.rows = 0;
        sorted(self.encoder.schema(), &batches).map_err(|error| self.encoder.failed(error.into()))
    }
}

fn sorted(schema: &SchemaRef, batches: &[RecordBatch]) -> Result<RecordBatch, ArrowError> {
    let batch = concat_batches(schema, batches)?;
    let ids = batch.columns().first().and_then(|column| column.as_primitive_opt::<UInt64Type>());
    let Some(ids) = ids.filter(|ids| !ids.values().is_sorted()) else { return Ok(batch) };
    // Stable: rows of a game keep their order.
    let mut order: Vec<u32> = (0..batch.num_rows() as u32).collect();
    order.sort_by_key(|row| ids.value(*row as usize));
    take_record_batch(&batch, &UInt32Array::from(order))
}

fn filled(batch: &RecordBatch, fill: Option<(&str, &str)>) -> Vec<ArrayRef> {
    let mut columns = batch.columns().to_vec();
    if let Some((column, value)) = fill
        && let Ok(place) = batch.schema().index_of(column)
    {
        columns[place] =
            Arc::new(StringArray::from_iter_values(std::iter::repeat_n(value, batch.num_rows())));
    }
    columns
}

fn failed<R: Rows>(path: &Path, error: ArrowError) -> WriteError {
    match error {
        ArrowError::IoError(_, error) => WriteError::io("written", path, error),
        error => WriteError::Encoding { table: R::SPEC.name, source: error.into() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::RejectRows;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    fn push(rows: &mut RejectRows, line: u64) {
        rows.source.push("a.txt");
        rows.source_digest.push("");
        rows.byte_offset.push(line * 100);
        rows.line.push(line);
        rows.byte_length.push(7);
        rows.game_id.push(line.is_multiple_of(2).then_some(line));
        rows.reason.push(if line.is_multiple_of(3) { "column_count" } else { "duplicate" });
        rows.detail.push("why");
        rows.row_digest.push(None);
    }

    #[test]
    fn what_is_known_only_at_the_end_stands_in_every_row_also_of_what_had_to_wait_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let (waiting, path) = (folder.path().join("waiting"), folder.path().join("x.parquet"));
        let mut table = BatchedTable::<RejectRows>::new().unwrap();
        let (mut rows, count) = (RejectRows::default(), RejectRows::SPEC.row_group_rows as u64 * 2 + 1000);
        for line in 0..count {
            push(&mut rows, line);
            if line % 7_000 == 0 {
                table.push_rows(&mut rows, || waiting.clone()).unwrap();
            }
        }
        table.push_rows(&mut rows, || waiting.clone()).unwrap();
        assert!(waiting.exists());
        let staged = table.finish(&path, Some(("source_digest", "abc"))).unwrap().unwrap();
        assert_eq!(staged.rows, count);
        assert!(!waiting.exists());
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
        let mut lines = 0;
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let digests = batch.column(1).as_string::<i32>();
            let offsets = batch.column(2).as_primitive::<UInt64Type>();
            for row in 0..batch.num_rows() {
                assert_eq!((digests.value(row), offsets.value(row)), ("abc", lines * 100));
                lines += 1;
            }
        }
        assert_eq!(lines, count);
        assert!(table.finish(&path, None).unwrap().is_none());
    }
}
