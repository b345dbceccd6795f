//! `annals man`: the man pages, from the same definitions as the help.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory as _;

use crate::cli::Cli;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::output_file::{ForceArgs, Staging, check};

/// Write the man pages into a directory
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  annals man ~/.local/share/man/man1")]
pub struct Args {
    /// Directory; it is created if missing
    folder: PathBuf,

    #[command(flatten)]
    force: ForceArgs,
}

pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    fs::create_dir_all(&args.folder)
        .cannot(format_args!("cannot make the folder {}", args.folder.display()))?;
    let cannot =
        |e: io::Error| CliError::new(format!("cannot write man pages into {}: {e}", args.folder.display()));
    let force = args.force.force;
    let staging = Staging::begin(&args.folder.join("annals.1"), force)?;
    let pages = staging.path("");
    clap_mangen::generate_to(Cli::command(), &pages).map_err(cannot)?;
    let mut names: Vec<OsString> = Vec::new();
    for page in fs::read_dir(&pages).map_err(cannot)? {
        names.push(page.map_err(cannot)?.file_name());
    }
    names.iter().try_for_each(|name| check(&args.folder.join(name), force))?;
    for name in &names {
        staging.publish(name, &args.folder.join(name))?;
    }
    Ok(ExitCode::SUCCESS)
}
