//! Columns of compact boards.

use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeBinaryArray};
use arrow::buffer::Buffer;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

use super::{Column, take};

/// A column of compact boards: 32 bytes each, four bit planes of the piece code, little-endian.
#[derive(Debug, Default)]
pub struct Board {
    bytes: Vec<u8>,
}

impl Board {
    /// Bytes of one board.
    pub const WIDTH: usize = 32;

    /// Appends a board given by its four bit planes.
    #[inline]
    pub fn push(&mut self, planes: [u64; 4]) {
        for plane in planes {
            self.bytes.extend_from_slice(&plane.to_le_bytes());
        }
    }
}

impl Column for Board {
    const NULLABLE: bool = false;
    const SQL_TYPE: &'static str = "BLOB (32 bytes)";

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
