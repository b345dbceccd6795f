//! `annals learn evaluate`: a trained network and the baselines on positions of a table or of games.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_learning::evaluation::ModelReport;
use annals_learning::{FOLDS, MOST_FOLDS, Model, Split, Validation};
use jiff::tz::TimeZone;

use super::data::DataArgs;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::output::diagnostic;
use crate::values::{ThreadsArgs, one_of};

/// Evaluate a trained network on positions
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Evaluate a trained network on positions\n\n\
        Prints the same figures as `annals learn train`: of the network, and of the baselines as they were fitted \
        to the network's training set. Positions of the training set give figures that are biased upward. A note \
        names this case, and that of data which may share games with the training.\n\n\
        With --fold, and with the positions, --folds and --split of the training, the fold that it left out is scored.",
    after_long_help = "Examples:\n  \
        annals learn evaluate conv6.safetensors allgames202602.txt\n  \
        annals learn evaluate conv6.safetensors positions.parquet --fold 0 --json\n  \
        annals learn evaluate conv6.safetensors selfplay.txt --all-games"
)]
pub struct Args {
    /// Network that `annals learn train` wrote
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    #[command(flatten)]
    data: DataArgs,

    /// Score this fold alone, from 0; `annals learn train` leaves out fold 0
    #[arg(long, value_name = "K")]
    fold: Option<u32>,

    /// Number of folds into which the positions are split
    #[arg(long, value_name = "N", requires = "fold", default_value_t = FOLDS, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_FOLDS)))]
    folds: u32,

    /// Unit of the split into folds
    #[arg(long, value_name = "UNIT", requires = "fold", default_value_t = Split::Game, value_parser = one_of(Split::ALL, Split::word))]
    split: Split,

    /// Seed of the order, of --positions and of a split by position
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: ThreadsArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

/// Runs the command.
pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let model = Model::read(&args.model)?;
    let (dataset, rows) = args.data.read(home, args.threads, args.seed)?;
    let (split, folds, seed) = (args.split, args.folds, args.seed);
    let validation = args.fold.map(|fold| Validation { split, fold, folds, seed });
    let report = args.threads.install(|| ModelReport::of(&model, &dataset, &rows, validation))??;
    report.notes.iter().for_each(|note| diagnostic(format_args!("note: {note}")));
    args.form.write_in(&report, &TimeZone::UTC, || report.document())?;
    Ok(ExitCode::SUCCESS)
}
