//! Evaluated arguments as columns of boards, texts and numbers. A constant argument is parsed once, not once a row.

use std::sync::Arc;

use annals_ingest::stored_board::{StoredBoard, of_planes, planes};
use annals_rules::{amazons, arimaa};
use datafusion::arrow::array::{Array, BinaryArray, FixedSizeBinaryArray, Int64Array, StringViewArray};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::ColumnarValue;

/// An error with the function, the value and the reason.
pub(super) fn refused(function: &str, value: &str, why: impl std::fmt::Display) -> DataFusionError {
    // A board text has line ends in it; an error is one line.
    let value: String = value.replace('\n', "/").chars().take(80).collect();
    DataFusionError::Execution(format!("{function}: `{value}` {why}"))
}

/// A column, or one value for all rows.
pub(super) enum Column<A, T> {
    /// One value a row, read from the array.
    Rows(A),
    /// The same for every row, parsed already.
    Constant(Option<T>),
}

/// Texts that are parsed as a `T`.
pub(super) struct Texts<T> {
    column: Column<Arc<StringViewArray>, T>,
    parse: fn(&str) -> Result<T>,
}

impl<T: Clone> Texts<T> {
    /// The texts of an argument, each read by `parse`.
    pub(super) fn new(argument: &ColumnarValue, parse: fn(&str) -> Result<T>) -> Result<Texts<T>> {
        let column = match argument {
            ColumnarValue::Scalar(value) => {
                let text = value.try_as_str().flatten();
                Column::Constant(text.map(parse).transpose()?)
            }
            ColumnarValue::Array(array) => Column::Rows(Arc::new(typed::<StringViewArray>(array)?.clone())),
        };
        Ok(Texts { column, parse })
    }

    /// The value of a row; none for NULL.
    pub(super) fn get(&self, row: usize) -> Result<Option<T>> {
        match &self.column {
            Column::Constant(value) => Ok(value.clone()),
            Column::Rows(array) if array.is_null(row) => Ok(None),
            Column::Rows(array) => (self.parse)(array.value(row)).map(Some),
        }
    }
}

/// Whole numbers.
pub(super) struct Numbers(Column<Int64Array, i64>);

impl Numbers {
    pub(super) fn new(argument: &ColumnarValue) -> Result<Numbers> {
        Ok(Numbers(match argument {
            ColumnarValue::Scalar(ScalarValue::Int64(value)) => Column::Constant(*value),
            ColumnarValue::Scalar(_) => Column::Constant(None),
            ColumnarValue::Array(array) => Column::Rows(typed::<Int64Array>(array)?.clone()),
        }))
    }

    pub(super) fn get(&self, row: usize) -> Option<i64> {
        match &self.0 {
            Column::Constant(value) => *value,
            Column::Rows(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }
}

/// A board: of Arimaa as its four bit-planes, which are unchecked.
#[derive(Debug, Clone, Copy)]
pub(super) enum AnyBoard {
    Arimaa([u64; 4]),
    Amazons(amazons::Board),
}

/// Boards: stored ones are used unchanged, texts are parsed.
pub(super) struct Boards {
    function: &'static str,
    column: Column<BoardRows, AnyBoard>,
}

enum BoardRows {
    Stored(FixedSizeBinaryArray),
    Bytes(BinaryArray),
    Texts(StringViewArray),
}

impl Boards {
    pub(super) fn new(function: &'static str, argument: &ColumnarValue) -> Result<Boards> {
        let column = match argument {
            ColumnarValue::Scalar(
                ScalarValue::FixedSizeBinary(_, value)
                | ScalarValue::Binary(value)
                | ScalarValue::LargeBinary(value)
                | ScalarValue::BinaryView(value),
            ) => Column::Constant(value.as_deref().map(|bytes| stored_board(function, bytes)).transpose()?),
            ColumnarValue::Scalar(value) => {
                let text = value.try_as_str().flatten();
                Column::Constant(text.map(|text| parsed_board(function, text)).transpose()?)
            }
            ColumnarValue::Array(array) => Column::Rows(board_rows(array)?),
        };
        Ok(Boards { function, column })
    }

    /// The board of a row; none for NULL.
    pub(super) fn get(&self, row: usize) -> Result<Option<AnyBoard>> {
        let rows = match &self.column {
            Column::Constant(board) => return Ok(*board),
            Column::Rows(rows) => rows,
        };
        match rows {
            BoardRows::Stored(a) if a.is_valid(row) => stored_board(self.function, a.value(row)).map(Some),
            BoardRows::Bytes(a) if a.is_valid(row) => stored_board(self.function, a.value(row)).map(Some),
            BoardRows::Texts(a) if a.is_valid(row) => parsed_board(self.function, a.value(row)).map(Some),
            _ => Ok(None),
        }
    }

    /// The board of a row, checked to be valid.
    pub(super) fn get_checked(&self, row: usize) -> Result<Option<StoredBoard>> {
        let Some(board) = self.get(row)? else { return Ok(None) };
        match board {
            AnyBoard::Amazons(board) => Ok(Some(StoredBoard::Amazons(board))),
            AnyBoard::Arimaa(planes) => {
                arimaa::Board::from_planes(planes).map(|board| Some(StoredBoard::Arimaa(board))).map_err(
                    |why| refused(self.function, &hex::encode(&of_planes(planes)[..32]), format!("is {why}")),
                )
            }
        }
    }
}

fn board_rows(array: &Arc<dyn Array>) -> Result<BoardRows> {
    let any = array.as_any();
    if let Some(a) = any.downcast_ref::<FixedSizeBinaryArray>() {
        return Ok(BoardRows::Stored(a.clone()));
    }
    if let Some(a) = any.downcast_ref::<BinaryArray>() {
        return Ok(BoardRows::Bytes(a.clone()));
    }
    Ok(BoardRows::Texts(typed::<StringViewArray>(array)?.clone()))
}

fn typed<A: 'static>(array: &Arc<dyn Array>) -> Result<&A> {
    array.as_any().downcast_ref::<A>().ok_or_else(|| {
        DataFusionError::Internal(format!("a column of type {} came uncast", array.data_type()))
    })
}

fn parsed_board(function: &str, text: &str) -> Result<AnyBoard> {
    match crate::boards::read_board(text) {
        Ok(StoredBoard::Arimaa(board)) => Ok(AnyBoard::Arimaa(board.planes())),
        Ok(StoredBoard::Amazons(board)) => Ok(AnyBoard::Amazons(board)),
        Err(why) => Err(refused(function, text, format!("is {why}"))),
    }
}

fn stored_board(function: &str, bytes: &[u8]) -> Result<AnyBoard> {
    if let Some(planes) = planes(bytes) {
        return Ok(AnyBoard::Arimaa(planes));
    }
    match StoredBoard::from_bytes(bytes) {
        Ok(StoredBoard::Amazons(board)) => Ok(AnyBoard::Amazons(board)),
        Ok(StoredBoard::Arimaa(board)) => Ok(AnyBoard::Arimaa(board.planes())),
        Err(why) => {
            Err(refused(function, &hex::encode(bytes.get(..16).unwrap_or(bytes)), format!("is {why}")))
        }
    }
}
