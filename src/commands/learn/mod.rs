//! `annals learn`: features, and networks that are trained on them.

#[cfg(feature = "learning")]
mod data;
#[cfg(feature = "learning")]
mod evaluate;
mod features;
#[cfg(all(feature = "learning", feature = "charts"))]
mod generations;
#[cfg(feature = "learning")]
pub mod train;

use std::process::ExitCode;

#[cfg(all(feature = "learning", feature = "charts"))]
use super::reproduce;
use crate::errors::CliError;
use crate::home::Home;

/// Extract features, train and evaluate networks
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Features(Box<features::Args>),
    #[cfg(feature = "learning")]
    Train(Box<train::Args>),
    #[cfg(feature = "learning")]
    Evaluate(evaluate::Args),
    #[cfg(feature = "learning")]
    Grid(Box<train::grid::Args>),
    #[cfg(all(feature = "learning", feature = "charts"))]
    Generations(Box<generations::Args>),
    #[cfg(all(feature = "learning", feature = "charts"))]
    Reproduce(Box<reproduce::Args>),
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Features(args) => features::run(&args, home),
        #[cfg(feature = "learning")]
        Command::Train(args) => train::run(&args, home),
        #[cfg(feature = "learning")]
        Command::Evaluate(args) => evaluate::run(&args, home),
        #[cfg(feature = "learning")]
        Command::Grid(args) => train::grid::run(&args, home),
        #[cfg(all(feature = "learning", feature = "charts"))]
        Command::Generations(args) => generations::run(&args),
        #[cfg(all(feature = "learning", feature = "charts"))]
        Command::Reproduce(args) => reproduce::run(&args, home),
    }
}
