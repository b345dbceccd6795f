//! Columns of numbers and instants.

use std::sync::Arc;

use arrow::array::{ArrayRef, PrimitiveArray};
use arrow::buffer::ScalarBuffer;
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Int8Type, Int16Type, Int32Type, Int64Type, TimeUnit,
    TimestampMicrosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::error::ArrowError;

use super::{Bits, Column, take};

/// The name of a numeric type in SQL.
pub trait Number: ArrowPrimitiveType {
    /// The type in the words of SQL.
    const SQL_TYPE: &'static str;
    /// The Arrow type, with the time zone where it is a time.
    fn arrow_type() -> DataType {
        Self::DATA_TYPE
    }
}

macro_rules! number {
    ($($arrow:ty => $sql:literal),*) => {$(impl Number for $arrow { const SQL_TYPE: &'static str = $sql; })*};
}
number!(UInt8Type => "UTINYINT", UInt16Type => "USMALLINT", UInt32Type => "UINTEGER", UInt64Type => "UBIGINT",
        Int8Type => "TINYINT", Int16Type => "SMALLINT", Int32Type => "INTEGER", Int64Type => "BIGINT");

impl Number for TimestampMicrosecondType {
    const SQL_TYPE: &'static str = "TIMESTAMP (UTC, microseconds)";
    fn arrow_type() -> DataType {
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
    }
}

/// A column of numbers, none missing.
#[derive(Debug)]
pub struct Numbers<T: Number> {
    values: Vec<T::Native>,
}

impl<T: Number> Default for Numbers<T> {
    fn default() -> Self {
        Numbers { values: Vec::new() }
    }
}

impl<T: Number> Numbers<T> {
    #[inline]
    pub fn push(&mut self, value: T::Native) {
        self.values.push(value);
    }
}

impl<T: Number> Column for Numbers<T> {
    const NULLABLE: bool = false;
    const SQL_TYPE: &'static str = T::SQL_TYPE;

    fn data_type() -> DataType {
        T::arrow_type()
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let values = ScalarBuffer::from(take(&mut self.values));
        Ok(Arc::new(PrimitiveArray::<T>::try_new(values, None)?.with_data_type(T::arrow_type())))
    }

    fn len(&self) -> usize {
        self.values.len()
    }
}

/// A column of numbers, some of which may be missing.
#[derive(Debug)]
pub struct OptNumbers<T: Number> {
    values: Vec<T::Native>,
    valid: Bits,
}

impl<T: Number> Default for OptNumbers<T> {
    fn default() -> Self {
        OptNumbers { values: Vec::new(), valid: Bits::default() }
    }
}

impl<T: Number> OptNumbers<T> {
    /// Appends a value, or that there is none.
    #[inline]
    pub fn push(&mut self, value: Option<T::Native>) {
        self.values.push(value.unwrap_or_default());
        self.valid.push(value.is_some());
    }
}

impl<T: Number> Column for OptNumbers<T> {
    const NULLABLE: bool = true;
    const SQL_TYPE: &'static str = T::SQL_TYPE;

    fn data_type() -> DataType {
        T::arrow_type()
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let values = ScalarBuffer::from(take(&mut self.values));
        let valid = self.valid.take_nulls();
        Ok(Arc::new(PrimitiveArray::<T>::try_new(values, Some(valid))?.with_data_type(T::arrow_type())))
    }

    fn len(&self) -> usize {
        self.values.len()
    }
}

/// 8-bit numbers.
pub type U8 = Numbers<UInt8Type>;
/// 32-bit numbers.
pub type U32 = Numbers<UInt32Type>;
/// 64-bit numbers: ids, hashes, offsets.
pub type U64 = Numbers<UInt64Type>;
/// Signed 16-bit numbers: years.
pub type I16 = Numbers<Int16Type>;
/// 8-bit numbers, perhaps missing.
pub type OptU8 = OptNumbers<UInt8Type>;
/// 16-bit numbers, perhaps missing.
pub type OptU16 = OptNumbers<UInt16Type>;
/// 32-bit numbers, perhaps missing.
pub type OptU32 = OptNumbers<UInt32Type>;
/// 64-bit numbers, perhaps missing.
pub type OptU64 = OptNumbers<UInt64Type>;
/// Signed 32-bit numbers, perhaps missing.
pub type OptI32 = OptNumbers<Int32Type>;
/// Signed 64-bit numbers, perhaps missing.
pub type OptI64 = OptNumbers<Int64Type>;
/// Instants in microseconds since the Unix epoch, UTC, perhaps missing.
pub type OptInstant = OptNumbers<TimestampMicrosecondType>;
