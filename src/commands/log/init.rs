//! `annals log init`: a new, empty log.

use std::process::ExitCode;

use annals_events::log::ClockKind;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::moments::{ZoneArgs, instant};
use crate::output::{talk, write_text};

/// Make a new, empty log.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Make a new, empty log in the home.\n\nIts first event says which log it is, who opened it, and whether it \
        runs by the clock of the machine or by a simulated one, which only tests and demonstrations need. The receipt of \
        the new log goes to standard output.",
    after_help = "Examples:\n  annals log init --note \"The record of the Arimaa championships\"\n  \
        annals --home trial log init --simulated --at 2015-01-01T00:00:00Z"
)]
pub struct Args {
    /// Run it by a clock that `--at` sets: for demonstrations; such a log is no record of what happened.
    #[arg(long)]
    simulated: bool,

    /// Where the clock of a simulated log stands at first; now where it is not given.
    #[arg(long, value_name = "TIME", requires = "simulated")]
    at: Option<String>,

    /// What the log is for.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    actor: ActorArgs,

    #[command(flatten)]
    zone: ZoneArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let kind = if args.simulated { ClockKind::Simulated } else { ClockKind::Real };
    let zone = args.zone.zone()?;
    let at = args.at.as_deref().map(|text| instant(text, &zone)).transpose()?;
    let created = log_file::create(home, &args.actor.name()?, args.note, kind, at)?;
    talk(format_args!("note: made {}, under {}", home.log().display(), log_file::clock_in_words(kind)));
    if let Some(head) = created.log.acknowledged() {
        write_text(&format!("{head}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
