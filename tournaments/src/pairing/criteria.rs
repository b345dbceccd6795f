//! The criteria of a rulebook and the values of a pair, or of a whole round, on them.

use std::fmt;
use std::ops::AddAssign;

use serde::Serialize;

/// One criterion: what is counted, and the paragraph that asks for it. Less is better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Criterion {
    /// The paragraph, such as `2015 WCC, Tournament format 4`.
    pub paragraph: String,
    /// What its value counts, such as `pairings for the 3rd time`.
    pub counts: String,
    /// Whether it is about the player with the bye.
    #[serde(skip)]
    pub of_bye: bool,
}

impl Criterion {
    pub fn new(paragraph: impl Into<String>, counts: impl Into<String>) -> Criterion {
        Criterion { paragraph: paragraph.into(), counts: counts.into(), of_bye: false }
    }

    /// A criterion of a paragraph on the player with the bye.
    pub fn of_bye(paragraph: impl Into<String>, counts: impl Into<String>) -> Criterion {
        Criterion { of_bye: true, ..Criterion::new(paragraph, counts) }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.counts, self.paragraph)
    }
}

/// Values on all criteria, the most important first. The order is lexicographic, and the lesser vector is better;
/// addition is by component.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(transparent)]
pub struct Criteria(Vec<i64>);

impl Criteria {
    /// Nothing counted, on so many criteria.
    pub fn zero(criteria: usize) -> Criteria {
        Criteria(vec![0; criteria])
    }

    /// The values, the most important first.
    pub fn values(&self) -> &[i64] {
        &self.0
    }

    /// The first criterion on which two vectors differ; none when they are equal.
    pub fn first_difference(&self, other: &Criteria) -> Option<usize> {
        self.0.iter().zip(&other.0).position(|(mine, theirs)| mine != theirs)
    }
}

impl From<Vec<i64>> for Criteria {
    fn from(values: Vec<i64>) -> Criteria {
        Criteria(values)
    }
}

/// Adds by component. Values are bounded when a problem is made, far below where a sum could overflow.
impl AddAssign<&[i64]> for Criteria {
    fn add_assign(&mut self, values: &[i64]) {
        for (sum, value) in self.0.iter_mut().zip(values) {
            *sum += value;
        }
    }
}

impl fmt::Display for Criteria {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, value) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{value}")?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_criterion_outweighs_any_amount_of_a_later_one() {
        let fewer_repeats = Criteria::from(vec![0, 1_000_000_000_000]);
        let more_repeats = Criteria::from(vec![1, -1_000_000_000_000]);
        assert!(fewer_repeats < more_repeats);
        assert_eq!(fewer_repeats.first_difference(&more_repeats), Some(0));
    }
}
