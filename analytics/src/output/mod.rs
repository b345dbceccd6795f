//! Answers on their way out: six formats, each a writer that takes batches of rows as they come and never holds the
//! whole answer (a table holds the rows that it shows, to find the widths).

mod cells;
mod delimited;
mod json;
mod parquet;
pub(crate) mod table;

use std::io::Write;

use annals_report::Dialect;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use crate::Error;

/// A form of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Columns drawn with their widths, for people.
    Table,
    /// Comma-separated values (quoted as in RFC 4180), with a header. NULL and an empty text are empty.
    Csv,
    /// Tab-separated values, with a header; tabs, line ends and backslashes in a text are `\t`, `\n`, `\\`.
    Tsv,
    /// One JSON array of objects.
    Json,
    /// One JSON object a line.
    Ndjson,
    /// A Parquet file, types and all.
    Parquet,
}

impl Format {
    /// All formats by their words.
    pub const ALL: [(&'static str, Format); 6] = [
        ("table", Format::Table),
        ("csv", Format::Csv),
        ("tsv", Format::Tsv),
        ("json", Format::Json),
        ("ndjson", Format::Ndjson),
        ("parquet", Format::Parquet),
    ];

    /// The format of a word, or of a file name's ending.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Format> {
        let word = if word == "jsonl" { "ndjson" } else { word };
        Format::ALL.iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|(_, format)| *format)
    }

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Format::ALL.iter().find(|(_, f)| *f == self).map_or("", |(word, _)| word)
    }
}

/// What shapes the output beside its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The format.
    pub format: Format,
    /// Whether csv, tsv and tables begin with the names of the columns.
    pub header: bool,
    /// The most rows that are written; none for all.
    pub max_rows: Option<usize>,
    /// The width of the terminal in characters, to which a table is fitted; none for as wide as it comes.
    pub width: Option<u16>,
}

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

/// A writer for rows of a schema.
///
/// # Errors
/// Where the header cannot be written.
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
        Format::Parquet => Box::new(parquet::ParquetWriter::new(out, schema.clone())?),
    })
}

/// What came of writing an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Rows written.
    pub rows: usize,
    /// Whether there would have been more.
    pub more: bool,
}

/// Writes an answer, batch by batch, up to the most rows that the layout allows.
///
/// # Errors
/// Where the query fails on its way, or the output cannot be written.
pub fn write_answer<'w, W: Write + Send + 'w>(
    answer: &mut crate::session::Answer<'_>,
    out: W,
    layout: Layout,
) -> Result<Written, Error> {
    let mut writer = writer(out, &answer.schema(), layout)?;
    let mut rows = 0;
    let mut more = false;
    while let Some(batch) = answer.next_batch()? {
        let room = layout.max_rows.map_or(usize::MAX, |max| max - rows);
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

pub(crate) fn wrote<T>(result: std::io::Result<T>) -> Result<T, Error> {
    result.map_err(|e| Error::io("write the answer", e))
}
