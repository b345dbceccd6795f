//! Reads columns of stored files, for index, players and duplicate search.

use arrow::array::{Array, AsArray, PrimitiveArray, RecordBatch, StringArray};
use arrow::datatypes::ArrowPrimitiveType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use crate::location::TableFile;

#[derive(Debug)]
pub struct StoredFile {
    file: TableFile,
    metadata: ArrowReaderMetadata,
    shown: String,
}

#[derive(Debug, thiserror::Error)]
#[error("{path}: {why}")]
pub struct StoredFileError {
    pub path: String,
    pub why: String,
}

impl StoredFile {
    /// Opens a file and reads its footer.
    ///
    /// # Errors
    /// If it is not a Parquet file, or the disk fails.
    pub fn open(file: &TableFile) -> Result<StoredFile, StoredFileError> {
        let shown = file.name().display().to_string();
        let failed = |why: String| StoredFileError { path: shown.clone(), why };
        let reader = file.open().map_err(|e| failed(e.to_string()))?;
        let metadata = ArrowReaderMetadata::load(&reader, ArrowReaderOptions::new());
        let metadata = metadata.map_err(|e| failed(e.to_string()))?;
        Ok(StoredFile { file: file.clone(), metadata, shown })
    }

    #[must_use]
    pub fn row_groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    #[must_use]
    pub fn rows(&self) -> u64 {
        self.metadata.metadata().file_metadata().num_rows().unsigned_abs()
    }

    /// Reads columns of one row group as one batch, in table order.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn row_group(&self, index: usize, columns: &[&str]) -> Result<RecordBatch, StoredFileError> {
        let failed = |why: String| StoredFileError { path: self.shown.clone(), why };
        let rows = self.metadata.metadata().row_group(index).num_rows().unsigned_abs() as usize;
        let mut reader = self.reader(Some(index), columns, rows.max(1))?;
        match reader.next() {
            Some(batch) => batch.map_err(|e| failed(e.to_string())),
            None => Err(failed(format!("row group {index} is empty"))),
        }
    }

    /// Reads columns of the file in batches, in table order.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn each_batch<E: From<StoredFileError>>(
        &self,
        columns: &[&str],
        mut each: impl FnMut(&Columns<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for batch in self.batches(columns)? {
            each(&self.columns(&batch?))?;
        }
        Ok(())
    }

    /// Columns of the file in batches, in table order.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn batches(
        &self,
        columns: &[&str],
    ) -> Result<impl Iterator<Item = Result<RecordBatch, StoredFileError>> + use<>, StoredFileError> {
        let shown = self.shown.clone();
        let reader = self.reader(None, columns, 8192)?;
        Ok(reader.map(move |batch| {
            batch.map_err(|error| StoredFileError { path: shown.clone(), why: error.to_string() })
        }))
    }

    #[must_use]
    pub fn damaged(&self, why: String) -> StoredFileError {
        StoredFileError { path: self.shown.clone(), why }
    }

    #[must_use]
    pub fn columns<'b>(&'b self, batch: &'b RecordBatch) -> Columns<'b> {
        Columns { batch, shown: &self.shown }
    }

    fn reader(
        &self,
        group: Option<usize>,
        columns: &[&str],
        batch_rows: usize,
    ) -> Result<ParquetRecordBatchReader, StoredFileError> {
        let failed = |why: String| StoredFileError { path: self.shown.clone(), why };
        // Opened per reader: copied handles share a position between threads.
        let file = self.file.open().map_err(|e| failed(e.to_string()))?;
        let schema = self.metadata.metadata().file_metadata().schema_descr();
        let mask = ProjectionMask::columns(schema, columns.iter().copied());
        let mut builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_projection(mask)
            .with_batch_size(batch_rows);
        if let Some(group) = group {
            builder = builder.with_row_groups(vec![group]);
        }
        builder.build().map_err(|e| failed(e.to_string()))
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Columns<'b> {
    batch: &'b RecordBatch,
    shown: &'b str,
}

impl<'b> Columns<'b> {
    #[must_use]
    pub fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// # Errors
    /// If there is no such column of that type.
    pub fn numbers<T: ArrowPrimitiveType>(
        &self,
        name: &str,
    ) -> Result<&'b PrimitiveArray<T>, StoredFileError> {
        self.find(name)?.as_primitive_opt().ok_or_else(|| self.other_type(name))
    }

    /// # Errors
    /// If there is no such column of that type.
    pub fn texts(&self, name: &str) -> Result<&'b StringArray, StoredFileError> {
        self.find(name)?.as_string_opt().ok_or_else(|| self.other_type(name))
    }

    /// # Errors
    /// If there is no such column of that type.
    pub fn bools(&self, name: &str) -> Result<&'b arrow::array::BooleanArray, StoredFileError> {
        self.find(name)?.as_boolean_opt().ok_or_else(|| self.other_type(name))
    }

    fn find(&self, name: &str) -> Result<&'b dyn Array, StoredFileError> {
        let column = self.batch.column_by_name(name).map(|column| column.as_ref());
        column.ok_or_else(|| StoredFileError {
            path: self.shown.to_owned(),
            why: format!("it has no column `{name}`"),
        })
    }

    fn other_type(&self, name: &str) -> StoredFileError {
        StoredFileError { path: self.shown.to_owned(), why: format!("its column `{name}` has another type") }
    }
}

pub fn value<T: ArrowPrimitiveType>(column: &PrimitiveArray<T>, row: usize) -> Option<T::Native> {
    column.is_valid(row).then(|| column.value(row))
}

#[must_use]
pub fn text(column: &StringArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}
