//! `annals player rating`: one player's rating over time, with its interval.

use std::process::ExitCode;

use annals_analytics::ratings::{Rulings, history_document, history_of};

use crate::commands::query::{open_usual, print_answer};
use crate::commands::rating::SelectionArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Show one player's rating over time.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show one player's rating over time, with the interval that holds it in 95 of 100 cases where the system has one.\n\n\
        A game that a ruling made unrated is not in the history at all; with --rulings from-date it is in it up to the date of \
        the ruling, as the ratings were told then. The same holds for the games of identities that were merged.",
    after_help = "Examples:\n  annals player rating Fritzlein --system whr\n  \
        annals player rating chessandgo --system \"glicko2 period=30d\" --as-of 2010 --json\n  \
        annals player rating omar --rulings from-date"
)]
pub struct Args {
    /// The player.
    name: String,

    #[command(flatten)]
    selection: SelectionArgs,

    /// From when on a ruling or a merge is in the ratings.
    #[arg(long, value_enum, default_value_t = From::FromStart)]
    rulings: From,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// From when on a ruling is in the ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum From {
    /// From the start, as it is known now.
    FromStart,
    /// From its date on.
    FromDate,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = open_usual(home)?;
    let rulings = match args.rulings {
        From::FromStart => Rulings::FromStart,
        From::FromDate => Rulings::FromDate,
    };
    let (history, _) = history_of(&session, &args.selection.selection(&[])?, &args.name, rulings)?;
    print_answer(args.json, &history, || history_document(&history))?;
    Ok(ExitCode::SUCCESS)
}
