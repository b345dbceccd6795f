//! Figures printed in the paper, and values read off its charts. None was measured by this program.

use annals_learning::Regularizer;
use serde::Serialize;

use crate::charts::AtOne;

/// A row of the table in its Figure 4: all of them with Nesterov's momentum and a kernel of 4×4.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Row {
    /// The mean squared error.
    pub mse: f64,
    /// The mean absolute error.
    pub mae: f64,
    /// The share of the variance that is explained.
    pub r2: f64,
    /// The share that is right.
    pub accuracy: f64,
    /// The dropout rate; 0 for none.
    pub dropout: f32,
    /// The regularizer.
    pub regularizer: Regularizer,
}

const fn row(figures: [f64; 4], dropout: f32, regularizer: Regularizer) -> Row {
    let [mse, mae, r2, accuracy] = figures;
    Row { mse, mae, r2, accuracy, dropout, regularizer }
}

/// The table, in its order.
pub const FIGURE_4: [Row; 8] = [
    row([0.0803, 0.1870, 0.6787, 0.899], 0.0, Regularizer::L1),
    row([0.0804, 0.1868, 0.6785, 0.899], 0.0, Regularizer::L2),
    row([0.0804, 0.1867, 0.6785, 0.8991], 0.0, Regularizer::None),
    row([0.0833, 0.1917, 0.6670, 0.8938], 0.01, Regularizer::L1),
    row([0.0833, 0.1918, 0.6669, 0.8939], 0.005, Regularizer::L1),
    row([0.0833, 0.1916, 0.6668, 0.8935], 0.01, Regularizer::None),
    row([0.0833, 0.1917, 0.6667, 0.8939], 0.005, Regularizer::L2),
    row([0.0833, 0.1917, 0.6667, 0.8939], 0.005, Regularizer::None),
];

/// The mean squared error and the accuracy of the paper's final network.
pub const HEADLINE: (f64, f64) = (0.171, 0.735);

/// Games and positions of the paper.
pub const GAMES: u64 = 46_210;
/// See [`GAMES`].
pub const POSITIONS: u64 = 3_977_256;

/// Steps of its training: 30 epochs over four fifths of the positions in batches of 4,096.
pub const STEPS: u64 = 30 * (POSITIONS * 4 / 5).div_ceil(4_096);

/// The largest amplitude of the zigzag in its Figure 5: of the mean squared error, and of the share wrong.
pub const ZIGZAG: (f64, f64) = (0.025, 0.03);

const fn at(height: u16, from: f64, to: f64) -> AtOne {
    AtOne { height, within: (from, to) }
}

/// The mean squared error in its Figure 5, read off the picture: from the lower to the upper end of the zigzag.
pub const FIGURE_5_MSE: [AtOne; 6] = [
    at(0, 0.105, 0.105),
    at(3, 0.093, 0.105),
    at(20, 0.14, 0.14),
    at(40, 0.165, 0.19),
    at(60, 0.18, 0.215),
    at(100, 0.187, 0.238),
];

/// The share wrong in its Figure 5, read off the picture.
pub const FIGURE_5_WRONG: [AtOne; 6] = [
    at(0, 0.15, 0.16),
    at(3, 0.139, 0.147),
    at(20, 0.21, 0.21),
    at(40, 0.27, 0.28),
    at(60, 0.30, 0.33),
    at(100, 0.29, 0.35),
];
