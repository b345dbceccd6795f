//! `annals rating list`: ratings computed from the games of the dataset.

use std::process::ExitCode;

use annals_analytics::ratings::{Ratings, ratings_document, ratings_table};
use jiff::tz::TimeZone;

use super::SelectionArgs;
use crate::commands::query::{open_default, print_document};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::{diagnostic, write_document, write_json, write_text};

/// The options that print all columns.
const COMPLETE: &str = "`--format csv`, `--json`";

/// Compute the ratings of all players
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compute the ratings of all players\n\n\
        Games count in the order in which they ended. Systems are gameroom, elo, glicko2, whr (whole-history \
        rating) and bradley-terry, each with options: \"glicko2 tau=0.5 period=30d\", \"whr w2=14 fixed=bot_*\". \
        docs/ratings.md describes them.\n\n\
        Only rated games count, unless --unrated is given. --as-of uses rulings, aliases and merges as recorded \
        by then. --from-record begins with the rating that each player's first record states.",
    after_long_help = "Examples:\n  \
        annals rating list\n  \
        annals rating list --system \"whr w2=14 advantage=on\" --json\n  \
        annals rating list --from-record --as-of 2026-02-15 --format csv\n  \
        annals rating list --where \"NOT postal AND year >= 2010\""
)]
pub struct Args {
    #[command(flatten)]
    selection: SelectionArgs,

    /// Only games among these players
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    players: Vec<String>,

    /// Format [default: table on a terminal, else tsv]
    #[arg(long, value_name = "FORMAT")]
    format: Option<TableFormat>,

    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Print what was read to standard error
    #[arg(long)]
    explain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum TableFormat {
    Table,
    Csv,
    Tsv,
    Json,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = open_default(home)?;
    let (ratings, reads) = Ratings::compute(&session, &args.selection.selection(&args.players)?)?;
    let document = || ratings_document(&ratings);
    match args.format {
        Some(TableFormat::Csv) => write_text(&ratings_table(&ratings).csv()),
        Some(TableFormat::Tsv) => write_text(&document().tsv()),
        Some(TableFormat::Table) => write_document(&document(), &TimeZone::UTC, COMPLETE),
        Some(TableFormat::Json) => write_json(&ratings),
        None if args.json => write_json(&ratings),
        None => print_document(&document(), COMPLETE),
    }?;
    if !ratings.without_games.is_empty() {
        diagnostic(format_args!("note: no game counts of {}", ratings.without_games.join(", ")));
    }
    if args.format == Some(TableFormat::Csv) {
        for note in &ratings.notes {
            diagnostic(format_args!("note: {note}"));
        }
    }
    if args.explain {
        diagnostic(format_args!("{reads}"));
    }
    Ok(ExitCode::SUCCESS)
}
