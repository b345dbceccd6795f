//! JSON: an array of objects, or one object a line. A missing value is written as `null`, so that every object has
//! every key. Whole numbers are written in full; hashes reach 2^64, more than some JSON readers can represent exactly.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::json::WriterBuilder;
use datafusion::arrow::json::writer::LineDelimited;

use super::cells::with_boards_as_text;
use super::row_writer::{RowWriter, wrote};
use crate::Error;

/// One array, or lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Array,
    Lines,
}

pub(super) struct JsonWriter<W: Write> {
    out: W,
    shape: Shape,
    rows: usize,
}

impl<W: Write> JsonWriter<W> {
    pub(super) fn new(out: W, shape: Shape) -> JsonWriter<W> {
        JsonWriter { out, shape, rows: 0 }
    }
}

impl<W: Write> RowWriter for JsonWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        let batch = with_boards_as_text(batch)?;
        let mut lines = Vec::new();
        let mut encoder =
            WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(&mut lines);
        encoder.write(&batch)?;
        encoder.finish()?;
        drop(encoder);
        match self.shape {
            Shape::Lines => wrote(self.out.write_all(&lines))?,
            // A JSON value has no raw line end, so each line is one object.
            Shape::Array => {
                for line in lines.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
                    wrote(self.out.write_all(if self.rows == 0 { b"[" } else { b",\n " }))?;
                    wrote(self.out.write_all(line))?;
                    self.rows += 1;
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        if self.shape == Shape::Array {
            wrote(self.out.write_all(if self.rows == 0 { b"[]\n" } else { b"]\n" }))?;
        }
        wrote(self.out.flush())
    }
}
