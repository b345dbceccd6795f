//! Tournaments from files and into files: the directors' state files, the events of an archive, and qualifying games among its
//! rows; and the published tables that ship with the program.

mod bring;
mod from_archive;
mod import_history;
mod qualifying_games;
mod read_state;
mod write_state;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

#[derive(Debug, clap::Subcommand)]
pub enum Transfer {
    ReadState(read_state::Args),
    WriteState(write_state::Args),
    FromArchive(from_archive::Args),
    QualifyingGames(qualifying_games::Args),
    ImportHistory(import_history::Args),
}

pub fn run(command: Transfer, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Transfer::ReadState(args) => read_state::run(args, home),
        Transfer::WriteState(args) => write_state::run(args, home),
        Transfer::FromArchive(args) => from_archive::run(args, home),
        Transfer::ImportHistory(args) => import_history::run(args, home),
        Transfer::QualifyingGames(args) => qualifying_games::run(args, home),
    }
}
