//! Tables for people, laid out by `report`.

use std::io::Write;

use annals_report::{Cell, Look, Screen, Table};
use datafusion::arrow::array::{Array as _, AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Float64Type, SchemaRef};
use datafusion::arrow::util::display::DurationFormat;
use jiff::tz::TimeZone;

use super::cells::{formatters, with_boards_as_text};
use super::layout::Layout;
use super::row_writer::{RowWriter, wrote};
use crate::Error;

/// Floats are shown with at most this many decimals.
const DECIMALS: usize = 3;

/// An empty table with the columns of a schema.
pub(crate) fn empty(schema: &SchemaRef) -> Table {
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    Table::new("", &names)
}

/// Adds the rows of a batch to a table.
///
/// # Errors
/// If a value has no text.
pub(crate) fn add_rows(table: &mut Table, batch: &RecordBatch) -> Result<(), Error> {
    let batch = with_boards_as_text(batch)?;
    let formatters = formatters(&batch, DurationFormat::Pretty)?;
    let columns = || batch.columns().iter().zip(&formatters);
    table.rows.extend((0..batch.num_rows()).map(|row| {
        let cell = |(column, formatter): (&datafusion::arrow::array::ArrayRef, &_)| match column.data_type() {
            _ if column.is_null(row) => Cell::Empty,
            DataType::Float64 => Cell::Decimal(column.as_primitive::<Float64Type>().value(row), DECIMALS),
            kind => {
                let formatter: &datafusion::arrow::util::display::ArrayFormatter<'_> = formatter;
                let text = formatter.value(row).to_string();
                if kind.is_numeric() { Cell::Figure(text) } else { Cell::Text(text) }
            }
        };
        columns().map(cell).collect()
    }));
    Ok(())
}

pub(super) struct TableWriter<W: Write> {
    out: W,
    layout: Layout,
    table: Table,
}

impl<W: Write> TableWriter<W> {
    pub(super) fn new(out: W, schema: &SchemaRef, layout: Layout) -> TableWriter<W> {
        TableWriter { out, layout, table: empty(schema) }
    }
}

impl<W: Write> RowWriter for TableWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        add_rows(&mut self.table, batch)
    }

    fn finish(&mut self) -> Result<(), Error> {
        let look = if self.layout.header { Look::Ruled } else { Look::Bare };
        let complete = "`--format csv`".to_owned();
        let screen = self.layout.width.map(|width| Screen { width: width.into(), complete });
        let text = self.table.text(&TimeZone::UTC, look, true, screen.as_ref());
        wrote(self.out.write_all(text.as_bytes()))?;
        wrote(self.out.flush())
    }
}
