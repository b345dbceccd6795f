//! The convolution. Positions have few pieces, so each piece adds its filter row at every place whose window covers it.

use crate::network::Network;

/// A non-empty cell with its value.
pub(crate) type Cell = (u16, f32);

/// The places that cover each cell.
#[derive(Debug, Clone)]
pub(crate) struct Convolution {
    filters: usize,
    /// Per cell the end of its entries in `covered`.
    ends: Vec<u32>,
    /// Offsets of a place's sums, and of the cell's filter row.
    covered: Vec<(u32, u32)>,
}

impl Convolution {
    pub(crate) fn new(network: &Network) -> Convolution {
        let (filters, window) = (network.filters, network.window());
        let mut by_cell = vec![Vec::new(); network.image.cells()];
        for (index, cell) in network.windows().into_iter().enumerate() {
            let (place, row) = (index / window, index % window);
            by_cell[usize::from(cell)].push(((place * filters) as u32, (row * filters) as u32));
        }
        let ends = by_cell.iter().scan(0, |end, entries| {
            *end += entries.len() as u32;
            Some(*end)
        });
        Convolution { filters, ends: ends.collect(), covered: by_cell.concat() }
    }

    fn covered(&self, cell: u16) -> &[(u32, u32)] {
        let cell = usize::from(cell);
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] };
        &self.covered[start as usize..self.ends[cell] as usize]
    }

    /// The sums of one position, filters of one place together.
    pub(crate) fn forward(
        &self,
        weights: &[f32],
        biases: &[f32],
        cells: impl Iterator<Item = Cell>,
        sums: &mut [f32],
    ) {
        sums.chunks_exact_mut(self.filters).for_each(|place| place.copy_from_slice(biases));
        for (cell, number) in cells {
            for &(place, row) in self.covered(cell) {
                let sums = &mut sums[place as usize..][..self.filters];
                let weights = &weights[row as usize..][..self.filters];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += number * weight);
            }
        }
    }

    /// Adds one position's gradients by weights and biases; `slopes` are those by its sums.
    pub(crate) fn backward(&self, cells: &[Cell], slopes: &[f32], weights: &mut [f32], biases: &mut [f32]) {
        for place in slopes.chunks_exact(self.filters) {
            biases.iter_mut().zip(place).for_each(|(bias, slope)| *bias += slope);
        }
        for &(cell, number) in cells {
            for &(place, row) in self.covered(cell) {
                let slopes = &slopes[place as usize..][..self.filters];
                let weights = &mut weights[row as usize..][..self.filters];
                weights.iter_mut().zip(slopes).for_each(|(weight, slope)| *weight += number * slope);
            }
        }
    }
}
