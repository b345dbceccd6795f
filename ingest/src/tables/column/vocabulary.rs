//! Words of a closed list.

use std::sync::Arc;

use arrow::array::{ArrayRef, DictionaryArray, Int8Array, StringArray};
use arrow::buffer::{NullBuffer, ScalarBuffer};
use arrow::datatypes::{DataType, Int8Type};
use arrow::error::ArrowError;

use super::{Bits, Column, take};

/// One byte per word.
#[derive(Debug, Default)]
struct WordKeys {
    words: Vec<&'static str>,
    keys: Vec<i8>,
}

impl WordKeys {
    #[inline]
    fn push(&mut self, word: &'static str) {
        let known = self.words.iter().position(|w| std::ptr::eq(*w, word) || *w == word);
        let key = known.unwrap_or_else(|| {
            self.words.push(word);
            self.words.len() - 1
        });
        // Lists have a dozen words; the first test would show a longer one.
        self.keys.push(key as i8);
    }

    fn take(&mut self, valid: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        if self.words.is_empty() {
            self.words.push("");
        }
        let keys = Int8Array::try_new(ScalarBuffer::from(take(&mut self.keys)), valid)?;
        let words: ArrayRef = Arc::new(StringArray::from_iter_values(self.words.drain(..)));
        Ok(Arc::new(DictionaryArray::<Int8Type>::try_new(keys, words)?))
    }

    fn data_type() -> DataType {
        DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))
    }
}

#[derive(Debug, Default)]
pub struct Word {
    words: WordKeys,
}

impl Word {
    #[inline]
    pub fn push(&mut self, word: &'static str) {
        self.words.push(word);
    }
}

impl Column for Word {
    const NULLABLE: bool = false;
    const SQL_TYPE: &'static str = "VARCHAR";

    fn data_type() -> DataType {
        WordKeys::data_type()
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.words.take(None)
    }

    fn len(&self) -> usize {
        self.words.keys.len()
    }
}

#[derive(Debug, Default)]
pub struct OptWord {
    words: WordKeys,
    valid: Bits,
}

impl OptWord {
    #[inline]
    pub fn push(&mut self, word: Option<&'static str>) {
        match word {
            Some(word) => self.words.push(word),
            None => self.words.keys.push(0),
        }
        self.valid.push(word.is_some());
    }
}

impl Column for OptWord {
    const NULLABLE: bool = true;
    const SQL_TYPE: &'static str = "VARCHAR";

    fn data_type() -> DataType {
        WordKeys::data_type()
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let valid = self.valid.take_nulls();
        self.words.take(Some(valid))
    }

    fn len(&self) -> usize {
        self.words.keys.len()
    }
}
