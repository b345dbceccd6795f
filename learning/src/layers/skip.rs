//! A linear way from the image to the output: a weight for each cell.

use crate::layers::convolution::Cell;

/// What one position adds to the output's sum.
pub(crate) fn forward(weights: &[f32], cells: &[Cell]) -> f32 {
    cells.iter().map(|(cell, number)| number * weights[usize::from(*cell)]).sum()
}

/// Adds one position's gradient by the weights; `slope` is that by the output's sum.
pub(crate) fn backward(cells: &[Cell], slope: f32, weights: &mut [f32]) {
    cells.iter().for_each(|(cell, number)| weights[usize::from(*cell)] += number * slope);
}
