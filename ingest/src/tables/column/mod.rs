//! Column builders: plain vectors, one type per kind, so that a row needs few stores and no allocation. `finish`
//! returns an Arrow array and keeps the capacity.

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

pub trait Column: Default {
    fn data_type() -> DataType;
    /// Nullable.
    const NULLABLE: bool;
    const SQL_TYPE: &'static str;
    /// The values as an array; empties the builder.
    ///
    /// # Errors
    /// If the buffers are inconsistent, which is an error in the builder.
    fn finish(&mut self) -> Result<ArrayRef, ArrowError>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Takes a vector and leaves one of the same capacity.
fn take<T>(values: &mut Vec<T>) -> Vec<T> {
    let room = values.len();
    std::mem::replace(values, Vec::with_capacity(room))
}

/// Bits of a boolean column or validity mask.
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
