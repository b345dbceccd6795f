//! Tournaments imported from files and exported into them: state files of directors, the events of an archive, qualifying
//! games among its rows, and the published tables that ship with the program.

pub mod archive;
pub mod export;
pub mod history;
pub mod qualifying_games;
mod recording;
pub mod state;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

#[derive(Debug, clap::Subcommand)]
pub enum Import {
    State(state::Args),
    Archive(archive::Args),
    History(history::Args),
}

impl Import {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Import::State(args) => args.run(home),
            Import::Archive(args) => args.run(home),
            Import::History(args) => args.run(home),
        }
    }
}
