//! `annals man`: the man pages, from the same definitions as the help.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::errors::{CliError, InWords as _};
use crate::output_file::{ForceArgs, Staging, check};
use crate::program::Program;

/// Write the man pages into a directory
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Example:\n  annals man -o ~/.local/share/man/man1")]
pub struct Args {
    /// Directory; it is created if missing
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    #[command(flatten)]
    force: ForceArgs,
}

pub fn run(args: Args, program: &Program) -> Result<ExitCode, CliError> {
    fs::create_dir_all(&args.output)
        .cannot(format_args!("cannot make the directory {}", args.output.display()))?;
    let cannot = format!("cannot write man pages into {}", args.output.display());
    let force = args.force.force;
    let staging = Staging::begin(&args.output.join("annals.1"), force)?;
    let pages = staging.path("");
    clap_mangen::generate_to((program.definition)(), &pages).cannot(&cannot)?;
    let mut names: Vec<OsString> = Vec::new();
    for page in fs::read_dir(&pages).cannot(&cannot)? {
        names.push(page.cannot(&cannot)?.file_name());
    }
    names.iter().try_for_each(|name| check(&args.output.join(name), force))?;
    for name in &names {
        staging.publish(name, &args.output.join(name))?;
    }
    Ok(ExitCode::SUCCESS)
}
