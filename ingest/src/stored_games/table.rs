//! One Parquet file of a table: checked columns, row group ranges, and batches of rows. Since other programs use other
//! Arrow types (plain text, wider numbers), kinds are compared and values cast.

use std::ops::Range;
use std::path::Path;

use arrow::array::{
    Array, ArrayRef, AsArray as _, BooleanArray, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Int64Type, TimeUnit, UInt64Type};
use arrow::error::ArrowError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use parquet::arrow::arrow_reader::{
    ArrowPredicateFn, ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder, RowFilter, RowSelection,
};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};
use parquet::file::reader::ChunkReader;

use super::error::StoredGamesError;
use crate::location::{TableFile, TableReader};
use crate::tables::Rows;

/// Rows per batch.
const BATCH: usize = 8_192;

#[derive(Debug)]
pub(super) struct StoredTable {
    file: TableFile,
    metadata: ArrowReaderMetadata,
}

/// Kinds of values, whatever the Arrow type.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Truth,
    Instant,
    Other,
}

fn kind(data_type: &DataType) -> Kind {
    match data_type {
        DataType::Dictionary(_, values) => kind(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Kind::Text,
        DataType::Boolean => Kind::Truth,
        DataType::Timestamp(..) => Kind::Instant,
        number if number.is_integer() => Kind::Number,
        _ => Kind::Other,
    }
}

impl StoredTable {
    /// Opens a file and reads its footer.
    pub fn open(file: &TableFile) -> Result<StoredTable, StoredGamesError> {
        let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
        let metadata = ArrowReaderMetadata::load(&open(file)?, options);
        let metadata = metadata.map_err(|error| damaged(file.name(), &error))?;
        Ok(StoredTable { file: file.clone(), metadata })
    }

    pub fn path(&self) -> &Path {
        self.file.name()
    }

    pub fn file(&self) -> &TableFile {
        &self.file
    }

    pub fn has(&self, column: &str) -> bool {
        self.metadata.schema().column_with_name(column).is_some()
    }

    /// Checks columns and their kinds.
    pub fn check<R: Rows>(&self, columns: &[&'static str]) -> Result<(), StoredGamesError> {
        for column in R::columns().into_iter().filter(|column| columns.contains(&column.name)) {
            let path = self.path().to_owned();
            let Some((_, field)) = self.metadata.schema().column_with_name(column.name) else {
                return Err(StoredGamesError::MissingColumn {
                    path,
                    table: R::SPEC.name,
                    column: column.name,
                });
            };
            if kind(field.data_type()) != kind(&column.data_type) {
                let found = field.data_type().to_string();
                let (column, expected) = (column.name, column.sql_type);
                return Err(StoredGamesError::WrongType { path, column, expected, found });
            }
        }
        Ok(())
    }

    fn parquet(&self) -> &ParquetMetaData {
        self.metadata.metadata()
    }

    pub fn groups(&self) -> usize {
        self.parquet().num_row_groups()
    }

    pub fn rows(&self) -> u64 {
        (0..self.groups()).map(|group| self.rows_of(group) as u64).sum()
    }

    fn rows_of(&self, group: usize) -> usize {
        usize::try_from(self.parquet().row_group(group).num_rows()).unwrap_or_default()
    }

    /// Minimum and maximum of a numeric column per row group, if stored.
    pub fn ranges(&self, column: &'static str) -> Result<Vec<Option<(u64, u64)>>, StoredGamesError> {
        let groups = || self.parquet().row_groups().iter();
        let converter = self.converter(column)?;
        let least = converter.row_group_mins(groups()).map_err(|error| damaged(self.path(), &error))?;
        let most = converter.row_group_maxes(groups()).map_err(|error| damaged(self.path(), &error))?;
        Ok(paired(&least, &most, self.groups()))
    }

    fn converter(&self, column: &'static str) -> Result<StatisticsConverter<'_>, StoredGamesError> {
        let schema = self.parquet().file_metadata().schema_descr();
        StatisticsConverter::try_new(column, self.metadata.schema(), schema)
            .map_err(|error| damaged(self.path(), &error))
    }

    /// The rows whose pages may contain a wanted number; all rows without a usable page index.
    pub fn pages(
        &self,
        group: usize,
        column: &'static str,
        wanted: impl Fn(u64, u64) -> bool,
    ) -> Vec<Range<usize>> {
        let all = || std::iter::once(0..self.rows_of(group)).collect();
        self.indexed(group, column, wanted).unwrap_or_else(all)
    }

    fn indexed(
        &self,
        group: usize,
        column: &'static str,
        wanted: impl Fn(u64, u64) -> bool,
    ) -> Option<Vec<Range<usize>>> {
        let converter = self.converter(column).ok()?;
        let (pages, offsets) = (self.parquet().column_index()?, self.parquet().offset_index()?);
        let place = converter.parquet_column_index()?;
        let locations = offsets.get(group)?.get(place)?.page_locations();
        pages.get(group)?.get(place)?;
        let rows = self.rows_of(group);
        let starts = locations.iter().map(|page| usize::try_from(page.first_row_index).ok());
        let mut starts = starts.collect::<Option<Vec<usize>>>()?;
        starts.push(rows);
        if starts.first() != Some(&0) || !starts.is_sorted() {
            return None;
        }
        let least = converter.data_page_mins(pages, offsets, [&group]).ok()?;
        let most = converter.data_page_maxes(pages, offsets, [&group]).ok()?;
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (range, page) in paired(&least, &most, locations.len()).into_iter().zip(starts.windows(2)) {
            if !range.is_none_or(|(least, most)| wanted(least, most)) {
                continue;
            }
            match ranges.last_mut() {
                Some(last) if last.end == page[0] => last.end = page[1],
                _ => ranges.push(page[0]..page[1]),
            }
        }
        Some(ranges)
    }

    /// Reads columns of some rows of a row group in batches.
    pub fn read(
        &self,
        group: usize,
        rows: &[Range<usize>],
        columns: &[&'static str],
        mut each: impl FnMut(&Batch<'_>) -> Result<(), StoredGamesError>,
    ) -> Result<(), StoredGamesError> {
        // Opened per reader: copied handles share a position between threads.
        let reader = self.reader(open(&self.file)?, group, rows, columns).build();
        let reader = reader.map_err(|error| self.damaged(&error))?;
        let before: u64 = (0..group).map(|group| self.rows_of(group) as u64).sum();
        let mut numbers = rows.iter().cloned().flatten().map(|row| before + row as u64 + 1);
        for batch in reader {
            let batch = batch.map_err(|error| self.damaged(&error))?;
            let rows = numbers.by_ref().take(batch.num_rows()).collect();
            each(&Batch { table: self, batch, rows })?;
        }
        Ok(())
    }

    /// Columns of some rows of a row group, of which one column fulfils a condition. The pages of the other columns are read only
    /// where it does.
    pub fn filtered<F: ChunkReader + 'static>(
        &self,
        file: F,
        group: usize,
        rows: &[Range<usize>],
        columns: &[&str],
        (column, condition): (
            &str,
            impl FnMut(RecordBatch) -> Result<BooleanArray, ArrowError> + Send + 'static,
        ),
    ) -> Result<ParquetRecordBatchReader, StoredGamesError> {
        let condition = ArrowPredicateFn::new(self.mask(&[column]), condition);
        let filter = RowFilter::new(vec![Box::new(condition)]);
        let reader = self.reader(file, group, rows, columns).with_row_filter(filter).build();
        reader.map_err(|error| self.damaged(&error))
    }

    fn reader<F: ChunkReader + 'static>(
        &self,
        file: F,
        group: usize,
        rows: &[Range<usize>],
        columns: &[&str],
    ) -> ParquetRecordBatchReaderBuilder<F> {
        let selection = RowSelection::from_consecutive_ranges(rows.iter().cloned(), self.rows_of(group));
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_row_groups(vec![group])
            .with_projection(self.mask(columns))
            .with_row_selection(selection)
            .with_batch_size(BATCH)
    }

    fn mask(&self, columns: &[&str]) -> ProjectionMask {
        let schema = self.parquet().file_metadata().schema_descr();
        ProjectionMask::columns(schema, columns.iter().copied())
    }

    /// Bytes of the footer and the page index in memory.
    pub fn memory(&self) -> usize {
        self.parquet().memory_size()
    }

    pub fn damaged(&self, error: &dyn std::fmt::Display) -> StoredGamesError {
        damaged(self.path(), error)
    }

    /// Row numbers are from 1.
    pub fn value(&self, row: u64, column: &'static str, why: impl ToString) -> StoredGamesError {
        StoredGamesError::Value { path: self.path().to_owned(), row, column, why: why.to_string() }
    }

    /// A row that contradicts others.
    pub fn contradiction(&self, row: u64, game: u64, why: impl ToString) -> StoredGamesError {
        StoredGamesError::Contradiction { path: self.path().to_owned(), row, game, why: why.to_string() }
    }
}

pub(super) fn open(file: &TableFile) -> Result<TableReader, StoredGamesError> {
    file.open().map_err(|source| StoredGamesError::Read { path: file.name().to_owned(), source })
}

fn damaged(path: &Path, error: &dyn std::fmt::Display) -> StoredGamesError {
    StoredGamesError::Damaged { path: path.to_owned(), why: error.to_string() }
}

/// Pairs of minimum and maximum; none if one is missing or negative.
fn paired(least: &ArrayRef, most: &ArrayRef, count: usize) -> Vec<Option<(u64, u64)>> {
    let numbers = |array: &ArrayRef| cast(array, &DataType::UInt64).ok();
    let (Some(least), Some(most)) = (numbers(least), numbers(most)) else { return vec![None; count] };
    let (least, most) = (least.as_primitive::<UInt64Type>(), most.as_primitive::<UInt64Type>());
    let at = |array: &UInt64Array, place| {
        (place < array.len() && array.is_valid(place)).then(|| array.value(place))
    };
    (0..count).map(|place| at(least, place).zip(at(most, place))).collect()
}

/// A value that does not fit is an error.
fn cast(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    cast_with_options(array, to, &CastOptions { safe: false, ..CastOptions::default() })
}

pub(super) struct Batch<'t> {
    table: &'t StoredTable,
    batch: RecordBatch,
    /// In the file, from 1.
    rows: Vec<u64>,
}

impl Batch<'_> {
    pub fn len(&self) -> usize {
        self.batch.num_rows()
    }

    fn column(&self, name: &'static str, to: &DataType) -> Result<ArrayRef, StoredGamesError> {
        let found = self.batch.column_by_name(name);
        let found =
            found.ok_or_else(|| damaged(self.table.path(), &format!("no column `{name}` was read")))?;
        // Casting one by one finds the value.
        cast(found, to).map_err(|error| {
            let bad = (0..found.len()).find(|row| cast(&found.slice(*row, 1), to).is_err());
            self.table.value(self.row(bad.unwrap_or_default()), name, format!("cannot be read: {error}"))
        })
    }

    /// In the file, from 1.
    pub fn row(&self, place: usize) -> u64 {
        self.rows.get(place).copied().unwrap_or_default()
    }

    /// A column without nulls.
    fn whole(&self, name: &'static str, to: &DataType) -> Result<ArrayRef, StoredGamesError> {
        let column = self.column(name, to)?;
        match (0..column.len()).find(|place| column.is_null(*place)) {
            Some(place) => Err(self.table.value(self.row(place), name, "is empty")),
            None => Ok(column),
        }
    }

    /// Non-negative numbers.
    pub fn counts(&self, name: &'static str) -> Result<UInt64Array, StoredGamesError> {
        Ok(self.whole(name, &DataType::UInt64)?.as_primitive::<UInt64Type>().clone())
    }

    /// Nullable.
    pub fn numbers(&self, name: &'static str) -> Result<Int64Array, StoredGamesError> {
        Ok(self.column(name, &DataType::Int64)?.as_primitive::<Int64Type>().clone())
    }

    /// Nullable microseconds since the Unix epoch.
    pub fn instants(&self, name: &'static str) -> Result<Int64Array, StoredGamesError> {
        let instants = self.column(name, &DataType::Timestamp(TimeUnit::Microsecond, None))?;
        let microseconds = cast(&instants, &DataType::Int64).map_err(|e| damaged(self.table.path(), &e))?;
        Ok(microseconds.as_primitive::<Int64Type>().clone())
    }

    pub fn texts(&self, name: &'static str) -> Result<StringArray, StoredGamesError> {
        Ok(self.whole(name, &DataType::Utf8)?.as_string::<i32>().clone())
    }

    /// Nullable.
    pub fn some_texts(&self, name: &'static str) -> Result<StringArray, StoredGamesError> {
        Ok(self.column(name, &DataType::Utf8)?.as_string::<i32>().clone())
    }

    /// Nullable.
    pub fn truths(&self, name: &'static str) -> Result<BooleanArray, StoredGamesError> {
        Ok(self.column(name, &DataType::Boolean)?.as_boolean().clone())
    }
}

/// Whether one of the rising numbers is in a range.
pub(super) fn among(ids: &[u64], least: u64, most: u64) -> bool {
    ids.get(ids.partition_point(|id| *id < least)).is_some_and(|id| *id <= most)
}
