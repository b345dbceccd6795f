//! The whole result of a study, in memory for writing and drawing: the picture and the file have the same figures.

use std::io::Write;

use annals_report::Table;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use crate::Error;
use crate::output::{Layout, table, writer};
use crate::session::Answer;

#[derive(Debug, Clone)]
pub struct Figures {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Figures {
    /// Reads a result to its end.
    pub(super) fn collect(answer: Answer<'_>) -> Result<Figures, Error> {
        Figures::first(answer, usize::MAX).map(|(figures, _)| figures)
    }

    /// Reads the first rows of a result, and whether there are more.
    ///
    /// # Errors
    /// If the query fails.
    pub fn first(mut answer: Answer<'_>, rows: usize) -> Result<(Figures, bool), Error> {
        let schema = answer.schema();
        let (mut batches, mut room) = (Vec::new(), rows);
        while let Some(batch) = answer.next_batch()? {
            if batch.num_rows() > room {
                batches.push(batch.slice(0, room));
                return Ok((Figures { schema, batches }, true));
            }
            room -= batch.num_rows();
            batches.push(batch);
        }
        Ok((Figures { schema, batches }, false))
    }

    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The rows, in parts.
    #[must_use]
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// The rows after the first ones.
    #[must_use]
    pub fn after(&self, mut rows: usize) -> Figures {
        let mut batches = Vec::new();
        for batch in &self.batches {
            let passed = rows.min(batch.num_rows());
            rows -= passed;
            if passed < batch.num_rows() {
                batches.push(batch.slice(passed, batch.num_rows() - passed));
            }
        }
        Figures { schema: self.schema.clone(), batches }
    }

    /// The names of the columns.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The values from which charts are drawn.
    ///
    /// # Errors
    /// If a value has no text.
    #[cfg(feature = "charts")]
    pub fn values(&self) -> Result<annals_charts::table::ValueTable, Error> {
        super::to_table::table(self)
    }

    #[must_use]
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The first rows as a table.
    ///
    /// # Errors
    /// If a value has no text.
    pub fn table(&self, rows: usize) -> Result<Table, Error> {
        let mut table = table::empty(&self.schema);
        for batch in &self.batches {
            let room = batch.num_rows().min(rows - table.rows.len());
            table::add_rows(&mut table, &batch.slice(0, room))?;
        }
        Ok(table)
    }

    /// Writes the rows up to the most that the layout allows; returns whether the result has more.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, out: impl Write + Send, layout: Layout) -> Result<bool, Error> {
        let max_rows = layout.max_rows;
        let mut writer = writer(out, &self.schema, layout)?;
        let mut room = max_rows.unwrap_or(usize::MAX);
        for batch in &self.batches {
            let shown = batch.num_rows().min(room);
            writer.write(&batch.slice(0, shown))?;
            room -= shown;
        }
        writer.finish()?;
        Ok(max_rows.is_some_and(|most| self.rows() > most))
    }
}
