//! Scores of predictions: errors, errors by height, calibration.

use annals_ratings::{calibration_error, wilson};
use serde::{Deserialize, Serialize};

/// Predictions are limited to this distance from 0 and 1 before the logarithm: an unbounded output may be certain and
/// wrong, at infinite cost.
pub const CERTAIN: f64 = 1e-4;

/// Quality of predictions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub positions: u64,
    /// Mean squared error, the Brier score.
    pub mse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// Explained fraction of the labels' variance; null if labels are constant.
    pub r2: Option<f64>,
    /// Fraction right when rounded; from 1.5 on nothing is right.
    pub accuracy: f64,
    /// Mean negative log likelihood in nats, predictions limited to 0.0001 from certainty.
    pub log_loss: f64,
}

/// Added in order, so that figures are reproducible.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: f64,
    labels: f64,
    squares: f64,
    sizes: f64,
    right: f64,
    logarithms: f64,
}

impl Sums {
    fn add(&mut self, prediction: f64, label: u8) {
        let error = prediction - f64::from(label);
        self.count += 1.0;
        self.labels += f64::from(label);
        self.squares += error * error;
        self.sizes += error.abs();
        self.right += f64::from(u8::from(is_right(prediction, label)));
        let given = if label == 1 { prediction } else { 1.0 - prediction };
        self.logarithms -= given.clamp(CERTAIN, 1.0 - CERTAIN).ln();
    }

    fn figures(&self) -> Figures {
        let mean = |sum: f64| sum / self.count.max(1.0);
        let share = mean(self.labels);
        let variance = share * (1.0 - share);
        Figures {
            positions: self.count as u64,
            mse: mean(self.squares),
            mae: mean(self.sizes),
            r2: (variance > 0.0).then(|| 1.0 - mean(self.squares) / variance),
            accuracy: mean(self.right),
            log_loss: mean(self.logarithms),
        }
    }
}

/// An exact half rounds to even, as in the paper's program.
#[must_use]
pub fn is_right(prediction: f64, label: u8) -> bool {
    prediction.round_ties_even() == f64::from(label)
}

/// Similar predictions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Inclusive.
    pub from: f64,
    /// Exclusive.
    pub to: f64,
    pub positions: u64,
    /// Mean prediction.
    pub predicted: f64,
    /// Fraction won by the side to move.
    pub observed: f64,
}

impl Bin {
    /// The 95% confidence interval of [`Bin::observed`] by Wilson's formula, as if positions were independent.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.observed, self.positions as f64)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AtHeight {
    /// Plies from the end of the game.
    pub height: u16,
    /// Mean squared error.
    pub mse: f64,
    /// Its standard error; games are independent, with one position per height.
    pub mse_error: f64,
    /// Fraction wrong when rounded.
    pub wrong: f64,
    /// Its standard error.
    pub wrong_error: f64,
    pub positions: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Over all.
    pub all: Figures,
    /// Ten bins of equal width; predictions beyond 0 and 1 count as these.
    pub calibration: Vec<Bin>,
    /// See [`annals_ratings::calibration_error`].
    pub calibration_error: f64,
    /// From the end of the game upwards, without empty heights.
    pub by_height: Vec<AtHeight>,
}

/// Of the calibration.
const BINS: usize = 10;

/// All slices have the same length.
#[must_use]
pub fn score(predictions: &[f32], labels: &[u8], heights: &[u16]) -> Score {
    let mut all = Sums::default();
    let mut bins = [(0u64, 0.0, 0.0); BINS];
    let highest = heights.iter().copied().max().map_or(0, usize::from);
    // Positions, squared errors, their squares, wrong ones.
    let mut by_height = vec![(0u64, 0.0, 0.0, 0.0); highest + 1];
    for ((prediction, label), height) in predictions.iter().zip(labels).zip(heights) {
        let prediction = f64::from(*prediction);
        all.add(prediction, *label);
        let bin = &mut bins[((prediction * BINS as f64).max(0.0) as usize).min(BINS - 1)];
        bin.0 += 1;
        bin.1 += prediction.clamp(0.0, 1.0);
        bin.2 += f64::from(*label);
        let at = &mut by_height[usize::from(*height)];
        let square = (prediction - f64::from(*label)).powi(2);
        at.0 += 1;
        at.1 += square;
        at.2 += square * square;
        at.3 += f64::from(u8::from(!is_right(prediction, *label)));
    }
    let bins: Vec<Bin> = bins.iter().enumerate().map(|(at, bin)| calibrated(at, *bin)).collect();
    Score {
        all: all.figures(),
        calibration_error: calibration_error(
            bins.iter().map(|bin| (bin.positions, bin.predicted, bin.observed)),
        ),
        calibration: bins,
        by_height: by_height
            .iter()
            .enumerate()
            .filter(|(_, sums)| sums.0 > 0)
            .map(|(height, sums)| at_height(height as u16, *sums))
            .collect(),
    }
}

fn calibrated(at: usize, (positions, predicted, observed): (u64, f64, f64)) -> Bin {
    let mean = |sum: f64| if positions == 0 { 0.0 } else { sum / positions as f64 };
    let edge = |at: usize| at as f64 / BINS as f64;
    Bin { from: edge(at), to: edge(at + 1), positions, predicted: mean(predicted), observed: mean(observed) }
}

fn at_height(height: u16, (positions, squares, fourths, wrong): (u64, f64, f64, f64)) -> AtHeight {
    let count = positions as f64;
    let (mse, share) = (squares / count, wrong / count);
    AtHeight {
        height,
        mse,
        mse_error: ((fourths / count - mse * mse).max(0.0) / count).sqrt(),
        wrong: share,
        wrong_error: (share * (1.0 - share) / count).sqrt(),
        positions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_their_definitions() {
        let score = score(&[0.8, 0.4, 1.6, 0.3], &[1, 1, 1, 0], &[0, 1, 0, 1]);
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        near(score.all.mse, (0.04 + 0.36 + 0.36 + 0.09) / 4.0);
        near(score.all.mae, (0.2 + 0.6 + 0.6 + 0.3) / 4.0);
        // Right: 0.8 and 0.3. 0.4 rounds to 0, and 1.6 to 2, which is no label.
        near(score.all.accuracy, 0.5);
        near(score.all.r2.unwrap(), 1.0 - 0.2125 / 0.1875);
        let logarithms = 0.8f64.ln() + 0.4f64.ln() + 0.9999f64.ln() + 0.7f64.ln();
        near(score.all.log_loss, -logarithms / 4.0);
        assert_eq!(score.by_height.len(), 2);
        near(score.by_height[0].mse, 0.2);
        near(score.by_height[0].wrong, 0.5);
        assert_eq!(score.calibration[8].positions, 1);
        assert_eq!(score.calibration[9].positions, 1);
        near(score.calibration[4].observed, 1.0);
    }

    #[test]
    fn where_nothing_varies_nothing_is_explained() {
        assert_eq!(score(&[0.5, 0.5], &[1, 1], &[0, 0]).all.r2, None);
        assert_eq!(score(&[], &[], &[]).all.positions, 0);
    }
}
