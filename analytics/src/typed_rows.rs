//! Rows of a query as values of a type: each field is a column of the same name. The columns of the query are the fields, so
//! that a missing column is an error of SQL; a value of another type is an error that names the column. Values are
//! parameters of the query, `$name`, never part of its text.

use datafusion::arrow::array::RecordBatch;
use serde::de::value::Error as ValueError;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};

use crate::Error;
use crate::reads::Reads;
use crate::session::{Parameters, Reading, Session};

/// All rows of `SELECT fields of T FROM …`; `from` is the query from `FROM` on.
pub(crate) fn select<T: DeserializeOwned>(
    session: &Session,
    from: &str,
    parameters: Parameters<'_>,
    reading: Reading,
) -> Result<(Vec<T>, Reads), Error> {
    rows(session, &selecting::<T>(from), parameters, reading)
}

/// All rows of a whole query, which may have further columns.
pub(crate) fn rows<T: DeserializeOwned>(
    session: &Session,
    sql: &str,
    parameters: Parameters<'_>,
    reading: Reading,
) -> Result<(Vec<T>, Reads), Error> {
    let mut rows = Vec::new();
    let reads = each(session, sql, parameters, reading, |row| rows.push(row))?;
    Ok((rows, reads))
}

/// Calls a function with each row of a whole query, so that not all are in memory.
pub(crate) fn each<T: DeserializeOwned>(
    session: &Session,
    sql: &str,
    parameters: Parameters<'_>,
    reading: Reading,
    mut each: impl FnMut(T),
) -> Result<Reads, Error> {
    let mut answer = session.ask_sql(sql, parameters, reading)?;
    while let Some(batch) = answer.next_batch()? {
        rows_of(&batch)?.into_iter().for_each(&mut each);
    }
    Ok(answer.reads())
}

/// `SELECT` with the fields of a type.
pub(crate) fn selecting<T: DeserializeOwned>(from: &str) -> String {
    format!("SELECT {} {from}", fields_of::<T>().join(", "))
}

/// The rows of a batch.
pub(crate) fn rows_of<T: DeserializeOwned>(batch: &RecordBatch) -> Result<Vec<T>, Error> {
    serde_arrow::from_record_batch(batch).map_err(|error| Error::Rows(error.to_string()))
}

/// A list of numbers for `IN`.
pub(crate) fn listed(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// The names of a type's fields.
pub(crate) fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // Reading ends after the names, without a value.
    let _ = T::deserialize(FieldNames(&mut fields));
    fields
}

struct FieldNames<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
        Err(ValueError::custom("only the fields of a row are read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A stored board, for the attribute `deserialize_with` of a field.
pub(crate) mod board {
    use std::fmt;

    use annals_ingest::stored_board::StoredBoard;
    use serde::de::{Deserializer, Error, Visitor};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<StoredBoard, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = StoredBoard;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a stored board")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<StoredBoard, E> {
                StoredBoard::from_bytes(bytes).map_err(|error| E::custom(format!("a damaged board: {error}")))
            }
        }

        from.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use annals_events::Side;
    use datafusion::arrow::array::{ArrayRef, Int32Array, StringViewArray};
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Row {
        side: Option<Side>,
        plies: i64,
    }

    fn read(plies: ArrayRef) -> Result<Vec<Row>, serde_arrow::Error> {
        let sides: ArrayRef = Arc::new(StringViewArray::from(vec![Some("gold"), None]));
        let batch = RecordBatch::try_from_iter_with_nullable([("side", sides, true), ("plies", plies, true)]);
        serde_arrow::from_record_batch(&batch.unwrap())
    }

    #[test]
    fn a_row_has_the_fields_of_its_type_and_another_type_is_an_error() {
        assert_eq!(fields_of::<Row>(), ["side", "plies"]);
        let rows = read(Arc::new(Int32Array::from(vec![12, 7]))).unwrap();
        assert_eq!(rows, [Row { side: Some(Side::Gold), plies: 12 }, Row { side: None, plies: 7 }]);
        let missing = read(Arc::new(Int32Array::from(vec![Some(12), None]))).unwrap_err();
        assert!(missing.to_string().contains("plies"), "{missing}");
        let text = read(Arc::new(StringViewArray::from(vec!["12", "many"]))).unwrap_err();
        assert!(text.to_string().contains("plies"), "{text}");
    }
}
