/// The calibration error (ECE): the mean distance between predicted and observed. A bin is the number of its
/// predictions, their mean, and the observed mean. 0 without predictions.
#[must_use]
pub fn calibration_error(bins: impl IntoIterator<Item = (u64, f64, f64)>) -> f64 {
    let (mut all, mut distances) = (0, 0.0);
    for (count, predicted, observed) in bins {
        all += count;
        distances += count as f64 * (predicted - observed).abs();
    }
    distances / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::calibration_error;

    #[test]
    fn large_bins_count_more() {
        let error = calibration_error([(30, 0.2, 0.3), (10, 0.8, 0.6), (0, 0.0, 0.0)]);
        assert!((error - (30.0 * 0.1 + 10.0 * 0.2) / 40.0).abs() < 1e-12, "{error}");
        assert_eq!(calibration_error([]), 0.0);
    }
}
