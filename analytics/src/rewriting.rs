//! Rewriting every expression of a plan before it is optimized.

use std::fmt;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

/// Replaces expressions, from the innermost out. The columns of the plan keep their names.
pub(crate) struct Rewriting {
    pub name: &'static str,
    /// An expression with the schema of its inputs.
    pub each: fn(Expr, &DFSchema) -> Transformed<Expr>,
}

impl fmt::Debug for Rewriting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl AnalyzerRule for Rewriting {
    fn name(&self) -> &str {
        self.name
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let rewritten = plan.transform_up_with_subqueries(|plan| {
            let schema = merge_schema(&plan.inputs());
            let names = NamePreserver::new(&plan);
            plan.map_expressions(|expr| {
                let name = names.save(&expr);
                let rewritten = expr.transform_up(|expr| Ok((self.each)(expr, &schema)))?;
                Ok(rewritten.update_data(|expr| name.restore(expr)))
            })
        })?;
        Ok(rewritten.data)
    }
}
