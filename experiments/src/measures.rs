//! Measures that need every prediction: errors clustered by game, and the zigzag.

use annals_learning::{Samples, is_right};
use serde::{Deserialize, Serialize};

use crate::charts::Measure;

/// The predictions of a network for some rows.
#[derive(Debug, Clone, Default)]
pub struct Predictions {
    /// The rows.
    pub rows: Vec<u32>,
    /// The prediction for each.
    pub predictions: Vec<f32>,
}

impl Predictions {
    /// Adds predictions for more rows.
    pub fn extend(&mut self, rows: &[u32], predictions: Vec<f32>) {
        self.rows.extend_from_slice(rows);
        self.predictions.extend(predictions);
    }

    fn iter(&self) -> impl Iterator<Item = (u32, f32)> {
        self.rows.iter().copied().zip(self.predictions.iter().copied())
    }

    /// Only the predictions for some rows.
    pub fn only(&self, keep: impl Fn(u32) -> bool) -> Predictions {
        let (rows, predictions) = self.iter().filter(|(row, _)| keep(*row)).unzip();
        Predictions { rows, predictions }
    }

    /// Its evaluation.
    pub fn score(&self, samples: &Samples<'_>) -> annals_learning::Score {
        let labels: Vec<u8> = self.rows.iter().map(|row| samples.label_of(*row)).collect();
        let heights: Vec<u16> = self.rows.iter().map(|row| samples.heights[*row as usize]).collect();
        annals_learning::score(&self.predictions, &labels, &heights)
    }
}

/// The error of one prediction.
fn error(of: Measure, prediction: f32, label: u8) -> f64 {
    let prediction = f64::from(prediction);
    match of {
        Measure::Mse => (prediction - f64::from(label)).powi(2),
        Measure::Wrong => f64::from(u8::from(!is_right(prediction, label))),
    }
}

/// Standard errors of the figures with games as the sampling unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Clustered {
    /// The number of games.
    pub games: usize,
    /// Of the mean squared error.
    pub mse_error: f64,
    /// Of the accuracy.
    pub accuracy_error: f64,
}

/// The standard errors of the predictions, clustered by game.
pub fn clustered(samples: &Samples<'_>, said: &Predictions) -> Clustered {
    let spread = |of: Measure| {
        let mut games = vec![(0.0, 0.0); samples.game_ids.len()];
        for (row, prediction) in said.iter() {
            let game = &mut games[samples.games[row as usize] as usize];
            game.0 += error(of, prediction, samples.label_of(row));
            game.1 += 1.0;
        }
        let positions: f64 = games.iter().map(|game| game.1).sum();
        let mean = games.iter().map(|game| game.0).sum::<f64>() / positions.max(1.0);
        let squares: f64 = games.iter().map(|(sum, count)| (sum - mean * count).powi(2)).sum();
        (squares.sqrt() / positions.max(1.0), games.iter().filter(|game| game.1 > 0.0).count())
    };
    let (mse_error, games) = spread(Measure::Mse);
    Clustered { games, mse_error, accuracy_error: spread(Measure::Wrong).0 }
}

/// The share of positions whose side to move won.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Parity {
    /// At even heights.
    pub won_at_even: f64,
    /// At odd heights.
    pub won_at_odd: f64,
}

/// The share of some rows whose side to move won, by the parity of their height.
pub fn parity(samples: &Samples<'_>, rows: &[u32]) -> Parity {
    let mut sums = [(0.0, 0.0); 2];
    for row in rows {
        let sum = &mut sums[usize::from(samples.heights[*row as usize] % 2)];
        sum.0 += f64::from(samples.label_of(*row));
        sum.1 += 1.0;
    }
    let [even, odd] = sums.map(|(won, all): (f64, f64)| won / all.max(1.0));
    Parity { won_at_even: even, won_at_odd: odd }
}

/// The error at even heights minus that at odd ones, without the trend over heights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Zigzag {
    /// The kind of error.
    pub of: Measure,
    /// The first height.
    pub from: u16,
    /// The last height.
    pub to: u16,
    /// The number of heights in the mean.
    pub heights: usize,
    /// The difference, even minus odd.
    pub even_minus_odd: f64,
    /// Its standard error, clustered by game.
    pub error: f64,
}

/// The significance of a zigzag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reproduced {
    /// At least three standard errors from zero.
    There,
    /// At least two.
    Perhaps,
    /// Less.
    NotSeen,
}

impl Zigzag {
    /// Its significance.
    pub fn verdict(&self) -> Reproduced {
        match self.even_minus_odd.abs() / self.error.max(1e-12) {
            size if size >= 3.0 => Reproduced::There,
            size if size >= 2.0 => Reproduced::Perhaps,
            _ => Reproduced::NotSeen,
        }
    }
}

/// The ranges of heights for which the zigzag is measured: all heights, then parts.
const STRETCHES: [(u16, u16); 5] = [(0, 159), (0, 39), (40, 79), (80, 119), (120, 159)];

/// Heights with fewer positions are excluded.
const LEAST: f64 = 10.0;

/// The zigzag of both errors in all ranges with enough positions.
///
/// With m(h) the mean error at a height, it is the mean over heights of ±(m(h) − (m(h−1) + m(h+1)) / 2), with plus at even heights: a
/// linear trend does not count, and a zigzag of ±a gives 2a. It is a weighted sum of the m(h), so that its variance
/// follows from the contribution of each game.
pub fn zigzags(samples: &Samples<'_>, said: &Predictions) -> Vec<Zigzag> {
    let one = |of| STRETCHES.into_iter().filter_map(move |stretch| zigzag(samples, said, of, stretch));
    one(Measure::Mse).chain(one(Measure::Wrong)).collect()
}

fn zigzag(samples: &Samples<'_>, said: &Predictions, of: Measure, (from, to): (u16, u16)) -> Option<Zigzag> {
    let mut means = vec![(0.0, 0.0); usize::from(to) + 1];
    let height = |row: u32| usize::from(samples.heights[row as usize]);
    for (row, prediction) in said.iter() {
        if let Some(mean) = means.get_mut(height(row)) {
            mean.0 += error(of, prediction, samples.label_of(row));
            mean.1 += 1.0;
        }
    }
    let means: Vec<(f64, f64)> =
        means.iter().map(|(sum, count): &(f64, f64)| (sum / count.max(1.0), *count)).collect();
    let weights = weights(&means, usize::from(from));
    let heights = weights.1;
    if heights < 4 {
        return None;
    }
    let difference = weights.0.iter().zip(&means).map(|(weight, mean)| weight * mean.0).sum();
    let mut games = vec![0.0; samples.game_ids.len()];
    for (row, prediction) in said.iter() {
        let Some((mean, count)) = means.get(height(row)) else { continue };
        let away = error(of, prediction, samples.label_of(row)) - mean;
        games[samples.games[row as usize] as usize] += weights.0[height(row)] * away / count;
    }
    let error = games.iter().map(|adds| adds * adds).sum::<f64>().sqrt();
    Some(Zigzag { of, from, to, heights, even_minus_odd: difference, error })
}

/// The weight of each height in the mean of the zigzag, and the number of heights.
fn weights(means: &[(f64, f64)], from: usize) -> (Vec<f64>, usize) {
    let mut weights = vec![0.0; means.len()];
    let mut heights = 0;
    for middle in from + 1..means.len().saturating_sub(1) {
        if means[middle - 1..=middle + 1].iter().any(|(_, count)| *count < LEAST) {
            continue;
        }
        let sign = if middle % 2 == 0 { 1.0 } else { -1.0 };
        weights[middle] += sign;
        weights[middle - 1] -= sign / 2.0;
        weights[middle + 1] -= sign / 2.0;
        heights += 1;
    }
    weights.iter_mut().for_each(|weight| *weight /= f64::from(heights.max(1)));
    (weights, heights as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of sixty positions each, the last one first.
    struct Made {
        planes: Vec<i8>,
        labels: Vec<u8>,
        heights: Vec<u16>,
        games: Vec<u32>,
        ids: Vec<String>,
    }

    impl Made {
        fn of(games: u32) -> Made {
            let rows = 0..games * 60;
            Made {
                planes: Vec::new(),
                labels: rows.clone().map(|row| (row % 60 % 2) as u8).collect(),
                heights: rows.clone().map(|row| (row % 60) as u16).collect(),
                games: rows.map(|row| row / 60).collect(),
                ids: (0..games).map(|game| game.to_string()).collect(),
            }
        }

        fn samples(&self) -> Samples<'_> {
            Samples {
                planes: &self.planes,
                labels: &self.labels,
                heights: &self.heights,
                games: &self.games,
                game_ids: &self.ids,
                digest: [0; 32],
            }
        }
    }

    fn said(samples: &Samples<'_>, predict: impl Fn(u32) -> f32) -> Predictions {
        let rows: Vec<u32> = (0..samples.labels.len() as u32).collect();
        Predictions { predictions: rows.iter().map(|row| predict(*row)).collect(), rows }
    }

    #[test]
    fn a_zigzag_is_measured_and_a_slope_is_none() {
        let made = Made::of(40);
        let samples = made.samples();
        // The squared error is 0.09 at even heights (label 0) and 0.25 at odd ones, except for differences between games.
        let jagged = said(&samples, |row| if row % 2 == 0 { 0.3 } else { 0.5 } + (row / 60) as f32 * 1e-3);
        let found = zigzags(&samples, &jagged);
        let all = found.iter().find(|z| z.of == Measure::Mse && z.from == 0 && z.to == 159).unwrap();
        assert!((all.even_minus_odd - (0.102 - 0.231)).abs() < 0.01, "{all:?}");
        assert_eq!((all.heights, all.verdict()), (58, Reproduced::There));
        // An error that grows with the height, the same for both labels.
        let smooth = said(&samples, |row| {
            let far = (row % 60) as f32 / 150.0;
            if row % 2 == 0 { far } else { 1.0 - far }
        });
        let found = zigzags(&samples, &smooth);
        let all = found.iter().find(|z| z.of == Measure::Mse && z.from == 0 && z.to == 159).unwrap();
        assert!(all.even_minus_odd.abs() < 1e-6, "{all:?}");
    }

    #[test]
    fn errors_heed_that_the_positions_of_a_game_belong_together() {
        let made = Made::of(50);
        let samples = made.samples();
        // Every second game is predicted exactly, the others not at all.
        let known = said(&samples, |row| if row / 60 % 2 == 0 { samples.label_of(row).into() } else { 0.5 });
        let found = clustered(&samples, &known);
        // Fifty games with a mean error of 0 or 0.25 each.
        assert!((found.mse_error - 0.125 / 50f64.sqrt()).abs() < 1e-6, "{found:?}");
        assert_eq!(found.games, 50);
        let parity = parity(&samples, &known.rows);
        assert_eq!((parity.won_at_even, parity.won_at_odd), (0.0, 1.0));
    }
}
