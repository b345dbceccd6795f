//! Arrow output: the answer with its types as an IPC file, which is also the format of Feather version 2.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::arrow::ipc::writer::FileWriter;

use super::row_writer::RowWriter;
use crate::Error;

pub(super) struct ArrowWriter<W: Write> {
    inner: FileWriter<W>,
    schema: SchemaRef,
}

impl<W: Write> ArrowWriter<W> {
    pub(super) fn new(
        out: W,
        schema: &SchemaRef,
        metadata: &[(&str, String)],
    ) -> Result<ArrowWriter<W>, Error> {
        let pairs = metadata.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        let metadata: HashMap<String, String> = schema.metadata().clone().into_iter().chain(pairs).collect();
        let schema = Arc::new(Schema::new_with_metadata(schema.fields().clone(), metadata));
        Ok(ArrowWriter { inner: FileWriter::try_new(out, &schema)?, schema })
    }
}

impl<W: Write> RowWriter for ArrowWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let batch = batch.clone().with_schema(Arc::clone(&self.schema))?;
        Ok(self.inner.write(&batch)?)
    }

    fn finish(&mut self) -> Result<(), Error> {
        Ok(self.inner.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::Int64Array;
    use datafusion::arrow::datatypes::{DataType, Field};
    use datafusion::arrow::ipc::reader::FileReader;

    use super::*;

    #[test]
    fn an_arrow_file_has_the_rows_the_types_and_the_source() {
        let schema = Arc::new(Schema::new(vec![Field::new("games", DataType::Int64, true)]));
        let rows = Int64Array::from(vec![Some(3), None]);
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(rows)]).unwrap();
        let mut file = Vec::new();
        let mut writer =
            ArrowWriter::new(&mut file, &schema, &[("command", "annals query".to_owned())]).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        drop(writer);
        let read = FileReader::try_new(std::io::Cursor::new(file), None).unwrap();
        assert_eq!(read.schema().metadata()["command"], "annals query");
        let batches: Vec<RecordBatch> = read.map(Result::unwrap).collect();
        assert_eq!((batches.len(), batches[0].columns()), (1, batch.columns()));
    }
}
