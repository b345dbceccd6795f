use std::fmt;
use std::ops::AddAssign;

use serde::Serialize;

/// A counted quantity and its paragraph. Less is better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Criterion {
    /// For example `2015 WCC, Tournament format 4`.
    pub paragraph: String,
    /// For example `pairings for the 3rd time`.
    pub counts: String,
    #[serde(skip)]
    pub of_bye: bool,
}

impl Criterion {
    pub fn new(paragraph: impl Into<String>, counts: impl Into<String>) -> Criterion {
        Criterion { paragraph: paragraph.into(), counts: counts.into(), of_bye: false }
    }

    pub fn of_bye(paragraph: impl Into<String>, counts: impl Into<String>) -> Criterion {
        Criterion { of_bye: true, ..Criterion::new(paragraph, counts) }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.counts, self.paragraph)
    }
}

/// Values on all criteria by priority, compared lexicographically and added by component; the lesser is
/// better.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(transparent)]
pub struct Criteria(Vec<i64>);

impl Criteria {
    pub fn zero(criteria: usize) -> Criteria {
        Criteria(vec![0; criteria])
    }

    pub fn values(&self) -> &[i64] {
        &self.0
    }

    /// The first criterion on which two vectors differ.
    pub fn first_difference(&self, other: &Criteria) -> Option<usize> {
        self.0.iter().zip(&other.0).position(|(mine, theirs)| mine != theirs)
    }
}

impl From<Vec<i64>> for Criteria {
    fn from(values: Vec<i64>) -> Criteria {
        Criteria(values)
    }
}

/// Values are bounded when a problem is made, so that no sum overflows.
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

    #[test]
    fn criteria_are_written_in_their_order() {
        assert_eq!(Criteria::from(vec![0, -3, 7]).to_string(), "(0, -3, 7)");
        assert_eq!(Criteria::from(vec![12]).to_string(), "(12)");
        assert_eq!(Criteria::default().to_string(), "()");
    }
}
