//! Batches of rows of tables that are made from a log in memory.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Int64Builder, ListBuilder, RecordBatch, StringBuilder,
    TimestampMicrosecondBuilder,
};
use datafusion::arrow::error::ArrowError;

use crate::log_columns::{Column, Kind, item_field, schema};

#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    None,
    /// A number outside the range of columns, which makes the batch fail.
    OutOfRange,
    Number(i64),
    Text(String),
    Time(i64),
    Truth(bool),
    List(Vec<String>),
}

impl Cell {
    pub fn text(value: impl ToString) -> Cell {
        Cell::Text(value.to_string())
    }

    pub fn list<T: ToString>(values: impl IntoIterator<Item = T>) -> Cell {
        Cell::List(values.into_iter().map(|value| value.to_string()).collect())
    }

    pub fn number(value: impl TryInto<i64>) -> Cell {
        value.try_into().map_or(Cell::OutOfRange, Cell::Number)
    }

    const fn is_of(&self, kind: Kind) -> bool {
        match self {
            Cell::None => true,
            Cell::OutOfRange => false,
            Cell::Number(_) => matches!(kind, Kind::Number),
            Cell::Text(_) => matches!(kind, Kind::Text),
            Cell::Time(_) => matches!(kind, Kind::Time),
            Cell::Truth(_) => matches!(kind, Kind::Truth),
            Cell::List(_) => matches!(kind, Kind::List),
        }
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::None, Into::into)
    }
}

impl From<String> for Cell {
    fn from(value: String) -> Cell {
        Cell::Text(value)
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Cell {
        Cell::Text(value.to_owned())
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Cell {
        Cell::Truth(value)
    }
}

/// Rows as one batch.
///
/// # Errors
/// When a row has more or fewer values than there are columns, or a value is not of its column's kind.
pub fn batch(columns: &[Column], rows: &[Vec<Cell>]) -> Result<RecordBatch, ArrowError> {
    let wrong = |what: String| ArrowError::InvalidArgumentError(what);
    if let Some(row) = rows.iter().find(|row| row.len() != columns.len()) {
        return Err(wrong(format!("expected a row of {} values, found {}", columns.len(), row.len())));
    }
    let arrays = columns.iter().enumerate().map(|(at, (name, kind, ..))| {
        let cells = || rows.iter().map(|row| &row[at]);
        match cells().find(|cell| !cell.is_of(*kind)) {
            Some(cell) => Err(wrong(format!("column `{name}`: expected a {}, found {cell:?}", kind.sql()))),
            None => Ok(array(*kind, cells())),
        }
    });
    RecordBatch::try_new(schema(columns, true), arrays.collect::<Result<_, _>>()?)
}

fn array<'a>(kind: Kind, cells: impl Iterator<Item = &'a Cell>) -> ArrayRef {
    match kind {
        Kind::Number => {
            let mut builder = Int64Builder::new();
            cells.for_each(|cell| {
                builder.append_option(if let Cell::Number(n) = cell { Some(*n) } else { None })
            });
            Arc::new(builder.finish())
        }
        Kind::Text => {
            let mut builder = StringBuilder::new();
            cells.for_each(|cell| {
                builder.append_option(if let Cell::Text(text) = cell { Some(text.as_str()) } else { None });
            });
            Arc::new(builder.finish())
        }
        Kind::Time => {
            let mut builder = TimestampMicrosecondBuilder::new();
            cells.for_each(|cell| {
                builder.append_option(if let Cell::Time(at) = cell { Some(*at) } else { None })
            });
            Arc::new(builder.finish().with_timezone("UTC"))
        }
        Kind::Truth => {
            let mut builder = BooleanBuilder::new();
            cells.for_each(|cell| {
                builder.append_option(if let Cell::Truth(is) = cell { Some(*is) } else { None })
            });
            Arc::new(builder.finish())
        }
        Kind::List => {
            let mut builder = ListBuilder::new(StringBuilder::new()).with_field(item_field());
            cells.for_each(|cell| match cell {
                Cell::List(texts) => builder.append_value(texts.iter().map(Some)),
                _ => builder.append_null(),
            });
            Arc::new(builder.finish())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misplaced_value_a_short_row_and_a_number_out_of_range_are_errors_and_not_nulls() {
        const COLUMNS: &[Column] = &[("player", Kind::Text, "", ""), ("points", Kind::Number, "", "")];
        let of = |row: Vec<Cell>| batch(COLUMNS, &[row]).map_err(|error| error.to_string());
        assert_eq!(of(vec![Cell::text("omar"), Cell::number(3)]).unwrap().num_rows(), 1);
        assert_eq!(of(vec![Cell::None, Cell::None]).unwrap().num_rows(), 1);
        let misplaced = of(vec![Cell::number(3), Cell::text("omar")]).unwrap_err();
        assert!(misplaced.contains("column `player`: expected a VARCHAR, found Number(3)"), "{misplaced}");
        assert!(of(vec![Cell::text("omar")]).unwrap_err().contains("a row of 2 values, found 1"));
        assert!(of(vec![Cell::text("omar"), Cell::number(u64::MAX)]).unwrap_err().contains("OutOfRange"));
    }
}
