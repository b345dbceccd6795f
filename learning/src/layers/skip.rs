//! A linear way from the image to the output: a weight for each cell, once both sides have pieces. Before Silver's setup
//! no piece is lost, and a sum would take all for lost.

use crate::layers::convolution::Cell;
use crate::samples::PLANES;

fn is_set_up(cells: &[Cell]) -> bool {
    let is_other = |(cell, number): &Cell| *number < 0.0 || usize::from(*cell) >= PLANES;
    cells.iter().any(is_other) && !cells.iter().all(is_other)
}

/// What one position adds to the output's sum.
pub(crate) fn forward(weights: &[f32], cells: &[Cell]) -> f32 {
    if !is_set_up(cells) {
        return 0.0;
    }
    cells.iter().map(|(cell, number)| number * weights[usize::from(*cell)]).sum()
}

/// Adds one position's gradient by the weights; `slope` is that by the output's sum.
pub(crate) fn backward(cells: &[Cell], slope: f32, weights: &mut [f32]) {
    if is_set_up(cells) {
        cells.iter().for_each(|(cell, number)| weights[usize::from(*cell)] += number * slope);
    }
}
