//! `annals rating list`: ratings computed from the games of the dataset.

use std::process::ExitCode;

use annals_analytics::ratings::{Ratings, ratings_document, ratings_table};
use annals_report::Document;

use super::selection::SelectionArgs;
use crate::dataset_session::open_default;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::output::diagnostic;

/// Compute the ratings of all players
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compute the ratings of all players\n\n\
        Games count in the order in which they ended. Systems are gameroom, elo, glicko2, whr (whole-history \
        rating) and bradley-terry, each with options: \"glicko2 tau=0.5 period=30d\", \"whr w2=14 fixed=bot_*\". \
        docs/explanation/ratings.md describes them.\n\n\
        Only rated games count, unless --unrated is given. --as-of uses rulings, aliases and merges as recorded \
        by then. --from-record begins with the rating in the record of each player's first game that counts.",
    after_long_help = "Examples:\n  \
        annals rating list\n  \
        annals rating list --system \"whr w2=14 advantage=on\" --json\n  \
        annals rating list --limit 20\n  \
        annals rating list --from-record --as-of 2026-02-15 --format csv\n  \
        annals rating list --where \"NOT postal AND year >= 2010\""
)]
pub struct Args {
    #[command(flatten)]
    selection: SelectionArgs,

    /// Only games among these players
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    players: Vec<String>,

    /// Maximum number of players, the highest rated [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    #[command(flatten)]
    form: DocumentArgs,

    /// Print what was read to standard error
    #[arg(long)]
    explain: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let session = open_default(home)?;
    let (mut ratings, reads) = Ratings::compute(&session, &args.selection.selection(&args.players)?)?;
    if let Some(limit) = args.limit {
        ratings.keep_highest(usize::try_from(limit).unwrap_or(usize::MAX));
    }
    let csv = |_: &Document| {
        ratings.notes.iter().for_each(|note| diagnostic(format_args!("note: {note}")));
        ratings_table(&ratings).csv()
    };
    args.form.write_with_csv(&ratings, || ratings_document(&ratings), csv)?;
    if ratings.system.starts_with("gameroom start=new") {
        diagnostic(
            "note: every player starts as a newcomer; --from-record starts from the ratings that records state",
        );
    }
    if !ratings.without_games.is_empty() {
        diagnostic(format_args!("note: no game counts of {}", ratings.without_games.join(", ")));
    }
    if args.explain {
        diagnostic(format_args!("{reads}"));
    }
    Ok(ExitCode::SUCCESS)
}
