//! Parquet output: the answer with its types, zstd-compressed, row group by row group.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::metadata::KeyValue;
use datafusion::parquet::file::properties::WriterProperties;

use super::row_writer::RowWriter;
use crate::Error;

/// Rows of a row group: enough for good compression, few enough for memory.
const ROW_GROUP_ROWS: usize = 131_072;

pub(super) struct ParquetWriter<W: Write + Send> {
    inner: Option<ArrowWriter<W>>,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub(super) fn new(
        out: W,
        schema: SchemaRef,
        metadata: &[(&str, String)],
    ) -> Result<ParquetWriter<W>, Error> {
        let pairs = metadata.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
            .set_key_value_metadata(Some(pairs.collect()))
            .build();
        let inner = ArrowWriter::try_new(out, schema, Some(properties)).map_err(failed)?;
        Ok(ParquetWriter { inner: Some(inner) })
    }
}

impl<W: Write + Send> RowWriter for ParquetWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        match &mut self.inner {
            Some(writer) => writer.write(batch).map_err(failed),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Error> {
        match self.inner.take() {
            Some(writer) => writer.close().map(drop).map_err(failed),
            None => Ok(()),
        }
    }
}

fn failed(error: ParquetError) -> Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<std::io::Error>() {
            Ok(io) => Error::io("write the answer", *io),
            Err(other) => Error::from(datafusion::error::DataFusionError::External(other)),
        },
        other => Error::from(datafusion::error::DataFusionError::from(other)),
    }
}
