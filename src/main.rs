//! The program `annals`: reads the command line, runs one command, turns errors into messages and an exit status.
//! It has no domain logic; each command is one thin file under `commands/`.

#[cfg(all(feature = "sql", feature = "charts"))]
mod board_pictures;
mod cli;
mod commands;
#[cfg(feature = "sql")]
mod dataset_session;
mod document_form;
mod errors;
mod evaluators;
mod hints;
mod home;
mod interrupt;
mod log_file;
#[cfg(feature = "dataset")]
mod logged_games;
mod moments;
mod named_game;
mod output;
mod output_file;
mod pager;
mod program;
mod progress;
mod provenance;
mod remedies;
#[cfg(feature = "sql")]
mod result_form;
#[cfg(feature = "dataset")]
mod stored_games;
mod terminal;
mod values;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::cli::Cli;
use crate::errors::CliError;

/// Bytes of stack for the thread that runs a command. Only what is used is taken from the system.
#[cfg(feature = "sql")]
const STACK_BYTES: usize = annals_analytics::STACK_BYTES;
#[cfg(not(feature = "sql"))]
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    // The main thread has the stack that the system gives it, which planning a long statement may exhaust.
    match std::thread::Builder::new().name("annals".to_owned()).stack_size(STACK_BYTES).spawn(run) {
        // A panic has been reported where it happened.
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        Err(error) => {
            CliError::new("cannot start a thread").reason(error).report();
            ExitCode::from(2)
        }
    }
}

fn run() -> ExitCode {
    let parsed = cli::definition().try_get_matches().and_then(|matches| {
        let is_named = matches.value_source("home") == Some(ValueSource::CommandLine);
        let cli = Cli::from_arg_matches(&matches)?;
        if is_named && cli.home.as_os_str().is_empty() {
            let what = "`--home` needs the name of a folder, and it is empty";
            return Err(Cli::command().error(ErrorKind::InvalidValue, what));
        }
        Ok((cli, is_named))
    });
    let cli = match parsed {
        Ok((cli, is_named)) => {
            if is_named {
                home::keep_named(&cli.home);
            }
            cli
        }
        Err(error) => {
            if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
                && let Some(error) = commands::not_compiled_in(name)
            {
                error.report();
                return ExitCode::from(2);
            }
            let status = if error.use_stderr() { 2 } else { 0 };
            // A reader that closes the pipe (`annals --help | head -1`) is not a failure.
            let _ = cli::print(&error);
            return ExitCode::from(status);
        }
    };
    annals_ingest::output_file::watch_unfinished(interrupt::remove_at_the_end);
    provenance::begin(std::env::args());
    if cli.no_pager {
        pager::turn_off();
    }
    let done = cli.run();
    if !done.as_ref().is_ok_and(|status| *status == ExitCode::SUCCESS) {
        log_file::remove_empty();
    }
    match done {
        // Output of a damaged log is always a finding.
        Ok(status) if status == ExitCode::SUCCESS && output::damage().is_some() => ExitCode::from(1),
        Ok(status) => status,
        Err(error) if error.is_broken_pipe() => ExitCode::from(u8::from(output::damage().is_some())),
        Err(error) => {
            error.report();
            // What cannot be read of a damaged log is a finding too.
            ExitCode::from(if output::damage().is_some() { 1 } else { error.status() })
        }
    }
}
