//! A seed: a decimal rating in millionths, so that it is written as it was read.

use std::fmt;

use annals_events::FixedPoint;

/// The published measure with a state file's seed, in millionths of a rating point.
pub(super) const SEED_RATING: &str = "seed_rating";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub i64);

/// Largest absolute seed, in points.
const MOST: i64 = 1_000_000;

impl Seed {
    #[must_use]
    pub const fn points(points: i32) -> Seed {
        Seed(points as i64 * 1_000_000)
    }

    /// In points, halves upwards.
    #[must_use]
    pub fn rounded(self) -> i32 {
        i32::try_from((self.0 + 500_000).div_euclid(1_000_000)).unwrap_or(i32::MAX)
    }

    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.0 % 1_000_000 == 0
    }

    /// Reads a decimal number with at most six places, within a million points.
    #[must_use]
    pub fn parse(text: &str) -> Option<Seed> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let FixedPoint::<6>(value) = digits.parse().ok()?;
        let value = i64::try_from(value).ok().filter(|value| value / 1_000_000 <= MOST)?;
        Some(Seed(if negative { -value } else { value }))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / 1_000_000, self.0.unsigned_abs() % 1_000_000);
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let part = format!("{part:06}");
        write!(f, "{sign}{whole}.{}", part.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_survives_its_text() {
        for text in ["0", "1500", "2273.5", "-12.000001", "1000000"] {
            assert_eq!(Seed::parse(text).map(|seed| seed.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Seed::parse("1500.0"), Some(Seed::points(1500)));
        assert_eq!(Seed::parse("1500.5").map(Seed::rounded), Some(1501));
        assert_eq!(Seed::parse("-0.5").map(Seed::rounded), Some(0));
        for bad in ["", "-", ".5", "5.", "1e3", "+5", "nan", "inf", "1.0000001", "1 5", "1000001", "--5"] {
            assert_eq!(Seed::parse(bad), None, "{bad}");
        }
    }
}
