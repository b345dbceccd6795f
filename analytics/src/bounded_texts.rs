//! Functions that make a large value of small ones, such as `repeat`, in SQL: they fail where one call would fill the memory.
//! The memory of the process is measured between such calls, so it bounds what many of them make together.

use std::sync::Arc;

use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _, Int64Array};
use datafusion::arrow::compute::{cast, kernels::length::length};
use datafusion::arrow::datatypes::{
    DataType, FieldRef, Int64Type, IntervalMonthDayNano, IntervalMonthDayNanoType, TimeUnit,
};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result, ScalarValue, exec_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    BinaryExpr, ColumnarValue, Expr, ExprSchemable as _, Operator, ReturnFieldArgs, ScalarFunctionArgs,
    ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::SessionContext;

use crate::memory::BUFFERS;
use crate::rewriting::Rewriting;

/// Bytes of the values that one call makes, for a batch of rows.
const MOST: u64 = BUFFERS;

/// Makes the functions of a context bounded.
pub(crate) fn register(context: &SessionContext) {
    context.add_analyzer_rule(Arc::new(Rewriting { name: "bounded_texts", each: bounded }));
}

/// Puts [`Within`] around an argument of functions that could fill the memory.
fn bounded(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    match expr {
        Expr::ScalarFunction(ScalarFunction { func, mut args }) => {
            match Size::of(func.name()).filter(|(_, at)| *at < args.len()) {
                Some((size, at)) => {
                    args[at] = size.within(args.clone(), at);
                    Transformed::yes(Expr::ScalarFunction(ScalarFunction { func, args }))
                }
                None => Transformed::no(Expr::ScalarFunction(ScalarFunction { func, args })),
            }
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::StringConcat, right })
            if left.get_type(schema).is_ok_and(|of| of.is_string()) =>
        {
            let left = Size::Together.within(vec![*left, (*right).clone()], 0);
            Transformed::yes(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), Operator::StringConcat, right)))
        }
        other => Transformed::no(other),
    }
}

/// How the size of a result follows from the arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Size {
    /// The first argument so often as the second says.
    Times,
    /// As many characters, or elements, as the second argument says.
    Long,
    /// A text in which one text is replaced by another.
    Replaced,
    /// A text in which what matches a pattern is replaced, at worst everywhere.
    Matched,
    /// All arguments one after the other.
    Together,
    /// A list from one number to another.
    Series,
}

impl Size {
    /// The function's size, and the argument that a call of [`Within`] replaces.
    fn of(function: &str) -> Option<(Size, usize)> {
        Some(match function {
            "repeat" | "array_repeat" => (Size::Times, 1),
            "lpad" | "rpad" | "array_resize" => (Size::Long, 1),
            "replace" => (Size::Replaced, 0),
            "regexp_replace" => (Size::Matched, 0),
            "concat" | "concat_ws" => (Size::Together, 0),
            "range" | "generate_series" => (Size::Series, 0),
            _ => return None,
        })
    }

    /// The argument at a place, which fails where all of them would make too much.
    fn within(self, args: Vec<Expr>, at: usize) -> Expr {
        let signature = Signature::variadic_any(Volatility::Immutable);
        ScalarUDF::from(Within { size: self, at, signature }).call(args)
    }

    /// The bytes of the results of all rows.
    fn bytes(self, args: &[ColumnarValue], rows: usize) -> Result<u64> {
        let number = |at: usize| numbers(args.get(at), rows);
        let text = |at: usize| sizes(args.get(at), rows);
        let of_rows = |of_row: &dyn Fn(usize) -> u64| (0..rows).map(of_row).fold(0, u64::saturating_add);
        Ok(match self {
            Size::Times => {
                let (one, times) = (text(0)?, number(1)?);
                of_rows(&|row| one[row].saturating_mul(positive(times[row])))
            }
            Size::Long => {
                let long = number(1)?;
                of_rows(&|row| positive(long[row]).saturating_mul(4))
            }
            Size::Replaced => {
                let (whole, part, by) = (text(0)?, text(1)?, text(2)?);
                of_rows(&|row| {
                    let places = whole[row].checked_div(part[row]).unwrap_or(whole[row].saturating_add(1));
                    whole[row].saturating_add(places.saturating_mul(by[row]))
                })
            }
            Size::Matched => {
                let (whole, by) = (text(0)?, text(2)?);
                let is_once = args.len() < 4;
                of_rows(&|row| {
                    let places = if is_once { 1 } else { whole[row].saturating_add(1) };
                    whole[row].saturating_add(places.saturating_mul(by[row]))
                })
            }
            Size::Together => {
                let all = (0..args.len()).map(text).collect::<Result<Vec<_>>>()?;
                all.iter().flatten().copied().fold(0, u64::saturating_add)
            }
            Size::Series => {
                let (first, last, step) = match args.len() {
                    1 => (vec![0; rows], number(0)?, vec![1; rows]),
                    2 => (number(0)?, number(1)?, vec![1; rows]),
                    _ => (number(0)?, number(1)?, number(2)?),
                };
                of_rows(&|row| {
                    let steps = last[row].abs_diff(first[row]) / step[row].unsigned_abs().max(1);
                    steps.saturating_add(1).saturating_mul(8)
                })
            }
        })
    }
}

fn positive(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// The bytes of a value in each row.
fn sizes(value: Option<&ColumnarValue>, rows: usize) -> Result<Vec<u64>> {
    let of_array = |array: &ArrayRef| -> Result<Vec<u64>> {
        if array.data_type().is_string() {
            let lengths = cast(&length(array)?, &DataType::Int64)?;
            let lengths = lengths.as_primitive::<Int64Type>();
            return Ok((0..array.len())
                .map(|row| if array.is_null(row) { 0 } else { positive(lengths.value(row)) })
                .collect());
        }
        let each = array.get_array_memory_size() / array.len().max(1);
        Ok(vec![each as u64; array.len()])
    };
    match value {
        None => Ok(vec![0; rows]),
        Some(ColumnarValue::Array(array)) => of_array(array),
        Some(ColumnarValue::Scalar(scalar)) => {
            let bytes = match scalar {
                ScalarValue::Utf8(text) | ScalarValue::LargeUtf8(text) | ScalarValue::Utf8View(text) => {
                    text.as_ref().map_or(0, String::len)
                }
                other => other.size(),
            };
            Ok(vec![bytes as u64; rows])
        }
    }
}

/// Whole numbers in each row; times and intervals in nanoseconds, a month with 28 days; 0 for what is none.
fn numbers(value: Option<&ColumnarValue>, rows: usize) -> Result<Vec<i64>> {
    const DAY: i64 = 86_400_000_000_000;
    let of_array = |array: &ArrayRef| -> Vec<i64> {
        if let Some(intervals) = array.as_primitive_opt::<IntervalMonthDayNanoType>() {
            let nanoseconds = |of: IntervalMonthDayNano| {
                let days = i64::from(of.months).saturating_mul(28).saturating_add(of.days.into());
                days.saturating_mul(DAY).saturating_add(of.nanoseconds)
            };
            return intervals.iter().map(|of| of.map_or(0, nanoseconds)).collect();
        }
        let times = match array.data_type().is_temporal() {
            true => cast(array, &DataType::Timestamp(TimeUnit::Nanosecond, None)),
            false => Ok(Arc::clone(array)),
        };
        let numbers = times.and_then(|times| cast(&times, &DataType::Int64));
        let numbers = numbers.unwrap_or_else(|_| Arc::new(Int64Array::from(vec![0; array.len()])));
        numbers.as_primitive::<Int64Type>().iter().map(|number| number.unwrap_or(0)).collect()
    };
    Ok(match value {
        None => vec![0; rows],
        Some(ColumnarValue::Array(array)) => of_array(array),
        Some(ColumnarValue::Scalar(scalar)) => vec![of_array(&scalar.to_array()?)[0]; rows],
    })
}

/// One argument of a call, unchanged. Fails if the call would make more than [`MOST`] bytes.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Within {
    size: Size,
    /// Which argument it returns.
    at: usize,
    signature: Signature,
}

impl ScalarUDFImpl for Within {
    fn name(&self) -> &'static str {
        "within_memory"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(types.get(self.at).cloned().unwrap_or(DataType::Null))
    }

    /// As the argument, so that the plan keeps its schema.
    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        Ok(Arc::clone(&args.arg_fields[self.at]))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = args.args.iter().any(|value| matches!(value, ColumnarValue::Array(_)));
        let bytes = self.size.bytes(&args.args, if arrays { args.number_rows } else { 1 })?;
        if bytes > MOST {
            return exec_err!(
                "a call would make a value of {} MiB, and {} MiB are allowed: make it of shorter texts, or of fewer rows at a time",
                bytes >> 20,
                MOST >> 20
            );
        }
        let mut args = args.args;
        Ok(args.swap_remove(self.at))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::SessionConfig;

    use super::*;

    /// The single value of a query, or its error.
    fn ask(sql: &str) -> Result<String> {
        let context = SessionContext::new_with_config(SessionConfig::new());
        register(&context);
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let batches = runtime.block_on(async { context.sql(sql).await?.collect().await })?;
        let table = datafusion::arrow::util::pretty::pretty_format_batches(&batches)?.to_string();
        Ok(table.lines().nth(3).unwrap_or_default().trim_matches(['|', ' ']).to_owned())
    }

    #[test]
    fn calls_that_fit_have_their_value() {
        for (sql, value) in [
            ("SELECT repeat('ab', 3)", "ababab"),
            ("SELECT repeat('ab', -3)", ""),
            ("SELECT lpad('x', 3, '-')", "--x"),
            ("SELECT replace('banana', 'a', 'oo')", "boonoonoo"),
            ("SELECT regexp_replace('banana', 'a', 'o', 'g')", "bonono"),
            ("SELECT concat('a', NULL, 'b') || 'c'", "abc"),
            ("SELECT concat_ws('-', 'a', 'b')", "a-b"),
            ("SELECT range(2, 8, 3)", "[2, 5]"),
            (
                "SELECT cardinality(range(TIMESTAMP '2000-01-01', TIMESTAMP '2026-01-01', INTERVAL '1' MONTH))",
                "312",
            ),
            ("SELECT cardinality(range(DATE '2000-01-01', DATE '2026-01-01', INTERVAL '1' DAY))", "9497"),
            ("SELECT array_repeat(7, 2)", "[7, 7]"),
            ("SELECT count(x || x) FROM (SELECT repeat('a', column1) AS x FROM (VALUES (1), (2)))", "2"),
        ] {
            assert_eq!(ask(sql).unwrap_or_else(|error| panic!("{sql}: {error}")), value, "{sql}");
        }
    }

    #[test]
    fn a_call_that_would_fill_the_memory_fails() {
        let wide = "(SELECT repeat('a', 100000000) AS x)";
        for sql in [
            "SELECT repeat('x', 2000000000)",
            "SELECT length(repeat(x, 100000)) FROM (VALUES (repeat('a', 100000))) AS t(x)",
            "SELECT lpad('x', 2000000000, '-')",
            "SELECT replace(repeat('a', 1000000), 'a', repeat('b', 1000000))",
            "SELECT regexp_replace(repeat('a', 1000000), 'a', repeat('b', 1000000), 'g')",
            &format!("SELECT x || x || x FROM {wide}"),
            &format!("SELECT concat(x, x, x) FROM {wide}"),
            &format!("SELECT concat_ws(',', x, x, x) FROM {wide}"),
            "SELECT range(0, 10000000000)",
            "SELECT range(TIMESTAMP '2000-01-01', TIMESTAMP '2026-01-01', INTERVAL '1 millisecond')",
            "SELECT array_repeat(7, 1000000000)",
        ] {
            let error = ask(sql).expect_err(sql).to_string();
            assert!(error.contains("256 MiB are allowed"), "{sql}: {error}");
        }
    }
}
