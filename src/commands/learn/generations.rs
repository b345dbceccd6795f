//! `annals learn generations`: self-play, training and a match, generation after generation.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_engine::arena::sprt;
use annals_experiments::Error;
use annals_experiments::generations::{self, Options};
use annals_learning::Network;
use jiff::tz::TimeZone;

use super::reproduce::OnStandardError;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::interrupt::stop_on_interrupt;
use crate::output::diagnostic;
use crate::pager;
use crate::stored_games;
use crate::values::{ThreadsArgs, shell_path};

/// Train networks on their own games, generation by generation
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Train networks on their own games, generation by generation\n\n\
        In each generation the best network plays games. A new network is trained on the games of the last \
        generations. A match decides by a sequential test whether it becomes the best. Generation 0 is a built-in \
        evaluator.\n\n\
        The directory keeps settings, games, networks, generations.json and a chart of Elo. After an interruption the \
        same command continues, to the same files. docs/explanation/learning.md describes the loop.",
    after_long_help = "Examples:\n  \
        annals learn generations loop\n  \
        annals learn generations loop --generations 20     continues with ten more\n  \
        annals learn generations small --games 500 --match-games 100"
)]
pub struct Args {
    /// Directory of the run, new or begun with the same settings
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Number of generations; a later run may raise it
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(Options::MOST)))]
    generations: u32,

    /// Games of self-play in each generation
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Search nodes per turn of self-play
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Maximum number of games of a match
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    match_games: u64,

    /// Search nodes per turn of a match [default: that of --nodes]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: Option<u64>,

    /// Differences in Elo between which a match decides
    #[arg(hide_short_help = true, long, value_name = "ELO0,ELO1", default_value = "0,40", allow_hyphen_values = true, value_parser = sprt::differences)]
    sprt: [f64; 2],

    /// Number of last generations whose games train a network
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,

    /// Network: a name or a description
    #[arg(long, value_name = "NETWORK", default_value_t = Network::ANNALS1)]
    network: Network,

    /// Epochs of a training [default: by the network]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    epochs: Option<u32>,

    /// Evaluator of generation 0
    #[arg(long, value_name = "EVALUATOR", default_value = "material", value_parser = ["material", "annals"])]
    start: String,

    /// Seed; the same seed gives the same files
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: ThreadsArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

impl Args {
    fn options(&self) -> Options {
        Options {
            start: self.start.clone(),
            network: self.network,
            games: self.games,
            nodes: self.nodes,
            window: self.window,
            epochs: self.epochs,
            match_games: self.match_games,
            match_nodes: self.match_nodes.unwrap_or(self.nodes),
            sprt: self.sprt,
            seed: self.seed,
            generations: self.generations,
            threads: self.threads.count(),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    // Who leaves a long run alone finds its end on the screen, and the prompt of the shell below.
    pager::turn_off();
    args.form.check()?;
    let stop = stop_on_interrupt()?;
    match generations::run(&args.folder, &args.options(), &stop, &OnStandardError::default()) {
        Ok(all) => {
            let chart = args.folder.join("pictures/elo.svg");
            diagnostic(format_args!("note: the chart is {}", chart.display()));
            args.form.write_with_table(
                &all,
                &TimeZone::UTC,
                || all.document(),
                || all.table().for_programs(),
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(Error::Stopped) => {
            let command = args.options().command(&shell_path(&args.folder));
            diagnostic(format_args!("note: stopped; this resumes it: {command}"));
            Ok(ExitCode::from(130))
        }
        Err(error) => Err(explain(error)),
    }
}

/// The error with its hints.
fn explain(error: Error) -> CliError {
    let hint = match &error {
        Error::Folder(..) | Error::NoReport(_) => "name a new directory",
        Error::OtherRun { .. } => {
            "give the same settings as before to continue, or name another directory: `annals learn generations other`"
        }
        Error::Damaged(..) => "delete it, and the step runs again",
        Error::Gone(..) | Error::Changed(_) => {
            "delete the file of its step in `steps`, and the step runs again to the same result"
        }
        Error::InUse(_) => "wait for its end, or name another directory",
        Error::Sprt(_) => "write --sprt 0,40",
        Error::Stage(..) => "finished steps are kept; other settings need another directory",
        _ => "",
    };
    match error {
        Error::Games(error) => stored_games::explain(
            &error,
            "name another directory and generate more: --games 2000, --nodes 300",
        ),
        Error::Kept(error) | Error::Output(error) => CliError::from(error),
        error if hint.is_empty() => CliError::from_error(&error),
        error => CliError::from_error(&error).hint(hint),
    }
}
