//! Numbers and times.

use std::sync::Arc;

use arrow::array::{ArrayRef, PrimitiveArray};
use arrow::buffer::ScalarBuffer;
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Int8Type, Int16Type, Int32Type, Int64Type, TimeUnit,
    TimestampMicrosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::error::ArrowError;

use super::{Bits, Column, take};

/// A numeric type.
pub trait Number: ArrowPrimitiveType {
    const SQL_TYPE: &'static str;
    /// With time zone for times.
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

pub type U8 = Numbers<UInt8Type>;
/// Ids, hashes, offsets.
pub type U32 = Numbers<UInt32Type>;
/// Years.
pub type U64 = Numbers<UInt64Type>;
pub type I16 = Numbers<Int16Type>;
pub type OptU8 = OptNumbers<UInt8Type>;
pub type OptU16 = OptNumbers<UInt16Type>;
pub type OptU32 = OptNumbers<UInt32Type>;
pub type OptU64 = OptNumbers<UInt64Type>;
pub type OptI32 = OptNumbers<Int32Type>;
pub type OptI64 = OptNumbers<Int64Type>;
/// Microseconds since the Unix epoch, UTC.
pub type OptInstant = OptNumbers<TimestampMicrosecondType>;
