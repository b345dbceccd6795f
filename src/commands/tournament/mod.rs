//! `annals tournament`: the commands of directors and of all who ask, one file per command.

pub mod ask;
mod audit;
mod desk;
mod files;

use std::process::ExitCode;

#[cfg(all(feature = "sql", feature = "charts"))]
pub use ask::tournament_stream;
use ask::{About, AboutAll, explain, questions, report};
pub use desk::session_now;

use crate::errors::CliError;
use crate::home::Home;

/// Announce, direct, query and audit tournaments
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Announce(Box<desk::announce::Args>),
    List(AboutAll<questions::List>),
    Show(About<questions::Show>),
    Standings(About<questions::Standings>),
    Crosstable(About<questions::Crosstable>),
    Explain(explain::Args),
    Audit(audit::Args),
    Report(report::Args),
    History(About<questions::History>),
    Champions(AboutAll<questions::Champions>),
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
    Close(Box<desk::ByDirector<desk::close::Args>>),
    #[command(subcommand)]
    Import(files::Import),
    Export(files::write_state::Args),
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Announce(args) => args.run(home),
        Command::List(args) => args.run(home),
        Command::Show(args) => args.run(home),
        Command::Standings(args) => args.run(home),
        Command::Crosstable(args) => args.run(home),
        Command::Explain(args) => explain::run(args, home),
        Command::Audit(args) => audit::run(args, home),
        Command::Report(args) => report::run(args, home),
        Command::History(args) => args.run(home),
        Command::Champions(args) => args.run(home),
        Command::Entry(command) => command.run(home),
        Command::Qualifier(command) => command.run(home),
        Command::Round(command) => command.run(home),
        Command::Schedule(command) => command.run(home),
        Command::Game(command) => command.run(home),
        Command::Ruling(command) => command.run(home),
        Command::Fund(command) => command.run(home),
        Command::Close(args) => args.run(home),
        Command::Import(command) => command.run(home),
        Command::Export(args) => files::write_state::run(args, home),
    }
}
