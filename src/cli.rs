//! The command line. The arguments of each command are in its file under `commands/`.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::{commands, terminal};

const GLOBAL: &str = "Global options";

/// The widest help, and its width where no terminal is there.
const WIDTH: usize = 100;

/// Record board-game championships and query the record
#[derive(Debug, Parser)]
#[command(
    name = "annals",
    version,
    after_help = "Start with:\n  \
        annals demo                 play and record a whole championship\n  \
        annals ingest FILE...       store archive files as a dataset\n  \
        annals query \"SELECT ...\"   query all games, turns and positions"
)]
pub struct Cli {
    /// Data directory
    #[arg(long, global = true, help_heading = GLOBAL, env = "ANNALS_HOME", hide_env_values = true,
          default_value = "annals-home", value_name = "DIR")]
    pub home: PathBuf,

    /// Read a damaged log; mark the output and exit with status 1
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub allow_damage: bool,

    /// Print long output without a pager
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub no_pager: bool,

    #[command(subcommand)]
    pub command: Command,
}

// A doc comment on a variant would replace the help of the command.
#[derive(Debug, Subcommand)]
pub enum Command {
    #[cfg(feature = "dataset")]
    Ingest(commands::ingest::Args),
    #[cfg(feature = "sql")]
    Query(commands::query::Args),
    #[command(subcommand)]
    Schema(commands::schema::Command),
    #[cfg(feature = "sql")]
    #[command(subcommand)]
    Study(commands::study::Command),
    #[command(subcommand)]
    Game(commands::game::Command),
    #[command(subcommand)]
    Player(commands::player::Command),
    #[cfg(feature = "sql")]
    #[command(subcommand)]
    Rating(commands::rating::Command),
    #[cfg(all(feature = "sql", feature = "charts"))]
    #[command(subcommand)]
    Chart(commands::chart::Command),
    #[command(subcommand)]
    Engine(commands::engine::Command),
    #[cfg(feature = "dataset")]
    #[command(subcommand)]
    Learn(commands::learn::Command),
    #[command(subcommand)]
    Log(commands::log::Command),
    #[command(subcommand)]
    Tournament(commands::tournament::Command),
    Replay(commands::replay::Args),
    Diff(commands::diff::Args),
    WhatIf(commands::what_if::Args),
    #[cfg(feature = "sql")]
    Demo(commands::demo::Args),
    Synthesize(commands::synthesize::Args),
    Doctor(commands::doctor::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

/// Prints the help, or what is wrong with the command line, with the usage wrapped at the width of the rest.
pub fn print(error: &clap::Error) -> io::Result<()> {
    let mut out: Box<dyn io::Write> =
        if error.use_stderr() { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let is_terminal =
        if error.use_stderr() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let in_colour =
        is_terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    let text = if in_colour { error.render().ansi().to_string() } else { error.render().to_string() };
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = columns.or_else(|| Some(terminal::size()?.0.into())).unwrap_or(WIDTH).min(WIDTH);
    let wrap = textwrap::Options::new(width).subsequent_indent("         ").break_words(false);
    let wrapped = text.split('\n').map(|line| match line.contains("Usage:") {
        true => textwrap::fill(line, &wrap),
        false => line.to_owned(),
    });
    out.write_all(wrapped.collect::<Vec<_>>().join("\n").as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn no_command_has_two_arguments_of_one_name() {
        super::Cli::command().debug_assert();
    }
}
