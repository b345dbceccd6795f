//! A small answer held whole, read by row and column name. For the commands that show one game, one player or one
//! position; large answers go through `Answer` batch by batch.

use annals_ingest::stored_board::StoredBoard;
use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{
    DataType, Float64Type, Int64Type, TimeUnit, TimestampMicrosecondType, UInt64Type,
};

use crate::Error;
use crate::reads::Reads;
use crate::session::{Reading, Session};

/// Rows of an answer.
pub(crate) struct SmallAnswer {
    batch: RecordBatch,
}

impl SmallAnswer {
    /// Asks and keeps all rows.
    pub(crate) fn ask(session: &Session, sql: &str, reading: Reading) -> Result<(SmallAnswer, Reads), Error> {
        let mut answer = session.ask_sql_by(sql, reading)?;
        let schema = answer.schema();
        let mut batches = Vec::new();
        while let Some(batch) = answer.next_batch()? {
            batches.push(batch);
        }
        let reads = answer.reads();
        Ok((SmallAnswer { batch: concat_batches(&schema, &batches)? }, reads))
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.batch.num_rows()
    }

    fn column(&self, name: &str, data_type: &DataType) -> Option<ArrayRef> {
        let column = self.batch.column_by_name(name)?;
        cast(column, data_type).ok()
    }

    /// A column of texts.
    pub(crate) fn texts(&self, name: &str) -> Vec<Option<String>> {
        self.values(name, &DataType::Utf8, |a, row| a.as_string::<i32>().value(row).to_owned())
    }

    /// A column of whole numbers.
    pub(crate) fn numbers(&self, name: &str) -> Vec<Option<i64>> {
        self.values(name, &DataType::Int64, |a, row| a.as_primitive::<Int64Type>().value(row))
    }

    /// A column of ids or hashes.
    pub(crate) fn ids(&self, name: &str) -> Vec<Option<u64>> {
        self.values(name, &DataType::UInt64, |a, row| a.as_primitive::<UInt64Type>().value(row))
    }

    /// A column of numbers with decimals.
    pub(crate) fn floats(&self, name: &str) -> Vec<Option<f64>> {
        self.values(name, &DataType::Float64, |a, row| a.as_primitive::<Float64Type>().value(row))
    }

    /// A column of truth values.
    pub(crate) fn truths(&self, name: &str) -> Vec<Option<bool>> {
        self.values(name, &DataType::Boolean, |a, row| a.as_boolean().value(row))
    }

    /// A column of times, in microseconds since 1970.
    pub(crate) fn instants(&self, name: &str) -> Vec<Option<i64>> {
        let wanted = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        self.values(name, &wanted, |a, row| a.as_primitive::<TimestampMicrosecondType>().value(row))
    }

    /// A column of stored boards.
    pub(crate) fn boards(&self, name: &str) -> Vec<Option<StoredBoard>> {
        let column = self.batch.column_by_name(name).and_then(|c| c.as_fixed_size_binary_opt());
        (0..self.len())
            .map(|row| {
                let boards = column.filter(|c| c.is_valid(row))?;
                StoredBoard::from_bytes(boards.value(row)).ok()
            })
            .collect()
    }

    /// A column of lists of words.
    pub(crate) fn word_lists(&self, name: &str) -> Vec<Vec<String>> {
        let lists = self.batch.column_by_name(name).and_then(|c| c.as_list_opt::<i32>());
        (0..self.len())
            .map(|row| {
                let Some(words) = lists.filter(|l| l.is_valid(row)).map(|l| l.value(row)) else {
                    return Vec::new();
                };
                let Ok(words) = cast(&words, &DataType::Utf8) else { return Vec::new() };
                words.as_string::<i32>().iter().flatten().map(str::to_owned).collect()
            })
            .collect()
    }

    /// Values of a column; all none where there is no such column or it cannot be read as that type.
    fn values<T>(
        &self,
        name: &str,
        data_type: &DataType,
        value: impl Fn(&ArrayRef, usize) -> T,
    ) -> Vec<Option<T>> {
        let column = self.column(name, data_type);
        (0..self.len())
            .map(|row| column.as_ref().filter(|c| c.is_valid(row)).map(|c| value(c, row)))
            .collect()
    }
}
