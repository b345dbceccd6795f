//! Pooling over windows that do not overlap; incomplete windows are dropped.

use crate::network::{Network, Pool, PoolKind};

/// Calls `cell` with the first filter's index in the pooled and in the unpooled row, for each cell of each window by
/// rows.
fn cells(network: &Network, pool: &Pool, mut cell: impl FnMut(usize, usize)) {
    let ([rows, columns], [_, wide]) = (network.pooled(), network.places());
    for row in 0..rows {
        for column in 0..columns {
            let pooled = (row * columns + column) * network.filters;
            for down in 0..pool.window[0] {
                for right in 0..pool.window[1] {
                    let place = (row * pool.window[0] + down) * wide + column * pool.window[1] + right;
                    cell(pooled, place * network.filters);
                }
            }
        }
    }
}

pub(crate) fn forward_row(network: &Network, pool: &Pool, values: &[f32], pooled: &mut [f32]) {
    let share = 1.0 / (pool.window[0] * pool.window[1]) as f32;
    pooled.fill(match pool.kind {
        PoolKind::Max => f32::NEG_INFINITY,
        PoolKind::Average => 0.0,
    });
    cells(network, pool, |to, from| {
        let values = &values[from..][..network.filters];
        let each = pooled[to..][..network.filters].iter_mut().zip(values);
        match pool.kind {
            // NaN remains, so that divergence is detected.
            PoolKind::Max => each.for_each(|(most, value)| {
                if *value > *most || value.is_nan() {
                    *most = *value;
                }
            }),
            PoolKind::Average => each.for_each(|(sum, value)| *sum += value * share),
        }
    });
}

/// The first of equal maxima gets the whole gradient.
pub(crate) fn backward_row(
    network: &Network,
    pool: &Pool,
    values: &[f32],
    pooled: &[f32],
    pooled_slopes: &[f32],
    slopes: &mut [f32],
) {
    let share = 1.0 / (pool.window[0] * pool.window[1]) as f32;
    let mut left = pooled_slopes.to_vec();
    slopes.fill(0.0);
    cells(network, pool, |from, to| {
        for filter in 0..network.filters {
            let (from, to) = (from + filter, to + filter);
            match pool.kind {
                PoolKind::Max if values[to] == pooled[from] => slopes[to] = std::mem::take(&mut left[from]),
                PoolKind::Max => {}
                PoolKind::Average => slopes[to] = pooled_slopes[from] * share,
            }
        }
    });
}
