//! What a trained network says of one position, fast: for the search, without the network library. The first layer sums the rows of
//! the pieces that stand on the board, which are few; the second is one multiplication of a matrix by a vector, in
//! the widest vectors of the processor, each sum in the same order everywhere: the same position has the same worth on every machine.

use pulp::Arch;

use crate::curve;
use crate::network::{Activation, Network};

/// Hidden units that are summed together: as many as the widest registers hold between two stores.
const LANES: usize = 64;

/// A network laid out for one position at a time.
#[derive(Debug, Clone)]
pub struct Plain {
    network: Network,
    /// For each cell of the planes where it counts: the place of the filters' sums, and the row of the filters.
    reach: Vec<Vec<(u32, u32)>>,
    filters: Vec<f32>,
    filter_biases: Vec<f32>,
    /// Blocks of `LANES` hidden units, in each a row for each number of the first layer; filled up with zeros.
    hidden: Vec<f32>,
    hidden_biases: Vec<f32>,
    output: Vec<f32>,
    output_bias: f32,
}

impl Plain {
    /// From the parameters, in the order of [`Network::layout`].
    #[must_use]
    pub fn new(network: Network, parameters: &[f32]) -> Plain {
        let layout = network.layout();
        let part = |part| &parameters[layout.part(part)];
        let (filters, window) = (network.filters, network.window());
        let mut reach = vec![Vec::new(); crate::PLANES];
        for (index, cell) in network.windows().into_iter().enumerate() {
            let (spot, row) = (index / window, index % window);
            reach[usize::from(cell)].push(((spot * filters) as u32, (row * filters) as u32));
        }
        let (flat, units) = (network.flat(), network.hidden);
        let blocks = units.div_ceil(LANES);
        let mut hidden = vec![0.0; blocks * flat * LANES];
        for (row, weights) in part(2).chunks(units).enumerate() {
            for (unit, weight) in weights.iter().enumerate() {
                hidden[(unit / LANES * flat + row) * LANES + unit % LANES] = *weight;
            }
        }
        let padded = |numbers: &[f32]| {
            let mut numbers = numbers.to_vec();
            numbers.resize(blocks * LANES, 0.0);
            numbers
        };
        Plain {
            network,
            reach,
            filters: part(0).to_vec(),
            filter_biases: part(1).to_vec(),
            hidden,
            hidden_biases: padded(part(3)),
            output: padded(part(4)),
            output_bias: part(5)[0],
        }
    }

    /// What the output unit sums up, before it makes anything of it. `pieces` are cells of the planes with +1 or -1.
    #[must_use]
    pub fn sum(&self, pieces: impl Iterator<Item = (usize, f32)>) -> f32 {
        let net = &self.network;
        let mut flat = self.filter_biases.repeat(net.spots());
        for (cell, sign) in pieces {
            for (spot, row) in &self.reach[cell] {
                let sums = &mut flat[*spot as usize..][..net.filters];
                let weights = &self.filters[*row as usize..][..net.filters];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += sign * weight);
            }
        }
        curve::apply(net.activation, &mut flat);
        let mut units = self.hidden_biases.clone();
        Arch::new().dispatch(
            #[inline(always)]
            || {
                for (sums, weights) in
                    units.as_chunks_mut::<LANES>().0.iter_mut().zip(self.hidden.chunks(flat.len() * LANES))
                {
                    let mut kept = *sums;
                    for (x, row) in flat.iter().zip(weights.as_chunks::<LANES>().0) {
                        for lane in 0..LANES {
                            kept[lane] += x * row[lane];
                        }
                    }
                    *sums = kept;
                }
            },
        );
        curve::apply(net.activation, &mut units);
        self.output_bias + units.iter().zip(&self.output).map(|(unit, weight)| unit * weight).sum::<f32>()
    }

    /// What the network says: the chance that the side to move wins, as far as the network squashes it into one.
    #[must_use]
    pub fn predict(&self, pieces: impl Iterator<Item = (usize, f32)>) -> f32 {
        let mut output = [self.sum(pieces)];
        curve::apply(self.network.output, &mut output);
        output[0]
    }

    /// What it says of a position's planes.
    #[must_use]
    pub fn predict_planes(&self, planes: &[i8]) -> f32 {
        let cells = planes.iter().enumerate().filter(|(_, cell)| **cell != 0);
        self.predict(cells.map(|(index, cell)| (index, f32::from(*cell))))
    }

    /// What the output unit makes of its sum.
    #[must_use]
    pub fn output(&self) -> Activation {
        self.network.output
    }
}
