//! `annals learn train`: a network that predicts the winner of a position.

pub mod grid;
mod kept;
mod progress;

use std::path::PathBuf;
use std::process::ExitCode;

use annals_learning::experiment::{self, Outcome, Plan};
use annals_learning::{Keep, MOST_FOLDS, Network, Optimizer, Regularizer, Samples, Settings, Split};
use serde::Serialize;

use super::data::DataArgs;
use super::with_threads;
use crate::errors::CliError;
use crate::home::Home;
use crate::output::{write_json, write_words};
use crate::output_file::{ForceArgs, Staging};
use crate::terminal::counted;
use crate::values::one_of;
use progress::Reporter;

/// Options of every training.
#[derive(Debug, clap::Args)]
struct LearnArgs {
    /// Network: a name or a description
    #[arg(long, value_name = "NETWORK", default_value_t = Network::PAPER_RUN)]
    network: Network,

    /// Unit of the split into folds
    #[arg(long, value_name = "UNIT", default_value_t = Split::Game, value_parser = one_of(Split::ALL, Split::word))]
    split: Split,

    /// Epochs [default: by the network]
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,

    /// Batch size, in positions [default: by the network]
    #[arg(long, value_name = "N")]
    batch_size: Option<usize>,

    /// Learning rate
    #[arg(long, value_name = "RATE", default_value_t = Settings::default().learning_rate)]
    learning_rate: f32,

    /// Momentum
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().momentum)]
    momentum: f32,

    /// Weight of the regularizer
    #[arg(long, value_name = "WEIGHT", default_value_t = Settings::default().decay)]
    decay: f32,

    /// Epochs without progress after which training stops
    #[arg(long, value_name = "N", default_value_t = Settings::default().stable)]
    patience: u32,

    /// Seed; the same seed gives the same network
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Working threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Train a network that predicts the winner of a position
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Train a network that predicts the winner of a position\n\n\
        The positions are split into folds. The first is the validation set. Baselines are evaluated on it too: \
        a constant, the pieces, the first steps of each side, and the handcrafted evaluation.\n\n\
        With --output the network is written to a file, which the engine uses as net:FILE. After an interruption \
        the same command with --resume gives the same network to the last bit.\n\n\
        NETWORK is paper-run, conv6, conv48, paper-text, or a description such as `conv filters=48 kernel=4x4 \
        hidden=384`. docs/learning.md describes the settings.",
    after_help = "Examples:\n  \
        annals learn train allgames2002.txt --network conv6 -o conv6.safetensors\n  \
        annals learn train --network conv48 --eval-folds 5 --json > figures.json\n  \
        annals learn train games.txt --split position      the paper's split\n  \
        annals learn train games.txt --charts pictures"
)]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    learn: LearnArgs,

    /// Optimizer
    #[arg(long, value_name = "OPTIMIZER", default_value_t = Optimizer::Nesterov, value_parser = one_of(Optimizer::ALL, Optimizer::word))]
    optimizer: Optimizer,

    /// Regularizer
    #[arg(long, value_name = "KIND", default_value_t = Regularizer::L1, value_parser = one_of(Regularizer::ALL, Regularizer::word))]
    regularizer: Regularizer,

    /// Dropout rate of each layer
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    dropout: f32,

    /// Number of folds into which the positions are split
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_FOLDS)))]
    folds: u32,

    /// Number of folds that serve as validation set, one network each
    #[arg(long, value_name = "N", default_value_t = 1)]
    eval_folds: u32,

    /// File for the network; its checkpoint is stored next to it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// Checkpoint file [default: next to --output]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Continue from the checkpoint
    #[arg(long)]
    resume: bool,

    /// Directory for charts as SVG, PNG and CSV
    #[cfg(feature = "charts")]
    #[arg(long, value_name = "DIR")]
    charts: Option<PathBuf>,
}

impl LearnArgs {
    fn settings(&self, optimizer: Optimizer, regularizer: Regularizer, dropout: f32) -> Settings {
        let usual = Settings::default();
        Settings {
            network: self.network,
            optimizer,
            learning_rate: self.learning_rate,
            momentum: self.momentum,
            regularizer,
            decay: self.decay,
            dropout,
            batch: self.batch_size.unwrap_or(usual.batch),
            epochs: self.epochs.unwrap_or(usual.epochs),
            stable: self.patience,
            seed: self.seed,
        }
    }
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let settings = args.learn.settings(args.optimizer, args.regularizer, args.dropout).checked()?;
    if args.eval_folds > args.folds || args.eval_folds == 0 {
        let (found, folds) = (args.eval_folds, args.folds);
        return Err(CliError::new(format!("--eval-folds {found} is not between 1 and --folds {folds}")));
    }
    if args.output.is_some() && args.eval_folds > 1 {
        return Err(CliError::new("--output writes one network, and --eval-folds trains several")
            .hint("cross-validate without --output, then train the network to keep with --eval-folds 1"));
    }
    let next_to = |out: &PathBuf| {
        let mut path = out.as_os_str().to_owned();
        path.push(".checkpoint");
        PathBuf::from(path)
    };
    let path = args.checkpoint.clone().or_else(|| args.output.as_ref().map(next_to));
    let keep = kept::keep(path, args.resume)?;
    let keeps = keep.as_ref().map_or_else(Vec::new, |keep| experiment::keeps(keep, args.eval_folds as usize));
    // Said before the data is read, which may take a while.
    let force = args.force.force;
    if let Some(out) = &args.output {
        Staging::begin(out, force)?;
    }
    kept::check(&keeps)?;
    #[cfg(feature = "charts")]
    if let Some(folder) = args.charts.as_deref().filter(|_| !force)
        && std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
    {
        return Err(CliError::new(format!("the directory {} for charts is not empty", folder.display()))
            .hint("name another directory with --charts, or overwrite its charts with --force"));
    }
    let (dataset, rows) = args.data.read(home, args.learn.threads, args.learn.seed)?;
    let samples = Samples::from(&dataset).checked()?;
    eprintln!(
        "note: {} of {}; {} with {}",
        counted(rows.len() as u64, "position"),
        counted(experiment::games(&samples, &rows) as u64, "game"),
        settings.network,
        counted(settings.network.parameters() as u64, "parameter")
    );
    let plan = Plan { settings, split: args.learn.split, folds: args.folds, eval_folds: args.eval_folds };
    let reporter = Reporter::new(plan.eval_folds as usize);
    let outcome = with_threads(args.learn.threads, || {
        let heard = |fold, at: &annals_learning::Progress<'_>| reporter.hear(fold, at);
        experiment::run(samples, &rows, &plan, keep.as_ref(), &heard)
    })??;
    reporter.finish();
    if let (Some(out), Some(fold)) = (&args.output, outcome.folds.first()) {
        let mut model = fold.model.clone();
        model.about.description.clone_from(&dataset.description);
        let staging = Staging::begin(out, force)?;
        model.write(&staging.path("model"))?;
        staging.publish("model", out)?;
        keeps.iter().try_for_each(Keep::remove)?;
        eprintln!(
            "note: {} written; the engine evaluates by it with --evaluator net:{}",
            out.display(),
            out.display()
        );
    }
    #[cfg(feature = "charts")]
    if let Some(folder) = &args.charts {
        charts(folder, &outcome, &settings.network, force)?;
    }
    said(&outcome, &dataset.description, args.learn.json)?;
    keeps.iter().try_for_each(Keep::remove)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the charts of an experiment into a folder.
#[cfg(feature = "charts")]
fn charts(
    folder: &std::path::Path,
    outcome: &Outcome,
    network: &Network,
    force: bool,
) -> Result<(), CliError> {
    std::fs::create_dir_all(folder).map_err(|error| {
        CliError::new(format!("cannot create the directory {} for charts: {error}", folder.display()))
            .hint("name another with --charts")
    })?;
    let source = format!(
        "annals learn train --network {} --split {}, data {:.16}",
        outcome.network, outcome.split, outcome.data
    );
    for (name, drawing) in annals_experiments::charts::of_outcome(outcome, network, &source) {
        drawing.write(folder, name, force)?;
        eprintln!("note: {} written", folder.join(format!("{name}.svg")).display());
    }
    Ok(())
}

/// The whole, with what the data was.
#[derive(Debug, Serialize)]
struct Full<'a> {
    description: &'a str,
    #[serde(flatten)]
    outcome: &'a Outcome,
}

fn said(outcome: &Outcome, description: &str, json: bool) -> Result<(), CliError> {
    if json {
        return write_json(&Full { description, outcome });
    }
    write_words(&outcome.document())
}
