//! The arguments of `annals learn reproduce`, and the options that follow from them.

use std::path::PathBuf;

use annals_engine::selfplay;
use annals_experiments::{GridSize, Options};
use annals_learning::grid::Grid;
use annals_learning::{Network, Optimizer, Regularizer};
use clap::ValueEnum;

use crate::values::one_of;

/// Reproduce the experiments of the paper on evaluation
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Reproduce the experiments of the paper on evaluation\n\n\
        Repeats the experiments of \"Learning To Evaluate Arimaa Positions\" and compares the figures with the \
        paper's. With fewer than --enough real games, games of self-play are added.\n\n\
        The directory gets report.html, figures.json, and each picture as SVG, PNG and CSV. It takes about 15 \
        minutes on two cores, hours with a whole archive and --grid full, a few minutes with --quick. After an \
        interruption the same command continues.",
    after_help = "Examples:\n  \
        annals learn reproduce archive/ -o report\n  \
        annals learn reproduce archive/ -o report --grid full\n  \
        annals --home new learn reproduce --games 20000 -o report      only self-play\n  \
        annals learn reproduce archive/ -o look --quick"
)]
pub struct Args {
    /// Archive files, folders, patterns or a dataset [default: the home's dataset]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Directory for report, figures, pictures and finished stages
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Least number of real games for training without self-play
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub enough: u64,

    /// Least rating of both players of real games, or `none` [default: 1800]
    #[arg(long, value_name = "RATING", value_parser = floor)]
    pub rating_floor: Option<Floor>,

    /// Games of self-play; 0 is none [default: 3000; with --quick 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=selfplay::Options::MOST_GAMES))]
    pub games: Option<u64>,

    /// Search nodes per turn of self-play [default: 300; with --quick 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Networks, the first one for the grid
    #[arg(long, value_name = "NETWORK,…", value_delimiter = ',', default_value = "paper-run")]
    pub networks: Vec<Network>,

    /// Epochs [default: 30; with --quick 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: Option<u32>,

    /// Batch size, in positions [default: 4096; smaller for few positions]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub batch_size: Option<u32>,

    /// Validation folds, of five [default: 1; with few games 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5))]
    pub eval_folds: Option<u32>,

    /// Extent of the grid search [default: short; with --quick table]
    #[arg(long, value_name = "EXTENT")]
    pub grid: Option<HowMuch>,

    /// Dropout rates of the grid; 0 is none
    #[arg(long, value_name = "SHARE,…", value_delimiter = ',')]
    pub dropouts: Vec<f32>,

    /// Regularizers of the grid
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = one_of(Regularizer::ALL, Regularizer::word))]
    pub regularizers: Vec<Regularizer>,

    /// Optimizers of the grid
    #[arg(long, value_name = "OPTIMIZER,…", value_delimiter = ',', value_parser = one_of(Optimizer::ALL, Optimizer::word))]
    pub optimizers: Vec<Optimizer>,

    /// Kernels of the grid, rows by columns
    #[arg(long, value_name = "RxC,…", value_delimiter = ',', value_parser = crate::commands::learn::train::grid::kernel)]
    pub kernels: Vec<[usize; 2]>,

    /// Positions of the grid search [default: 30000; with --quick 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub window: Option<u32>,

    /// Epochs of the grid search [default: 10; with --quick 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub grid_epochs: Option<u32>,

    /// Seed; the same seed gives the same report
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Take minutes: fewer games, epochs and combinations
    #[arg(long)]
    pub quick: bool,

    /// Working threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// The least rating, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Floor(pub Option<i32>);

fn floor(text: &str) -> Result<Floor, String> {
    match text {
        "none" => Ok(Floor(None)),
        _ => {
            text.parse().map(|n| Floor(Some(n))).map_err(|_| "write a rating, as 1800, or `none`".to_owned())
        }
    }
}

/// How much of the grid search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HowMuch {
    /// All 756 combinations of the paper
    Full,
    /// Rows of the paper's table, and each setting varied around the best
    Short,
    /// Rows of the paper's table
    Table,
    /// No grid search
    None,
}

impl HowMuch {
    const fn size(self) -> GridSize {
        match self {
            HowMuch::Full => GridSize::Full,
            HowMuch::Short => GridSize::Short,
            HowMuch::Table => GridSize::Table,
            HowMuch::None => GridSize::None,
        }
    }
}

impl Args {
    /// The options, with defaults where nothing is given.
    pub fn options(&self) -> Options {
        let default = if self.quick { Options::quick() } else { Options::default() };
        Options {
            enough: self.enough,
            rating_floor: self.rating_floor.map_or(default.rating_floor, |floor| floor.0),
            floor_is_fixed: self.rating_floor.is_some(),
            games: self.games.unwrap_or(default.games),
            nodes: self.nodes.unwrap_or(default.nodes),
            networks: self.networks.clone(),
            epochs: self.epochs.unwrap_or(default.epochs),
            batch: self.batch_size.map(|batch| batch as usize),
            eval_folds: self.eval_folds.or(default.eval_folds),
            grid: self.grid.map_or(default.grid, HowMuch::size),
            grid_values: Grid {
                dropouts: self.dropouts.clone(),
                regularizers: self.regularizers.clone(),
                optimizers: self.optimizers.clone(),
                kernels: self.kernels.clone(),
            },
            window: self.window.unwrap_or(default.window),
            grid_epochs: self.grid_epochs.unwrap_or(default.grid_epochs),
            seed: self.seed,
            threads: self.threads.map_or(default.threads, usize::from),
        }
    }

    /// The command with all options, those by default included.
    pub fn command(&self, options: &Options) -> String {
        let mut words = vec!["annals learn reproduce".to_owned()];
        words.extend(self.files.iter().map(|file| file.display().to_string()));
        words.push(format!("--output DIR --enough {}", options.enough));
        if let Some(Floor(floor)) = self.rating_floor {
            let floor = floor.map_or("none".to_owned(), |floor| floor.to_string());
            words.push(format!("--rating-floor {floor}"));
        }
        words.push(format!("--games {} --nodes {}", options.games, options.nodes));
        words.push(format!("--networks \"{}\" --epochs {}", joined(&self.networks), options.epochs));
        words.extend(options.batch.map(|batch| format!("--batch-size {batch}")));
        words.extend(options.eval_folds.map(|folds| format!("--eval-folds {folds}")));
        let grid = HowMuch::value_variants().iter().find(|grid| grid.size() == options.grid);
        let grid = grid.and_then(HowMuch::to_possible_value);
        words.extend(grid.map(|grid| format!("--grid {}", grid.get_name())));
        let kernels: Vec<String> =
            self.kernels.iter().map(|[rows, columns]| format!("{rows}x{columns}")).collect();
        for (name, list) in [
            ("dropouts", joined(&self.dropouts)),
            ("regularizers", joined(&self.regularizers)),
            ("optimizers", joined(&self.optimizers)),
            ("kernels", joined(&kernels)),
        ] {
            if !list.is_empty() {
                words.push(format!("--{name} {list}"));
            }
        }
        let Options { window, grid_epochs, seed, .. } = options;
        words.push(format!("--window {window} --grid-epochs {grid_epochs} --seed {seed}"));
        words.join(" ")
    }
}

fn joined(values: &[impl ToString]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
