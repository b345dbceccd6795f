//! The text of one value. Text formats show a board as one line (64 characters, or rows with slashes, which every
//! board function also reads), a time
//! as RFC 3339, a list in brackets, and a number in full.

use std::sync::Arc;

use annals_ingest::stored_board::StoredBoard;
use datafusion::arrow::array::{Array, ArrayRef, FixedSizeBinaryArray, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::util::display::{ArrayFormatter, DurationFormat, FormatOptions};

use crate::Error;
use crate::functions::BOARD_BYTES;

/// Replaces columns of stored boards by their lines; other columns are unchanged.
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

/// The line of a stored board, 64 characters in Arimaa, rows with slashes in the Amazons; invalid bytes are shown in hexadecimal.
fn board_sign_text(bytes: &[u8]) -> String {
    match StoredBoard::from_bytes(bytes) {
        Ok(board) => board.to_short(),
        Err(_) => hex::encode(bytes),
    }
}

/// Formatters for the columns of a batch.
pub(super) fn formatters(
    batch: &RecordBatch,
    durations: DurationFormat,
) -> Result<Vec<ArrayFormatter<'_>>, Error> {
    // NULL is determined from the array, not from its text.
    let options = FormatOptions::new().with_display_error(true).with_duration_format(durations);
    batch.columns().iter().map(|column| Ok(ArrayFormatter::try_new(column.as_ref(), &options)?)).collect()
}
