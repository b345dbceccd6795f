//! `annals log`: everything about the event log, one file per command.

pub mod append;
pub mod backup;
pub mod bundle;
pub mod check_bundle;
pub mod check_proof;
pub mod correct;
pub mod export;
pub mod head;
pub mod import;
pub mod init;
pub mod key;
pub mod prove;
pub mod show;
pub mod sign;
pub mod verify;
pub mod witness;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// Create, append, correct, import, show, verify and back up
#[derive(Debug, clap::Subcommand)]
#[command(
    long_about = "Create, append, correct, import, show, verify and back up\n\n\
        The event log is one append-only file in the home, `log.db`, with its anchor `log.anchor`. A hash chains \
        every event to the one before. An event is acknowledged only when it survives a loss of power.",
    after_long_help = "Start with:\n  \
        annals log import allgames202602.txt   games\n  \
        annals log show --limit 5              the last events\n  \
        annals log head                        the receipt: keep it\n  \
        annals log verify                      integrity"
)]
pub enum Command {
    Init(init::Args),
    Append(append::Args),
    Correct(correct::Args),
    Import(import::Args),
    Show(show::Args),
    Export(export::Args),
    Head(head::Args),
    Verify(verify::Args),
    Prove(prove::Args),
    Backup(backup::Args),
    Bundle(bundle::Args),
    CheckBundle(check_bundle::Args),
    CheckProof(check_proof::Args),
    #[command(subcommand)]
    Key(key::Command),
    Sign(sign::Args),
    #[command(subcommand)]
    Witness(witness::Command),
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Init(args) => init::run(args, home),
        Command::Append(args) => append::run(args, home),
        Command::Correct(args) => correct::run(args, home),
        Command::Import(args) => import::run(args, home),
        Command::Show(args) => show::run(args, home),
        Command::Export(args) => export::run(args, home),
        Command::Head(args) => head::run(args, home),
        Command::Verify(args) => verify::run(args, home),
        Command::Prove(args) => prove::run(args, home),
        Command::Backup(args) => backup::run(args, home),
        Command::Bundle(args) => bundle::run(args, home),
        Command::CheckBundle(args) => check_bundle::run(args),
        Command::CheckProof(args) => check_proof::run(args),
        Command::Key(command) => key::run(command, home),
        Command::Sign(args) => sign::run(args, home),
        Command::Witness(command) => witness::run(command, home),
    }
}
