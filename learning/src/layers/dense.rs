//! Dense layers: matrix products by `ndarray` and the kernels of `matrixmultiply`.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};

/// Rows of a given length.
fn matrix(numbers: &[f32], columns: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((numbers.len() / columns, columns), numbers).expect("whole rows")
}

/// `into = scale * into + a * b`.
fn multiply(a: &ArrayView2<'_, f32>, b: &ArrayView2<'_, f32>, scale: f32, into: &mut [f32]) {
    let mut into =
        ArrayViewMut2::from_shape((a.nrows(), b.ncols()), into).expect("a row for each row of `a`");
    general_mat_mul(1.0, a, b, scale, &mut into);
}

/// One row per input row, one column per bias. `weights` has a row per input.
pub(crate) fn forward(inputs: &[f32], weights: &[f32], biases: &[f32]) -> Vec<f32> {
    let units = biases.len();
    let inputs = matrix(inputs, weights.len() / units);
    let mut sums = biases.repeat(inputs.nrows());
    multiply(&inputs, &matrix(weights, units), 1.0, &mut sums);
    sums
}

/// Sets the gradients by weights and biases, and returns those by inputs; `slopes` are those by the sums.
pub(crate) fn backward(
    inputs: &[f32],
    weights: &[f32],
    slopes: &[f32],
    weight_slopes: &mut [f32],
    bias_slopes: &mut [f32],
) -> Vec<f32> {
    let units = bias_slopes.len();
    let slopes = matrix(slopes, units);
    let mut by_inputs = vec![0.0; inputs.len()];
    multiply(&matrix(inputs, weights.len() / units).reversed_axes(), &slopes, 0.0, weight_slopes);
    multiply(&slopes, &matrix(weights, units).reversed_axes(), 0.0, &mut by_inputs);
    bias_slopes.fill(0.0);
    for row in slopes.rows() {
        bias_slopes.iter_mut().zip(row).for_each(|(bias, slope)| *bias += slope);
    }
    by_inputs
}
