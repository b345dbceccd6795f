//! `annals learn train`: a network that learns to evaluate positions, or a search over the settings of one.

mod data;
pub mod grid;
mod kept;
mod progress;

use std::path::PathBuf;
use std::process::ExitCode;

use annals_learning::experiment::{self, Outcome, Plan};
use annals_learning::{Keep, MOST_FOLDS, Network, Optimizer, Regulariser, Samples, Settings, Split};
use serde::Serialize;

use crate::errors::CliError;
use crate::home::Home;
use crate::output::{write_json, write_words};
use crate::output_file::{ForceArgs, Staging};
use crate::terminal::counted;
use data::DataArgs;
use progress::Reporter;

/// How networks learn, whether one or many.
#[derive(Debug, clap::Args)]
struct LearnArgs {
    /// The network, by name or written out.
    #[arg(long, value_name = "NETWORK", default_value_t = Network::PAPER_RUN)]
    network: Network,

    /// What is told apart: `game`, or `position` as the paper did.
    #[arg(long, value_name = "WHAT", default_value_t = Split::Game)]
    split: Split,

    /// How often every position is seen.
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,

    /// Positions between two steps.
    #[arg(long, value_name = "N")]
    batch: Option<usize>,

    /// How far a step goes.
    #[arg(long, value_name = "RATE", default_value_t = Settings::default().learning_rate)]
    learning_rate: f32,

    /// How much of the last step is kept.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().momentum)]
    momentum: f32,

    /// How much the regulariser weighs.
    #[arg(long, value_name = "WEIGHT", default_value_t = Settings::default().decay)]
    decay: f32,

    /// Stop after so many epochs in a row without progress.
    #[arg(long, value_name = "N", default_value_t = Settings::default().stable)]
    stable: u32,

    /// The same seed gives the same network.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Working threads; as many as the machine has where it is not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Train a network to say who wins from a position alone, and judge it by games that it has not seen.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Train a network to say who wins from a position alone, and judge it by games that it has not seen.\n\nDATA are \
        archive files or a dataset, of which the paper's choice of games is taken, or one table that `annals learn features` wrote; the \
        home's dataset where none is named. The positions are \
        divided into folds; the first is left out of training and then judged by, with baselines beside it: a constant, the \
        pieces, the first steps that each side has, and the hand-made evaluation. What is not said is as the paper's program \
        had it.\n\nWith --out the network is written to a file, and the engine searches by it under the name net:FILE. A \
        checkpoint beside that file survives a kill: the same command with --resume goes on from it, to the same network to the \
        last bit; --checkpoint names another file for it, and keeps one for each fold of a cross-validation. NETWORK is paper-run, conv6, conv48 or paper-text, or is written out: `conv filters=48 kernel=4x4 hidden=384`, \
        with image=board|files, activation=… and output=tanh|rectifier|sigmoid|linear.",
    after_help = "Examples:\n  annals learn train allgames2002.txt --network conv6 --out conv6.safetensors\n  \
        annals learn train --network conv48 --judged 5 --json > figures.json       the games of the home's dataset\n  \
        annals learn train games.txt --split position           the paper's split, which flatters\n  \
        annals learn train games.txt --charts pictures          error by height, calibration, training, filters\n  \
        annals learn grid games.txt --positions 30000 --dropouts 0,0.1 --kernels 3x3,4x4\n  \
        annals engine evaluate POSITION --evaluator net:conv6.safetensors"
)]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    learn: LearnArgs,

    /// By which rule: sgd, momentum, nesterov or rmsprop.
    #[arg(long, value_name = "RULE", default_value_t = Optimizer::Nesterov)]
    rule: Optimizer,

    /// What keeps weights small: none, L1 or L2.
    #[arg(long, value_name = "KIND", default_value_t = Regulariser::L1)]
    regulariser: Regulariser,

    /// Which share of the numbers that go into each layer drops out.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    dropout: f32,

    /// Into how many folds the positions are divided.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_FOLDS)))]
    folds: u32,

    /// How many of the folds are judged by, each with a network of its own; all of them make a cross-validation.
    #[arg(long, value_name = "N", default_value_t = 1)]
    judged: u32,

    /// Write the network to this file; its checkpoint is kept beside it until then.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// Keep the checkpoint in this file, and not beside --out; several judged folds have one each: FILE.0, FILE.1 and so on.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Go on from the checkpoint, where there is one.
    #[arg(long)]
    resume: bool,

    /// Write charts into this folder as SVG, PNG and CSV: error by height, calibration, training, filters.
    #[cfg(feature = "charts")]
    #[arg(long, value_name = "FOLDER")]
    charts: Option<PathBuf>,
}

impl LearnArgs {
    fn settings(&self, rule: Optimizer, regulariser: Regulariser, dropout: f32) -> Settings {
        let usual = Settings::default();
        Settings {
            network: self.network,
            optimizer: rule,
            learning_rate: self.learning_rate,
            momentum: self.momentum,
            regulariser,
            decay: self.decay,
            dropout,
            batch: self.batch.unwrap_or(usual.batch),
            epochs: self.epochs.unwrap_or(usual.epochs),
            stable: self.stable,
            seed: self.seed,
        }
    }

    /// Runs something with the threads that were asked for.
    fn with_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, CliError> {
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(pool?.install(work))
    }
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let settings = args.learn.settings(args.rule, args.regulariser, args.dropout).checked()?;
    if args.judged > args.folds || args.judged == 0 {
        let (judged, folds) = (args.judged, args.folds);
        return Err(CliError::new(format!("--judged {judged} is not between 1 and --folds {folds}")));
    }
    if args.out.is_some() && args.judged > 1 {
        return Err(CliError::new("--out takes one network, and --judged trains several")
            .hint("cross-validate without --out, then train the network to keep with --judged 1"));
    }
    let beside = |out: &PathBuf| {
        let mut path = out.as_os_str().to_owned();
        path.push(".checkpoint");
        PathBuf::from(path)
    };
    let path = args.checkpoint.clone().or_else(|| args.out.as_ref().map(beside));
    let keep = kept::keep(path, args.resume)?;
    let keeps = keep.as_ref().map_or_else(Vec::new, |keep| experiment::keeps(keep, args.judged as usize));
    // Said before the data is read, which may take a while.
    let force = args.force.force;
    if let Some(out) = &args.out {
        Staging::begin(out, force)?;
    }
    kept::check(&keeps)?;
    #[cfg(feature = "charts")]
    if let Some(folder) = args.charts.as_deref().filter(|_| !force)
        && std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
    {
        return Err(CliError::new(format!("the folder {} for charts is not empty", folder.display()))
            .hint("name another folder with --charts, or overwrite its charts with --force"));
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
    let plan = Plan { settings, split: args.learn.split, folds: args.folds, judged: args.judged };
    let reporter = Reporter::new(plan.judged as usize);
    let outcome = args.learn.with_threads(|| {
        let heard = |fold, at: &annals_learning::Progress<'_>| reporter.hear(fold, at);
        experiment::run(samples, &rows, &plan, keep.as_ref(), &heard)
    })??;
    reporter.finish();
    if let (Some(out), Some(fold)) = (&args.out, outcome.folds.first()) {
        let mut model = fold.model.clone();
        model.about.description.clone_from(&dataset.description);
        let staging = Staging::begin(out, force)?;
        model.write(&staging.path("model"))?;
        staging.publish("model", out)?;
        keeps.iter().try_for_each(Keep::remove)?;
        eprintln!("note: {} written; search by it with --evaluator net:{}", out.display(), out.display());
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
        CliError::new(format!("cannot make the folder {} for charts: {error}", folder.display()))
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
