//! `annals tournament`: a tournament run, asked about, and carried in and out of files; one file per command.

mod ask;
mod desk;
mod files;

use std::process::ExitCode;

#[cfg(all(feature = "sql", feature = "charts"))]
pub use ask::tournament_stream;
pub use desk::{direct, session_now};

use crate::errors::CliError;
use crate::home::Home;

/// Tournaments: run one by its rulebook, ask what stood when and why, bring others in.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(flatten)]
    Desk(desk::Action),
    #[command(flatten)]
    Ask(ask::Question),
    #[command(flatten)]
    Files(files::Transfer),
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Desk(action) => desk::run(action, home),
        Command::Ask(question) => ask::run(question, home),
        Command::Files(transfer) => files::run(transfer, home),
    }
}
