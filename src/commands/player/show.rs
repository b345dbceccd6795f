//! `annals player`: a player's career.

use std::process::ExitCode;

use annals_analytics::career::{Career, rulings_on_games_of};
use annals_analytics::views::{ROWS_SHOWN, career_document, career_table, counts_here};

use crate::commands::game::explore::most;
use crate::dataset_session::open_default;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::output::diagnostic;

/// Show a player's career
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show a player's career\n\n\
        Shows results by colour, ending and opponent, and the rating over time. Ratings are those before each \
        game. A career of more than five years is shown by year, a shorter one by month.",
    after_long_help = "Examples:\n  \
        annals player show Fritzlein\n  \
        annals player show bot_Sharp2014P1 --limit 0\n  \
        annals player show 99of9 --json | jq .ratings"
)]
pub struct Args {
    /// Player, by any of their names
    #[arg(value_name = "PLAYER")]
    name: String,

    /// Maximum number of opponents; 0 lists all [default: 15 on a terminal]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    #[command(flatten)]
    form: DocumentArgs,

    /// Print what was read to standard error
    #[arg(long)]
    explain: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let session = open_default(home)?;
    let (career, reads) = Career::read(&session, &args.name)?;
    let document = || career_document(&career, most(args.limit, ROWS_SHOWN));
    args.form.write_with_csv(&career, document, |_| career_table(&career).csv())?;
    for ruled in rulings_on_games_of(&session, &args.name)? {
        diagnostic(format_args!("note: {}", counts_here(&ruled)));
    }
    if args.explain {
        diagnostic(format_args!("{reads}"));
    }
    Ok(ExitCode::SUCCESS)
}
