//! `annals learn grid`: every combination of some settings, each evaluated over all folds.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use annals_learning::grid::{self, Cell, Grid};
use annals_learning::{Figures, MOST_FOLDS, Optimizer, Regularizer, Samples};
use annals_report::duration;
use annals_report::{Cell as Shown, Document, Table};
use serde::Serialize;

use super::super::data::DataArgs;
use super::kept;
use super::{LearnArgs, with_threads};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::{write_json, write_words};
use crate::terminal::talks_to_a_person;
use crate::values::one_of;

/// Train a network for each combination of settings
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Train a network for each combination of settings\n\n\
        The default is the paper's grid: 7 dropout rates, 3 regularizers, 4 optimizers and 9 kernels, on two \
        folds, with batches of 1,000 and 10 epochs. The best combination is printed first. With --checkpoint \
        every finished combination survives an interruption.",
    after_help = "Examples:\n  \
        annals learn grid games.txt --positions 30000\n  \
        annals learn grid games.txt --optimizers nesterov --kernels 2x2,3x3"
)]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    learn: LearnArgs,

    /// Dropout rates; 0 is none
    #[arg(long, value_name = "SHARE,…", value_delimiter = ',', value_parser = share)]
    dropouts: Vec<f32>,

    /// Regularizers
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = one_of(Regularizer::ALL, Regularizer::word))]
    regularizers: Vec<Regularizer>,

    /// Optimizers
    #[arg(long, value_name = "OPTIMIZER,…", value_delimiter = ',', value_parser = one_of(Optimizer::ALL, Optimizer::word))]
    optimizers: Vec<Optimizer>,

    /// Kernels, rows by columns
    #[arg(long, value_name = "RxC,…", value_delimiter = ',', value_parser = kernel)]
    kernels: Vec<[usize; 2]>,

    /// Number of folds, each a validation set once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_FOLDS)))]
    folds: u32,

    /// Checkpoint file, from which --resume continues
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Continue from the checkpoint
    #[arg(long)]
    resume: bool,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..1.0).contains(&share) => Ok(share),
        _ => Err(format!("`{text}` is not a valid share; write a number from 0 to below 1")),
    }
}

pub(crate) fn kernel(text: &str) -> Result<[usize; 2], String> {
    let wrong = || format!("`{text}` is not a valid kernel; write rows and columns, as in 4x4 or 1x8");
    let (high, wide) = text.split_once('x').ok_or_else(wrong)?;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=8).contains(side)).ok_or_else(wrong);
    Ok([side(high)?, side(wide)?])
}

#[derive(Debug, Serialize)]
struct Found<'a> {
    description: &'a str,
    positions: usize,
    folds: u32,
    cells: &'a [Cell],
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let Args { dropouts, regularizers, optimizers, kernels, .. } = args;
    let grid = Grid { dropouts, regularizers, optimizers, kernels }.or(Grid::paper());
    let mut base = args.learn.settings(Optimizer::Nesterov, Regularizer::L1, 0.0);
    base.batch = args.learn.batch_size.unwrap_or(1_000);
    base.epochs = args.learn.epochs.unwrap_or(10);
    let base = base.checked()?;
    let keep = kept::keep(args.checkpoint, args.resume)?;
    kept::check(keep.as_slice())?;
    let (dataset, rows) = args.data.read(home, args.learn.threads, args.learn.seed)?;
    let began = Instant::now();
    let heard = |done: usize, all: usize| {
        if talks_to_a_person() || done.is_multiple_of(all.div_ceil(20)) || done == all {
            let left = began.elapsed().mul_f64((all - done) as f64 / done as f64);
            eprintln!("note: {done} of {all} trainings finished, {} left", duration(left));
        }
    };
    let how = (args.learn.split, args.folds);
    let cells = with_threads(args.learn.threads, || {
        grid::run_kept(Samples::from(&dataset), &rows, &base, &grid, how, keep.as_ref(), &heard)
    })??;
    if args.learn.json {
        let description = dataset.description.as_str();
        write_json(&Found { description, positions: rows.len(), folds: args.folds, cells: &cells })?;
    } else {
        write_words(&document(&cells))?;
    }
    if let Some(keep) = &keep {
        keep.remove()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn document(cells: &[Cell]) -> Document {
    let of = |cell: &Cell, figure: &dyn Fn(&Figures) -> Option<f64>| match &cell.figures {
        Some(figures) => {
            Shown::Figure(figure(figures).map_or("-".to_owned(), |number| format!("{number:.4}")))
        }
        None => Shown::Empty,
    };
    let failed = |cell: &Cell| match &cell.figures {
        Some(_) => None,
        None => Some(format!("failed: {}", cell.failed.as_deref().unwrap_or("for an unknown reason"))),
    };
    let table = Table::of("", cells)
        .column("MSE", |cell| of(cell, &|figures| Some(figures.mse)))
        .column("MAE", |cell| of(cell, &|figures| Some(figures.mae)))
        .column("R2", |cell| of(cell, &|figures| figures.r2))
        .column("accuracy", |cell| of(cell, &|figures| Some(figures.accuracy)))
        .column("dropout", |cell| Shown::text(cell.dropout))
        .column("regularizer", |cell| Shown::text(cell.regularizer))
        .column("optimizer", |cell| Shown::text(cell.optimizer))
        .column("kernel", |cell| Shown::Text(format!("{}x{}", cell.kernel[0], cell.kernel[1])))
        .column("remarks", |cell| Shown::some(failed(cell)));
    Document::default().table(table.table())
}
