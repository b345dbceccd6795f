//! Tables whose rows are made from the log while a query reads them.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::common::Result;
use datafusion::datasource::{TableProvider, TableType};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::PartitionStream;

/// The maximum number of batches that wait for the query.
const WAITING: usize = 2;

/// The source of the rows.
pub(crate) trait Source: fmt::Debug + Send + Sync + 'static {
    fn schema(&self) -> &SchemaRef;

    /// The parts that can have rows for which the filters hold, for at most this number of readers. Filters are applied again to
    /// the rows, so these may be too many, never too few.
    fn parts(&self, filters: &[Expr], readers: usize) -> Result<Vec<Arc<dyn PartitionStream>>>;
}

/// The table of a source.
#[derive(Debug)]
pub(crate) struct Streamed<S>(pub S);

#[async_trait]
impl<S: Source> TableProvider for Streamed<S> {
    fn schema(&self) -> SchemaRef {
        self.0.schema().clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let parts = self.0.parts(filters, state.config().target_partitions())?;
        let plan = StreamingTable::try_new(self.schema(), parts)?.scan(state, projection, &[], limit).await?;
        #[cfg(feature = "cluster")]
        if crate::workers::is_distributed(state.config()) {
            return crate::workers::in_memory(plan, state).await;
        }
        Ok(plan)
    }
}

/// Batches that `make` sends from a thread of its own. Sending returns false once the query has enough rows, which is not a
/// failure.
pub(crate) fn batches(
    schema: SchemaRef,
    make: impl FnOnce(&mut dyn FnMut(Result<RecordBatch>) -> bool) -> Result<()> + Send + 'static,
) -> SendableRecordBatchStream {
    let mut builder = RecordBatchReceiverStreamBuilder::new(schema, WAITING);
    let sender = builder.tx();
    builder.spawn_blocking(move || make(&mut |batch| sender.blocking_send(batch).is_ok()));
    builder.build()
}
