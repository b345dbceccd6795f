//! A network's prediction for one position in the search, without matrix products, whose last bits depend on the
//! processor: the same evaluation on every machine.

use crate::layers::convolution::{Cell, Convolution};
use crate::layers::{curve, normalization, pooling, skip};
use crate::layout::Part;
use crate::network::{Activation, Network, Skip};

/// Hidden units summed together, so that their sums stay in registers.
const LANES: usize = 16;

/// Laid out for single positions.
#[derive(Debug, Clone)]
pub struct Plain {
    network: Network,
    convolution: Convolution,
    /// As in [`Network::layout`]; the hidden layer is in `hidden`.
    parameters: Vec<f32>,
    /// Blocks of `LANES` hidden units, each with a row per input, padded with zeros.
    hidden: Vec<f32>,
}

impl Plain {
    /// `parameters` as in [`Network::layout`].
    #[must_use]
    pub fn new(network: Network, parameters: &[f32]) -> Plain {
        let (flat, units) = (network.flat(), network.hidden);
        let mut hidden = vec![0.0; units.div_ceil(LANES) * flat * LANES];
        for (row, weights) in parameters[network.layout().part(Part::Hidden)].chunks(units).enumerate() {
            for (unit, weight) in weights.iter().enumerate() {
                hidden[(unit / LANES * flat + row) * LANES + unit % LANES] = *weight;
            }
        }
        let convolution = Convolution::new(&network);
        Plain { network, convolution, parameters: parameters.to_vec(), hidden }
    }

    /// The output's sum before activation. `cells` are those of the planes with +1 or -1.
    #[must_use]
    pub fn sum(&self, cells: impl Iterator<Item = Cell>) -> f32 {
        let network = &self.network;
        let [filters, filter_biases, _, hidden_biases, output, output_bias, gains @ .., skip] =
            network.layout().cut(&self.parameters);
        let cells: Vec<Cell> = cells.map(|cell| network.image.cell(cell)).collect();
        let mut flat = vec![0.0; network.sums()];
        self.convolution.forward(filters, filter_biases, cells.iter().copied(), &mut flat);
        self.activate(&mut flat, gains[0], gains[1]);
        if let Some(pool) = &network.pool {
            let mut pooled = vec![0.0; network.flat()];
            pooling::forward_row(network, pool, &flat, &mut pooled);
            flat = pooled;
        }
        let mut units = hidden_biases.to_vec();
        let blocks = units.chunks_mut(LANES).zip(self.hidden.chunks_exact(flat.len() * LANES));
        for (sums, weights) in blocks {
            let mut lanes = [0.0; LANES];
            lanes[..sums.len()].copy_from_slice(sums);
            for (x, row) in flat.iter().zip(weights.as_chunks::<LANES>().0) {
                for lane in 0..LANES {
                    lanes[lane] += x * row[lane];
                }
            }
            sums.copy_from_slice(&lanes[..sums.len()]);
        }
        self.activate(&mut units, gains[2], gains[3]);
        let sum = output_bias[0] + units.iter().zip(output).map(|(unit, weight)| unit * weight).sum::<f32>();
        match network.skip {
            Some(Skip::Linear) => sum + skip::forward(skip, &cells),
            None => sum,
        }
    }

    fn activate(&self, sums: &mut [f32], gains: &[f32], shifts: &[f32]) {
        if self.network.norm.is_some() {
            normalization::forward_row(sums, gains, shifts);
        }
        curve::apply(self.network.activation, sums);
    }

    /// The chance of the side to move, if the output's activation is within 0 and 1.
    #[must_use]
    pub fn predict(&self, cells: impl Iterator<Item = Cell>) -> f32 {
        let mut output = [self.sum(cells)];
        curve::apply(self.network.output, &mut output);
        output[0]
    }

    /// Of the output.
    #[must_use]
    pub fn output(&self) -> Activation {
        self.network.output
    }
}
