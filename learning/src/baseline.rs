//! Baselines for networks: a constant, and simple measures as chances, each fitted to the network's training set and
//! evaluated on its validation set.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_engine::evaluation::{Annals, Evaluator};
use annals_engine::search::{Limits, Past, SearchOptions, Searcher};
use annals_events::Side;
use annals_rules::arimaa::{Board, Piece, Position, Square, Steps, first_steps};
use annals_rules::game::Era;
use rayon::prelude::*;

use crate::samples::Samples;

/// In rabbits; of a decided position.
const MOST_RABBITS: f32 = 20.0;

/// Names and measures.
pub const BASELINES: [(&str, &str); 4] = [
    ("constant", "the share of positions whose side to move won"),
    ("material", "the pieces that each side has"),
    ("mobility", "how many first steps each side has"),
    ("annals", "the handcrafted evaluation"),
];

/// Of each position: the mover's minus the other side's.
#[derive(Debug, Clone)]
pub struct Measures {
    rows: Vec<[f32; WIDTH]>,
}

/// Six kinds of pieces, first steps, the handcrafted evaluation.
const WIDTH: usize = 8;

/// The measures of each baseline.
const COLUMNS: [std::ops::Range<usize>; 4] = [0..0, 0..6, 6..7, 7..8];

/// Index in [`BASELINES`].
pub const MATERIAL: usize = 1;

/// Index in [`BASELINES`].
pub const HANDCRAFTED: usize = 3;

impl Measures {
    #[must_use]
    pub fn of(samples: &Samples<'_>) -> Measures {
        let rows =
            (0..samples.len() as u32).into_par_iter().map(|row| measure(samples.planes_of(row))).collect();
        Measures { rows }
    }

    /// The score of a search of `nodes` positions in the place of the handcrafted evaluation, for these rows alone. A
    /// search has empty tables and knows no earlier positions of the game.
    #[must_use]
    pub(crate) fn of_searches(samples: &Samples<'_>, rows: &[u32], nodes: u32) -> Measures {
        let mut found = vec![[0.0; WIDTH]; samples.len()];
        let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
        let scores: Vec<f32> = rows
            .par_iter()
            .map_init(
                || Searcher::new(Arc::new(Annals), options),
                |searcher, row| searched(samples.planes_of(*row), searcher, nodes),
            )
            .collect();
        rows.iter()
            .zip(scores)
            .for_each(|(row, score)| found[*row as usize][COLUMNS[HANDCRAFTED].start] = score);
        Measures { rows: found }
    }

    /// The pieces alone, which is fast.
    #[must_use]
    pub(crate) fn of_pieces(samples: &Samples<'_>) -> Measures {
        let each = (0..samples.len() as u32).into_par_iter();
        Measures { rows: each.map(|row| pieces(samples.planes_of(row)).unwrap_or_default()).collect() }
    }
}

/// None without the pieces of a side. After Gold's setup Silver has none: nothing is lost or measurable.
fn pieces(planes: &[i8]) -> Option<[f32; WIDTH]> {
    if ![1, -1].iter().all(|side| planes.contains(side)) {
        return None;
    }
    let mut found = [0.0; WIDTH];
    for (kind, plane) in planes.chunks(64).enumerate() {
        found[kind] = plane.iter().map(|cell| f32::from(*cell)).sum();
    }
    Some(found)
}

fn measure(planes: &[i8]) -> [f32; WIDTH] {
    let Some(mut found) = pieces(planes) else { return [0.0; WIDTH] };
    let Some(position) = position(planes) else { return found };
    found[6] = (first_steps(&position) as f32 - first_steps(&position.passed()) as f32) / 10.0;
    found[7] = rabbits(&position, |position| Annals.evaluate(&Steps::begin(position)));
    found
}

/// Hundredths of a rabbit by `evaluate`, or a decided game, as rabbits.
fn rabbits(position: &Position, evaluate: impl FnOnce(&Position) -> i32) -> f32 {
    match position.outcome(Era::Modern, |_| 0) {
        Some(outcome) if outcome.winner == Some(position.to_move()) => MOST_RABBITS,
        Some(_) => -MOST_RABBITS,
        None => (evaluate(position) as f32 / 100.0).clamp(-MOST_RABBITS, MOST_RABBITS),
    }
}

/// 0 without the pieces of a side.
fn searched(planes: &[i8], searcher: &mut Searcher, nodes: u32) -> f32 {
    let Some(position) = pieces(planes).and_then(|_| position(planes)) else { return 0.0 };
    rabbits(&position, |position| {
        searcher.clear();
        let (limits, never) = (Limits::nodes(nodes.into()), AtomicBool::new(false));
        let found = searcher.search(position, &Past::new(), &limits, &never, &mut |_| {});
        found.map_or(0, |found| found.info.score.value())
    })
}

/// From planes, as if Gold were to move: turned boards with exchanged sides are equal by the rules. None for an invalid
/// board.
#[must_use]
pub fn position(planes: &[i8]) -> Option<Position> {
    let pieces = planes.iter().enumerate().filter(|(_, cell)| **cell != 0).filter_map(|(index, cell)| {
        let side = if *cell > 0 { Side::Gold } else { Side::Silver };
        // Row 0 is the eighth rank.
        let square = Square::at((index % 8) as u8, 7 - (index / 8 % 8) as u8)?;
        Some((square, side, *Piece::ALL.get(index / 64)?))
    });
    Board::from_pieces(pieces).ok().map(|board| Position::new(board, Side::Gold))
}

/// The logistic function of a weighted sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Logistic {
    columns: std::ops::Range<usize>,
    /// The constant, then one per measure.
    weights: Vec<f64>,
}

impl Logistic {
    /// Maximum likelihood by Newton's method; `baseline` is an index in [`BASELINES`].
    #[must_use]
    pub fn fit(baseline: usize, measures: &Measures, samples: &Samples<'_>, rows: &[u32]) -> Logistic {
        let columns = COLUMNS[baseline].clone();
        let mut fitted = Logistic { weights: vec![0.0; columns.len() + 1], columns };
        for _ in 0..25 {
            let step = fitted.newton(measures, samples, rows);
            fitted.weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
            if step.iter().all(|step| step.abs() < 1e-9) {
                break;
            }
        }
        fitted
    }

    /// None for a wrong number of weights.
    #[must_use]
    pub fn of(baseline: usize, weights: &[f64]) -> Option<Logistic> {
        let columns = COLUMNS.get(baseline)?.clone();
        (weights.len() == columns.len() + 1).then(|| Logistic { columns, weights: weights.to_vec() })
    }

    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Of the log odds with the first measure.
    #[must_use]
    pub fn slope(&self) -> f64 {
        self.weights.get(1).copied().unwrap_or(0.0)
    }

    #[must_use]
    pub fn predict(&self, measures: &Measures, rows: &[u32]) -> Vec<f32> {
        rows.iter().map(|row| self.chance(&measures.rows[*row as usize]) as f32).collect()
    }

    fn chance(&self, measures: &[f32; WIDTH]) -> f64 {
        let sum: f64 = measures[self.columns.clone()]
            .iter()
            .zip(&self.weights[1..])
            .map(|(x, w)| f64::from(*x) * w)
            .sum();
        1.0 / (1.0 + (-(sum + self.weights[0])).exp())
    }

    /// A Newton step. A little is added to the curvature, so that measures without influence (or with perfect
    /// separation) do no harm.
    fn newton(&self, measures: &Measures, samples: &Samples<'_>, rows: &[u32]) -> Vec<f64> {
        const RIDGE: f64 = 1e-3;
        let size = self.weights.len();
        // Fixed chunks added in order: the same sum with any number of threads.
        let sums: Vec<(Vec<f64>, Vec<f64>)> = rows
            .par_chunks(16_384)
            .map(|rows| {
                let (mut slope, mut curve) = (vec![0.0; size], vec![0.0; size * size]);
                let mut x = vec![1.0; size];
                for row in rows {
                    let measured = &measures.rows[*row as usize];
                    let found = &measured[self.columns.clone()];
                    x[1..].iter_mut().zip(found).for_each(|(x, found)| *x = f64::from(*found));
                    let chance = self.chance(measured);
                    let (error, weight) =
                        (f64::from(samples.label_of(*row)) - chance, chance * (1.0 - chance));
                    for i in 0..size {
                        slope[i] += error * x[i];
                        for j in 0..size {
                            curve[i * size + j] += weight * x[i] * x[j];
                        }
                    }
                }
                (slope, curve)
            })
            .collect();
        let (mut slope, mut curve) = (vec![0.0; size], vec![0.0; size * size]);
        for (part_slope, part_curve) in sums {
            slope.iter_mut().zip(part_slope).for_each(|(sum, part)| *sum += part);
            curve.iter_mut().zip(part_curve).for_each(|(sum, part)| *sum += part);
        }
        for i in 0..size {
            slope[i] -= RIDGE * self.weights[i];
            curve[i * size + i] += RIDGE;
        }
        solve(curve, slope)
    }
}

/// Solves a small positive definite system by elimination.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        for row in pivot + 1..size {
            let share = matrix[row * size + pivot] / matrix[pivot * size + pivot];
            for column in pivot..size {
                matrix[row * size + column] -= share * matrix[pivot * size + column];
            }
            right[row] -= share * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row * size + column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    right
}
