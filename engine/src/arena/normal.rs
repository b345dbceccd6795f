//! The normal distribution in double precision, for error bars and likelihoods.

use std::f64::consts::SQRT_2;

/// The share of the standard normal distribution below `x`.
#[must_use]
pub fn below(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The quantile of the standard normal distribution for shares between 0 and 1 (both
/// excluded; infinite at the ends), by halving.
#[must_use]
pub fn point(share: f64) -> f64 {
    if !(0.0..=1.0).contains(&share) {
        return f64::NAN;
    }
    if share == 0.0 || share == 1.0 {
        return if share == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let (mut low, mut high) = (-27.0 * SQRT_2, 27.0 * SQRT_2);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if below(middle) < share { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_is_that_of_the_tables() {
        // Figures of published tables, to as many digits as they have.
        for (x, share) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_542_9),
            (1.96, 0.975_002_104_851_779_7),
            (2.575_829_303_548_900_4, 0.995),
            (3.0, 0.998_650_101_968_369_9),
            (5.0, 0.999_999_713_348_428_1),
        ] {
            assert!((below(x) - share).abs() < 1e-14, "{x}: {}", below(x));
            assert!((below(-x) - (1.0 - share)).abs() < 1e-14, "-{x}");
        }
        assert!((below(-10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-12, "{}", below(-10.0));
        assert_eq!((below(f64::INFINITY), below(f64::NEG_INFINITY)), (1.0, 0.0));
    }

    #[test]
    fn a_point_is_the_inverse_of_a_share() {
        assert!((point(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
        for share in [1e-9, 0.01, 0.3, 0.5, 0.77, 0.999] {
            assert!((below(point(share)) - share).abs() < 1e-14, "{share}");
        }
        assert!(point(-0.1).is_nan() && point(0.0) < -1e300);
    }
}
