//! Forward and backward passes of some positions.

use crate::layers::convolution::{Cell, Convolution};
use crate::layers::normalization::{self, Normalized};
use crate::layers::{curve, dense, pooling, skip};
use crate::network::{Activation, Network};
use crate::settings::Loss;

pub(crate) struct Layers {
    network: Network,
    loss: Loss,
    convolution: Convolution,
}

/// Positions with their dropout masks.
pub(crate) struct Shard {
    /// Non-empty cells of the image by position.
    pub(crate) cells: Vec<Cell>,
    /// Per position the end of its cells.
    pub(crate) ends: Vec<usize>,
    /// 1 won, 0 lost, or between.
    pub(crate) labels: Vec<f32>,
    /// Factors of the hidden layer's inputs, with dropout.
    pub(crate) flat_mask: Option<Vec<f32>>,
    /// Factors of the output's inputs.
    pub(crate) hidden_mask: Option<Vec<f32>>,
}

impl Shard {
    fn positions(&self) -> impl Iterator<Item = &[Cell]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.cells[start..*end])
    }
}

/// The result of a backward pass.
pub(crate) struct Pass {
    /// Of the errors.
    pub(crate) squares: f64,
    /// Of the sum of losses, per parameter.
    pub(crate) gradient: Vec<f32>,
}

/// A layer's values at each position.
struct Values {
    normalized: Option<Normalized>,
    /// After activation.
    values: Vec<f32>,
    /// After pooling, if any.
    pooled: Option<Vec<f32>>,
    /// After dropout, if any.
    dropped: Option<Vec<f32>>,
}

impl Values {
    /// Normalizes if gains are given, and activates.
    fn new(network: &Network, mut sums: Vec<f32>, gains: &[f32], shifts: &[f32]) -> Values {
        let normalized = network.norm.map(|_| normalization::forward(&mut sums, gains, shifts));
        curve::apply(network.activation, &mut sums);
        Values { normalized, values: sums, pooled: None, dropped: None }
    }

    fn pool(&mut self, network: &Network) {
        self.pooled = network.pool.map(|pool| {
            let rows = self.values.chunks_exact(network.sums());
            let mut pooled = vec![0.0; rows.len() * network.flat()];
            rows.zip(pooled.chunks_exact_mut(network.flat()))
                .for_each(|(values, pooled)| pooling::forward_row(network, &pool, values, pooled));
            pooled
        });
    }

    fn drop(&mut self, mask: Option<&[f32]>) {
        self.dropped = mask.map(|mask| self.next().iter().zip(mask).map(|(x, factor)| x * factor).collect());
    }

    /// The input of the next layer.
    fn next(&self) -> &[f32] {
        self.dropped.as_ref().or(self.pooled.as_ref()).unwrap_or(&self.values)
    }

    /// From gradients by the next layer's input to those by the sums; adds those by gains and shifts.
    fn backward(
        &self,
        network: &Network,
        mut slopes: Vec<f32>,
        mask: Option<&[f32]>,
        gains: &[f32],
        (gain_slopes, shift_slopes): (&mut [f32], &mut [f32]),
    ) -> Vec<f32> {
        if let Some(mask) = mask {
            slopes.iter_mut().zip(mask).for_each(|(slope, factor)| *slope *= factor);
        }
        if let (Some(pool), Some(pooled)) = (&network.pool, &self.pooled) {
            let (flat, sums) = (network.flat(), network.sums());
            let mut unpooled = vec![0.0; self.values.len()];
            let rows = self.values.chunks_exact(sums).zip(pooled.chunks_exact(flat));
            let rows = rows.zip(slopes.chunks_exact(flat)).zip(unpooled.chunks_exact_mut(sums));
            rows.for_each(|(((values, pooled), from), to)| {
                pooling::backward_row(network, pool, values, pooled, from, to);
            });
            slopes = unpooled;
        }
        curve::multiply_slopes(network.activation, &self.values, &mut slopes);
        if let Some(normalized) = &self.normalized {
            normalized.backward(&mut slopes, gains, gain_slopes, shift_slopes);
        }
        slopes
    }
}

impl Layers {
    pub(crate) fn new(network: Network, loss: Loss) -> Layers {
        Layers { network, loss, convolution: Convolution::new(&network) }
    }

    pub(crate) fn forward(&self, parameters: &[f32], shard: &Shard) -> Vec<f32> {
        self.run(parameters, shard).2
    }

    fn run(&self, parameters: &[f32], shard: &Shard) -> (Values, Values, Vec<f32>) {
        let network = &self.network;
        let [filters, filter_biases, hidden, hidden_biases, output, output_bias, gains @ .., skip] =
            network.layout().cut(parameters);
        let mut sums = vec![0.0; shard.labels.len() * network.sums()];
        for (cells, sums) in shard.positions().zip(sums.chunks_exact_mut(network.sums())) {
            self.convolution.forward(filters, filter_biases, cells.iter().copied(), sums);
        }
        let mut flat = Values::new(network, sums, gains[0], gains[1]);
        flat.pool(network);
        flat.drop(shard.flat_mask.as_deref());
        let sums = dense::forward(flat.next(), hidden, hidden_biases);
        let mut units = Values::new(network, sums, gains[2], gains[3]);
        units.drop(shard.hidden_mask.as_deref());
        let mut predictions = dense::forward(units.next(), output, output_bias);
        if network.skip.is_some() {
            let each = predictions.iter_mut().zip(shard.positions());
            each.for_each(|(sum, cells)| *sum += skip::forward(skip, cells));
        }
        curve::apply(network.output, &mut predictions);
        (flat, units, predictions)
    }

    /// Squared errors, and gradients of the loss.
    pub(crate) fn backward(&self, parameters: &[f32], shard: &Shard) -> Pass {
        let network = &self.network;
        let (flat, units, predictions) = self.run(parameters, shard);
        let mut squares = 0.0;
        let errors = predictions.iter().zip(&shard.labels).map(|(prediction, label)| {
            let error = prediction - label;
            squares += f64::from(error * error);
            error
        });
        let mut slopes: Vec<f32> = errors.collect();
        match self.loss {
            Loss::Squares => {
                slopes.iter_mut().for_each(|slope| *slope *= 2.0);
                curve::multiply_slopes(network.output, &predictions, &mut slopes);
            }
            // The slope of the logarithm of a sigmoid is the error.
            Loss::Log => debug_assert_eq!(network.output, Activation::Sigmoid),
        }

        let mut gradient = vec![0.0; network.parameters()];
        let [_, _, hidden, _, output, _, gains @ .., _] = network.layout().cut(parameters);
        let [
            by_filters,
            by_filter_biases,
            by_hidden,
            by_hidden_biases,
            by_output,
            by_output_bias,
            by_norm @ ..,
        ] = network.layout().cut_mut(&mut gradient);
        let [by_filter_gains, by_filter_shifts, by_hidden_gains, by_hidden_shifts, by_skip] = by_norm;
        if network.skip.is_some() {
            let each = shard.positions().zip(&slopes);
            each.for_each(|(cells, slope)| skip::backward(cells, *slope, by_skip));
        }
        let slopes = dense::backward(units.next(), output, &slopes, by_output, by_output_bias);
        let by_norm = (by_hidden_gains, by_hidden_shifts);
        let slopes = units.backward(network, slopes, shard.hidden_mask.as_deref(), gains[2], by_norm);
        let slopes = dense::backward(flat.next(), hidden, &slopes, by_hidden, by_hidden_biases);
        let by_norm = (by_filter_gains, by_filter_shifts);
        let slopes = flat.backward(network, slopes, shard.flat_mask.as_deref(), gains[0], by_norm);
        for (cells, slopes) in shard.positions().zip(slopes.chunks_exact(network.sums())) {
            self.convolution.backward(cells, slopes, by_filters, by_filter_biases);
        }
        Pass { squares, gradient }
    }
}

#[cfg(test)]
mod tests;
