//! The interface of the writers, and the error that they share.

use datafusion::arrow::array::RecordBatch;

use crate::Error;

/// Writes rows in one format, batch by batch.
pub trait RowWriter {
    /// Writes some rows.
    ///
    /// # Errors
    /// If the output cannot be written, or the format cannot express a value.
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error>;

    /// Writes the end after the last row.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn finish(&mut self) -> Result<(), Error>;
}

pub(super) fn wrote<T>(result: std::io::Result<T>) -> Result<T, Error> {
    result.map_err(|e| Error::io("write the answer", e))
}
