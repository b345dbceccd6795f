//! The arguments of `annals learn reproduce`, and the options that follow from them.

use std::path::PathBuf;

use annals_engine::selfplay;
use annals_experiments::{GridSize, Options};
use annals_learning::grid::Grid;
use annals_learning::{Network, Optimizer, Regulariser};
use clap::ValueEnum;

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
    after_help = "Examples:\n  annals learn reproduce archive/ --out report\n  \
        annals learn reproduce archive/ --out report --grid full --networks paper-run,conv6,conv48\n  \
        annals --home new learn reproduce --games 20000 --nodes 500 --out report       self-play alone\n  \
        annals learn reproduce archive/ --out look --quick"
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

    /// The networks, by name or written out, the first one for the grid; see `annals learn train --help`.
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
    #[arg(long, value_name = "RxC,…", value_delimiter = ',', value_parser = crate::commands::learn::train::grid::kernel)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
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
            batch: self.batch.map(|batch| batch as usize),
            judged: self.judged.or(default.judged),
            grid: self.grid.map_or(default.grid, HowMuch::size),
            grid_values: Grid {
                dropouts: self.dropouts.clone(),
                regularisers: self.regularisers.clone(),
                rules: self.rules.clone(),
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
        words.push(format!("--out FOLDER --enough {}", options.enough));
        if let Some(Floor(floor)) = self.rating_floor {
            let floor = floor.map_or("none".to_owned(), |floor| floor.to_string());
            words.push(format!("--rating-floor {floor}"));
        }
        words.push(format!("--games {} --nodes {}", options.games, options.nodes));
        words.push(format!("--networks \"{}\" --epochs {}", joined(&self.networks), options.epochs));
        words.extend(options.batch.map(|batch| format!("--batch {batch}")));
        words.extend(options.judged.map(|judged| format!("--judged {judged}")));
        let grid = HowMuch::value_variants().iter().find(|grid| grid.size() == options.grid);
        let grid = grid.and_then(HowMuch::to_possible_value);
        words.extend(grid.map(|grid| format!("--grid {}", grid.get_name())));
        let kernels: Vec<String> =
            self.kernels.iter().map(|[rows, columns]| format!("{rows}x{columns}")).collect();
        for (name, list) in [
            ("dropouts", joined(&self.dropouts)),
            ("regularisers", joined(&self.regularisers)),
            ("rules", joined(&self.rules)),
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
