//! Ratings of many contestants from all their results: Bradley and Terry's model by maximum likelihood.
//!
//! Contestant `i` has a strength `γᵢ`, and beats `j` with probability `γᵢ/(γᵢ+γⱼ)`; a draw counts as half a win of each.
//! The maximum is found by minorising and maximising (Hunter 2004): `γᵢ ← wᵢ / Σⱼ nᵢⱼ/(γᵢ+γⱼ)` until it converges,
//! which increases the likelihood with every step. Elo is `400·log10 γ`, with the mean of the pool at 0. The errors
//! follow from the curvature of the log likelihood at its maximum: the inverse of the information matrix, relative to the
//! pool's mean.
//!
//! The likelihood has a maximum only if no group of contestants has won, or lost, all games against the others.
//! So that it always has one, drawn games against a fixed strength of 1 can be added for each contestant.

use super::standings::Record;

/// A contestant's rating.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Rating {
    /// Elo, the mean of the pool being 0.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

/// Why there are no ratings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    #[error("the table of results has {rows} rows, and row {row} has {columns} columns: it must be square")]
    Shape {
        rows: usize,
        /// The first row that does not fit, from 0.
        row: usize,
        columns: usize,
    },
    #[error("the results of {a} against {b} are not those of {b} against {a}")]
    Contradiction { a: usize, b: usize },
    /// Some have won no point from all the others, so that no difference is large enough.
    #[error(
        "contestants {losers:?} have not taken half a point from any of the others, so that no finite ratings are the \
         likeliest; let them play on, or give everybody drawn games against a fixed strength"
    )]
    Apart { losers: Vec<usize> },
    #[error("the ratings do not settle after {rounds} rounds")]
    Unsettled { rounds: u32 },
}

/// The maximum number of iterations; a connected pool converges in far fewer.
const MOST_ROUNDS: u32 = 200_000;

/// The ratings of a pool. `table[i][j]` is the record of `i` against `j`; the diagonal is ignored. `fixed_draws` is the number of drawn
/// games against the fixed strength for each contestant (0 for none; may be a fraction).
///
/// # Errors
/// When the table contradicts itself, or the likelihood has no maximum.
pub fn ratings(table: &[Vec<Record>], fixed_draws: f64) -> Result<Vec<Rating>, PoolError> {
    check(table)?;
    let count = table.len();
    let fixed_draws = if fixed_draws.is_finite() { fixed_draws.max(0.0) } else { 0.0 };
    if fixed_draws == 0.0
        && let Some(losers) = set_apart(table)
    {
        return Err(PoolError::Apart { losers });
    }
    let strengths = climb(table, fixed_draws)?;
    let covariance = covariance(table, &strengths, fixed_draws);
    let mean = strengths.iter().map(|strength| strength.ln()).sum::<f64>() / count.max(1) as f64;
    let elo = 400.0 / std::f64::consts::LN_10;
    Ok((0..count)
        .map(|i| Rating {
            elo: elo * (strengths[i].ln() - mean),
            error: elo * covariance[i][i].max(0.0).sqrt(),
        })
        .collect())
}

fn check(table: &[Vec<Record>]) -> Result<(), PoolError> {
    for (row, cells) in table.iter().enumerate() {
        if cells.len() != table.len() {
            return Err(PoolError::Shape { rows: table.len(), row, columns: cells.len() });
        }
    }
    for (a, cells) in table.iter().enumerate() {
        for (b, cell) in cells.iter().enumerate().take(a) {
            if *cell != table[b][a].reversed() {
                return Err(PoolError::Contradiction { a: b, b: a });
            }
        }
    }
    Ok(())
}

/// A group that has scored no point against the others, if there is one: the likelihood has a maximum only if all players
/// are reachable from each other by scored points.
fn set_apart(table: &[Vec<Record>]) -> Option<Vec<usize>> {
    let count = table.len();
    let reached = |forward: bool| {
        let mut reached = vec![false; count];
        let mut open: Vec<usize> = (0..count.min(1)).collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                let points = |to: usize| if forward { table[at][to] } else { table[to][at] };
                open.extend((0..count).filter(|to| *to != at && points(*to).half_points() > 0));
            }
        }
        reached
    };
    // The players that the first cannot reach have lost no point to those that it reaches: the latter are the losers.
    let down = reached(true);
    if down.contains(&false) {
        return Some((0..count).filter(|at| down[*at]).collect());
    }
    let up = reached(false);
    up.contains(&false).then(|| (0..count).filter(|at| !up[*at]).collect())
}

fn climb(table: &[Vec<Record>], fixed_draws: f64) -> Result<Vec<f64>, PoolError> {
    let count = table.len();
    let points: Vec<f64> = (0..count)
        .map(|i| {
            let halves: u64 = (0..count).filter(|j| *j != i).map(|j| table[i][j].half_points()).sum();
            (halves as f64 + fixed_draws) / 2.0
        })
        .collect();
    let mut strengths = vec![1.0f64; count];
    for _ in 0..MOST_ROUNDS {
        let mut moved = 0.0f64;
        for i in 0..count {
            let met = (0..count).filter(|j| *j != i);
            let games: f64 =
                met.map(|j| table[i][j].games() as f64 / (strengths[i] + strengths[j])).sum::<f64>()
                    + fixed_draws / (strengths[i] + 1.0);
            if games > 0.0 {
                let next = points[i] / games;
                moved = moved.max((next / strengths[i]).ln().abs());
                strengths[i] = next;
            }
        }
        if fixed_draws == 0.0 {
            // Only ratios count; the mean of the logarithms is constant.
            let mean = strengths.iter().map(|strength| strength.ln()).sum::<f64>() / count as f64;
            strengths.iter_mut().for_each(|strength| *strength /= mean.exp());
        }
        if moved < 1e-12 {
            return Ok(strengths);
        }
    }
    Err(PoolError::Unsettled { rounds: MOST_ROUNDS })
}

/// The covariance of the logarithms of the strengths about their mean.
fn covariance(table: &[Vec<Record>], strengths: &[f64], fixed_draws: f64) -> Vec<Vec<f64>> {
    let count = strengths.len();
    let mut information = vec![vec![0.0; count]; count];
    for i in 0..count {
        for j in (0..count).filter(|j| *j != i) {
            let sum = strengths[i] + strengths[j];
            let bend = table[i][j].games() as f64 * strengths[i] * strengths[j] / (sum * sum);
            information[i][i] += bend;
            information[i][j] -= bend;
        }
        let sum = strengths[i] + 1.0;
        information[i][i] += fixed_draws * strengths[i] / (sum * sum);
    }
    if fixed_draws == 0.0 {
        // A common shift of all strengths has no effect on the likelihood; a curvature added for it is removed below.
        information.iter_mut().flatten().for_each(|cell| *cell += 1.0 / count as f64);
    }
    let mut inverse = inverted(information);
    // Relative to the mean: the means of rows and columns are subtracted.
    for _ in 0..2 {
        for row in &mut inverse {
            let mean = row.iter().sum::<f64>() / count as f64;
            row.iter_mut().for_each(|cell| *cell -= mean);
        }
        inverse = (0..count).map(|i| inverse.iter().map(|row| row[i]).collect()).collect();
    }
    inverse
}

/// The inverse of a symmetric positive matrix, by elimination with the largest pivot.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|j| f64::from(u8::from(i == j))));
    }
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, pivot);
        let pivot_row = {
            let scale = matrix[column][column];
            matrix[column].iter_mut().for_each(|cell| *cell /= scale);
            matrix[column].clone()
        };
        for (row, cells) in matrix.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = cells[column];
            let _ = row;
            cells.iter_mut().zip(&pivot_row).for_each(|(cell, pivot)| *cell -= factor * pivot);
        }
    }
    matrix.into_iter().map(|row| row[count..].to_vec()).collect()
}
