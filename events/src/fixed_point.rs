//! Decimal numbers as whole numbers of their smallest unit: payloads hold no floating-point numbers.

use std::str::FromStr;

/// A number with at most `DECIMALS` decimals, in its smallest unit: `12.5` is 1250 with two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedPoint<const DECIMALS: usize>(pub u64);

/// An amount of money in cents.
pub type Cents = FixedPoint<2>;

/// A factor in thousandths.
pub type Thousandths = FixedPoint<3>;

/// A text that is not such a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a number with at most {decimals} decimals, found `{found}`")]
pub struct FixedPointError {
    pub decimals: usize,
    /// The first 80 characters of the text.
    pub found: String,
}

impl<const DECIMALS: usize> FromStr for FixedPoint<DECIMALS> {
    type Err = FixedPointError;

    fn from_str(text: &str) -> Result<FixedPoint<DECIMALS>, FixedPointError> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let digits = (is_digits(whole) && is_digits(part) && part.len() <= DECIMALS)
            .then(|| format!("{whole}{part:0<DECIMALS$}"));
        digits
            .and_then(|digits| digits.parse().ok())
            .map(FixedPoint)
            .ok_or_else(|| FixedPointError { decimals: DECIMALS, found: text.chars().take(80).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_written_in_units_with_or_without_cents() {
        for (text, cents) in [("150", 15_000), ("150.5", 15_050), ("0.07", 7), ("12.34", 1_234)] {
            assert_eq!(text.parse(), Ok(FixedPoint::<2>(cents)), "{text}");
        }
        for wrong in ["", ".5", "1.234", "-1", "1,50", "99999999999999999999", "1."] {
            assert!(wrong.parse::<Cents>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_factor_is_kept_in_thousandths() {
        assert_eq!("5".parse(), Ok(FixedPoint::<3>(5_000)));
        assert_eq!("1.25".parse(), Ok(FixedPoint::<3>(1_250)));
        for wrong in ["", "x", "1.2345", "1.", "-1"] {
            assert!(wrong.parse::<Thousandths>().is_err(), "{wrong}");
        }
    }
}
