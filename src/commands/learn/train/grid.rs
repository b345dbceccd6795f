//! `annals learn grid`: every combination of some settings, each evaluated over all folds.

use std::process::ExitCode;
use std::time::Instant;

use annals_learning::grid::{self, Cell, Grid, Layers};
use annals_learning::{MOST_FOLDS, Optimizer, Regularizer, Samples, grid_document};
use annals_report::duration;
use serde::Serialize;

use super::super::data::DataArgs;
use super::{LearnArgs, check, stopped};
use crate::errors::CliError;
use crate::home::Home;
use crate::interrupt;
use crate::output::{answer, diagnostic};
use crate::pager;
use crate::terminal::stderr_is_terminal;
use crate::values::one_of;

/// Train a network for each combination of settings
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Train a network for each combination of settings\n\n\
        The default is the paper's grid: 7 dropout rates, 3 regularizers, 4 optimizers and 9 kernels, on two \
        folds, with batches of 1,000 and 10 epochs. The best combination is printed first. With --checkpoint \
        every finished combination survives an interruption.",
    after_long_help = "Examples:\n  \
        annals learn grid games.txt --positions 30000\n  \
        annals learn grid games.txt --optimizers nesterov --kernels 2x2,3x3"
)]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    learn: LearnArgs,

    #[command(flatten)]
    values: GridArgs,

    /// Number of folds, each a validation set once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_FOLDS)))]
    folds: u32,
}

// The values that a grid combines.
#[derive(Debug, clap::Args)]
pub struct GridArgs {
    /// Dropout rates; 0 is none
    #[arg(hide_short_help = true, long, value_name = "SHARE,…", value_delimiter = ',', value_parser = grid::dropout)]
    dropouts: Vec<f32>,

    /// Regularizers
    #[arg(hide_short_help = true, long, value_name = "KIND,…", value_delimiter = ',', value_parser = one_of(Regularizer::ALL, Regularizer::word))]
    regularizers: Vec<Regularizer>,

    /// Optimizers
    #[arg(hide_short_help = true, long, value_name = "OPTIMIZER,…", value_delimiter = ',', value_parser = one_of(Optimizer::ALL, Optimizer::word))]
    optimizers: Vec<Optimizer>,

    /// Kernels, rows by columns
    #[arg(hide_short_help = true, long, value_name = "RxC,…", value_delimiter = ',', value_parser = grid::kernel)]
    kernels: Vec<[usize; 2]>,

    /// Learning rates [default: that of --learning-rate]
    #[arg(hide_short_help = true, long, value_name = "RATE,…", value_delimiter = ',', value_parser = grid::learning_rate)]
    learning_rates: Vec<f32>,

    /// Further layers: none, norm=layer, pool=max:2x2 or pool=average:2x2
    #[arg(hide_short_help = true, long, value_name = "LAYERS,…", value_delimiter = ',', value_parser = grid::layers)]
    layers: Vec<Layers>,
}

impl GridArgs {
    /// The values that are given.
    pub fn grid(&self) -> Grid {
        Grid {
            dropouts: self.dropouts.clone(),
            regularizers: self.regularizers.clone(),
            optimizers: self.optimizers.clone(),
            kernels: self.kernels.clone(),
            learning_rates: self.learning_rates.clone(),
            layers: self.layers.clone(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Found<'a> {
    description: &'a str,
    positions: usize,
    folds: u32,
    cells: &'a [Cell],
}

/// Runs the command.
pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    // Who leaves a long training alone finds its end on the screen, and the prompt of the shell below.
    pager::turn_off();
    let learn = &args.learn;
    let grid = args.values.grid().or(Grid::paper());
    let mut base = learn.settings();
    base.batch = learn.batch_size.unwrap_or(1_000);
    base.epochs = learn.epochs.unwrap_or(10);
    let base = base.checked()?;
    let keep = learn.keep(None)?;
    check(keep.as_slice())?;
    let (dataset, rows) = args.data.read(home, learn.threads, learn.seed)?;
    let began = Instant::now();
    let watch = |done: usize, all: usize| {
        if stderr_is_terminal() || done.is_multiple_of(all.div_ceil(20)) || done == all {
            let left = duration(began.elapsed().mul_f64((all - done) as f64 / done as f64));
            diagnostic(format_args!("note: {done} of {all} trainings finished, {left} left"));
        }
    };
    let (samples, how) = (Samples::from(&dataset), (learn.split, args.folds));
    interrupt::before_the_end(stopped(keep.as_slice()))?;
    let cells = learn
        .threads
        .install(|| grid::run_kept(samples, &rows, &base, &grid, how, keep.as_ref(), &watch))??;
    let description = dataset.description.as_str();
    let found = Found { description, positions: rows.len(), folds: args.folds, cells: &cells };
    answer(learn.json, &found, || grid_document(&cells))?;
    if let Some(keep) = &keep {
        keep.remove()?;
    }
    Ok(ExitCode::SUCCESS)
}
