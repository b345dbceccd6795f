//! `annals completions`: completion scripts, from the same definitions as the help.

use std::io;
use std::process::ExitCode;

use clap_complete::Shell;

use crate::errors::CliError;
use crate::program::Program;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Example:\n  \
        annals completions bash > ~/.local/share/bash-completion/completions/annals")]
pub struct Args {
    /// Shell
    shell: Shell,
}

pub fn run(args: Args, program: &Program) -> Result<ExitCode, CliError> {
    // Rendered in memory first: the generator panics when its writer fails, and a closed pipe must not cause a panic.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut (program.definition)(), "annals", &mut script);
    io::Write::write_all(&mut io::stdout().lock(), &script)?;
    Ok(ExitCode::SUCCESS)
}
