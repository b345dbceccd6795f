//! Column builders: plain growing vectors, one type per kind of column, so that a row costs a few stores and no
//! allocation. `finish` turns what was gathered into an Arrow array and leaves the builder empty, with
//! room for as many rows again.

use std::marker::PhantomData;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, DictionaryArray, FixedSizeBinaryArray, Int8Array, ListArray, PrimitiveArray,
    StringArray,
};
use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Field, Int8Type, Int16Type, Int32Type, Int64Type, TimeUnit,
    TimestampMicrosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::error::ArrowError;

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
    /// Appends a value.
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

/// A column of yes and no.
#[derive(Debug, Default)]
pub struct Bool {
    values: Bits,
}

impl Bool {
    /// Appends a value.
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

/// A column of yes, no and not known.
#[derive(Debug, Default)]
pub struct OptBool {
    values: Bits,
    valid: Bits,
}

impl OptBool {
    /// Appends a value, or that there is none.
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

/// The bytes of a text column with the end of every value.
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

/// A column of text, none missing.
#[derive(Debug, Default)]
pub struct Text {
    texts: Texts,
}

impl Text {
    /// Appends a value.
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

/// A column of text, some of which may be missing.
#[derive(Debug, Default)]
pub struct OptText {
    texts: Texts,
    valid: Bits,
}

impl OptText {
    /// Appends a value, or that there is none.
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

/// The words of a closed list, gathered as one byte each.
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
        // The lists have a dozen words; a longer one would show as a wrong key in the first test.
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

/// A column of words from a closed list ("gold", "silver"), none missing.
#[derive(Debug, Default)]
pub struct Word {
    words: WordKeys,
}

impl Word {
    /// Appends a word.
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

/// A column of words from a closed list, some of which may be missing.
#[derive(Debug, Default)]
pub struct OptWord {
    words: WordKeys,
    valid: Bits,
}

impl OptWord {
    /// Appends a word, or that there is none.
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

/// A column of lists of words.
#[derive(Debug, Default)]
pub struct WordList {
    items: Texts,
    ends: Vec<i32>,
    marker: PhantomData<&'static str>,
}

impl WordList {
    /// Appends one list.
    pub fn push(&mut self, words: impl IntoIterator<Item = &'static str>) {
        for word in words {
            self.items.push(word);
        }
        self.ends.push(self.items.len() as i32);
    }

    fn item_field() -> Arc<Field> {
        Arc::new(Field::new("element", DataType::Utf8, false))
    }
}

impl Column for WordList {
    const NULLABLE: bool = false;
    const SQL_TYPE: &'static str = "VARCHAR[]";

    fn data_type() -> DataType {
        DataType::List(WordList::item_field())
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let mut offsets = Vec::with_capacity(self.ends.len() + 1);
        offsets.push(0);
        offsets.append(&mut self.ends);
        let items = Arc::new(self.items.take(None)?);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(Arc::new(ListArray::try_new(WordList::item_field(), offsets, items, None)?))
    }

    fn len(&self) -> usize {
        self.ends.len()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Array, AsArray};

    #[test]
    fn a_builder_gives_back_what_was_pushed_and_is_empty_afterwards() {
        let mut numbers = OptU32::default();
        let mut flags = OptBool::default();
        let mut texts = OptText::default();
        for i in 0..20u32 {
            numbers.push((i % 3 != 0).then_some(i));
            flags.push((i % 4 != 0).then_some(i % 2 == 0));
            texts.push((i % 5 != 0).then_some("ab"));
        }
        let array = numbers.finish().unwrap();
        let array = array.as_primitive::<UInt32Type>();
        assert_eq!((array.len(), array.null_count(), array.value(19)), (20, 7, 19));
        let array = flags.finish().unwrap();
        assert_eq!((array.null_count(), array.as_boolean().value(18)), (5, true));
        let array = texts.finish().unwrap();
        assert_eq!((array.null_count(), array.as_string::<i32>().value(19)), (4, "ab"));
        assert!(numbers.is_empty() && flags.is_empty() && texts.is_empty());
        texts.push(Some("again"));
        assert_eq!(texts.finish().unwrap().as_string::<i32>().value(0), "again");
    }

    #[test]
    fn words_become_a_dictionary_whose_missing_values_are_null() {
        let mut words = OptWord::default();
        for word in [None, Some("gold"), Some("silver"), Some("gold"), None] {
            words.push(word);
        }
        let array = words.finish().unwrap();
        let array = array.as_dictionary::<Int8Type>();
        assert_eq!(array.null_count(), 2);
        let values = array.downcast_dict::<StringArray>().unwrap();
        let read: Vec<_> = values.into_iter().collect();
        assert_eq!(read, [None, Some("gold"), Some("silver"), Some("gold"), None]);
        words.push(None);
        assert_eq!(words.finish().unwrap().null_count(), 1);
    }

    #[test]
    fn lists_keep_their_bounds() {
        let mut lists = WordList::default();
        lists.push([]);
        lists.push(["corrupt", "illegal-turn"]);
        lists.push(["corrupt"]);
        let array = lists.finish().unwrap();
        let lengths: Vec<_> = array.as_list::<i32>().iter().map(|l| l.map(|l| l.len())).collect();
        assert_eq!(lengths, [Some(0), Some(2), Some(1)]);
        assert!(lists.is_empty());
    }

    #[test]
    fn a_board_is_its_four_planes_little_endian() {
        let mut boards = Board::default();
        boards.push([1, 2, 3, 0x0102]);
        let array = boards.finish().unwrap();
        let array = array.as_fixed_size_binary();
        assert_eq!(array.value(0)[24..], [2, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!((array.value(0)[0], array.value(0)[8]), (1, 2));
    }
}
