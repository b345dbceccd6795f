//! Grid search: every combination of some settings, evaluated over all folds in parallel.

use std::fmt;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::batch::Batches;
use crate::checkpoint::{CheckpointError, Keep};
use crate::grid_keep::Kept;
use crate::network::{Network, Norm, Pool};
use crate::network_text::NetworkTextError;
use crate::samples::{Samples, SamplesError};
use crate::score::{Figures, score};
use crate::settings::{Optimizer, Regularizer, Settings};
use crate::split::{Folds, Split, SplitError};
use crate::train::train;

/// Reads a dropout rate.
///
/// # Errors
/// When the text is not a number from 0 to below 1.
pub fn dropout(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| format!("`{text}` is not a valid dropout rate; write a number from 0 to below 1"))
}

/// Reads the rows and columns of a kernel.
///
/// # Errors
/// When the text is not two numbers from 1 to 8 with `x` between them.
pub fn kernel(text: &str) -> Result<[usize; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=8).contains(side));
    let sides = text.split_once('x').and_then(|(high, wide)| Some([side(high)?, side(wide)?]));
    sides.ok_or_else(|| format!("`{text}` is not a valid kernel; write rows and columns, as in 4x4 or 1x8"))
}

/// The layers that a network has besides the convolution, the hidden layer and the output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layers {
    pub pool: Option<Pool>,
    pub norm: Option<Norm>,
}

impl Layers {
    fn of(network: &Network) -> Layers {
        Layers { pool: network.pool, norm: network.norm }
    }
}

impl fmt::Display for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = Network { pool: self.pool, norm: self.norm, hidden: 1, ..Network::CONV6 }.to_string();
        match with.split_once(" hidden=1 ") {
            Some((_, layers)) => f.pad(layers),
            None => f.pad("none"),
        }
    }
}

/// Reads layers, such as `norm=layer`, `pool=max:2x2`, or `none`.
///
/// # Errors
/// When the text is something else.
pub fn layers(text: &str) -> Result<Layers, String> {
    match text {
        "none" => Ok(Layers::default()),
        _ if text.split_whitespace().all(|part| part.starts_with("pool=") || part.starts_with("norm=")) => {
            let network: Network =
                format!("conv6 {text}").parse().map_err(|e: NetworkTextError| e.to_string())?;
            Ok(Layers::of(&network))
        }
        _ => {
            Err(format!("`{text}` names no layers; write none, norm=layer, pool=max:2x2 or pool=average:2x2"))
        }
    }
}

/// Reads a learning rate.
///
/// # Errors
/// When the text is not a number above 0, at most 10.
pub fn learning_rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 10.0);
    rate.ok_or_else(|| format!("`{text}` is not a valid learning rate; write a number above 0, at most 10"))
}

/// The values that are combined; the rest of the settings stays as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grid {
    /// 0 for none.
    pub dropouts: Vec<f32>,
    pub regularizers: Vec<Regularizer>,
    pub optimizers: Vec<Optimizer>,
    /// Rows and columns.
    pub kernels: Vec<[usize; 2]>,
    /// Empty for that of the settings.
    pub learning_rates: Vec<f32>,
    /// Empty for those of the network.
    pub layers: Vec<Layers>,
}

impl Grid {
    /// The paper's: 7 dropout rates, 3 regularizers, 4 optimizers, 9 kernels.
    #[must_use]
    pub fn paper() -> Grid {
        Grid {
            dropouts: vec![0.5, 0.25, 0.1, 0.05, 0.01, 0.005, 0.0],
            regularizers: vec![Regularizer::L1, Regularizer::L2, Regularizer::None],
            optimizers: vec![Optimizer::Sgd, Optimizer::Momentum, Optimizer::Nesterov, Optimizer::Rmsprop],
            kernels: vec![[2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [1, 4], [1, 8], [3, 1], [6, 1]],
            learning_rates: Vec::new(),
            layers: Vec::new(),
        }
    }

    /// Empty lists are taken from `other`.
    #[must_use]
    pub fn or(self, other: Grid) -> Grid {
        fn or<T>(these: Vec<T>, others: Vec<T>) -> Vec<T> {
            if these.is_empty() { others } else { these }
        }
        Grid {
            dropouts: or(self.dropouts, other.dropouts),
            regularizers: or(self.regularizers, other.regularizers),
            optimizers: or(self.optimizers, other.optimizers),
            kernels: or(self.kernels, other.kernels),
            learning_rates: or(self.learning_rates, other.learning_rates),
            layers: or(self.layers, other.layers),
        }
    }

    /// In a fixed order.
    ///
    /// # Errors
    /// If a kernel or a layer does not fit the network's image.
    pub fn combinations(&self, base: &Settings) -> Result<Vec<Settings>, NetworkTextError> {
        let mut all = Vec::new();
        let (own_layers, own_rate) = ([Layers::of(&base.network)], [base.learning_rate]);
        let layers = if self.layers.is_empty() { &own_layers[..] } else { &self.layers };
        let rates = if self.learning_rates.is_empty() { &own_rate[..] } else { &self.learning_rates };
        for (kernel, Layers { pool, norm }) in product(&self.kernels, layers) {
            let network = Network { kernel, pool, norm, ..base.network }.checked()?;
            for (optimizer, learning_rate) in product(&self.optimizers, rates) {
                for (regularizer, dropout) in product(&self.regularizers, &self.dropouts) {
                    all.push(Settings { network, optimizer, learning_rate, regularizer, dropout, ..*base });
                }
            }
        }
        Ok(all)
    }
}

/// Every pair, the second value changing fastest.
fn product<A: Copy, B: Copy>(first: &[A], second: &[B]) -> impl Iterator<Item = (A, B)> {
    first.iter().flat_map(|a| second.iter().map(|b| (*a, *b)))
}

/// A combination with its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// 0 for none.
    pub dropout: f32,
    #[serde(alias = "regulariser")]
    pub regularizer: Regularizer,
    pub optimizer: Optimizer,
    pub kernel: [usize; 2],
    pub learning_rate: f32,
    pub layers: Layers,
    /// Of the network.
    pub parameters: usize,
    /// Over all folds; none if a training failed.
    pub figures: Option<Figures>,
    /// Divergence is a result here.
    pub failed: Option<String>,
}

impl Cell {
    /// Whether another result is of the same combination.
    #[must_use]
    pub fn is_of_same(&self, other: &Cell) -> bool {
        let of = |cell: &Cell| {
            (cell.dropout, cell.regularizer, cell.optimizer, cell.kernel, cell.learning_rate, cell.layers)
        };
        of(self) == of(other)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum GridError {
    #[error(transparent)]
    Samples(#[from] SamplesError),
    #[error(transparent)]
    Split(#[from] SplitError),
    #[error(transparent)]
    Network(#[from] NetworkTextError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the grid is empty: it needs at least one dropout rate, regularizer, optimizer and kernel")]
    Empty,
}

/// Runs every combination, ordered by mean squared error. `watch` gets the numbers of completed and all trainings.
///
/// # Errors
/// If the grid is empty, a kernel does not fit, or the positions cannot be split. Failed trainings are results.
pub fn run(
    samples: Samples<'_>,
    rows: &[u32],
    base: &Settings,
    grid: &Grid,
    how: (Split, u32),
    watch: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Cell>, GridError> {
    run_kept(samples, rows, base, grid, how, None, watch)
}

/// As [`run`]; with `keep` every result is saved in a checkpoint, from which the search resumes, and which the caller
/// deletes. `watch` counts the trainings of this run.
///
/// # Errors
/// As [`run`], and if the checkpoint is invalid or cannot be written.
pub fn run_kept(
    samples: Samples<'_>,
    rows: &[u32],
    base: &Settings,
    grid: &Grid,
    (split, folds): (Split, u32),
    keep: Option<&Keep>,
    watch: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Cell>, GridError> {
    let samples = samples.checked()?;
    let combinations = grid.combinations(base)?;
    if combinations.is_empty() {
        return Err(GridError::Empty);
    }
    let divided = Folds::new(&samples, rows, split, folds, base.seed)?;
    let kept = keep.map(|keep| Kept::open(keep, &samples, rows, base, (split, folds))).transpose()?;
    let found = |settings: &Settings| kept.as_ref().and_then(|kept| kept.found(settings));
    let jobs = combinations.iter().filter(|settings| found(settings).is_none()).count() * divided.folds.len();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let over = || watch(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, jobs);
    let mut cells: Vec<Cell> = combinations
        .par_iter()
        .map(|settings| {
            if let Some(result) = found(settings) {
                return Ok(cell(settings, result));
            }
            let predicted: Result<Vec<Vec<f32>>, String> = (0..divided.folds.len())
                .into_par_iter()
                .map(|fold| {
                    let training = divided.without(fold);
                    let trained = train(samples, &training, *settings, None, &|_| {});
                    over();
                    let parameters = trained.map_err(|error| error.to_string())?.parameters;
                    Ok(Batches::new(samples, *settings).predict(&parameters, &divided.folds[fold]))
                })
                .collect();
            let result = predicted.map(|predictions| figures(&samples, &divided, &predictions.concat()));
            if let Some(kept) = &kept {
                kept.add(settings, &result)?;
            }
            Ok(cell(settings, result))
        })
        .collect::<Result<_, GridError>>()?;
    // Stable: equal ones keep the grid's order, failed ones are last.
    let error = |cell: &Cell| cell.figures.map_or(f64::INFINITY, |figures| figures.mse);
    cells.sort_by(|a, b| error(a).total_cmp(&error(b)));
    Ok(cells)
}

fn figures(samples: &Samples<'_>, divided: &Folds, predictions: &[f32]) -> Figures {
    let rows = || divided.folds.iter().flatten();
    let labels: Vec<u8> = rows().map(|row| samples.label_of(*row)).collect();
    let heights: Vec<u16> = rows().map(|row| samples.heights[*row as usize]).collect();
    score(predictions, &labels, &heights).all
}

fn cell(settings: &Settings, result: Result<Figures, String>) -> Cell {
    let (figures, failed) = match result {
        Ok(figures) => (Some(figures), None),
        Err(reason) => (None, Some(reason)),
    };
    Cell {
        dropout: settings.dropout,
        regularizer: settings.regularizer,
        optimizer: settings.optimizer,
        kernel: settings.network.kernel,
        learning_rate: settings.learning_rate,
        layers: Layers::of(&settings.network),
        parameters: settings.network.parameters(),
        figures,
        failed,
    }
}
