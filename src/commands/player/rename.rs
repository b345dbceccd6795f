//! `annals player rename`: another name of a player in every later answer.

use std::process::ExitCode;

use annals_events::PlayerId;
use annals_replay::handler::rename;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, ForAppend};
use crate::moments::{AppendArgs, When};
use crate::output::{diagnostic, write_json, write_lines};

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
    append: AppendArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let When { actor, at, period, .. } = args.append.when.read()?;
    let ForAppend { mut log, now, .. } = log_file::open_existing(home, log_file::clock_at(at))?;
    let directed =
        rename(&mut log, (&args.player, &args.name), &actor, (at, period, now), args.append.dry_run)?;
    if args.append.json {
        write_json(&directed.to_json()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let lines = match &directed.appended {
        Some(appended) => vec![appended.head.to_string()],
        None => {
            let drafts = directed.drafts.iter().map(|draft| Ok(draft.to_json()?.to_string()));
            drafts.collect::<Result<Vec<String>, CliError>>()?
        }
    };
    write_lines(&lines)?;
    directed.notes().iter().for_each(|note| diagnostic(format_args!("note: {note}")));
    Ok(ExitCode::SUCCESS)
}
