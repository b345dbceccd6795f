//! How much better a network is than a baseline on the same positions, with an interval that counts games.

use serde::Serialize;

use crate::samples::Samples;

/// Normal quantile of a 95% confidence interval.
const NORMAL_95: f64 = 1.96;

/// Of the mean squared errors; below 0 the network is better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// See [`crate::baseline::BASELINES`].
    pub baseline: String,
    /// The network's error minus the baseline's.
    pub mse: f64,
    /// Of the 95% confidence interval. Positions of one game are not independent: a game counts as one observation.
    pub low: f64,
    pub high: f64,
    pub games: usize,
}

impl Difference {
    /// `network` and `other` are predictions for the rows. None without rows.
    pub(crate) fn of(
        baseline: &str,
        samples: &Samples<'_>,
        rows: &[u32],
        network: &[f32],
        other: &[f32],
    ) -> Option<Difference> {
        let mut sums = vec![(0.0, 0u32); samples.game_ids.len()];
        for ((row, network), other) in rows.iter().zip(network).zip(other) {
            let label = f64::from(samples.label_of(*row));
            let square = |prediction: f32| (f64::from(prediction) - label).powi(2);
            let sum = &mut sums[samples.games[*row as usize] as usize];
            sum.0 += square(*network) - square(*other);
            sum.1 += 1;
        }
        sums.retain(|(_, positions)| *positions > 0);
        let positions: f64 = sums.iter().map(|(_, positions)| f64::from(*positions)).sum();
        let mean = sums.iter().map(|(sum, _)| sum).sum::<f64>() / positions;
        let games = sums.len();
        let squares: f64 =
            sums.iter().map(|(sum, positions)| (sum - mean * f64::from(*positions)).powi(2)).sum();
        // One game says nothing about the others.
        let correction = games as f64 / (games as f64 - 1.0);
        let error = (squares * correction).sqrt() / positions;
        let (low, high) = (mean - NORMAL_95 * error, mean + NORMAL_95 * error);
        (games > 1).then(|| Difference { baseline: baseline.to_owned(), mse: mean, low, high, games })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_one_game_count_as_one_observation() {
        let ids = ["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let planes = [0; 4 * crate::PLANES];
        let samples = Samples {
            planes: &planes,
            labels: &[1, 1, 0, 0],
            heights: &[0, 1, 0, 0],
            games: &[0, 0, 1, 2],
            game_ids: &ids,
            digest: [0; 32],
        };
        let of = |rows: &[u32], network: &[f32], other: &[f32]| {
            Difference::of("material", &samples, rows, network, other)
        };
        // Differences -0.25, -0.25, -0.25 and 0; the first game has two positions.
        let found = of(&[0, 1, 2, 3], &[1.0, 1.0, 0.0, 0.5], &[0.5, 0.5, 0.5, 0.5]).unwrap();
        assert_eq!((found.games, found.mse), (3, -0.1875));
        // Residuals -0.125, -0.0625 and 0.1875.
        let squares: f64 = 0.125f64.powi(2) + 0.0625f64.powi(2) + 0.1875f64.powi(2);
        let error = (squares * 1.5).sqrt() / 4.0;
        assert!((found.high - found.mse - 1.96 * error).abs() < 1e-12);
        assert!((found.mse - found.low - 1.96 * error).abs() < 1e-12);
        assert_eq!(of(&[0, 1], &[1.0, 1.0], &[0.5, 0.5]), None, "one game has no interval");
    }
}
