//! The limits of Wilson's interval of a share as functions of SQL.

use std::sync::Arc;

use annals_ratings::wilson;
use datafusion::arrow::array::{ArrayRef, Float64Builder};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

use super::arguments::{Numbers, refused};

pub(super) fn wilson_low(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    ends("wilson_low", arguments, rows, |(low, _)| low)
}

pub(super) fn wilson_high(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    ends("wilson_high", arguments, rows, |(_, high)| high)
}

fn ends(
    function: &'static str,
    arguments: &[ColumnarValue],
    rows: usize,
    end: fn((f64, f64)) -> f64,
) -> Result<ArrayRef> {
    let parts = Numbers::new(&arguments[0])?;
    let wholes = Numbers::new(&arguments[1])?;
    let mut out = Float64Builder::with_capacity(rows);
    for row in 0..rows {
        let (Some(part), Some(whole)) = (parts.get(row), wholes.get(row)) else {
            out.append_null();
            continue;
        };
        if part < 0 || part > whole {
            let found = format!("{part} of {whole}");
            return Err(refused(
                function,
                &found,
                "is no share: a part is not below 0 and not above the whole",
            ));
        }
        // Without observations there is no share.
        out.append_option((whole > 0).then(|| end(wilson(part as f64 / whole as f64, whole as f64))));
    }
    Ok(Arc::new(out.finish()))
}
