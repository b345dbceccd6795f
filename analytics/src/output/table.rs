//! Tables for people: widths found from the rows shown, numbers to the right, long texts folded to the terminal.

use std::fmt::Write as _;
use std::io::Write;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Float64Type, SchemaRef};

use super::cells::{escaped, formatters, number, with_boards_as_text};
use super::{Layout, RowWriter, wrote};
use crate::Error;

pub(super) struct TableWriter<W: Write> {
    out: W,
    schema: SchemaRef,
    layout: Layout,
    rows: Vec<Vec<String>>,
}

impl<W: Write> TableWriter<W> {
    pub(super) fn new(out: W, schema: SchemaRef, layout: Layout) -> TableWriter<W> {
        TableWriter { out, schema, layout, rows: Vec::new() }
    }
}

impl<W: Write> RowWriter for TableWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let batch = with_boards_as_text(batch)?;
        let formatters = formatters(&batch)?;
        for row in 0..batch.num_rows() {
            let mut cells = Vec::with_capacity(formatters.len());
            for (column, formatter) in batch.columns().iter().zip(&formatters) {
                cells.push(match float_at(column, row) {
                    Some(value) => number(value),
                    None if column.is_null(row) => String::new(),
                    None => {
                        let mut text = String::new();
                        let _ = write!(text, "{}", formatter.value(row));
                        text
                    }
                });
            }
            self.rows.push(cells);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        let columns: Vec<(&str, bool)> =
            self.schema.fields().iter().map(|f| (f.name().as_str(), f.data_type().is_numeric())).collect();
        let text = text_table(&columns, &self.rows, self.layout);
        wrote(self.out.write_all(text.as_bytes()))?;
        wrote(self.out.flush())
    }
}

fn float_at(column: &ArrayRef, row: usize) -> Option<f64> {
    if *column.data_type() != DataType::Float64 || column.is_null(row) {
        return None;
    }
    Some(column.as_primitive::<Float64Type>().value(row))
}

/// The width of the terminal to which standard output goes; none where it goes elsewhere.
#[must_use]
pub fn terminal_width() -> Option<u16> {
    // Some terminals do not know their width and say 0.
    Table::new().width().filter(|width| *width >= 20)
}

/// Columns of text up to this width stand as they are, however narrow the terminal.
const NEVER_FOLDED: u16 = 16;

/// A table of texts. Each column has a name, and is set to the right where it holds numbers.
#[must_use]
pub fn text_table(columns: &[(&str, bool)], rows: &[Vec<String>], layout: Layout) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    if layout.header {
        // A rule under the header and nothing else: easy on the eye, and easy to cut out.
        table.set_style(comfy_table::TableComponent::HeaderLines, '─');
        table.set_style(comfy_table::TableComponent::MiddleHeaderIntersections, ' ');
        table.set_header(columns.iter().map(|(name, _)| escaped(name).into_owned()));
    }
    for row in rows {
        table.add_row(row.iter().map(|cell| escaped(cell).into_owned()));
    }
    if let Some(width) = layout.width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    let widths = table.column_max_content_widths();
    for (i, (_, is_number)) in columns.iter().enumerate() {
        if let Some(column) = table.column_mut(i) {
            // Only texts are folded, and long ones first; a folded number cannot be read.
            if *is_number || widths.get(i).is_some_and(|width| *width <= NEVER_FOLDED) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
            column.set_padding((0, 1));
            column.set_cell_alignment(if *is_number { CellAlignment::Right } else { CellAlignment::Left });
        }
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
