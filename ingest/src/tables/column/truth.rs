use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray};
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

use super::{Bits, Column};

#[derive(Debug, Default)]
pub struct Bool {
    values: Bits,
}

impl Bool {
    #[inline]
    pub fn push(&mut self, value: bool) {
        self.values.push(value);
    }
}

impl Column for Bool {
    const NULLABLE: bool = false;
    const SQL_TYPE: &'static str = "BOOLEAN";

    fn data_type() -> DataType {
        DataType::Boolean
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(BooleanArray::new(self.values.take(), None)))
    }

    fn len(&self) -> usize {
        self.values.len
    }
}

#[derive(Debug, Default)]
pub struct OptBool {
    values: Bits,
    valid: Bits,
}

impl OptBool {
    #[inline]
    pub fn push(&mut self, value: Option<bool>) {
        self.values.push(value.unwrap_or(false));
        self.valid.push(value.is_some());
    }
}

impl Column for OptBool {
    const NULLABLE: bool = true;
    const SQL_TYPE: &'static str = "BOOLEAN";

    fn data_type() -> DataType {
        DataType::Boolean
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(BooleanArray::new(self.values.take(), Some(self.valid.take_nulls()))))
    }

    fn len(&self) -> usize {
        self.values.len
    }
}
