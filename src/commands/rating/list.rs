//! `annals rating list`: ratings computed from the games of the dataset.

use std::process::ExitCode;

use annals_analytics::ratings::{Ratings, ratings_document, ratings_table};

use super::SelectionArgs;
use crate::commands::query::{json, open_usual, print, print_document};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

/// Compute everybody's rating from the games of the dataset.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compute everybody's rating from the games of the dataset, in the order in which they were over.\n\n\
        Systems: `gameroom` is the gameroom's own formula (K instead of an error: 120 for a newcomer, 30 after many games); `elo`, \
        `glicko2`, `whr` (whole-history rating) and `bradley-terry` have options of their own, written behind the word: \
        \"glicko2 tau=0.5 period=30d\", \"whr w2=14 fixed=bot_*\". docs/ratings.md describes them. Rated games count, those of \
        the log too once `annals ingest --log` has stored them; --unrated counts all. --as-of takes rulings, aliases and \
        merges as they stood then. --from-record begins with the rating that the record of each player's first game states, and \
        tells how many of the later statements the formula meets.",
    after_help = "Examples:\n  annals rating list\n  annals rating list --system \"whr w2=14 advantage=on\" --json\n  \
        annals rating list --unrated --players search-2 search-3 sampler\n  \
        annals rating list --from-record --as-of 2026-02-15 --csv\n  annals rating list --where \"NOT postal AND year >= 2010\"\n  \
        annals rating compare --systems gameroom elo \"whr w2=14\"\n  annals player rating Fritzlein --system whr\n  \
        annals rating verify"
)]
pub struct Args {
    #[command(flatten)]
    selection: SelectionArgs,

    /// Only games among these players.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    players: Vec<String>,

    /// Print JSON.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a table as CSV (RFC 4180); a name that a spreadsheet would run as a formula begins with '.
    #[arg(long)]
    csv: bool,

    /// Tell on standard error what was read.
    #[arg(long)]
    explain: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = open_usual(home)?;
    let (ratings, reads) = Ratings::compute(&session, &args.selection.selection(&args.players)?)?;
    if args.json {
        print(&json(&ratings)?)
    } else if args.csv {
        print(&ratings_table(&ratings).csv())
    } else {
        print_document(&ratings_document(&ratings), "`--csv`, `--json`")
    }?;
    if !ratings.without_games.is_empty() {
        talk(format_args!("note: no game counts of {}", ratings.without_games.join(", ")));
    }
    if args.csv {
        for note in &ratings.notes {
            talk(format_args!("note: {note}"));
        }
    }
    if args.explain {
        talk(format_args!("{reads}"));
    }
    Ok(ExitCode::SUCCESS)
}
