//! Rows that this machine alone has, such as events of the log: they travel with the plan.

use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::prelude::SessionConfig;
use datafusion_distributed::DistributedConfig;
use futures::TryStreamExt as _;

/// The most bytes of rows that travel with a plan. A query of more runs on this machine alone.
const MOST: usize = 64 << 20;

/// Whether plans of a session are distributed.
pub(crate) fn is_distributed(config: &SessionConfig) -> bool {
    config.options().extensions.get::<DistributedConfig>().is_some()
}

/// The rows of a plan, collected.
///
/// # Errors
/// If they cannot be read, or are too many.
pub(crate) async fn in_memory(
    plan: Arc<dyn ExecutionPlan>,
    state: &dyn Session,
) -> Result<Arc<dyn ExecutionPlan>> {
    let schema = plan.schema();
    let mut rows = execute_stream(plan, state.task_ctx())?;
    let (mut batches, mut bytes) = (Vec::new(), 0_usize);
    while let Some(batch) = rows.try_next().await? {
        bytes = bytes.saturating_add(batch.get_array_memory_size());
        if bytes > MOST {
            return Err(DataFusionError::ResourcesExhausted(format!("more than {MOST} bytes of rows")));
        }
        batches.push(batch);
    }
    let source = MemorySourceConfig::try_new_exec(&[batches], schema, None)?;
    Ok(source)
}
