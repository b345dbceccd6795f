use std::sync::Arc;

use arrow::array::{ArrayRef, ListArray, StringArray};
use arrow::buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{DataType, Field};
use arrow::error::ArrowError;

use super::{Bits, Column, take};

/// Bytes with the end of every value.
#[derive(Debug)]
struct Texts {
    bytes: Vec<u8>,
    offsets: Vec<i32>,
}

impl Default for Texts {
    fn default() -> Self {
        Texts { bytes: Vec::new(), offsets: vec![0] }
    }
}

impl Texts {
    #[inline]
    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.offsets.push(self.bytes.len() as i32);
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn take(&mut self, valid: Option<NullBuffer>) -> Result<StringArray, ArrowError> {
        let offsets = take(&mut self.offsets);
        self.offsets.push(0);
        if offsets.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(ArrowError::OffsetOverflowError(self.bytes.len()));
        }
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        StringArray::try_new(offsets, Buffer::from_vec(take(&mut self.bytes)), valid)
    }
}

#[derive(Debug, Default)]
pub struct Text {
    texts: Texts,
}

impl Text {
    #[inline]
    pub fn push(&mut self, text: &str) {
        self.texts.push(text);
    }
}

impl Column for Text {
    const NULLABLE: bool = false;
    const SQL_TYPE: &'static str = "VARCHAR";

    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(self.texts.take(None)?))
    }

    fn len(&self) -> usize {
        self.texts.len()
    }
}

#[derive(Debug, Default)]
pub struct OptText {
    texts: Texts,
    valid: Bits,
}

impl OptText {
    #[inline]
    pub fn push(&mut self, text: Option<&str>) {
        self.texts.push(text.unwrap_or_default());
        self.valid.push(text.is_some());
    }
}

impl Column for OptText {
    const NULLABLE: bool = true;
    const SQL_TYPE: &'static str = "VARCHAR";

    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let valid = self.valid.take_nulls();
        Ok(Arc::new(self.texts.take(Some(valid))?))
    }

    fn len(&self) -> usize {
        self.texts.len()
    }
}

/// Lists of texts, not null.
#[derive(Debug, Default)]
pub struct TextList {
    items: Texts,
    ends: Vec<i32>,
}

impl TextList {
    pub fn push<T: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = T>) {
        for text in texts {
            self.items.push(text.as_ref());
        }
        self.ends.push(self.items.len() as i32);
    }

    fn item_field() -> Arc<Field> {
        Arc::new(Field::new("element", DataType::Utf8, false))
    }
}

impl Column for TextList {
    const NULLABLE: bool = false;
    const SQL_TYPE: &'static str = "VARCHAR[]";

    fn data_type() -> DataType {
        DataType::List(TextList::item_field())
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let mut offsets = Vec::with_capacity(self.ends.len() + 1);
        offsets.push(0);
        offsets.append(&mut self.ends);
        let items = Arc::new(self.items.take(None)?);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(Arc::new(ListArray::try_new(TextList::item_field(), offsets, items, None)?))
    }

    fn len(&self) -> usize {
        self.ends.len()
    }
}
