//! `annals learn evaluate`: a trained network and the baselines on positions of a table or of games.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_learning::evaluation::{Evaluation, evaluate};
use annals_learning::{Model, Samples, experiment, hex};
use serde::Serialize;

use super::data::DataArgs;
use super::with_threads;
use crate::errors::CliError;
use crate::home::Home;
use crate::output::{talk, write_json, write_words};
use crate::terminal::counted;

/// Evaluate a trained network on positions
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Evaluate a trained network on positions\n\n\
        Prints the same figures as `annals learn train`: of the network, and of the baselines as they were fitted \
        to the network's training set. Positions of the training set give figures that are biased upward; a note \
        names this case.",
    after_help = "Examples:\n  \
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

    /// Seed of the first position of --positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Working threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    network: &'a str,
    parameters: usize,
    /// The split of the training, in words.
    split: &'a str,
    training_positions: u64,
    description: &'a str,
    data: String,
    positions: usize,
    games: usize,
    all: &'a Evaluation,
}

/// Runs the command.
pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let model = Model::read(&args.model)?;
    let (dataset, rows) = args.data.read(home, args.threads, args.seed)?;
    let samples = Samples::from(&dataset);
    let all = with_threads(args.threads, || evaluate(samples, &rows, &model))??;
    let (about, data) = (&model.about, hex(&samples.digest));
    if about.data == data {
        talk(format_args!(
            "note: the network was trained on positions of this data ({}), so the figures are biased upward",
            about.split
        ));
    }
    if all.baselines.is_empty() {
        talk(
            "note: the model has no baselines, because an earlier version wrote it; train it again to compare",
        );
    }
    let (parameters, games) = (model.network.parameters(), experiment::games(&samples, &rows));
    if args.json {
        write_json(&Answer {
            network: &about.network,
            parameters,
            split: &about.split,
            training_positions: about.positions,
            description: &dataset.description,
            data,
            positions: rows.len(),
            games,
            all: &all,
        })?;
    } else {
        let text = format!(
            "{} ({parameters} parameters), trained on {} {}, evaluated on {} of {}",
            about.network,
            counted(about.positions, "position"),
            about.split,
            counted(rows.len() as u64, "position"),
            counted(games as u64, "game")
        );
        write_words(&all.document(text, &about.network))?;
    }
    Ok(ExitCode::SUCCESS)
}
