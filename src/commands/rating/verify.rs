//! `annals rating verify`: recorded ratings compared with the gameroom's formula.

use std::process::ExitCode;

use annals_analytics::ratings::{System, mismatches_document, mismatches_found};

use super::selection::GamesArgs;
use crate::dataset_session::open_default;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;

/// List ratings that contradict the gameroom's formula
#[derive(Debug, clap::Args)]
#[command(
    long_about = "List ratings that contradict the gameroom's formula\n\n\
        A player's rating and K in one record, and the result of that game, determine what the next record of \
        the account must state. K rises weekly, and an unrated game changes nothing. Each such step is a \
        transition.\n\n\
        With --where only records for which the condition holds are reported; the games between still count. \
        Exit status 1 if there is a mismatch.",
    after_long_help = "Examples:\n  \
        annals rating verify\n  \
        annals rating verify --where \"year = 2026\" --json"
)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let session = open_default(home)?;
    let (found, _) = mismatches_found(&session, &args.games.selection(System::Constant, &[]))?;
    args.form.write(&found, || mismatches_document(&found))?;
    Ok(if found.mismatches.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
