//! A small answer held whole, read by row and column name. For the commands that show one game, one player or one
//! position; large answers go through `Answer` batch by batch.

use annals_ingest::stored_board::{StoredBoard, WIDTH};
use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use datafusion::arrow::compute::{CastOptions, cast_with_options, concat_batches};
use datafusion::arrow::datatypes::{
    DataType, Field, Float64Type, Int64Type, TimeUnit, TimestampMicrosecondType, UInt64Type,
};
use datafusion::arrow::error::ArrowError;

use crate::Error;
use crate::reads::Reads;
use crate::session::{Reading, Session};

/// Rows of an answer.
pub(crate) struct QueryRows {
    batch: RecordBatch,
}

impl QueryRows {
    /// Asks and keeps all rows.
    pub(crate) fn ask(session: &Session, sql: &str, reading: Reading) -> Result<(QueryRows, Reads), Error> {
        let mut answer = session.ask_sql_by(sql, reading)?;
        let schema = answer.schema();
        let mut batches = Vec::new();
        while let Some(batch) = answer.next_batch()? {
            batches.push(batch);
        }
        let reads = answer.reads();
        Ok((QueryRows { batch: concat_batches(&schema, &batches)? }, reads))
    }

    pub(crate) fn len(&self) -> usize {
        self.batch.num_rows()
    }

    /// A column as a type. A missing column, and a value that the type cannot hold, is an error and not a null.
    fn column(&self, name: &str, data_type: &DataType) -> Result<ArrayRef, Error> {
        let column = self.batch.column_by_name(name).ok_or_else(|| {
            ArrowError::SchemaError(format!(
                "the answer has no column `{name}`; the dataset may be of another version"
            ))
        })?;
        // A single value would be cast to a list that holds it.
        if data_type.is_nested() != column.data_type().is_nested() {
            let found = column.data_type();
            let problem = format!("the column `{name}` is of type {found}, where {data_type} is expected");
            return Err(ArrowError::SchemaError(problem).into());
        }
        Ok(cast_with_options(column, data_type, &CastOptions { safe: false, ..CastOptions::default() })?)
    }

    /// A column of texts.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<Option<String>>, Error> {
        self.values(name, &DataType::Utf8, |a, row| a.as_string::<i32>().value(row).to_owned())
    }

    /// A column of whole numbers.
    pub(crate) fn numbers(&self, name: &str) -> Result<Vec<Option<i64>>, Error> {
        self.values(name, &DataType::Int64, |a, row| a.as_primitive::<Int64Type>().value(row))
    }

    /// A column of ids or hashes.
    pub(crate) fn ids(&self, name: &str) -> Result<Vec<Option<u64>>, Error> {
        self.values(name, &DataType::UInt64, |a, row| a.as_primitive::<UInt64Type>().value(row))
    }

    /// A column of numbers with decimals.
    pub(crate) fn floats(&self, name: &str) -> Result<Vec<Option<f64>>, Error> {
        self.values(name, &DataType::Float64, |a, row| a.as_primitive::<Float64Type>().value(row))
    }

    /// A column of truth values.
    pub(crate) fn truths(&self, name: &str) -> Result<Vec<Option<bool>>, Error> {
        self.values(name, &DataType::Boolean, |a, row| a.as_boolean().value(row))
    }

    /// A column of times, in microseconds since 1970.
    pub(crate) fn instants(&self, name: &str) -> Result<Vec<Option<i64>>, Error> {
        let wanted = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        self.values(name, &wanted, |a, row| a.as_primitive::<TimestampMicrosecondType>().value(row))
    }

    /// A column of stored boards.
    pub(crate) fn boards(&self, name: &str) -> Result<Vec<Option<StoredBoard>>, Error> {
        let boards = self.values(name, &DataType::FixedSizeBinary(WIDTH as i32), |a, row| {
            StoredBoard::from_bytes(a.as_fixed_size_binary().value(row))
        })?;
        let damaged = |error: &dyn std::fmt::Display| {
            ArrowError::ParseError(format!("the column `{name}` holds a damaged board: {error}"))
        };
        let boards = boards.into_iter().map(Option::transpose);
        Ok(boards.collect::<Result<_, _>>().map_err(|error| damaged(&error))?)
    }

    /// A column of lists of words.
    pub(crate) fn word_lists(&self, name: &str) -> Result<Vec<Vec<String>>, Error> {
        let words = DataType::List(Field::new_list_field(DataType::Utf8, true).into());
        let lists = self.values(name, &words, |a, row| {
            a.as_list::<i32>().value(row).as_string::<i32>().iter().flatten().map(str::to_owned).collect()
        })?;
        Ok(lists.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The values of a column; none where it holds a null.
    fn values<T>(
        &self,
        name: &str,
        data_type: &DataType,
        value: impl Fn(&ArrayRef, usize) -> T,
    ) -> Result<Vec<Option<T>>, Error> {
        let column = self.column(name, data_type)?;
        Ok((0..self.len()).map(|row| column.is_valid(row).then(|| value(&column, row))).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::StringArray;
    use datafusion::arrow::datatypes::Schema;

    use super::*;

    #[test]
    fn a_missing_column_and_a_value_of_another_type_are_errors_and_not_nulls() {
        let schema = Arc::new(Schema::new(vec![Field::new("plies", DataType::Utf8, true)]));
        let texts = StringArray::from(vec![Some("12"), None, Some("many")]);
        let answer = QueryRows { batch: RecordBatch::try_new(schema, vec![Arc::new(texts)]).unwrap() };
        assert_eq!(answer.texts("plies").unwrap()[..2], [Some("12".to_owned()), None]);
        let error = answer.numbers("plies").unwrap_err().to_string();
        assert!(error.contains("many"), "{error}");
        let error = answer.numbers("turns").unwrap_err().to_string();
        assert!(error.contains("no column `turns`"), "{error}");
        assert!(answer.boards("plies").is_err());
        assert!(answer.word_lists("plies").is_err());
    }
}
