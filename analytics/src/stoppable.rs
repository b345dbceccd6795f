//! Plans whose joins end when their query is dropped. A join that compares many rows and finds few computes for minutes between
//! two batches, and nothing can stop it there. So its condition fails once the query is gone, and its output lets others run.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::datatypes::{DataType, FieldRef, Schema};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, HashJoinExecBuilder, NestedLoopJoinExec, NestedLoopJoinExecBuilder,
};

use crate::memory::Ending;

/// Ends the joins of a query when it is dropped, or when the query is to end.
pub(crate) struct Stop(Signal);

#[derive(Clone)]
struct Signal {
    dropped: Arc<AtomicBool>,
    ending: Ending,
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.dropped.store(true, Ordering::Release);
    }
}

impl Stop {
    pub(crate) fn when(ending: Ending) -> Stop {
        Stop(Signal { dropped: Arc::default(), ending })
    }

    /// A plan with the same rows, whose joins end with this.
    ///
    /// # Errors
    /// If the engine cannot build it.
    pub(crate) fn within(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        let filter = |filter: &JoinFilter| {
            let condition = Condition { inner: Arc::clone(filter.expression()), signal: self.0.clone() };
            let columns = filter.column_indices().to_vec();
            Some(JoinFilter::new(Arc::new(condition), columns, Arc::clone(filter.schema())))
        };
        let stoppable = plan.transform_up(|plan| {
            let join: Arc<dyn ExecutionPlan> = if let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>() {
                let condition = join.filter().and_then(filter);
                Arc::new(NestedLoopJoinExecBuilder::from(join).with_filter(condition).build()?)
            } else if let Some(join) = plan.downcast_ref::<HashJoinExec>()
                && let Some(condition) = join.filter().and_then(filter)
            {
                HashJoinExecBuilder::from(join).with_filter(Some(condition)).build_exec()?
            } else if plan.is::<HashJoinExec>() || plan.is::<CrossJoinExec>() {
                plan
            } else {
                return Ok(Transformed::no(plan));
            };
            Ok(Transformed::yes(Arc::new(CooperativeExec::new(join)) as Arc<dyn ExecutionPlan>))
        });
        Ok(stoppable?.data)
    }
}

/// The condition of a join, which fails once its query is gone.
struct Condition {
    inner: Arc<dyn PhysicalExpr>,
    signal: Signal,
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        self.inner.as_ref() == other.inner.as_ref()
    }
}

impl Eq for Condition {}

impl Hash for Condition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl PhysicalExpr for Condition {
    fn data_type(&self, input: &Schema) -> Result<DataType> {
        self.inner.data_type(input)
    }

    fn nullable(&self, input: &Schema) -> Result<bool> {
        self.inner.nullable(input)
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        if self.signal.dropped.load(Ordering::Acquire) || self.signal.ending.is_near() {
            return exec_err!("the query was stopped");
        }
        self.inner.evaluate(batch)
    }

    fn return_field(&self, input: &Schema) -> Result<FieldRef> {
        self.inner.return_field(input)
    }

    fn children(&self) -> Vec<&Arc<dyn PhysicalExpr>> {
        vec![&self.inner]
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn PhysicalExpr>>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        let inner = children.swap_remove(0);
        Ok(Arc::new(Condition { inner, signal: self.signal.clone() }))
    }

    fn fmt_sql(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt_sql(f)
    }
}
