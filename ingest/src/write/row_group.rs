//! Encodes rows as Parquet row groups on any thread; the file's owner appends the bytes.

use std::marker::PhantomData;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::TypePtr;

use super::error::WriteError;
use crate::tables::{Rows, writer_properties};

pub struct RowGroup {
    pub rows: u64,
    pub(super) chunks: Vec<ArrowColumnChunk>,
}

/// Cheap to share between threads.
pub struct Encoder<R> {
    schema: SchemaRef,
    factory: ArrowRowGroupWriterFactory,
    pub(super) parquet_schema: TypePtr,
    pub(super) properties: WriterPropertiesPtr,
    rows: PhantomData<fn() -> R>,
}

impl<R: Rows> Encoder<R> {
    /// # Errors
    /// If the table has no Parquet schema, which the first test would show.
    pub fn new() -> Result<Encoder<R>, WriteError> {
        let failed = |source| WriteError::Encoding { table: R::SPEC.name, source };
        let (schema, properties) = (R::schema(), writer_properties::<R>());
        let parquet_schema = ArrowSchemaConverter::new().convert(&schema).map_err(failed)?.root_schema_ptr();
        // The factory takes schema and properties from any file writer.
        let model =
            SerializedFileWriter::new(std::io::sink(), Arc::clone(&parquet_schema), Arc::clone(&properties))
                .map_err(failed)?;
        let factory = ArrowRowGroupWriterFactory::new(&model, Arc::clone(&schema));
        Ok(Encoder { schema, factory, parquet_schema, properties, rows: PhantomData })
    }

    /// Encodes the collected rows, and empties the builder; none without rows.
    ///
    /// # Errors
    /// If a column cannot be encoded, which is an error in the program.
    pub fn encode(&self, rows: &mut R) -> Result<Option<RowGroup>, WriteError> {
        if rows.is_empty() {
            return Ok(None);
        }
        let columns = self.columns(rows)?;
        self.encode_columns(columns).map(Some)
    }

    /// The collected rows as a batch; none without rows.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn batch(&self, rows: &mut R) -> Result<Option<RecordBatch>, WriteError> {
        if rows.is_empty() {
            return Ok(None);
        }
        let columns = self.columns(rows)?;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        batch.map(Some).map_err(|error| self.failed(error.into()))
    }

    /// Encodes columns of equal length.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_columns(&self, columns: Vec<ArrayRef>) -> Result<RowGroup, WriteError> {
        let rows = columns.first().map_or(0, |column| column.len()) as u64;
        let encode = || -> Result<Vec<ArrowColumnChunk>, ParquetError> {
            let mut chunks = Vec::with_capacity(columns.len());
            let mut writers = self.factory.create_column_writers(0)?.into_iter();
            for (field, column) in self.schema.fields().iter().zip(columns) {
                for leaf in compute_leaves(field, &column)? {
                    let Some(mut writer) = writers.next() else { break };
                    writer.write(&leaf)?;
                    chunks.push(writer.close()?);
                }
            }
            Ok(chunks)
        };
        let chunks = encode().map_err(|error| self.failed(error))?;
        Ok(RowGroup { rows, chunks })
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(crate) fn failed(&self, source: ParquetError) -> WriteError {
        WriteError::Encoding { table: R::SPEC.name, source }
    }

    fn columns(&self, rows: &mut R) -> Result<Vec<ArrayRef>, WriteError> {
        rows.take().map_err(|error| self.failed(error.into()))
    }
}
