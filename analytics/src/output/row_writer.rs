//! The interface of the writers, and the error that they share.

use datafusion::arrow::array::RecordBatch;

use crate::Error;

/// Takes rows as they come and writes them in one format.
pub trait RowWriter {
    /// Writes some rows.
    ///
    /// # Errors
    /// Where the output cannot be written, or a value has no form in this format.
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error>;

    /// Writes what comes after the last row.
    ///
    /// # Errors
    /// Where the output cannot be written.
    fn finish(&mut self) -> Result<(), Error>;
}

pub(super) fn wrote<T>(result: std::io::Result<T>) -> Result<T, Error> {
    result.map_err(|e| Error::io("write the answer", e))
}
