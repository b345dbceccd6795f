//! `annals log`: everything about the event log, one file per command.

pub mod append;
pub mod backup;
pub mod bundle;
pub mod export;
pub mod head;
pub mod import;
mod import_game_files;
pub mod init;
pub mod prove;
pub mod show;
pub mod verify;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// The event log: create, append, import, show, export, write game files, verify, prove, back up.
#[derive(Debug, clap::Subcommand)]
#[command(
    long_about = "The event log: one append-only file in the home, `log.db`, with its anchor `log.anchor` beside it. \
        Every event is chained to the one before by a hash, and acknowledged only when it survives a loss of power.",
    after_help = "Start with:\n  annals log import allgames202602.txt   games into the log\n  \
        annals log show --last 5               what was recorded last\n  \
        annals log head                        the receipt: keep it, and no later log can deceive you\n  \
        annals log verify                      is the log what was acknowledged?"
)]
pub enum Command {
    Init(init::Args),
    Append(append::Args),
    Import(import::Args),
    Show(show::Args),
    Export(export::Args),
    Head(head::Args),
    Verify(verify::Args),
    Prove(prove::Args),
    Backup(backup::Args),
    Bundle(bundle::Args),
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Init(args) => init::run(args, home),
        Command::Append(args) => append::run(args, home),
        Command::Import(args) => import::run(args, home),
        Command::Show(args) => show::run(args, home),
        Command::Export(args) => export::run(args, home),
        Command::Head(args) => head::run(args, home),
        Command::Verify(args) => verify::run(args, home),
        Command::Prove(args) => prove::run(args, home),
        Command::Backup(args) => backup::run(args, home),
        Command::Bundle(args) => bundle::run(args, home),
    }
}
