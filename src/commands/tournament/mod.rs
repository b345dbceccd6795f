//! `annals tournament`: a tournament run, asked about, and carried in and out of files; one file per command.

pub mod ask;
mod audit;
mod desk;
mod files;
pub mod hints;

use std::process::ExitCode;

#[cfg(all(feature = "sql", feature = "charts"))]
pub use ask::tournament_stream;
pub use desk::{AtWork, beginning};

use crate::errors::CliError;
use crate::home::Home;

/// Announce, direct, query and audit tournaments
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Announce(Box<desk::announce::Args>),
    List(ask::list::Args),
    Show(ask::show::Args),
    Standings(ask::standings::Args),
    Crosstable(ask::crosstable::Args),
    Explain(ask::explain::Args),
    Audit(audit::Args),
    Report(ask::report::Args),
    History(ask::history::Args),
    Champions(ask::champions::Args),
    #[command(subcommand)]
    Entry(desk::Entry),
    #[command(subcommand)]
    Qualifier(desk::Qualifier),
    #[command(subcommand)]
    Round(desk::Round),
    #[command(subcommand)]
    Schedule(desk::Schedule),
    #[command(subcommand)]
    Game(desk::Game),
    #[command(subcommand)]
    Ruling(desk::Ruling),
    #[command(subcommand)]
    Fund(desk::Fund),
    Close(Box<desk::close::Args>),
    #[command(subcommand)]
    Import(files::Import),
    Export(files::write_state::Args),
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Announce(args) => desk::announce::run(*args, home),
        Command::List(args) => ask::list::run(args, home),
        Command::Show(args) => ask::show::run(args, home),
        Command::Standings(args) => ask::standings::run(args, home),
        Command::Crosstable(args) => ask::crosstable::run(args, home),
        Command::Explain(args) => ask::explain::run(args, home),
        Command::Audit(args) => audit::run(args, home),
        Command::Report(args) => ask::report::run(args, home),
        Command::History(args) => ask::history::run(args, home),
        Command::Champions(args) => ask::champions::run(args, home),
        Command::Entry(command) => command.run(home),
        Command::Qualifier(command) => command.run(home),
        Command::Round(command) => command.run(home),
        Command::Schedule(command) => command.run(home),
        Command::Game(command) => command.run(home),
        Command::Ruling(command) => command.run(home),
        Command::Fund(command) => command.run(home),
        Command::Close(args) => desk::close::run(*args, home),
        Command::Import(command) => command.run(home),
        Command::Export(args) => files::write_state::run(args, home),
    }
}
