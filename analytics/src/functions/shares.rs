//! How sure a share is: the interval of Wilson, in which the true share lies with 95 % confidence. Unlike the plain formula
//! it holds for few games too, and never leaves 0 to 1.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Builder};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

use super::arguments::{Numbers, refused};

/// The quantile of the normal distribution for 95 % between both ends.
const Z: f64 = 1.959_963_984_540_054;

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
        // Of nothing there is no share.
        out.append_option((whole > 0).then(|| end(wilson(part as f64, whole as f64))));
    }
    Ok(Arc::new(out.finish()))
}

/// Both ends of the interval.
fn wilson(part: f64, whole: f64) -> (f64, f64) {
    let share = part / whole;
    let squared = Z * Z;
    let scale = 1.0 + squared / whole;
    let centre = (share + squared / (2.0 * whole)) / scale;
    let half = Z / scale * (share * (1.0 - share) / whole + squared / (4.0 * whole * whole)).sqrt();
    // At the edges the formula gives 0 and 1 but for the last digit.
    let low = if part == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if part == whole { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each end solves (share - p)² = z² p (1 - p) / n, which is how the interval is defined.
    #[test]
    fn the_ends_solve_the_equation_of_the_interval() {
        for (part, whole) in [(1.0, 3.0), (5.0, 10.0), (7.0, 7.0), (0.0, 4.0), (123.0, 4_567.0)] {
            let (low, high) = wilson(part, whole);
            let share = part / whole;
            assert!(low <= share && share <= high, "{part} of {whole}: {low} {high}");
            for p in [low, high] {
                let left = (share - p) * (share - p);
                let right = Z * Z * p * (1.0 - p) / whole;
                assert!((left - right).abs() < 1e-12, "{part} of {whole}: {p}: {left} {right}");
            }
        }
        assert_eq!(wilson(0.0, 4.0).0, 0.0);
        assert_eq!(wilson(7.0, 7.0).1, 1.0);
    }

    #[test]
    fn a_part_and_its_rest_are_mirror_images() {
        let (low, high) = wilson(3.0, 20.0);
        let (other_low, other_high) = wilson(17.0, 20.0);
        assert!((low - (1.0 - other_high)).abs() < 1e-12 && (high - (1.0 - other_low)).abs() < 1e-12);
    }
}
