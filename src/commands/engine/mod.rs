//! `annals engine`: the playing programs.

mod aei;
mod evaluate;
mod matches;
mod perft;
mod selfplay;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// Run the engine: AEI, evaluation, matches, self-play
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Aei(aei::Args),
    Evaluate(Box<evaluate::Args>),
    Match(Box<matches::Args>),
    Perft(perft::Args),
    Selfplay(Box<selfplay::Args>),
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Aei(args) => aei::run(args, home),
        Command::Evaluate(args) => evaluate::run(*args, home),
        Command::Match(args) => matches::run(*args, home),
        Command::Perft(args) => perft::run(args, home),
        Command::Selfplay(args) => selfplay::run(&args, home),
    }
}
