//! `annals learn train`: a network that predicts the winner of a position.

pub mod grid;

use std::path::PathBuf;
use std::process::ExitCode;

use annals_learning::experiment::{self, Outcome, Plan};
use annals_learning::{
    FOLDS, FoldProgress, Keep, Loss, MOST_FOLDS, Network, Optimizer, Progress, Regularizer, Samples,
    Settings, Split,
};
use serde::Serialize;

use super::data::DataArgs;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::interrupt;
use crate::output::{answer, diagnostic};
use crate::output_file::{ForceArgs, Staging};
use crate::pager;
use crate::progress::Progress as Bar;
use crate::terminal::counted;
use crate::values::{ThreadsArgs, one_of};

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

    /// What training minimizes; `log` needs output=sigmoid [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "LOSS", value_parser = one_of(Loss::ALL, Loss::word))]
    loss: Option<Loss>,

    /// Learning rate [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "RATE")]
    learning_rate: Option<f32>,

    /// Factor of the learning rate from epoch to epoch [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "SHARE")]
    rate_decay: Option<f32>,

    /// Momentum
    #[arg(hide_short_help = true, long, value_name = "SHARE", default_value_t = Settings::default().momentum)]
    momentum: f32,

    /// Weight of the regularizer [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "WEIGHT")]
    decay: Option<f32>,

    /// Mirror half of the positions in each epoch [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "BOOL")]
    mirror: Option<bool>,

    /// Hold out one game in N to find the best epoch; 0 for none [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "N")]
    held_out: Option<u32>,

    /// Share of own predictions in what is learnt [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "SHARE")]
    bootstrap: Option<f32>,

    /// Plies from a position to the prediction that --bootstrap takes [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    ahead: Option<u16>,

    /// Epochs without progress after which training stops
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = Settings::default().stable)]
    patience: u32,

    /// Seed; the same seed gives the same network
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Checkpoint file, from which --resume continues
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Continue from the checkpoint
    #[arg(hide_short_help = true, long)]
    resume: bool,

    #[command(flatten)]
    threads: ThreadsArgs,

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
        NETWORK is annals1, paper-run, conv6, conv48, paper-text, or a description such as `conv filters=48 \
        kernel=4x4 hidden=384`. docs/explanation/learning.md describes the settings.",
    after_long_help = "Examples:\n  \
        annals learn train selfplay.txt --network annals1 -o annals1.safetensors\n  \
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

    /// Optimizer [default: by the network]
    #[arg(long, value_name = "OPTIMIZER", value_parser = one_of(Optimizer::ALL, Optimizer::word))]
    optimizer: Option<Optimizer>,

    /// Regularizer [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "KIND", value_parser = one_of(Regularizer::ALL, Regularizer::word))]
    regularizer: Option<Regularizer>,

    /// Dropout rate of each layer
    #[arg(hide_short_help = true, long, value_name = "SHARE", default_value_t = 0.0)]
    dropout: f32,

    /// Share of the label that is the chance by a search; the rest is the result [default: 0]
    #[arg(hide_short_help = true, long, value_name = "SHARE")]
    search_share: Option<f32>,

    /// Maximum search nodes per position [default: 300]
    #[arg(hide_short_help = true, long, value_name = "N", requires = "search_share", value_parser = clap::value_parser!(u32).range(1..))]
    search_nodes: Option<u32>,

    /// Number of folds into which the positions are split
    #[arg(long, value_name = "N", default_value_t = FOLDS, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_FOLDS)))]
    folds: u32,

    /// Number of folds that serve as validation set, one network each
    #[arg(long, value_name = "N", default_value_t = 1)]
    eval_folds: u32,

    /// File for the network; its checkpoint is stored next to it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// Directory for charts as SVG, PNG and CSV
    #[cfg(feature = "charts")]
    #[arg(hide_short_help = true, long, value_name = "DIR")]
    charts: Option<PathBuf>,
}

impl Args {
    fn settings(&self) -> Settings {
        let default = self.learn.settings();
        Settings {
            optimizer: self.optimizer.unwrap_or(default.optimizer),
            regularizer: self.regularizer.unwrap_or(default.regularizer),
            dropout: self.dropout,
            search_share: self.search_share.unwrap_or(default.search_share),
            search_nodes: self.search_nodes.unwrap_or(default.search_nodes),
            ..default
        }
    }
}

impl LearnArgs {
    /// What no option names is as the network needs it.
    fn settings(&self) -> Settings {
        let default = Settings::of(self.network);
        Settings {
            loss: self.loss.unwrap_or(default.loss),
            learning_rate: self.learning_rate.unwrap_or(default.learning_rate),
            rate_decay: self.rate_decay.unwrap_or(default.rate_decay),
            momentum: self.momentum,
            decay: self.decay.unwrap_or(default.decay),
            mirror: self.mirror.unwrap_or(default.mirror),
            held_out: self.held_out.unwrap_or(default.held_out),
            bootstrap: self.bootstrap.unwrap_or(default.bootstrap),
            ahead: self.ahead.unwrap_or(default.ahead),
            batch: self.batch_size.unwrap_or(default.batch),
            epochs: self.epochs.unwrap_or(default.epochs),
            stable: self.patience,
            seed: self.seed,
            ..default
        }
    }

    /// The checkpoint in the file that is named, or in another one.
    fn keep(&self, otherwise: Option<PathBuf>) -> Result<Option<Keep>, CliError> {
        let path = self.checkpoint.clone().or(otherwise);
        if path.is_none() && self.resume {
            return Err(CliError::new("--resume continues from a checkpoint, and no option names its file")
                .hint("name the same --output or --checkpoint as before"));
        }
        Ok(path.map(|path| Keep::at(path, self.resume)))
    }
}

/// Tries the files of checkpoints before anything is read, so that no training ends at a missing directory.
fn check(keeps: &[Keep]) -> Result<(), CliError> {
    for keep in keeps {
        // A checkpoint is created, or overwritten as its training continues.
        Staging::begin(&keep.path, true)
            .hint("name another file with --checkpoint; nothing was read or trained")?;
        if !keep.check()? && keep.resume {
            let path = keep.path.display();
            diagnostic(format_args!("note: there is no checkpoint {path}; its training starts again"));
        }
    }
    Ok(())
}

/// The result of a training, with a description of its positions.
#[derive(Debug, Serialize)]
struct Described<'a> {
    description: &'a str,
    #[serde(flatten)]
    outcome: &'a Outcome,
}

/// What a signal leaves: the checkpoints, and how to go on from them.
fn stopped(keeps: &[Keep]) -> impl FnOnce() + Send + 'static {
    let paths: Vec<PathBuf> = keeps.iter().map(|keep| keep.path.clone()).collect();
    move || match paths.iter().rfind(|path| path.exists()) {
        Some(path) => diagnostic(format_args!(
            "\nnote: stopped; the same command with --resume continues from {}",
            path.display()
        )),
        None if paths.is_empty() => diagnostic(
            "\nnote: stopped; nothing is kept. With --output or --checkpoint, --resume can continue a training",
        ),
        None => diagnostic("\nnote: stopped before the first checkpoint; nothing is kept"),
    }
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    // Who leaves a long training alone finds its end on the screen, and the prompt of the shell below.
    pager::turn_off();
    let settings = args.settings().checked()?;
    if args.eval_folds > args.folds || args.eval_folds == 0 {
        let (found, folds) = (args.eval_folds, args.folds);
        return Err(CliError::new(format!("--eval-folds {found} is not between 1 and --folds {folds}")));
    }
    if args.output.is_some() && args.eval_folds > 1 {
        return Err(CliError::new("--output writes one network, and --eval-folds trains several")
            .hint("cross-validate without --output, then train the network to keep with --eval-folds 1"));
    }
    let keep = args.learn.keep(args.output.as_ref().map(|out| out.with_added_extension("checkpoint")))?;
    let keeps = keep.as_ref().map_or_else(Vec::new, |keep| experiment::keeps(keep, args.eval_folds as usize));
    // Output files are tried before the data is read, which may take a while.
    let force = args.force.force;
    if let Some(out) = &args.output {
        Staging::begin(out, force)?;
    }
    check(&keeps)?;
    #[cfg(feature = "charts")]
    if let Some(folder) = &args.charts {
        annals_experiments::charts::check_folder(folder, force)
            .hint("name another directory with --charts, or overwrite its charts with --force")?;
    }
    let (dataset, rows) = args.data.read(home, args.learn.threads, args.learn.seed)?;
    let samples = Samples::from(&dataset).checked()?;
    diagnostic(format_args!(
        "note: {} of {}; {} with {}",
        counted(rows.len() as u64, "position"),
        counted(experiment::games(&samples, &rows) as u64, "game"),
        settings.network,
        counted(settings.network.parameters() as u64, "parameter")
    ));
    if settings.search_share > 0.0 {
        diagnostic(format_args!("note: the positions of each training set are searched first"));
    }
    let plan = Plan { settings, split: args.learn.split, folds: args.folds, eval_folds: args.eval_folds };
    let (bar, folds) =
        (Bar::new("training {wide_bar} {percent}%  {msg}"), FoldProgress::new(args.eval_folds as usize));
    let watch = |fold: usize, at: &Progress<'_>| {
        let (done, message) = folds.count(fold, at);
        bar.show(done, message, |message| format!("fold {fold}: {message}"));
    };
    interrupt::before_the_end(stopped(&keeps))?;
    let trained =
        args.learn.threads.install(|| experiment::run(samples, &rows, &plan, keep.as_ref(), &watch));
    let outcome = trained??;
    bar.finish();
    if let (Some(out), Some(fold)) = (&args.output, outcome.folds.first()) {
        let mut model = fold.model.clone();
        model.about.description.clone_from(&dataset.description);
        let staging = Staging::begin(out, force)?;
        model.write(&staging.path("model"))?;
        staging.publish("model", out)?;
        keeps.iter().try_for_each(Keep::remove)?;
        let out = out.display();
        diagnostic(format_args!(
            "note: {out} written; the engine evaluates by it with --evaluator net:{out}"
        ));
    }
    #[cfg(feature = "charts")]
    if let Some(folder) = &args.charts {
        let written = annals_experiments::charts::write_outcome(
            &outcome,
            &settings.network,
            folder,
            &crate::provenance::present(),
            force,
        );
        for path in written.hint("name another directory with --charts")? {
            diagnostic(format_args!("note: {} written", path.display()));
        }
    }
    let described = Described { description: &dataset.description, outcome: &outcome };
    answer(args.learn.json, &described, || outcome.document())?;
    keeps.iter().try_for_each(Keep::remove)?;
    Ok(ExitCode::SUCCESS)
}
