//! The program itself, for the commands that print its definition or run further command lines.

#[cfg(feature = "sql")]
use std::process::ExitCode;

#[cfg(feature = "sql")]
use crate::errors::CliError;

/// The program, for its own commands.
pub struct Program {
    /// Its commands and options.
    pub definition: fn() -> clap::Command,
    /// Runs a command line, which begins with the name of the program.
    #[cfg(feature = "sql")]
    pub run: fn(&[&str]) -> Result<ExitCode, CliError>,
}
