//! Comma- and tab-separated values, plain and in full precision. A missing value is empty.

use std::fmt::Write as _;
use std::io::{self, Write};

use annals_report::{Delimited, Dialect};
use datafusion::arrow::array::{Array as _, RecordBatch};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::util::display::DurationFormat;

use super::cells::{formatters, with_boards_as_text};
use super::row_writer::{RowWriter, wrote};
use crate::Error;

pub(super) struct DelimitedWriter<W: Write>(Delimited<W>);

impl<W: Write> DelimitedWriter<W> {
    pub(super) fn new(
        out: W,
        schema: &SchemaRef,
        dialect: Dialect,
        header: bool,
    ) -> Result<DelimitedWriter<W>, Error> {
        let mut rows = Delimited::new(out, dialect);
        if header {
            wrote(schema.fields().iter().try_for_each(|field| rows.text(field.name())))?;
            wrote(rows.end_row())?;
        }
        Ok(DelimitedWriter(rows))
    }

    fn write_rows(&mut self, batch: &RecordBatch) -> Result<io::Result<()>, Error> {
        let formatters = formatters(batch, DurationFormat::ISO8601)?;
        let text: Vec<bool> = batch.columns().iter().map(|column| is_text(column.data_type())).collect();
        let mut cell = String::new();
        let mut write = || -> io::Result<()> {
            for row in 0..batch.num_rows() {
                for ((column, formatter), is_text) in batch.columns().iter().zip(&formatters).zip(&text) {
                    cell.clear();
                    if !column.is_null(row) {
                        let _ = write!(cell, "{}", formatter.value(row));
                    }
                    if *is_text { self.0.text(&cell) } else { self.0.plain(&cell) }?;
                }
                self.0.end_row()?;
            }
            self.0.flush()
        };
        Ok(write())
    }
}

impl<W: Write> RowWriter for DelimitedWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        wrote(self.write_rows(&with_boards_as_text(batch)?)?)
    }

    fn finish(&mut self) -> Result<(), Error> {
        wrote(self.0.flush())
    }
}

/// Numbers and truth values need no quotes or escapes.
fn is_text(data_type: &DataType) -> bool {
    !data_type.is_numeric() && *data_type != DataType::Boolean
}
