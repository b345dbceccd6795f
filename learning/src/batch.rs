//! The derivatives of one batch: cut into shards of a fixed size, which the cores take as they come, and added in the shards' order,
//! so that the sum is the same with any number of cores.

use annals_rules::seeded::Rng;
use rayon::prelude::*;

use crate::place::Place;
use crate::samples::{PLANES, Samples};
use crate::settings::Settings;
use crate::tensors::{Batch, Pass, TensorError, Tensors};

/// Positions in a shard. It is part of what a seed gives: sums of another cut differ in their last bits.
const SHARD: usize = 256;

/// What purpose chance serves, so that one does not disturb another.
const DROPOUT: u64 = 3;

/// Makes batches of positions for one network.
pub(crate) struct Batches<'a> {
    samples: Samples<'a>,
    settings: Settings,
    windows: Vec<u16>,
    place: Place,
}

impl<'a> Batches<'a> {
    pub(crate) fn new(samples: Samples<'a>, settings: Settings, place: Place) -> Batches<'a> {
        Batches { samples, settings, windows: settings.network.windows(), place }
    }

    /// How many positions are computed at once. A graphics card has cores of its own, and takes as much as it is given.
    fn shard(&self) -> usize {
        if self.place == Place::Processor { SHARD } else { SHARD * 16 }
    }

    /// The mean of the squared errors over some positions, and its derivatives. `draw` tells the batch from all others, for
    /// what drops out.
    pub(crate) fn gradient(
        &self,
        parameters: &[f32],
        rows: &[u32],
        draw: [u64; 2],
    ) -> Result<Pass, TensorError> {
        let tensors = Tensors::new(self.settings.network, parameters, self.place);
        let shards: Vec<(usize, &[u32])> = rows.chunks(self.shard()).enumerate().collect();
        let mut sum = Pass { squares: 0.0, gradient: vec![0.0; parameters.len()] };
        // A few for each core at once: enough that none waits for the others, and no more, for each holds a derivative of every
        // parameter.
        for wave in shards.chunks(4 * rayon::current_num_threads().max(1)) {
            let passes: Vec<_> = wave
                .par_iter()
                .map(|(number, rows)| tensors.backward(self.batch(rows, Some((draw, *number as u64)))))
                .collect();
            for pass in passes {
                let pass = pass?;
                sum.squares += pass.squares;
                sum.gradient.iter_mut().zip(&pass.gradient).for_each(|(sum, part)| *sum += part);
            }
        }
        let share = 1.0 / rows.len() as f32;
        sum.gradient.iter_mut().for_each(|derivative| *derivative *= share);
        Ok(sum)
    }

    /// What a network says of some positions, in their order.
    pub(crate) fn predict(&self, parameters: &[f32], rows: &[u32]) -> Result<Vec<f32>, TensorError> {
        let tensors = Tensors::new(self.settings.network, parameters, self.place);
        let shards: Result<Vec<Vec<f32>>, TensorError> =
            rows.par_chunks(self.shard()).map(|rows| tensors.forward(self.batch(rows, None))).collect();
        Ok(shards?.concat())
    }

    fn batch(&self, rows: &[u32], drawn: Option<([u64; 2], u64)>) -> Batch {
        let network = &self.settings.network;
        let mut masks = Masks::new(&self.settings, drawn);
        let mut windows = Vec::with_capacity(rows.len() * self.windows.len());
        let mut planes = [0.0f32; PLANES];
        for row in rows {
            for (number, cell) in planes.iter_mut().zip(self.samples.planes_of(*row)) {
                *number = f32::from(*cell);
            }
            masks.thin(&mut planes);
            windows.extend(self.windows.iter().map(|cell| planes[usize::from(*cell)]));
        }
        Batch {
            windows,
            labels: rows.iter().map(|row| f32::from(self.samples.label_of(*row))).collect(),
            flat_mask: masks.mask(rows.len() * network.flat()),
            hidden_mask: masks.mask(rows.len() * network.hidden),
        }
    }
}

/// What drops out. The numbers that stay are made larger, so that the expected sums stay the same.
struct Masks {
    rng: Option<Rng>,
    /// Below this a draw drops out.
    below: u32,
    kept: f32,
}

impl Masks {
    fn new(settings: &Settings, drawn: Option<([u64; 2], u64)>) -> Masks {
        let drawn = drawn.filter(|_| settings.dropout > 0.0);
        Masks {
            rng: drawn.map(|([epoch, batch], shard)| Rng::of(&[settings.seed, DROPOUT, epoch, batch, shard])),
            below: (f64::from(settings.dropout) * 65_536.0) as u32,
            kept: 1.0 / (1.0 - settings.dropout),
        }
    }

    fn thin(&mut self, numbers: &mut [f32]) {
        let (below, kept) = (self.below, self.kept);
        let Some(rng) = &mut self.rng else { return };
        for four in numbers.chunks_mut(4) {
            let mut bits = rng.any();
            for number in four {
                *number *= if (bits & 0xffff) < u64::from(below) { 0.0 } else { kept };
                bits >>= 16;
            }
        }
    }

    fn mask(&mut self, count: usize) -> Option<Vec<f32>> {
        self.rng.as_ref()?;
        let mut mask = vec![1.0; count];
        self.thin(&mut mask);
        Some(mask)
    }
}
