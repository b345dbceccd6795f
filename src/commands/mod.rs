//! One file per command; this one only sends each to its file.

#[cfg(all(feature = "sql", feature = "charts"))]
pub mod chart;
#[cfg(feature = "sql")]
pub mod cite;
pub mod completions;
#[cfg(feature = "sql")]
pub mod demo;
pub mod diff;
pub mod doctor;
pub mod engine;
pub mod game;
#[cfg(feature = "dataset")]
pub mod ingest;
#[cfg(feature = "dataset")]
pub mod learn;
pub mod log;
pub mod man;
pub mod player;
#[cfg(feature = "dataset")]
mod publication;
#[cfg(feature = "sql")]
pub mod publish;
#[cfg(feature = "sql")]
pub mod query;
#[cfg(feature = "sql")]
pub mod rating;
pub mod replay;
#[cfg(all(feature = "learning", feature = "charts"))]
mod reproduce;
pub mod schema;
#[cfg(feature = "server")]
pub mod serve;
#[cfg(feature = "server")]
pub mod site;
#[cfg(feature = "sql")]
pub mod study;
pub mod synthesize;
pub mod tournament;
pub mod what_if;
#[cfg(feature = "server")]
pub mod worker;

use std::process::ExitCode;

use annals_store::LogFiles;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::check_again;
use crate::output::damage;
use crate::program::Program;

// A doc comment on a variant would replace the help of the command.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[cfg(feature = "dataset")]
    Ingest(ingest::Args),
    #[cfg(feature = "sql")]
    Query(query::Args),
    #[cfg(feature = "sql")]
    Publish(publish::Args),
    #[command(subcommand)]
    Schema(schema::Command),
    #[cfg(feature = "sql")]
    #[command(subcommand)]
    Study(study::Command),
    #[command(subcommand)]
    Game(game::Command),
    #[command(subcommand)]
    Player(player::Command),
    #[cfg(feature = "sql")]
    #[command(subcommand)]
    Rating(rating::Command),
    #[cfg(all(feature = "sql", feature = "charts"))]
    #[command(subcommand)]
    Chart(chart::Command),
    #[cfg(feature = "sql")]
    #[command(subcommand)]
    Cite(cite::Command),
    #[command(subcommand)]
    Engine(engine::Command),
    #[cfg(feature = "dataset")]
    #[command(subcommand)]
    Learn(learn::Command),
    #[command(subcommand)]
    Log(log::Command),
    #[command(subcommand)]
    Tournament(tournament::Command),
    Replay(replay::Args),
    Diff(diff::Args),
    WhatIf(what_if::Args),
    #[cfg(feature = "server")]
    Serve(serve::Args),
    #[cfg(feature = "server")]
    Site(site::Args),
    #[cfg(feature = "sql")]
    Demo(demo::Args),
    Synthesize(synthesize::Args),
    Doctor(doctor::Args),
    // These are for who installs the program, and would make the first help longer than a screen.
    #[cfg(feature = "server")]
    #[command(hide = true)]
    Worker(worker::Args),
    #[command(hide = true)]
    Completions(completions::Args),
    #[command(hide = true)]
    Man(man::Args),
}

/// Runs a command.
pub fn run(command: Command, home: &Home, program: &Program) -> Result<ExitCode, CliError> {
    let files = LogFiles::of(&home.log());
    // The output of `doctor` does not require an undamaged log.
    let is_doctor = matches!(command, Command::Doctor(_));
    let status = run_command(command, home, program)?;
    if status == ExitCode::SUCCESS && !is_doctor && damage().is_none() {
        check_again(&home.log(), &files)?;
    }
    Ok(status)
}

fn run_command(command: Command, home: &Home, program: &Program) -> Result<ExitCode, CliError> {
    match command {
        #[cfg(feature = "dataset")]
        Command::Ingest(args) => ingest::run(args, home),
        #[cfg(feature = "sql")]
        Command::Query(args) => query::run(args, home),
        #[cfg(feature = "sql")]
        Command::Publish(args) => publish::run(&args, home),
        Command::Schema(command) => schema::run(command, home),
        #[cfg(feature = "sql")]
        Command::Study(command) => study::run(command, home),
        Command::Game(command) => game::run(command, home),
        Command::Player(command) => player::run(command, home),
        #[cfg(feature = "sql")]
        Command::Rating(command) => rating::run(command, home),
        #[cfg(all(feature = "sql", feature = "charts"))]
        Command::Chart(command) => chart::run(command, home),
        #[cfg(feature = "sql")]
        Command::Cite(command) => cite::run(command, home),
        Command::Engine(command) => engine::run(command, home),
        #[cfg(feature = "dataset")]
        Command::Learn(command) => learn::run(command, home),
        Command::Log(command) => log::run(command, home),
        Command::Tournament(command) => tournament::run(command, home),
        Command::Replay(args) => replay::run(args, home),
        Command::Diff(args) => diff::run(args, home),
        Command::WhatIf(args) => what_if::run(args, home),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(args, home),
        #[cfg(feature = "server")]
        Command::Site(args) => site::run(&args, home),
        #[cfg(feature = "sql")]
        Command::Demo(args) => demo::run(args, program),
        Command::Synthesize(args) => synthesize::run(args, home),
        Command::Doctor(args) => doctor::run(args, home),
        #[cfg(feature = "server")]
        Command::Worker(args) => worker::run(args, home),
        Command::Completions(args) => completions::run(args, program),
        Command::Man(args) => man::run(args, program),
    }
}

/// The commands that some feature adds, with that feature; without it the program has no such command.
const BY_FEATURE: &[(&str, &str, bool)] = &[
    ("ingest", "dataset", cfg!(feature = "dataset")),
    ("learn", "dataset", cfg!(feature = "dataset")),
    ("cite", "sql", cfg!(feature = "sql")),
    ("demo", "sql", cfg!(feature = "sql")),
    ("publish", "sql", cfg!(feature = "sql")),
    ("query", "sql", cfg!(feature = "sql")),
    ("rating", "sql", cfg!(feature = "sql")),
    ("serve", "server", cfg!(feature = "server")),
    ("site", "server", cfg!(feature = "server")),
    ("study", "sql", cfg!(feature = "sql")),
    ("chart", "sql,charts", cfg!(all(feature = "sql", feature = "charts"))),
];

/// Why the program has no command of this name, if a feature would add it.
pub fn not_compiled_in(name: &str) -> Option<CliError> {
    let (_, feature, _) = BY_FEATURE.iter().find(|(command, _, has)| *command == name && !has)?;
    let needs = match feature.split_once(',') {
        Some((one, other)) => format!("it needs the features `{one}` and `{other}`"),
        None => format!("it needs the feature `{feature}`"),
    };
    let error = CliError::new(format!("this program was built without the command `{name}`: {needs}"));
    Some(error.hint(format!("cargo install --path . --locked --features {feature}")))
}

#[cfg(test)]
mod tests {
    use clap::Subcommand as _;

    use super::*;

    #[test]
    fn the_table_of_features_knows_which_commands_are_compiled_in() {
        let program = Command::augment_subcommands(clap::Command::new("annals"));
        for (name, feature, has) in BY_FEATURE {
            assert_eq!(program.find_subcommand(name).is_some(), *has, "{name}");
            let error = not_compiled_in(name).map(|error| error.to_string());
            assert_eq!(error.is_none(), *has, "{name}: {error:?}");
            assert!(
                error.is_none_or(|error| feature.split(',').all(|one| error.contains(&format!("`{one}`"))))
            );
        }
        assert!(not_compiled_in("log").is_none() && not_compiled_in("nonsense").is_none());
    }
}
