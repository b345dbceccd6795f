//! Wilson's interval of a proportion, valid for few games and always within 0 to 1.

use crate::rated::INTERVAL;

/// The 95% confidence interval of `share` (0 to 1) observed in `count` independent games.
#[must_use]
pub fn wilson(share: f64, count: f64) -> (f64, f64) {
    let squared = INTERVAL * INTERVAL;
    let scale = 1.0 + squared / count;
    let centre = (share + squared / (2.0 * count)) / scale;
    let half = INTERVAL / scale * (share * (1.0 - share) / count + squared / (4.0 * count * count)).sqrt();
    // At the edges the formula is 0 and 1 except for rounding.
    let low = if share == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if share == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each end solves (share - p)² = z² p (1 - p) / n, which is how the interval is defined.
    #[test]
    fn the_ends_solve_the_equation_of_the_interval() {
        for (part, whole) in [(1.0, 3.0), (5.0, 10.0), (7.0, 7.0), (0.0, 4.0), (123.0, 4_567.0)] {
            let (low, high) = wilson(part / whole, whole);
            let share = part / whole;
            assert!(low <= share && share <= high, "{part} of {whole}: {low} {high}");
            for p in [low, high] {
                let left = (share - p) * (share - p);
                let right = INTERVAL * INTERVAL * p * (1.0 - p) / whole;
                assert!((left - right).abs() < 1e-12, "{part} of {whole}: {p}: {left} {right}");
            }
        }
        assert_eq!(wilson(0.0, 4.0).0, 0.0);
        assert_eq!(wilson(1.0, 7.0).1, 1.0);
    }

    #[test]
    fn a_part_and_its_rest_are_mirror_images() {
        let (low, high) = wilson(0.15, 20.0);
        let (other_low, other_high) = wilson(0.85, 20.0);
        assert!((low - (1.0 - other_high)).abs() < 1e-12 && (high - (1.0 - other_low)).abs() < 1e-12);
    }

    #[test]
    fn the_interval_is_that_of_the_literature() {
        // 81 of 263: 25.53 % to 36.62 %.
        let (low, high) = wilson(81.0 / 263.0, 263.0);
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5, "{low} {high}");
        let (low, high) = wilson(0.0, 1.0);
        assert!(low == 0.0 && high > 0.7 && high < 0.8, "{low} {high}");
    }
}
