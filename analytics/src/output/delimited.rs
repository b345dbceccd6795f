//! Comma- and tab-separated values, plain and in full precision.

use std::fmt::Write as _;
use std::io::Write;

use datafusion::arrow::array::{Array as _, RecordBatch};
use datafusion::arrow::datatypes::{DataType, SchemaRef};

use super::cells::{formatters, with_boards_as_text};
use super::{RowWriter, wrote};
use crate::Error;

/// How values are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Csv,
    Tsv,
}

pub(super) struct DelimitedWriter<W: Write> {
    out: W,
    style: Style,
    buffer: String,
    cell: String,
}

impl<W: Write> DelimitedWriter<W> {
    pub(super) fn new(
        out: W,
        schema: &SchemaRef,
        style: Style,
        header: bool,
    ) -> Result<DelimitedWriter<W>, Error> {
        let mut writer = DelimitedWriter { out, style, buffer: String::new(), cell: String::new() };
        if header {
            for (i, field) in schema.fields().iter().enumerate() {
                writer.separate(i);
                writer.cell.clone_from(field.name());
                writer.push_text();
            }
            writer.end_row();
            wrote(writer.flush())?;
        }
        Ok(writer)
    }

    fn separate(&mut self, column: usize) {
        if column > 0 {
            self.buffer.push(if self.style == Style::Csv { ',' } else { '\t' });
        }
    }

    fn end_row(&mut self) {
        self.buffer.push('\n');
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.write_all(self.buffer.as_bytes())?;
        self.buffer.clear();
        Ok(())
    }

    /// Appends the cell's text, quoted or escaped as the style asks.
    fn push_text(&mut self) {
        match self.style {
            Style::Csv if is_formula(&self.cell) => {
                self.cell.insert(0, '\'');
                self.push_text();
            }
            Style::Csv if self.cell.is_empty() => self.buffer.push_str("\"\""),
            Style::Csv if self.cell.contains(['"', ',', '\n', '\r']) => {
                self.buffer.push('"');
                for c in self.cell.chars() {
                    if c == '"' {
                        self.buffer.push('"');
                    }
                    self.buffer.push(c);
                }
                self.buffer.push('"');
            }
            Style::Csv => self.buffer.push_str(&self.cell),
            Style::Tsv => {
                for c in self.cell.chars() {
                    match c {
                        '\t' => self.buffer.push_str("\\t"),
                        '\n' => self.buffer.push_str("\\n"),
                        '\r' => self.buffer.push_str("\\r"),
                        '\\' => self.buffer.push_str("\\\\"),
                        c => self.buffer.push(c),
                    }
                }
            }
        }
    }
}

impl<W: Write> RowWriter for DelimitedWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let batch = with_boards_as_text(batch)?;
        let formatters = formatters(&batch)?;
        // Numbers and truth values never need quoting.
        let plain: Vec<bool> = batch.columns().iter().map(|c| is_plain(c.data_type())).collect();
        for row in 0..batch.num_rows() {
            for (i, formatter) in formatters.iter().enumerate() {
                self.separate(i);
                if batch.column(i).is_null(row) {
                    continue;
                }
                if plain[i] {
                    let _ = write!(self.buffer, "{}", formatter.value(row));
                } else {
                    self.cell.clear();
                    let _ = write!(self.cell, "{}", formatter.value(row));
                    self.push_text();
                }
            }
            self.end_row();
        }
        wrote(self.flush())
    }

    fn finish(&mut self) -> Result<(), Error> {
        wrote(self.out.flush())
    }
}

/// Whether a spreadsheet would run a text. It does not run one that begins with an apostrophe; a number is no formula.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

fn is_plain(data_type: &DataType) -> bool {
    data_type.is_numeric() || *data_type == DataType::Boolean
}
