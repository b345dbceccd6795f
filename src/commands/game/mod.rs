//! `annals game`: games of the dataset and of the log.

pub mod enter;
#[cfg(feature = "sql")]
pub mod explore;
mod export;
#[cfg(feature = "sql")]
pub mod list;
#[cfg(feature = "sql")]
mod read;
#[cfg(feature = "sql")]
mod show;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// List, show, read, explore, enter and export games
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[cfg(feature = "sql")]
    List(Box<list::Args>),
    #[cfg(feature = "sql")]
    Show(show::Args),
    #[cfg(feature = "sql")]
    Read(read::Args),
    #[cfg(feature = "sql")]
    Explore(explore::Args),
    Enter(Box<enter::Args>),
    Export(export::Args),
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        #[cfg(feature = "sql")]
        Command::List(args) => list::run(*args, home),
        #[cfg(feature = "sql")]
        Command::Show(args) => show::run(args, home),
        #[cfg(feature = "sql")]
        Command::Read(args) => read::run(args, home),
        #[cfg(feature = "sql")]
        Command::Explore(args) => explore::run(args, home),
        Command::Enter(args) => enter::run(*args, home),
        Command::Export(args) => export::run(args, home),
    }
}
