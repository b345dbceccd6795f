//! `annals player rename`: another name of a player in every later answer.

use std::process::ExitCode;

use annals_events::PlayerId;
use annals_replay::handler::rename;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, ForAppend};
use crate::moments::{When, WhenArgs};
use crate::output::{diagnostic, one_line, write_json, write_text};

/// Give a player another name
///
/// The identity stays, and so do all hashes. Every answer about a tournament has the new name, also as of an earlier time.
/// The events that have the old name stay in the log.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals player rename omar \"Omar Syed\"\n  \
    annals player rename p17 \"Player 17\" --dry-run")]
pub struct Args {
    /// Identity of the player
    player: PlayerId,

    /// New name
    name: String,

    #[command(flatten)]
    when: WhenArgs,

    /// Append nothing; print the event
    #[arg(long)]
    dry_run: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let When { actor, at, period, .. } = args.when.read()?;
    let ForAppend { mut log, now, .. } = log_file::open_existing(home, log_file::clock_at(at))?;
    let directed = rename(&mut log, (&args.player, &args.name), &actor, (at, period, now), args.dry_run)?;
    if args.json {
        write_json(&directed.to_json()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    match &directed.appended {
        Some(appended) => write_text(&format!("{}\n", appended.head))?,
        None => {
            for draft in &directed.drafts {
                write_text(&(one_line(&draft.to_json()?.to_string()) + "\n"))?;
            }
        }
    }
    directed.notes().iter().for_each(|note| diagnostic(format_args!("note: {note}")));
    Ok(ExitCode::SUCCESS)
}
