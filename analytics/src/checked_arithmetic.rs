//! Sums, differences and products of integers in SQL that fail beyond the range of their type. The engine wraps them around.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Datum};
use datafusion::arrow::compute::kernels::numeric::{add, mul, sub};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::arrow::error::ArrowError;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result, exec_err};
use datafusion::error::DataFusionError;
use datafusion::execution::FunctionRegistry as _;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{
    AggregateUDF, BinaryExpr, ColumnarValue, Expr, ExprSchemable as _, Operator, ReturnFieldArgs,
    ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, cast,
};
use datafusion::physical_expr_common::datum::apply;
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::ast::BinaryOperator;

use crate::checked_sum::CheckedSum;
use crate::rewriting::Rewriting;

/// Makes the arithmetic of a context checked.
pub(crate) fn register(context: &mut SessionContext) -> Result<()> {
    context.register_expr_planner(Arc::new(SignedDifference))?;
    context.add_analyzer_rule(Arc::new(Rewriting { name: "checked_integers", each: checked }));
    context.register_udaf(Arc::new(AggregateUDF::from(CheckedSum::default())))?;
    Ok(())
}

/// What to write where the error says that a number is beyond its type; none for other errors.
pub(crate) fn remedy(error: &DataFusionError) -> Option<&'static str> {
    let DataFusionError::ArrowError(error, _) = error.find_root() else { return None };
    match error.as_ref() {
        ArrowError::ArithmeticOverflow(_) => Some(
            "compute with larger numbers: `CAST(x AS DECIMAL(38, 0))`, or `CAST(x AS BIGINT)` if x has fewer bits",
        ),
        ArrowError::CastError(why) if why.contains("type Int64") => {
            Some("`CAST(x AS DECIMAL(38, 0))` has room for larger numbers")
        }
        _ => None,
    }
}

/// Plans the difference of two unsigned numbers as signed, so that it may be below zero.
#[derive(Debug)]
struct SignedDifference;

impl ExprPlanner for SignedDifference {
    fn plan_binary_op(&self, raw: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        let is_unsigned = |expr: &Expr| expr.get_type(schema).is_ok_and(|of| of.is_unsigned_integer());
        if raw.op != BinaryOperator::Minus || !is_unsigned(&raw.left) || !is_unsigned(&raw.right) {
            return Ok(PlannerResult::Original(raw));
        }
        let signed = |expr| Box::new(cast(expr, DataType::Int64));
        let difference = BinaryExpr::new(signed(raw.left), Operator::Minus, signed(raw.right));
        Ok(PlannerResult::Planned(Expr::BinaryExpr(difference)))
    }
}

/// Replaces `+`, `-` and `*` of integers, whose operands have one type by now, by [`Checked`].
fn checked(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right })
            if matches!(op, Operator::Plus | Operator::Minus | Operator::Multiply)
                && [&left, &right]
                    .iter()
                    .all(|side| side.get_type(schema).is_ok_and(|of| of.is_integer())) =>
        {
            Transformed::yes(ScalarUDF::from(Checked::of(op)).call(vec![*left, *right]))
        }
        other => Transformed::no(other),
    }
}

/// An operator on two integers of one type.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Checked {
    op: Operator,
    signature: Signature,
}

impl Checked {
    fn of(op: Operator) -> Checked {
        Checked { op, signature: Signature::any(2, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Checked {
    fn name(&self) -> &'static str {
        match self.op {
            Operator::Plus => "checked_add",
            Operator::Minus => "checked_subtract",
            _ => "checked_multiply",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(types.first().cloned().unwrap_or(DataType::Int64))
    }

    /// Null only where an operand may be, as for the operator that it replaces: the plan keeps its schema.
    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let is_nullable = args.arg_fields.iter().any(|field| field.is_nullable());
        Ok(Arc::new(Field::new(self.name(), self.return_type(&types)?, is_nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [left, right] = args.args.as_slice() else {
            return exec_err!("{} has two operands", self.name());
        };
        let kernel: fn(&dyn Datum, &dyn Datum) -> std::result::Result<ArrayRef, ArrowError> = match self.op {
            Operator::Plus => add,
            Operator::Minus => sub,
            _ => mul,
        };
        apply(left, right, kernel)
    }
}
