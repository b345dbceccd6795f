//! `annals log key`: the key that signs the checkpoints of the log.

use std::process::ExitCode;

use annals_store::ClockSetting;
use annals_store::tlog::signing::key_path;

use crate::errors::{CliError, UNCHANGED};
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::output::{diagnostic, write_text};

/// Create, show and replace the key that signs checkpoints
#[derive(Debug, clap::Subcommand)]
#[command(
    long_about = "Create, show and replace the key that signs checkpoints\n\n\
        The private key is in `log.key` in the home, outside the database. An event of the log names the verifier \
        key, its public half. Give the verifier key to every witness and reader.",
    after_long_help = "Start with:\n  \
        annals log key create       make the key\n  \
        annals log key show         the verifier key\n  \
        annals log head --checkpoint"
)]
pub enum Command {
    Create(Create),
    Show(Show),
    Rotate(Rotate),
}

/// Make the key of a log that has none
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Make the key of a log that has none\n\n\
        Writes `log.key` next to the log, readable by its owner only, and appends an event that names the verifier \
        key. Prints the verifier key. Keep a copy of `log.key` in a safe place, apart from the copies of the log.",
    after_long_help = "Examples:\n  annals log key create --actor omar"
)]
pub struct Create {
    #[command(flatten)]
    actor: ActorArgs,
}

/// Print the verifier key of the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Print the verifier key of the log\n\n\
        The name in it is the origin of the checkpoints: the identity of the log, and its epoch. An accepted loss \
        begins a new epoch, and so changes the verifier key of the same private key.",
    after_long_help = "Examples:\n  annals log key show > club.vkey"
)]
pub struct Show {}

/// Replace the key that signs checkpoints
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Replace the key that signs checkpoints\n\n\
        Makes a new key, appends an event that names it, and prints the checkpoint after it. Both keys sign that \
        checkpoint if `log.key` has the old one. Witnesses trust the new key after `annals log witness watch`.",
    after_long_help = "Examples:\n  annals log key rotate \"the laptop with the key was stolen\""
)]
pub struct Rotate {
    /// Reason, which the event records
    #[arg(value_name = "REASON")]
    reason: String,

    #[command(flatten)]
    actor: ActorArgs,
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    let text = match command {
        Command::Create(args) => {
            let actor = args.actor.name()?;
            let mut log = log_file::open_existing(home, ClockSetting::LastEvent)?.log;
            let key = log.create_key(&actor)?;
            diagnostic(format_args!("note: created {}: keep it secret", key_path(log.path()).display()));
            format!("{key}\n")
        }
        Command::Show(_) => match log_file::open_whole(home)?.verifier_key()? {
            Some(key) => format!("{key}\n"),
            None => {
                return Err(CliError::new("the log has no key")
                    .state(UNCHANGED)
                    .hint("annals log key create"));
            }
        },
        Command::Rotate(args) => {
            let actor = args.actor.name()?;
            let mut log = log_file::open_existing(home, ClockSetting::LastEvent)?.log;
            let checkpoint = log.rotate_key(&actor, &args.reason)?;
            if let Some(key) = log.verifier_key()? {
                diagnostic(format_args!("note: the verifier key is now {key}"));
            }
            checkpoint.to_string()
        }
    };
    write_text(&text)?;
    Ok(ExitCode::SUCCESS)
}
