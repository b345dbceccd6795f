//! Layer normalization: a layer's sums at one position get mean 0 and variance 1, then a gain and shift each.

/// Added to the variance against division by zero; the common value of libraries.
const EPSILON: f32 = 1e-5;

/// For the backward pass.
#[derive(Debug)]
pub(crate) struct Normalized {
    /// Rows before gain and shift.
    values: Vec<f32>,
    /// Per row the reciprocal standard deviation.
    scales: Vec<f32>,
}

/// In eight lanes, for vectorization; the order is fixed.
fn sum(numbers: impl ExactSizeIterator<Item = f32>) -> f32 {
    let mut lanes = [0.0f32; 8];
    for (index, number) in numbers.enumerate() {
        lanes[index % 8] += number;
    }
    lanes.into_iter().sum()
}

/// In place without gain and shift; returns the reciprocal standard deviation.
fn standardize(row: &mut [f32]) -> f32 {
    let share = 1.0 / row.len() as f32;
    let mean = sum(row.iter().copied()) * share;
    row.iter_mut().for_each(|number| *number -= mean);
    let scale = 1.0 / (sum(row.iter().map(|number| number * number)) * share + EPSILON).sqrt();
    row.iter_mut().for_each(|number| *number *= scale);
    scale
}

/// In place.
pub(crate) fn forward_row(row: &mut [f32], gains: &[f32], shifts: &[f32]) {
    standardize(row);
    scale_and_shift(row, gains, shifts);
}

fn scale_and_shift(row: &mut [f32], gains: &[f32], shifts: &[f32]) {
    let each = row.iter_mut().zip(gains).zip(shifts);
    each.for_each(|((number, gain), shift)| *number = *number * gain + shift);
}

/// In place.
pub(crate) fn forward(rows: &mut [f32], gains: &[f32], shifts: &[f32]) -> Normalized {
    let length = gains.len();
    let scales = rows.chunks_exact_mut(length).map(standardize).collect();
    let values = rows.to_vec();
    rows.chunks_exact_mut(length).for_each(|row| scale_and_shift(row, gains, shifts));
    Normalized { values, scales }
}

impl Normalized {
    /// Converts gradients by normalized rows to those by the rows before, in place; adds those by gains and shifts.
    pub(crate) fn backward(
        &self,
        slopes: &mut [f32],
        gains: &[f32],
        gain_slopes: &mut [f32],
        shift_slopes: &mut [f32],
    ) {
        let length = gains.len();
        let share = 1.0 / length as f32;
        let rows = slopes.chunks_exact_mut(length).zip(self.values.chunks_exact(length));
        for ((slopes, values), scale) in rows.zip(&self.scales) {
            for index in 0..length {
                gain_slopes[index] += slopes[index] * values[index];
                shift_slopes[index] += slopes[index];
                slopes[index] *= gains[index];
            }
            let mean = sum(slopes.iter().copied()) * share;
            let along = sum(slopes.iter().zip(values).map(|(slope, value)| slope * value)) * share;
            for (slope, value) in slopes.iter_mut().zip(values) {
                *slope = scale * (*slope - mean - value * along);
            }
        }
    }
}
