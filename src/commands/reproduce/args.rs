//! The arguments of `annals learn reproduce`, and the options that follow from them.

use std::path::PathBuf;

use annals_engine::selfplay;
use annals_experiments::{GridSize, Options};
use annals_features::Sampling;
use annals_learning::Network;

use crate::commands::learn::train::grid::GridArgs;
use crate::stored_games::GamesArgs;
use crate::values::{OrNone, ThreadsArgs, one_of};

/// Reproduce the experiments of the paper on evaluation
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Reproduce the experiments of the paper on evaluation\n\n\
        Repeats the experiments of \"Learning To Evaluate Arimaa Positions\" and compares the figures with the \
        paper's. With fewer than --enough real games, games of self-play are added.\n\n\
        The directory gets report.html, figures.json, and each picture as SVG, PNG and CSV. It takes about 15 \
        minutes on two cores, hours with a whole archive and --grid full, a few minutes with --quick. After an \
        interruption the same command continues.",
    after_long_help = "Examples:\n  \
        annals learn reproduce archive/ -o report\n  \
        annals learn reproduce archive/ -o report --grid full\n  \
        annals --home new learn reproduce --games 20000 -o report      only self-play\n  \
        annals learn reproduce archive/ -o look --quick"
)]
pub struct Args {
    #[command(flatten)]
    pub games: GamesArgs,

    /// Directory for report, figures, pictures and finished stages
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Least number of real games for training without self-play
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 2_000)]
    pub enough: u64,

    /// Games of self-play; 0 is none [default: 3000; with --quick 400]
    #[arg(long = "games", value_name = "N", value_parser = clap::value_parser!(u64).range(0..=selfplay::Options::MOST_GAMES))]
    pub generated: Option<u64>,

    /// Search nodes per turn of self-play [default: 300; with --quick 100]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Networks, the first one for the grid
    #[arg(long, value_name = "NETWORK,…", value_delimiter = ',', default_value = "paper-run")]
    pub networks: Vec<Network>,

    /// Epochs [default: 30; with --quick 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: Option<u32>,

    /// Batch size, in positions [default: 4096; smaller for few positions]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub batch_size: Option<u32>,

    /// Validation folds, of five [default: 1; with few games 5]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5))]
    pub eval_folds: Option<u32>,

    /// Extent of the grid search [default: short; with --quick table]
    ///
    /// `full`: all 756 combinations of the paper. `table`: the rows of the paper's table. `short`: these rows, and each setting
    /// varied around the best.
    #[arg(hide_short_help = true, long, value_name = "EXTENT", value_parser = one_of(GridSize::ALL, GridSize::word))]
    pub grid: Option<GridSize>,

    #[command(flatten)]
    pub grid_values: GridArgs,

    /// Positions of the grid search [default: 30000; with --quick 10000]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub window: Option<u32>,

    /// How the positions of the grid search are taken: at random, or one after the other
    #[arg(hide_short_help = true, long, value_name = "WAY", default_value_t = Sampling::default(), value_parser = one_of(Sampling::ALL, Sampling::word))]
    pub sampling: Sampling,

    /// Epochs of the grid search [default: 10; with --quick 5]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub grid_epochs: Option<u32>,

    /// Seed; the same seed gives the same report
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Take minutes: fewer games, epochs and combinations
    #[arg(long)]
    pub quick: bool,

    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl Args {
    /// The options, with the default for each that is not given.
    pub fn options(&self) -> Options {
        let default = if self.quick { Options::quick() } else { Options::default() };
        Options {
            enough: self.enough,
            rating_floor: self.games.rating_floor.map_or(default.rating_floor, |OrNone(floor)| floor),
            floor_is_fixed: self.games.rating_floor.is_some(),
            games: self.generated.unwrap_or(default.games),
            nodes: self.nodes.unwrap_or(default.nodes),
            networks: self.networks.clone(),
            epochs: self.epochs.unwrap_or(default.epochs),
            batch: self.batch_size.map(|batch| batch as usize),
            eval_folds: self.eval_folds.or(default.eval_folds),
            grid: self.grid.unwrap_or(default.grid),
            grid_values: self.grid_values.grid(),
            window: self.window.unwrap_or(default.window),
            sampling: self.sampling,
            grid_epochs: self.grid_epochs.unwrap_or(default.grid_epochs),
            seed: self.seed,
            threads: self.threads.count(),
        }
    }
}
