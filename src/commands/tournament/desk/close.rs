//! `annals tournament close`: the final order, and the end.

use std::process::ExitCode;

use annals_tournaments::commands::Command;

use super::director::DirectorArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Close the tournament with its final order.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Close the tournament with its final order, titles and what is left of the fund, as they follow from the \
        rulebook. Where the rules leave a place open, a ruling has to give it first.",
    after_help = "Example:\n  annals tournament close wcc-2015 --dry-run"
)]
pub struct Args {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// Anything else.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.director.open(home, &args.tournament)?.ask(Command::Close { note: args.note })
}
