//! Gradients of a batch: fixed shards added in order, so that the sum does not depend on the number of cores.

use annals_rules::seeded::Rng;
use rayon::prelude::*;

use crate::pass::{Layers, Pass, Shard};
use crate::samples::{PLANES, Samples};
use crate::settings::Settings;

/// Positions per shard. Part of what a seed determines: other sizes change the last bits.
const SHARD: usize = 256;

/// Parameters added by one core at a time.
const ADDED: usize = 1 << 14;

/// Random numbers by purpose, so that one does not change another.
const DROPOUT: u64 = 3;
const MIRROR: u64 = 5;

/// Mirrors the file of a cell of the planes.
const MIRRORED: u16 = 7;

/// For one network.
pub(crate) struct Batches<'a> {
    samples: Samples<'a>,
    settings: Settings,
    layers: Layers,
}

impl<'a> Batches<'a> {
    pub(crate) fn new(samples: Samples<'a>, settings: Settings) -> Batches<'a> {
        Batches { samples, settings, layers: Layers::new(settings.network, settings.loss) }
    }

    /// The sum of squared errors, and the gradient of the mean loss. `draw` identifies the batch for random numbers.
    /// `targets` has a number for each sample.
    pub(crate) fn gradient(&self, parameters: &[f32], rows: &[u32], targets: &[f32], draw: [u64; 2]) -> Pass {
        let shards: Vec<(usize, &[u32])> = rows.chunks(SHARD).enumerate().collect();
        let mut sum = Pass { squares: 0.0, gradient: vec![0.0; parameters.len()] };
        // A few shards per core, so that none waits, but not more: each holds a whole gradient.
        for wave in shards.chunks(4 * rayon::current_num_threads().max(1)) {
            let passes: Vec<Pass> = wave
                .par_iter()
                .map(|(number, rows)| {
                    let mut shard = self.shard(rows, Some((draw, *number as u64)));
                    shard.labels = rows.iter().map(|row| targets[*row as usize]).collect();
                    self.layers.backward(parameters, &shard)
                })
                .collect();
            sum.squares = passes.iter().fold(sum.squares, |sum, pass| sum + pass.squares);
            sum.gradient.par_chunks_mut(ADDED).enumerate().for_each(|(chunk, sums)| {
                for pass in &passes {
                    let parts = &pass.gradient[chunk * ADDED..][..sums.len()];
                    sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
                }
            });
        }
        let share = 1.0 / rows.len() as f32;
        sum.gradient
            .par_chunks_mut(ADDED)
            .for_each(|part| part.iter_mut().for_each(|derivative| *derivative *= share));
        sum
    }

    /// In order.
    pub(crate) fn predict(&self, parameters: &[f32], rows: &[u32]) -> Vec<f32> {
        let shards: Vec<Vec<f32>> = rows
            .par_chunks(SHARD)
            .map(|rows| self.layers.forward(parameters, &self.shard(rows, None)))
            .collect();
        shards.concat()
    }

    fn shard(&self, rows: &[u32], drawn: Option<([u64; 2], u64)>) -> Shard {
        let network = &self.settings.network;
        let mut masks = Masks::new(&self.settings, drawn);
        let mut coins = drawn
            .filter(|_| self.settings.mirror)
            .map(|([epoch, batch], shard)| Rng::of(&[self.settings.seed, MIRROR, epoch, batch, shard]));
        let mut cells = Vec::with_capacity(32 * rows.len());
        let mut factors = [1.0f32; PLANES];
        let ends = rows.iter().map(|row| {
            if masks.rng.is_some() {
                factors.fill(1.0);
                masks.thin(&mut factors);
            }
            let is_mirrored = coins.as_mut().is_some_and(|coins| coins.any() >> 63 == 1);
            let mirror = if is_mirrored { MIRRORED } else { 0 };
            let planes = self.samples.planes_of(*row).iter().zip(&factors).zip(0u16..);
            let numbers = planes.map(|((number, factor), cell)| (cell ^ mirror, f32::from(*number) * factor));
            let pieces = numbers.filter(|(_, number)| *number != 0.0);
            cells.extend(pieces.map(|cell| network.image.cell(cell)));
            cells.len()
        });
        let ends = ends.collect();
        Shard {
            cells,
            ends,
            labels: rows.iter().map(|row| f32::from(self.samples.label_of(*row))).collect(),
            flat_mask: masks.mask(rows.len() * network.flat()),
            hidden_mask: masks.mask(rows.len() * network.hidden),
        }
    }
}

/// Dropout masks; kept numbers are scaled so that expected sums remain.
struct Masks {
    rng: Option<Rng>,
    /// Draws below this drop out.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_half_of_the_positions_are_mirrored_in_training_and_none_in_validation() {
        // A rabbit of the side to move on the third file of the fifth row.
        let mut planes = vec![0i8; 400 * PLANES];
        planes.chunks_mut(PLANES).for_each(|planes| planes[4 * 8 + 2] = 1);
        let samples = Samples {
            planes: &planes,
            labels: &[1; 400],
            heights: &[0; 400],
            games: &[0; 400],
            game_ids: &["1".to_owned()],
            digest: [0; 32],
        };
        let rows = samples.rows();
        let batches = Batches::new(samples, Settings { mirror: true, ..Settings::default() });
        let drawn = batches.shard(&rows, Some(([0, 0], 0)));
        let mirrored = drawn.cells.iter().filter(|cell| **cell == (4 * 8 + 5, 1.0)).count();
        assert_eq!(mirrored + drawn.cells.iter().filter(|cell| **cell == (4 * 8 + 2, 1.0)).count(), 400);
        assert!((160..240).contains(&mirrored), "{mirrored}");
        assert_eq!(drawn.cells, batches.shard(&rows, Some(([0, 0], 0))).cells);
        assert_ne!(drawn.cells, batches.shard(&rows, Some(([1, 0], 0))).cells);
        assert!(batches.shard(&rows, None).cells.iter().all(|cell| *cell == (4 * 8 + 2, 1.0)));
    }
}
