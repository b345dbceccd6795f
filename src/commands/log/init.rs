//! `annals log init`: a new, empty log.

use std::process::ExitCode;

use annals_events::log::ClockKind;
use annals_replay::verification::clock;
use annals_store::Log;
use annals_store::tlog::signing::key_path;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::ActorArgs;
use crate::moments::{ZoneArgs, instant};
use crate::output::{diagnostic, write_text};

/// Create an empty log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Create an empty log\n\n\
        The first event records the identity of the log, who created it, and its clock. The receipt of the new \
        log is printed. With --key the second event names the key that signs its checkpoints.",
    after_long_help = "Examples:\n  \
        annals log init --key\n  \
        annals log init --note \"The record of the Arimaa championships\"\n  \
        annals --home trial log init --simulated --at 2015-01-01T00:00:00Z"
)]
pub struct Args {
    /// Use a clock that --at sets, for demonstrations and tests
    #[arg(long)]
    simulated: bool,

    /// First time of the clock of a simulated log [default: now]
    #[arg(long, value_name = "TIME", requires = "simulated")]
    at: Option<String>,

    /// Purpose of the log
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    /// Make the key that signs checkpoints, as `annals log key create` does
    #[arg(long)]
    key: bool,

    #[command(flatten)]
    actor: ActorArgs,

    #[command(flatten)]
    zone: ZoneArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let kind = if args.simulated { ClockKind::Simulated } else { ClockKind::Real };
    let zone = args.zone.zone()?;
    let at = args.at.as_deref().map(|text| instant(text, &zone)).transpose()?;
    let actor = args.actor.name()?;
    let mut created = Log::create_in_folder(&home.log(), &actor, args.note, kind, at)?;
    diagnostic(format_args!("note: created {}, under {}", home.log().display(), clock(kind)));
    if args.key {
        let key = created.log.create_key(&actor)?;
        diagnostic(format_args!("note: created {}: keep it secret", key_path(&home.log()).display()));
        diagnostic(format_args!("note: the verifier key is {key}"));
    }
    if let Some(head) = created.log.acknowledged() {
        write_text(&format!("{head}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
