//! `annals man`: the man pages, from the same definitions as the help.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory as _;

use crate::cli::Cli;
use crate::errors::CliError;
use crate::home::Home;

/// Write the man pages into a folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  annals man ~/.local/share/man/man1")]
pub struct Args {
    /// The folder; it is made where it is missing.
    folder: PathBuf,
}

/// Runs the command.
pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    fs::create_dir_all(&args.folder)
        .map_err(|e| CliError::new(format!("cannot make the folder {}: {e}", args.folder.display())))?;
    clap_mangen::generate_to(Cli::command(), &args.folder)
        .map_err(|e| CliError::new(format!("cannot write man pages into {}: {e}", args.folder.display())))?;
    Ok(ExitCode::SUCCESS)
}
