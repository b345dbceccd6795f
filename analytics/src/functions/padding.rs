//! `lpad` and `rpad` of the engine, with a bound on their results. The engine allocates memory for all characters of a column at
//! once, and aborts the program if the system does not have it.

use datafusion::arrow::array::{Array as _, AsArray as _};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{Result, exec_err};
use datafusion::functions::unicode;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};

/// The maximum number of characters in all rows of one call.
const MAX_CHARACTERS: u64 = 256 << 20;

/// The bounded functions, which replace the engine's.
pub(crate) fn bounded() -> [ScalarUDF; 2] {
    [unicode::lpad(), unicode::rpad()].map(|inner| ScalarUDF::from(Bounded { inner: (*inner).clone() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Bounded {
    inner: ScalarUDF,
}

impl ScalarUDFImpl for Bounded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(types)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.inner().coerce_types(types)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if let Some(lengths) = args.args.get(1) {
            let characters = sum(lengths, args.number_rows)?;
            if characters > MAX_CHARACTERS {
                let name = self.name();
                return exec_err!(
                    "{name}: the results have {characters} characters, and at most {MAX_CHARACTERS} are made at once"
                );
            }
        }
        self.inner.invoke_with_args(args)
    }
}

/// The sum of the requested lengths.
fn sum(lengths: &ColumnarValue, rows: usize) -> Result<u64> {
    let (lengths, times) = match lengths {
        ColumnarValue::Array(array) => (array.clone(), 1),
        ColumnarValue::Scalar(scalar) => (scalar.to_array_of_size(1)?, rows as u64),
    };
    let lengths = cast(&lengths, &DataType::Int64)?;
    let lengths = lengths.as_primitive::<Int64Type>();
    let present = (0..lengths.len()).filter(|row| lengths.is_valid(*row));
    let of_one = |row| u64::try_from(lengths.value(row)).unwrap_or(0);
    Ok(present.map(of_one).fold(0, u64::saturating_add).saturating_mul(times))
}

#[cfg(test)]
mod tests {
    use datafusion::common::ScalarValue;

    use super::*;

    #[test]
    fn the_lengths_of_all_rows_are_added() {
        let scalar = |length| ColumnarValue::Scalar(ScalarValue::Int64(length));
        assert_eq!(sum(&scalar(Some(7)), 3).unwrap(), 21);
        assert_eq!(sum(&scalar(Some(i64::MAX)), 3).unwrap(), u64::MAX);
        assert_eq!((sum(&scalar(None), 3).unwrap(), sum(&scalar(Some(-4)), 3).unwrap()), (0, 0));
        let column = ScalarValue::iter_to_array([Some(5), None, Some(-9), Some(6)].map(ScalarValue::Int32));
        assert_eq!(sum(&ColumnarValue::Array(column.unwrap()), 4).unwrap(), 11);
    }
}
