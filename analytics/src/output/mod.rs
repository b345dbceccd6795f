//! Writes results in seven formats, each by a writer that receives batches of rows and never holds the
//! whole result (a table holds the rows that it shows, to compute the widths).

mod arrow;
mod cells;
mod delimited;
mod json;
mod layout;
mod parquet;
mod row_writer;
pub(crate) mod table;

use std::io::Write;

use annals_report::Dialect;
use datafusion::arrow::datatypes::SchemaRef;

use crate::Error;
pub use layout::{Format, Layout};
pub use row_writer::RowWriter;

/// A writer for rows of a schema.
///
/// # Errors
/// If the header cannot be written.
pub fn writer<'w, W: Write + Send + 'w>(
    out: W,
    schema: &SchemaRef,
    layout: Layout,
) -> Result<Box<dyn RowWriter + 'w>, Error> {
    Ok(match layout.format {
        Format::Table => Box::new(table::TableWriter::new(out, schema, layout)),
        Format::Csv => Box::new(delimited::DelimitedWriter::new(out, schema, Dialect::Csv, layout.header)?),
        Format::Tsv => Box::new(delimited::DelimitedWriter::new(out, schema, Dialect::Tsv, layout.header)?),
        Format::Json => Box::new(json::JsonWriter::new(out, json::Shape::Array)),
        Format::Ndjson => Box::new(json::JsonWriter::new(out, json::Shape::Lines)),
        Format::Arrow => Box::new(arrow::ArrowWriter::new(out, schema, &layout.metadata)?),
        Format::Parquet => Box::new(parquet::ParquetWriter::new(out, schema.clone(), &layout.metadata)?),
    })
}

/// The summary of writing a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Rows written.
    pub rows: usize,
    /// Whether the result has more rows.
    pub more: bool,
}

/// Writes an answer, batch by batch, up to the most rows that the layout allows.
///
/// # Errors
/// If the query fails, or the output cannot be written.
pub fn write_answer<'w, W: Write + Send + 'w>(
    answer: &mut crate::session::Answer<'_>,
    out: W,
    layout: Layout,
) -> Result<Written, Error> {
    let max_rows = layout.max_rows;
    let mut writer = writer(out, &answer.schema(), layout)?;
    let mut rows = 0;
    let mut more = false;
    while let Some(batch) = answer.next_batch()? {
        let room = max_rows.map_or(usize::MAX, |max| max - rows);
        if batch.num_rows() > room {
            writer.write(&batch.slice(0, room))?;
            rows += room;
            more = true;
            break;
        }
        writer.write(&batch)?;
        rows += batch.num_rows();
    }
    writer.finish()?;
    Ok(Written { rows, more })
}
