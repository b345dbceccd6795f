//! `annals cite event`: one event of the log.

use std::process::ExitCode;

use annals_replay::{ReplayError, citations};

use super::StyleArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;

/// Cite an event of the log
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
        annals cite event 812\n  \
        annals cite event 812 --format bibtex")]
pub struct Args {
    /// Event
    #[arg(value_name = "SEQ")]
    seq: u64,

    #[command(flatten)]
    style: StyleArgs,
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    args.style.check()?;
    let log = log_file::open_whole(home)?;
    match citations::of_event(&log, args.seq)? {
        Some(citation) => args.style.write(&citation),
        None => Err(ReplayError::NoSuchSeq { asked: args.seq, last: log.last_seq()? }.into()),
    }
}
