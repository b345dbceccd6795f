//! Rows as computed: columns of little-endian bytes. One thread fills a table, and passes it on when large enough.

use crate::columns::{Column, Kind, Value};
use crate::subject::{Subject, View};

pub(crate) struct FeatureTable {
    columns: Vec<(&'static Column, Vec<u8>)>,
    rows: usize,
}

impl FeatureTable {
    pub fn new(columns: &[&'static Column]) -> FeatureTable {
        FeatureTable { columns: columns.iter().map(|column| (*column, Vec::new())).collect(), rows: 0 }
    }

    pub const fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> impl Iterator<Item = (&'static Column, &[u8])> {
        self.columns.iter().map(|(column, bytes)| (*column, bytes.as_slice()))
    }

    /// The same by value.
    pub fn into_columns(self) -> impl Iterator<Item = (&'static Column, Vec<u8>)> {
        self.columns.into_iter()
    }

    /// Takes all rows.
    pub fn take(&mut self) -> FeatureTable {
        let columns =
            self.columns.iter_mut().map(|(column, bytes)| (*column, std::mem::take(bytes))).collect();
        FeatureTable { columns, rows: std::mem::take(&mut self.rows) }
    }

    pub fn push(&mut self, subject: &Subject<'_>) {
        for (column, bytes) in &mut self.columns {
            match (column.value, &subject.view) {
                (Value::Row(number), _) => put(column.kind, number(subject), bytes),
                (Value::Arimaa(number), View::Arimaa(position)) => put(column.kind, number(position), bytes),
                (Value::Amazons(number), View::Amazons(position)) => {
                    put(column.kind, number(position), bytes)
                }
                (Value::Planes(fill), View::Arimaa(position)) => {
                    let start = bytes.len();
                    bytes.resize(start + column.kind.width(), 0);
                    fill(position, &mut bytes[start..]);
                }
                // Columns are of the table's game: see `Options::check`.
                _ => bytes.resize(bytes.len() + column.kind.width(), 0),
            }
        }
        self.rows += 1;
    }
}

/// In the column's type; out of range is limited.
fn put(kind: Kind, value: i64, bytes: &mut Vec<u8>) {
    let within = |least: i64, most: i64| value.clamp(least, most).to_le_bytes();
    let number = match kind {
        Kind::Truth | Kind::U8 | Kind::Word(_) | Kind::Planes(_) => within(0, i64::from(u8::MAX)),
        Kind::I8 => within(i64::from(i8::MIN), i64::from(i8::MAX)),
        Kind::U16 => within(0, i64::from(u16::MAX)),
        Kind::I16 | Kind::Rating => within(i64::from(i16::MIN), i64::from(i16::MAX)),
        Kind::U32 | Kind::Source => within(0, i64::from(u32::MAX)),
        // Game numbers use all 64 bits.
        Kind::U64 => value.to_le_bytes(),
    };
    bytes.extend_from_slice(&number[..kind.width().min(8)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_little_endian_and_stay_within_their_type() {
        let put = |kind, value| {
            let mut bytes = Vec::new();
            put(kind, value, &mut bytes);
            bytes
        };
        assert_eq!(put(Kind::U8, 300), [255]);
        assert_eq!(put(Kind::I8, -3), [0xfd]);
        assert_eq!(put(Kind::U16, 258), [2, 1]);
        assert_eq!(put(Kind::I16, -40_000), [0, 0x80]);
        assert_eq!(put(Kind::U32, 1), [1, 0, 0, 0]);
        assert_eq!(put(Kind::U64, u64::MAX.cast_signed()), [255; 8]);
    }
}
