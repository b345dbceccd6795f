//! `sum` of integers in SQL that fails beyond the range of its type. The engine wraps it around.

use std::sync::Arc;

use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _, BooleanArray};
use datafusion::arrow::datatypes::{
    DECIMAL128_MAX_PRECISION, DataType, Decimal128Type, Field, FieldRef, Int64Type, UInt64Type,
};
use datafusion::arrow::error::ArrowError;
use datafusion::common::{Result, ScalarValue, internal_err};
use datafusion::functions_aggregate::sum::Sum;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, Documentation, EmitTo, GroupsAccumulator, ReversedUDAF, SetMonotonicity,
    Signature,
};

/// Room for the sum of any number of integers, so that only the result must be in the range of its type.
const WIDE: DataType = DataType::Decimal128(DECIMAL128_MAX_PRECISION, 0);

/// The engine's `sum`, with integers added as [`WIDE`] numbers.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct CheckedSum {
    sum: Sum,
}

fn is_checked(of: &DataType) -> bool {
    matches!(of, DataType::Int64 | DataType::UInt64)
}

fn wide(field: &FieldRef) -> FieldRef {
    Arc::new(Field::new(field.name(), WIDE, field.is_nullable()))
}

/// The arguments of a sum of wide numbers, and the type of the result; none for other sums.
fn of_wide<'a>(args: &AccumulatorArgs<'a>) -> Option<(AccumulatorArgs<'a>, DataType)> {
    let of = args.return_type().clone();
    is_checked(&of).then(|| (AccumulatorArgs { return_field: wide(&args.return_field), ..*args }, of))
}

impl AggregateUDFImpl for CheckedSum {
    fn name(&self) -> &str {
        self.sum.name()
    }

    fn signature(&self) -> &Signature {
        self.sum.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.sum.return_type(types)
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        match of_wide(&args) {
            Some((args, of)) => Ok(Box::new(Narrowed { wide: self.sum.accumulator(args)?, of })),
            None => self.sum.accumulator(args),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let return_field = match is_checked(args.return_type()) {
            true => wide(&args.return_field),
            false => Arc::clone(&args.return_field),
        };
        self.sum.state_fields(StateFieldsArgs { return_field, ..args })
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        self.sum.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        match of_wide(&args) {
            Some((args, of)) => {
                Ok(Box::new(NarrowedGroups { wide: self.sum.create_groups_accumulator(args)?, of }))
            }
            None => self.sum.create_groups_accumulator(args),
        }
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        // The engine has the sliding sum of distinct numbers for one type only, and it wraps around.
        match of_wide(&args).filter(|(args, _)| !args.is_distinct) {
            Some((args, of)) => {
                Ok(Box::new(Narrowed { wide: self.sum.create_sliding_accumulator(args)?, of }))
            }
            None => self.sum.create_sliding_accumulator(args),
        }
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.sum.reverse_expr()
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.sum.order_sensitivity()
    }

    fn set_monotonicity(&self, of: &DataType) -> SetMonotonicity {
        self.sum.set_monotonicity(of)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.sum.documentation()
    }
}

/// A sum of wide numbers with integers as its input and its result.
#[derive(Debug)]
struct Narrowed {
    wide: Box<dyn Accumulator>,
    of: DataType,
}

impl Accumulator for Narrowed {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.wide.update_batch(&widened(values)?)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let ScalarValue::Decimal128(sum, ..) = self.wide.evaluate()? else {
            return internal_err!("a sum of integers is not wide");
        };
        Ok(match self.of {
            DataType::UInt64 => ScalarValue::UInt64(sum.map(in_range).transpose()?),
            _ => ScalarValue::Int64(sum.map(in_range).transpose()?),
        })
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.wide.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.wide.state()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.wide.merge_batch(states)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.wide.retract_batch(&widened(values)?)
    }

    fn supports_retract_batch(&self) -> bool {
        self.wide.supports_retract_batch()
    }
}

/// As [`Narrowed`], for many groups.
struct NarrowedGroups {
    wide: Box<dyn GroupsAccumulator>,
    of: DataType,
}

impl GroupsAccumulator for NarrowedGroups {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.wide.update_batch(&widened(values)?, groups, filter, total)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let sums = self.wide.evaluate(emit_to)?;
        let sums = sums.as_primitive::<Decimal128Type>();
        Ok(match self.of {
            DataType::UInt64 => Arc::new(sums.try_unary::<_, UInt64Type, _>(in_range)?),
            _ => Arc::new(sums.try_unary::<_, Int64Type, _>(in_range)?),
        })
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        self.wide.state(emit_to)
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.wide.merge_batch(states, groups, total)
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        self.wide.convert_to_state(&widened(values)?, filter)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.wide.size()
    }
}

fn widened(values: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
    let widened = |values: &ArrayRef| {
        let wide = match values.data_type() {
            DataType::UInt64 => values.as_primitive::<UInt64Type>().unary::<_, Decimal128Type>(i128::from),
            DataType::Int64 => values.as_primitive::<Int64Type>().unary(i128::from),
            other => return internal_err!("a sum of integers has an input of {other}"),
        };
        Ok(Arc::new(wide.with_precision_and_scale(DECIMAL128_MAX_PRECISION, 0)?) as ArrayRef)
    };
    values.iter().map(widened).collect()
}

fn in_range<N: TryFrom<i128>>(sum: i128) -> std::result::Result<N, ArrowError> {
    let beyond = |_| ArrowError::ArithmeticOverflow(format!("Overflow happened on: a sum of {sum}"));
    N::try_from(sum).map_err(beyond)
}
