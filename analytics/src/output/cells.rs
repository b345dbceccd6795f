//! The text of one value. Text formats show a board as one line (64 signs, or rows with slashes, which every board function also reads), a time
//! as RFC 3339, a list in brackets, and a number in full.

use std::borrow::Cow;
use std::sync::Arc;

use annals_events::display::misleads;
use annals_ingest::stored_board::StoredBoard;
use datafusion::arrow::array::{Array, ArrayRef, FixedSizeBinaryArray, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::Error;
use crate::functions::BOARD_BYTES;

/// Replaces columns of stored boards by their lines; everything else stays as it is.
pub(super) fn with_boards_as_text(batch: &RecordBatch) -> Result<RecordBatch, Error> {
    let is_board = |t: &DataType| *t == DataType::FixedSizeBinary(BOARD_BYTES);
    if !batch.schema().fields().iter().any(|f| is_board(f.data_type())) {
        return Ok(batch.clone());
    }
    let columns = batch
        .columns()
        .iter()
        .map(|column| match column.as_any().downcast_ref::<FixedSizeBinaryArray>() {
            Some(boards) if boards.value_length() == BOARD_BYTES => board_texts(boards),
            _ => column.clone(),
        })
        .collect();
    Ok(RecordBatch::try_new(schema_with_text_boards(&batch.schema()), columns)?)
}

fn schema_with_text_boards(schema: &SchemaRef) -> SchemaRef {
    let fields: Vec<Field> = schema
        .fields()
        .iter()
        .map(|field| match field.data_type() {
            DataType::FixedSizeBinary(BOARD_BYTES) => field.as_ref().clone().with_data_type(DataType::Utf8),
            _ => field.as_ref().clone(),
        })
        .collect();
    Arc::new(Schema::new(fields))
}

fn board_texts(boards: &FixedSizeBinaryArray) -> ArrayRef {
    let mut out = StringBuilder::with_capacity(boards.len(), 64 * boards.len());
    for row in 0..boards.len() {
        if boards.is_null(row) {
            out.append_null();
        } else {
            out.append_value(board_sign_text(boards.value(row)));
        }
    }
    Arc::new(out.finish())
}

/// The line of a stored board, 64 signs in Arimaa, rows with slashes in the Amazons; bytes that are no board are shown in hexadecimal.
fn board_sign_text(bytes: &[u8]) -> String {
    match StoredBoard::from_bytes(bytes) {
        Ok(board) => board.to_short(),
        Err(_) => hex::encode(bytes),
    }
}

/// Formatters for the columns of a batch.
pub(super) fn formatters(batch: &RecordBatch) -> Result<Vec<ArrayFormatter<'_>>, Error> {
    // NULL is told apart by the array, not by its text.
    const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(true);
    batch.columns().iter().map(|column| Ok(ArrayFormatter::try_new(column.as_ref(), &OPTIONS)?)).collect()
}

/// A text with the characters made visible that control a terminal or turn the direction of writing, so that what a record holds cannot steer the terminal. Line ends
/// stay.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !misleads(c) || c == '\n';
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_plain(c) { out.push(c) } else { out.extend(c.escape_default()) }
    }
    Cow::Owned(out)
}

/// A number for reading: at most three decimals, none that say nothing.
#[must_use]
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_cannot_steer_the_terminal() {
        assert_eq!(escaped("plain\ntext é"), "plain\ntext é");
        assert_eq!(escaped("\u{1b}[2Jgone\t"), "\\u{1b}[2Jgone\\t");
        assert_eq!(escaped("1\u{202e}2"), "1\\u{202e}2");
    }

    #[test]
    fn numbers_for_reading_have_three_decimals_at_most() {
        assert_eq!(number(1_523.333_333), "1523.333");
        assert_eq!(number(2.0), "2");
        assert_eq!(number(0.5), "0.5");
        assert_eq!(number(-0.000_01), "0");
        assert_eq!(number(f64::NAN), "NaN");
    }
}
