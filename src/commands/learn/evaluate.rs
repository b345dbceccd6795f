//! `annals learn evaluate`: a trained network and the baselines on positions of a table or of games.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_learning::Model;
use annals_learning::evaluation::ModelReport;
use jiff::tz::TimeZone;

use super::data::DataArgs;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::output::diagnostic;
use crate::values::ThreadsArgs;

/// Evaluate a trained network on positions
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Evaluate a trained network on positions\n\n\
        Prints the same figures as `annals learn train`: of the network, and of the baselines as they were fitted \
        to the network's training set. Positions of the training set give figures that are biased upward; a note \
        names this case.",
    after_long_help = "Examples:\n  \
        annals learn evaluate conv6.safetensors allgames202602.txt\n  \
        annals learn evaluate conv6.safetensors positions.parquet --json\n  \
        annals learn evaluate conv6.safetensors selfplay.txt --all-games"
)]
pub struct Args {
    /// Network that `annals learn train` wrote
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    #[command(flatten)]
    data: DataArgs,

    /// Seed of the order and of --positions
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
    let report = args.threads.install(|| ModelReport::of(&model, &dataset, &rows))??;
    report.notes.iter().for_each(|note| diagnostic(format_args!("note: {note}")));
    args.form.write_in(&report, &TimeZone::UTC, || report.document())?;
    Ok(ExitCode::SUCCESS)
}
