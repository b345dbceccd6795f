//! `annals study`: ready queries of the program, or files of the same form, with their tables and charts.

mod export;
mod list;
mod run;
mod show;
mod source;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// List, run, show and export ready queries with charts
#[derive(Debug, clap::Subcommand)]
#[command(after_long_help = "docs/reference/studies.md describes each study, and how to write one.\n\n\
        Examples:\n  \
        annals study list\n  \
        annals study run gold_by_rating --param width=100 -o gold.svg\n  \
        annals study show upsets > mine.sql\n  \
        annals study export -o studies/")]
pub enum Command {
    List(list::Args),
    Run(Box<run::Args>),
    Show(show::Args),
    Export(export::Args),
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::List(args) => list::run(&args),
        Command::Run(args) => run::run(&args, home),
        Command::Show(args) => show::run(&args),
        Command::Export(args) => export::run(&args, home),
    }
}
