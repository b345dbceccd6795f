//! The command line. The arguments of each command are in its file under `commands/`.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

use crate::errors::CliError;
use crate::home::Home;
use crate::program::Program;
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
    pub command: commands::Command,
}

impl Cli {
    /// Runs the command that was given.
    pub fn run(self) -> Result<ExitCode, CliError> {
        let home = Home::new(self.home).allowing_damage(self.allow_damage);
        commands::run(self.command, &home, &Program { definition: Cli::command, run: Cli::run_line })
    }

    /// Runs a command line.
    fn run_line(words: &[&str]) -> Result<ExitCode, CliError> {
        Cli::try_parse_from(words).map_err(CliError::new)?.run()
    }
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
    use super::*;

    #[test]
    fn no_command_has_two_arguments_of_one_name() {
        Cli::command().debug_assert();
    }
}
