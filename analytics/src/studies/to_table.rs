//! A result as the plain table from which charts are drawn.

use annals_charts::table::{Column, ValueTable, Values};
use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{
    DataType, Float64Type, Int64Type, TimeUnit, TimestampMicrosecondType, UInt64Type,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

use super::figures::Figures;
use crate::Error;

/// The largest whole number up to which floating-point numbers of charts are exact.
const EXACT: u64 = 1 << 53;

/// The table of a result.
pub(super) fn table(figures: &Figures) -> Result<ValueTable, Error> {
    let whole = concat_batches(figures.schema(), figures.batches())?;
    let schema = figures.schema();
    let columns = whole.columns().iter().zip(schema.fields());
    let columns =
        columns.map(|(column, field)| Ok(Column { name: field.name().clone(), values: values(column)? }));
    Ok(ValueTable::new(columns.collect::<Result<_, Error>>()?))
}

fn values(column: &ArrayRef) -> Result<Values, Error> {
    let data_type = column.data_type();
    if data_type.is_temporal()
        && !matches!(data_type, DataType::Time32(_) | DataType::Time64(_))
        && !matches!(data_type, DataType::Duration(_) | DataType::Interval(_))
    {
        let wanted = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        let times = cast(column, &wanted)?;
        let times = times.as_primitive::<TimestampMicrosecondType>();
        return Ok(Values::Times(times.iter().map(|time| time.map(|micros| micros as f64)).collect()));
    }
    // A number that is only a name (a hash, the number of a game without one) must not lose its last digits.
    if data_type.is_numeric() && !is_a_name(column)? {
        let numbers = cast(column, &DataType::Float64)?;
        return Ok(Values::Numbers(numbers.as_primitive::<Float64Type>().iter().collect()));
    }
    if *data_type == DataType::Null {
        return Ok(Values::Numbers(vec![None; column.len()]));
    }
    const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(true);
    let words = ArrayFormatter::try_new(column.as_ref(), &OPTIONS)?;
    let word = |row: usize| column.is_valid(row).then(|| words.value(row).to_string());
    Ok(Values::Words((0..column.len()).map(word).collect()))
}

/// Whether a number in a column is too large to be exact.
fn is_a_name(column: &ArrayRef) -> Result<bool, Error> {
    Ok(match column.data_type() {
        DataType::UInt64 => column.as_primitive::<UInt64Type>().iter().flatten().any(|number| number > EXACT),
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().iter().flatten().any(|number| number.unsigned_abs() > EXACT)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use annals_charts::table::Kind;
    use datafusion::arrow::array::{
        BooleanArray, Date32Array, Int16Array, StringArray, TimestampMicrosecondArray, UInt64Array,
    };

    use super::*;

    #[test]
    fn numbers_times_and_words_are_told_apart_and_large_numbers_are_names() {
        let large = u64::MAX - 1;
        let columns: Vec<(ArrayRef, Kind, Option<&str>)> = vec![
            (Arc::new(Int16Array::from(vec![Some(2_002), None])), Kind::Numbers, Some("2002")),
            (Arc::new(UInt64Array::from(vec![7, 8])), Kind::Numbers, Some("7")),
            (Arc::new(UInt64Array::from(vec![large, 8])), Kind::Words, Some("18446744073709551614")),
            (Arc::new(BooleanArray::from(vec![Some(true), None])), Kind::Words, Some("true")),
            (Arc::new(StringArray::from(vec![Some("é"), None])), Kind::Words, Some("é")),
            (Arc::new(Date32Array::from(vec![1, 2])), Kind::Times, Some("1970-01-02T00:00:00Z")),
            (
                Arc::new(TimestampMicrosecondArray::from(vec![1_000_000, 0]).with_timezone("UTC")),
                Kind::Times,
                Some("1970-01-01T00:00:01Z"),
            ),
        ];
        for (column, kind, word) in columns {
            let column = Column { name: String::new(), values: values(&column).unwrap() };
            assert_eq!(column.kind(), kind, "{column:?}");
            assert_eq!(column.word(0).as_deref(), word, "{column:?}");
            assert_eq!(column.rows(), 2);
        }
        let column = Column {
            name: String::new(),
            values: values(&(Arc::new(StringArray::from(vec![None::<&str>])) as ArrayRef)).unwrap(),
        };
        assert_eq!(column.word(0), None);
    }
}
