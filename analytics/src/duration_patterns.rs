//! Refuses `to_char` of a duration with a pattern, which the engine ignores: it prints durations in two forms of its own.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::common::{DFSchema, DataFusionError};
use datafusion::logical_expr::{Expr, ExprSchemable as _, LogicalPlan};

use crate::other_dialects::PATTERN_OF_DURATION;

/// The forms of durations.
const FORMS: [&str; 2] = ["pretty", "iso8601"];

/// # Errors
/// `Plan` for the first such call.
pub(crate) fn check(plan: &LogicalPlan) -> Result<(), DataFusionError> {
    plan.apply_with_subqueries(|node| {
        for input in node.inputs() {
            node.apply_expressions(|expr| {
                expr.apply(|part| match has_pattern(part, input.schema()) {
                    true => Err(DataFusionError::Plan(PATTERN_OF_DURATION.to_owned())),
                    false => Ok(TreeNodeRecursion::Continue),
                })
            })?;
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(())
}

fn has_pattern(expr: &Expr, schema: &DFSchema) -> bool {
    let Expr::ScalarFunction(call) = expr else { return false };
    let [value, pattern] = call.args.as_slice() else { return false };
    let is_form = |pattern: &Expr| match pattern {
        Expr::Literal(literal, _) => literal
            .try_as_str()
            .flatten()
            .is_some_and(|text| FORMS.contains(&text.to_ascii_lowercase().as_str())),
        _ => false,
    };
    call.func.name() == "to_char"
        && matches!(value.get_type(schema), Ok(DataType::Duration(_)))
        && !is_form(pattern)
}
