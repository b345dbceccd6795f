//! Tournaments from files and into files: the directors' state files, the events of an archive, and qualifying games among its
//! rows; and the published tables that ship with the program.

mod bring;
mod from_archive;
mod import_history;
pub mod qualifying_games;
mod read_state;
pub mod write_state;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// Import a tournament from a file
#[derive(Debug, clap::Subcommand)]
pub enum Import {
    State(read_state::Args),
    Archive(from_archive::Args),
    History(import_history::Args),
}

impl Import {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Import::State(args) => read_state::run(args, home),
            Import::Archive(args) => from_archive::run(args, home),
            Import::History(args) => import_history::run(args, home),
        }
    }
}
