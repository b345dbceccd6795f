//! `annals player rating`: one player's rating over time, with its interval.

use std::process::ExitCode;

use annals_analytics::ratings::{Rulings, history_document, history_of, history_table};

use crate::commands::rating::selection::SelectionArgs;
use crate::dataset_session::open_default;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Show the rating of a player over time
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show the rating of a player over time\n\n\
        Systems with errors also show the 95% confidence interval. A game that a ruling made unrated is left \
        out; with --rulings from-date it counts up to the date of the ruling. The same holds for the games of \
        merged identities.",
    after_long_help = "Examples:\n  \
        annals player rating Fritzlein --system whr\n  \
        annals player rating chessandgo --system \"glicko2 period=30d\" --as-of 2010\n  \
        annals player rating omar --rulings from-date"
)]
pub struct Args {
    /// Player, by any of their names
    #[arg(value_name = "PLAYER")]
    name: String,

    #[command(flatten)]
    selection: SelectionArgs,

    /// Time from which a ruling or a merge affects ratings
    #[arg(long, value_name = "TIME", value_enum, default_value_t = From::FromStart)]
    rulings: From,

    #[command(flatten)]
    form: DocumentArgs,
}

/// From when on a ruling is in the ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum From {
    /// From the start, as known now
    FromStart,
    /// From its date
    FromDate,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let session = open_default(home)?;
    let rulings = match args.rulings {
        From::FromStart => Rulings::FromStart,
        From::FromDate => Rulings::FromDate,
    };
    let (history, _) = history_of(&session, &args.selection.selection(&[])?, &args.name, rulings)?;
    args.form.write_with_csv(&history, || history_document(&history), |_| history_table(&history).csv())?;
    Ok(ExitCode::SUCCESS)
}
