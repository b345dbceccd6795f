//! What the user may choose, and what follows from it.

use std::path::PathBuf;

use annals_engine::selfplay;
use annals_features::Filter;
use annals_features::filter::{PAPER_ENDINGS, PAPER_POSITIONS, PAPER_RATING};
use annals_learning::grid::Grid;
use annals_learning::{Network, Optimizer, Regulariser, Settings};
use clap::ValueEnum;
use serde::Serialize;

use super::printed;
use crate::errors::CliError;

/// Repeat the experiment of "Learning To Evaluate Arimaa Positions", and hold it against the paper's figures.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Repeat the experiment of \"Learning To Evaluate Arimaa Positions\", and hold it against the paper's figures.\n\n\
        FILES are archive files or a dataset, the home's where none is named; the paper's choice of games is taken. Where fewer than --enough games of people and programs are \
        left, games of self-play are learnt from as well: those in the files, else new ones, the same for the same seed. The \
        few real ones are reported on beside them, with any rating where no floor is given.\n\nThe folder takes report.html, \
        figures.json, and each picture as SVG and PNG with its figures as CSV. It costs about a quarter of an hour on two \
        cores with what is usual here, hours with a whole archive and --grid full, and a few minutes with --quick; the cost is \
        said beforehand. After a kill the same command goes on where it was: finished stages are kept in the folder.",
    after_help = "Examples:\n  annals reproduce paper archive/ --out report\n  \
        annals reproduce paper archive/ --out report --grid full --networks paper-run,conv6,conv48\n  \
        annals --home new reproduce paper --games 20000 --nodes 500 --out report       self-play alone\n  \
        annals reproduce paper archive/ --out look --quick"
)]
pub struct Args {
    /// Archive files, folders of them and patterns, or a dataset [default: the dataset of the home, where there is one].
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The folder for report, figures, pictures and finished stages: a new one, an empty one, or that of the same command before.
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,

    /// How many real games are enough; with fewer, self-play is learnt from as well.
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub enough: u64,

    /// The least rating of both players of real games, or `none`; 1800 where it is not given, but any where games are too few.
    #[arg(long, value_name = "RATING", value_parser = floor)]
    pub rating_floor: Option<Floor>,

    /// How many games of self-play are made where they are needed, 0 for none; 3000, and 400 with --quick.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=selfplay::Options::MOST_GAMES))]
    pub games: Option<u64>,

    /// Positions that they look at in a turn; 300, and 100 with --quick.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// The networks, by name or written out, the first one for the grid; see `annals train --help`.
    #[arg(long, value_name = "NETWORK,…", value_delimiter = ',', default_value = "paper-run")]
    pub networks: Vec<Network>,

    /// How often every position is seen; 30 as the paper has it, and 12 with --quick.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: Option<u32>,

    /// Positions between two steps; 4096 as the paper has it, halved while there are fewer than 5000 steps, but at least 256.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: Option<u32>,

    /// How many of five folds are judged by; one as the paper has it and with --quick, but all five where games are fewer than --enough.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5))]
    pub judged: Option<u32>,

    /// How much of the grid search; short, and table with --quick.
    #[arg(long, value_name = "HOW MUCH")]
    pub grid: Option<HowMuch>,

    /// Dropout rates of the grid, 0 for none, in place of those of --grid.
    #[arg(long, value_name = "SHARE,…", value_delimiter = ',')]
    pub dropouts: Vec<f32>,

    /// Regularisers of the grid: none, L1, L2.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    pub regularisers: Vec<Regulariser>,

    /// Learning rules of the grid: sgd, momentum, nesterov, rmsprop.
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub rules: Vec<Optimizer>,

    /// Kernels of the grid, rows by columns.
    #[arg(long, value_name = "RxC,…", value_delimiter = ',', value_parser = crate::commands::learn::train::kernel)]
    pub kernels: Vec<[usize; 2]>,

    /// Consecutive positions that the grid search takes; 30000 as the paper has it, and 10000 with --quick.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub window: Option<u32>,

    /// How often the grid search sees each of them; 10, and 5 with --quick.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub grid_epochs: Option<u32>,

    /// The same seed gives the same report.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Minutes in place of more: fewer games, epochs and combinations.
    #[arg(long)]
    pub quick: bool,

    /// Working threads; as many as the machine has where it is not given.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HowMuch {
    /// All 756 combinations of the paper.
    Full,
    /// The rows of the paper's table, and each setting varied alone around its best.
    Short,
    /// The rows of the paper's table.
    Table,
    /// None.
    None,
}

/// Into how many folds positions are divided, as the paper did; and those of the grid search.
pub const FOLDS: u32 = 5;
/// See [`FOLDS`].
pub const GRID_FOLDS: u32 = 2;
/// Positions between two steps of the grid search.
pub const GRID_BATCH: usize = 1_000;
/// A smaller batch is taken until there are so many steps, but none below that.
const STEPS: u64 = 5_000;
/// See [`STEPS`].
const LEAST_BATCH: usize = 256;

/// Everything that was chosen, with what is usual where nothing was said.
#[derive(Debug, Clone, Serialize)]
pub struct Chosen {
    /// How many real games are enough.
    pub enough: u64,
    /// The least rating of real games where there are enough of them.
    pub rating_floor: Option<i32>,
    /// Whether the user said so.
    #[serde(skip)]
    pub floor_said: bool,
    /// Games of self-play.
    pub games: u64,
    /// Positions that they look at in a turn.
    pub nodes: u64,
    /// The networks.
    #[serde(skip)]
    pub networks: Vec<Network>,
    /// How often every position is seen.
    pub epochs: u32,
    /// Positions between two steps, where the user said it.
    pub batch: Option<usize>,
    /// How many folds are judged by, where the user said it.
    pub judged: Option<u32>,
    /// How much of the grid.
    pub grid: HowMuch,
    /// Its pieces.
    #[serde(skip)]
    pub pieces: Vec<(String, Grid)>,
    /// Consecutive positions of the grid search.
    pub window: u32,
    /// How often it sees each.
    pub grid_epochs: u32,
    /// The seed.
    pub seed: u64,
    /// Working threads.
    #[serde(skip)]
    pub threads: usize,
}

/// What is chosen where nothing is said.
struct Usual {
    games: u64,
    nodes: u64,
    epochs: u32,
    grid: HowMuch,
    window: u32,
    grid_epochs: u32,
}

const USUAL: Usual =
    Usual { games: 3_000, nodes: 300, epochs: 30, grid: HowMuch::Short, window: 30_000, grid_epochs: 10 };

/// The same with `--quick`.
const QUICK: Usual =
    Usual { games: 400, nodes: 100, epochs: 12, grid: HowMuch::Table, window: 10_000, grid_epochs: 5 };

impl Chosen {
    /// What follows from the words of the command line.
    pub fn of(args: &Args) -> Result<Chosen, CliError> {
        let usual = if args.quick { QUICK } else { USUAL };
        if let Some(share) = args.dropouts.iter().find(|share| !(0.0..1.0).contains(*share)) {
            return Err(CliError::new(format!("a dropout rate of {share} is none"))
                .hint("write shares from 0 to below 1, as in --dropouts 0,0.1"));
        }
        let grid = args.grid.unwrap_or(usual.grid);
        let first = args.networks.first().copied().unwrap_or(Network::PAPER_RUN);
        let pieces = pieces(args, grid);
        for (_, piece) in &pieces {
            piece.combinations(&Settings { network: first, ..Settings::default() }).map_err(|error| {
                CliError::from_error(&error).hint("leave it out of --kernels, or take another network")
            })?;
        }
        let machine = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Chosen {
            enough: args.enough,
            rating_floor: args.rating_floor.map_or(Some(PAPER_RATING), |floor| floor.0),
            floor_said: args.rating_floor.is_some(),
            games: args.games.unwrap_or(usual.games),
            nodes: args.nodes.unwrap_or(usual.nodes),
            networks: args.networks.clone(),
            epochs: args.epochs.unwrap_or(usual.epochs),
            batch: args.batch.map(|batch| batch as usize),
            judged: args.judged.or(args.quick.then_some(1)),
            grid,
            pieces,
            window: args.window.unwrap_or(usual.window),
            grid_epochs: args.grid_epochs.unwrap_or(usual.grid_epochs),
            seed: args.seed,
            threads: args.threads.map_or(machine, usize::from),
        })
    }

    /// The network of the grid search.
    pub fn first(&self) -> Network {
        self.networks.first().copied().unwrap_or(Network::PAPER_RUN)
    }

    /// The paper's choice of games, with another floor for ratings.
    pub fn filter(&self, rating_floor: Option<i32>) -> Filter {
        let usual = Filter { endings: PAPER_ENDINGS.to_vec(), ..Filter::default() };
        Filter { rating_floor, max_height: Some(PAPER_POSITIONS), ..usual }
    }

    /// How a network is trained on so many positions.
    pub fn settings(&self, network: Network, learnt_from: usize) -> Settings {
        let usual = Settings { network, epochs: self.epochs, seed: self.seed, ..Settings::default() };
        let mut batch = usual.batch;
        while batch > LEAST_BATCH && steps(learnt_from, batch, self.epochs) < STEPS {
            batch /= 2;
        }
        Settings { batch: self.batch.unwrap_or(batch), ..usual }
    }

    /// How the networks of the grid search are trained.
    pub fn grid_settings(&self) -> Settings {
        Settings {
            network: self.first(),
            batch: GRID_BATCH,
            epochs: self.grid_epochs,
            seed: self.seed,
            ..Settings::default()
        }
    }
}

/// How many steps a training makes.
pub fn steps(learnt_from: usize, batch: usize, epochs: u32) -> u64 {
    u64::from(epochs) * learnt_from.div_ceil(batch.max(1)) as u64
}

/// The pieces of a grid search, each a grid of its own with a name: each is a stage, and no combination stands in two.
fn pieces(args: &Args, how_much: HowMuch) -> Vec<(String, Grid)> {
    let paper = Grid::paper();
    let said = !(args.dropouts.is_empty()
        && args.regularisers.is_empty()
        && args.rules.is_empty()
        && args.kernels.is_empty());
    if how_much == HowMuch::None && !said {
        return Vec::new();
    }
    if said || how_much == HowMuch::Full {
        let or = |said: &Vec<f32>, all: Vec<f32>| if said.is_empty() { all } else { said.clone() };
        let dropouts = or(&args.dropouts, paper.dropouts);
        let regularisers =
            if args.regularisers.is_empty() { paper.regularisers } else { args.regularisers.clone() };
        let rules = if args.rules.is_empty() { paper.rules } else { args.rules.clone() };
        let kernels = if args.kernels.is_empty() { paper.kernels } else { args.kernels.clone() };
        let mut pieces = Vec::new();
        for kernel in kernels {
            for rule in &rules {
                let (dropouts, regularisers) = (dropouts.clone(), regularisers.clone());
                let name = format!("{}x{}-{rule}", kernel[0], kernel[1]);
                pieces
                    .push((name, Grid { dropouts, regularisers, rules: vec![*rule], kernels: vec![kernel] }));
            }
        }
        return pieces;
    }
    let best = Grid {
        dropouts: vec![0.0],
        regularisers: vec![Regulariser::L1],
        rules: vec![Optimizer::Nesterov],
        kernels: vec![[4, 4]],
    };
    let printed: Vec<f32> = [0.0, 0.005, 0.01]
        .into_iter()
        .filter(|dropout| printed::FIGURE_4.iter().any(|row| row.dropout == *dropout))
        .collect();
    let table = Grid { dropouts: printed.clone(), regularisers: paper.regularisers.clone(), ..best.clone() };
    let mut pieces = vec![("table".to_owned(), table)];
    if how_much == HowMuch::Short {
        let mut dropouts = paper.dropouts;
        dropouts.retain(|dropout| !printed.contains(dropout));
        let mut rules = paper.rules;
        rules.retain(|rule| *rule != Optimizer::Nesterov);
        let mut kernels = paper.kernels;
        kernels.retain(|kernel| *kernel != [4, 4]);
        pieces.push(("dropouts".to_owned(), Grid { dropouts, ..best.clone() }));
        pieces.push(("rules".to_owned(), Grid { rules, ..best.clone() }));
        pieces.push(("kernels".to_owned(), Grid { kernels, ..best }));
    }
    pieces
}
