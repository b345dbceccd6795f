use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeBinaryArray};
use arrow::buffer::Buffer;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

use super::{Column, take};
use crate::stored_board;

/// Boards as laid out by [`stored_board`](crate::stored_board).
#[derive(Debug, Default)]
pub struct Board {
    bytes: Vec<u8>,
}

impl Board {
    pub const WIDTH: usize = stored_board::WIDTH;

    #[inline]
    pub fn push(&mut self, board: &[u8; stored_board::WIDTH]) {
        self.bytes.extend_from_slice(board);
    }
}

impl Column for Board {
    const NULLABLE: bool = false;
    const SQL_TYPE: &'static str = "BLOB (34 bytes)";

    fn data_type() -> DataType {
        DataType::FixedSizeBinary(Board::WIDTH as i32)
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let bytes = Buffer::from_vec(take(&mut self.bytes));
        Ok(Arc::new(FixedSizeBinaryArray::try_new(Board::WIDTH as i32, bytes, None)?))
    }

    fn len(&self) -> usize {
        self.bytes.len() / Board::WIDTH
    }
}
