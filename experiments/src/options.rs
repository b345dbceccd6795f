//! The options of a reproduction: games, networks, training and grid search.

use std::fmt::Write as _;
use std::path::PathBuf;

use annals_events::closed_words;
use annals_features::filter::{PAPER_ENDINGS, PAPER_POSITIONS, PAPER_RATING};
use annals_features::{Filter, Sampling};
use annals_learning::grid::{Grid, Layers};
use annals_learning::{Network, Norm, Optimizer, Pool, PoolKind, Regularizer, Settings};
use serde::Serialize;

use crate::Error;

/// The number of folds, as in the paper; also for the grid search.
pub(crate) const FOLDS: u32 = 5;
/// See [`FOLDS`].
pub(crate) const GRID_FOLDS: u32 = 2;
/// Batch size of the grid search.
const GRID_BATCH: usize = 1_000;
/// The batch size is halved until a training has this many steps, but never below [`LEAST_BATCH`].
const STEPS: u64 = 5_000;
/// See [`STEPS`].
const LEAST_BATCH: usize = 256;

closed_words! {
    /// The combinations of the grid search.
    pub enum GridSize, "extent of the grid search" {
        /// All 756 combinations of the paper.
        Full = "full",
        /// The rows of the paper's table, and each setting varied alone around its best.
        Short = "short",
        /// The rows of the paper's table.
        Table = "table",
        /// None.
        None = "none",
    }
}

/// The options of a reproduction, which `figures.json` records.
#[derive(Debug, Clone, Serialize)]
pub struct Options {
    /// With fewer real games, games of self-play are added.
    pub enough: u64,
    /// The least rating of both players of real games.
    pub rating_floor: Option<i32>,
    /// Whether that also applies if real games are too few.
    #[serde(skip)]
    pub floor_is_fixed: bool,
    /// The number of games of self-play, if they are needed.
    pub games: u64,
    /// Search nodes of self-play per turn.
    pub nodes: u64,
    /// The networks, the first one for the grid search.
    #[serde(skip)]
    pub networks: Vec<Network>,
    /// Epochs of a training.
    pub epochs: u32,
    /// The batch size; none for one that follows from the number of positions.
    pub batch: Option<usize>,
    /// The number of folds that are validation sets in turn; none for one, or for all folds if real games are too few.
    pub eval_folds: Option<u32>,
    /// The combinations of the grid search.
    pub grid: GridSize,
    /// Values instead of those combinations; empty lists for none.
    #[serde(skip)]
    pub grid_values: Grid,
    /// Positions of the grid search.
    pub window: u32,
    /// How they are taken.
    pub sampling: Sampling,
    /// Epochs of its trainings.
    pub grid_epochs: u32,
    /// The same seed gives the same report.
    pub seed: u64,
    /// Threads.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            enough: 2_000,
            rating_floor: Some(PAPER_RATING),
            floor_is_fixed: false,
            games: 3_000,
            nodes: 300,
            networks: vec![Network::PAPER_RUN],
            epochs: 30,
            batch: None,
            eval_folds: None,
            grid: GridSize::Short,
            grid_values: Grid::default(),
            window: 30_000,
            sampling: Sampling::default(),
            grid_epochs: 10,
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl Options {
    /// Options for a run of minutes instead of a quarter of an hour: fewer games, epochs and combinations.
    #[must_use]
    pub fn quick() -> Options {
        let (grid, eval_folds) = (GridSize::Table, Some(1));
        Options {
            games: 400,
            nodes: 100,
            epochs: 12,
            eval_folds,
            grid,
            window: 10_000,
            grid_epochs: 5,
            ..Options::default()
        }
    }

    /// The command that reproduces with these options, defaults included.
    #[must_use]
    pub fn command(&self, files: &[PathBuf]) -> String {
        let mut command = "annals learn reproduce".to_owned();
        let mut option = |name: &str, value: &str| {
            if !value.is_empty() {
                let space = if name.is_empty() { "" } else { " " };
                let _ = write!(command, " {name}{space}{value}");
            }
        };
        files.iter().for_each(|file| option("", &file.display().to_string()));
        option("--output", "DIR");
        option("--enough", &self.enough.to_string());
        if self.floor_is_fixed {
            option("--rating-floor", &self.rating_floor.map_or("none".to_owned(), |floor| floor.to_string()));
        }
        option("--games", &self.games.to_string());
        option("--nodes", &self.nodes.to_string());
        option("--networks", &format!("\"{}\"", joined(&self.networks)));
        option("--epochs", &self.epochs.to_string());
        option("--batch-size", &joined(self.batch.as_slice()));
        option("--eval-folds", &joined(self.eval_folds.as_slice()));
        option("--grid", self.grid.word());
        let Grid { dropouts, regularizers, optimizers, kernels, learning_rates, layers } = &self.grid_values;
        let kernels = kernels.iter().map(|[rows, columns]| format!("{rows}x{columns}"));
        option("--dropouts", &joined(dropouts));
        option("--regularizers", &joined(regularizers));
        option("--optimizers", &joined(optimizers));
        option("--kernels", &joined(&kernels.collect::<Vec<_>>()));
        option("--learning-rates", &joined(learning_rates));
        option("--layers", &quoted(&joined(layers)));
        option("--window", &self.window.to_string());
        option("--sampling", self.sampling.word());
        option("--grid-epochs", &self.grid_epochs.to_string());
        option("--seed", &self.seed.to_string());
        command
    }

    /// Rejects dropout rates and kernels that are not valid.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if let Some(rate) = self.grid_values.dropouts.iter().find(|rate| !(0.0..1.0).contains(*rate)) {
            return Err(Error::DropoutRate(*rate));
        }
        let base = Settings { network: self.first(), ..Settings::default() };
        self.pieces().iter().try_for_each(|(_, piece)| piece.combinations(&base).map(drop))?;
        Ok(())
    }

    /// The network of the grid search.
    pub(crate) fn first(&self) -> Network {
        self.networks.first().copied().unwrap_or(Network::PAPER_RUN)
    }

    /// The paper's choice of games, with another floor for ratings.
    pub(crate) fn filter(&self, rating_floor: Option<i32>) -> Filter {
        let endings = PAPER_ENDINGS.to_vec();
        Filter { endings, rating_floor, max_height: Some(PAPER_POSITIONS), ..Filter::default() }
    }

    /// The training settings for a number of positions.
    pub(crate) fn settings(&self, network: Network, training_positions: usize) -> Settings {
        let default = Settings { network, epochs: self.epochs, seed: self.seed, ..Settings::default() };
        let mut batch = default.batch;
        while batch > LEAST_BATCH && steps(training_positions, batch, self.epochs) < STEPS {
            batch /= 2;
        }
        Settings { batch: self.batch.unwrap_or(batch), ..default }
    }

    /// The training settings of the grid search.
    pub(crate) fn grid_settings(&self) -> Settings {
        Settings {
            network: self.first(),
            batch: GRID_BATCH,
            epochs: self.grid_epochs,
            seed: self.seed,
            ..Settings::default()
        }
    }

    /// The pieces of the grid search, each a grid with a name: each is a stage, and no combination is in two of them.
    pub(crate) fn pieces(&self) -> Vec<(String, Grid)> {
        let paper = Grid::paper();
        let named = self.grid_values != Grid::default();
        if named || self.grid == GridSize::Full {
            let all = self.grid_values.clone().or(paper);
            let piece = |kernel: [usize; 2], optimizer: Optimizer| {
                let grid = Grid { optimizers: vec![optimizer], kernels: vec![kernel], ..all.clone() };
                (format!("{}x{}-{optimizer}", kernel[0], kernel[1]), grid)
            };
            let of_kernel =
                |kernel: &[usize; 2]| all.optimizers.iter().map(|one| piece(*kernel, *one)).collect();
            return all.kernels.iter().flat_map::<Vec<_>, _>(of_kernel).collect();
        }
        if self.grid == GridSize::None {
            return Vec::new();
        }
        let best = Grid {
            dropouts: vec![0.0],
            regularizers: vec![Regularizer::L1],
            optimizers: vec![Optimizer::Nesterov],
            kernels: vec![[4, 4]],
            ..Grid::default()
        };
        // The dropout rates of the paper's table.
        let printed = vec![0.0, 0.005, 0.01];
        let table =
            Grid { dropouts: printed.clone(), regularizers: paper.regularizers.clone(), ..best.clone() };
        let mut pieces = vec![("table".to_owned(), table)];
        if self.grid == GridSize::Short {
            let (mut dropouts, mut optimizers, mut kernels) =
                (paper.dropouts, paper.optimizers, paper.kernels);
            dropouts.retain(|dropout| !printed.contains(dropout));
            optimizers.retain(|one| *one != Optimizer::Nesterov);
            kernels.retain(|kernel| *kernel != [4, 4]);
            pieces.push(("dropouts".to_owned(), Grid { dropouts, ..best.clone() }));
            pieces.push(("optimizers".to_owned(), Grid { optimizers, ..best.clone() }));
            pieces.push(("kernels".to_owned(), Grid { kernels, ..best.clone() }));
            // What the paper suggests to try next.
            let learning_rates = vec![0.1, 0.03, 0.003, 0.001];
            pieces.push(("learning-rates".to_owned(), Grid { learning_rates, ..best.clone() }));
            let layers = further_layers();
            pieces.push(("layers".to_owned(), Grid { layers, ..best }));
        }
        pieces
    }
}

/// Layer normalization and pooling, one at a time.
fn further_layers() -> Vec<Layers> {
    let pool = |kind| Layers { pool: Some(Pool { kind, window: [2, 2] }), ..Layers::default() };
    let norm = Layers { norm: Some(Norm::Layer), ..Layers::default() };
    vec![norm, pool(PoolKind::Max), pool(PoolKind::Average)]
}

/// As a word of a command line.
fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\"{text}\"") }
}

fn joined(values: &[impl ToString]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// The number of steps of a training.
pub(crate) fn steps(training_positions: usize, batch: usize, epochs: u32) -> u64 {
    u64::from(epochs) * training_positions.div_ceil(batch.max(1)) as u64
}
