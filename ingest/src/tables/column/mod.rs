//! Column builders: plain growing vectors, one type per kind of column, so that a row costs a few stores and no
//! allocation. `finish` turns what was gathered into an Arrow array and leaves the builder empty, with
//! room for as many rows again.

mod boards;
mod numbers;
#[cfg(test)]
mod tests;
mod texts;
mod truth;
mod vocabulary;

use arrow::array::ArrayRef;
use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

pub use boards::Board;
pub use numbers::{
    I16, Number, Numbers, OptI32, OptI64, OptInstant, OptNumbers, OptU8, OptU16, OptU32, OptU64, U8, U32, U64,
};
pub use texts::{OptText, Text, TextList};
pub use truth::{Bool, OptBool};
pub use vocabulary::{OptWord, Word};

/// What every kind of column can do.
pub trait Column: Default {
    /// The Arrow type of the column.
    fn data_type() -> DataType;
    /// Whether a value may be missing.
    const NULLABLE: bool;
    /// The type in the words of SQL.
    const SQL_TYPE: &'static str;
    /// The values gathered, as an array; the builder is empty afterwards.
    ///
    /// # Errors
    /// When the buffers do not fit together, which only a wrong builder can bring about.
    fn finish(&mut self) -> Result<ArrayRef, ArrowError>;
    /// The number of values gathered.
    fn len(&self) -> usize;
    /// Whether nothing has been gathered.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Takes a vector out and leaves one with room for as much again.
fn take<T>(values: &mut Vec<T>) -> Vec<T> {
    let room = values.len();
    std::mem::replace(values, Vec::with_capacity(room))
}

/// The bits of a boolean column or of a validity mask.
#[derive(Debug, Default)]
struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    #[inline]
    fn push(&mut self, bit: bool) {
        let at = self.len & 7;
        if at == 0 {
            self.bytes.push(u8::from(bit));
        } else if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << at;
        }
        self.len += 1;
    }

    fn take(&mut self) -> BooleanBuffer {
        let len = std::mem::take(&mut self.len);
        BooleanBuffer::new(Buffer::from_vec(take(&mut self.bytes)), 0, len)
    }

    fn take_nulls(&mut self) -> NullBuffer {
        NullBuffer::new(self.take())
    }
}
