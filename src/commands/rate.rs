//! `annals rate`: ratings computed from the games of the dataset.

use std::process::ExitCode;

use annals_analytics::ratings::{Ratings, Selection, Start, System, ratings_sheet, ratings_table};
use annals_replay::questions::page::csv;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::query::{json, open_usual, print, sheet_style};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

/// Compute everybody's rating from the games of the dataset.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compute everybody's rating from the games of the dataset, in the order in which they were over.\n\n\
        The system `gameroom` is the gameroom's own formula: a newcomer has 1400, the expected score is Elo's, and a game \
        weighs by a K of each player that falls from 120 to 30 with the games and rises by 1 each week. K is how unsure the \
        rating is. Rated games count, those of the log too once `annals ingest --log` has stored them; --unrated counts all. \
        --from-record begins with the rating that the record of each player's first game states, and tells how many of the \
        later statements the formula meets.",
    after_help = "Examples:\n  annals rate\n  annals rate --unrated --players search-2 search-3 sampler\n  \
        annals rate --from-record --as-of 2026-02-15 --csv\n  annals rate --json | jq '.players[0]'"
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

/// Which games are rated, and how.
#[derive(Debug, clap::Args)]
pub struct SelectionArgs {
    /// The system of ratings.
    #[arg(long, value_name = "SYSTEM", default_value = "gameroom", value_parser = system_parser())]
    system: System,

    /// Count unrated games too.
    #[arg(long)]
    unrated: bool,

    /// Begin with what the record of each player's first game states, and not as a newcomer.
    #[arg(long)]
    from_record: bool,

    /// Only games that were over by the end of this day, month or year, or by this time (UTC).
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,
}

impl SelectionArgs {
    /// The selection, of games among some players or among all.
    pub fn selection(&self, players: &[String]) -> Selection {
        Selection {
            system: self.system,
            start: if self.from_record { Start::Record } else { Start::New },
            players: players.to_vec(),
            unrated: self.unrated,
            as_of: self.as_of.clone(),
        }
    }

    /// The same as words of a command line.
    #[cfg(feature = "charts")]
    pub fn words(&self) -> String {
        let mut words = format!("--system {}", self.system.word());
        for (given, word) in [(self.unrated, " --unrated"), (self.from_record, " --from-record")] {
            if given {
                words.push_str(word);
            }
        }
        if let Some(date) = &self.as_of {
            words.push_str(&format!(" --as-of {date}"));
        }
        words
    }
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = open_usual(home)?;
    let (ratings, reads) = Ratings::compute(&session, &args.selection.selection(&args.players))?;
    print(&if args.json {
        json(&ratings)?
    } else if args.csv {
        csv(&ratings_table(&ratings))
    } else {
        ratings_sheet(&ratings).render(sheet_style())
    })?;
    if !ratings.without_games.is_empty() {
        talk(format_args!("annals: no game counts of {}", ratings.without_games.join(", ")));
    }
    if args.explain {
        talk(format_args!("{reads}"));
    }
    Ok(ExitCode::SUCCESS)
}

fn system_parser() -> impl clap::builder::TypedValueParser<Value = System> {
    PossibleValuesParser::new(System::ALL.map(|(word, _)| word))
        .map(|word| System::from_word(&word).unwrap_or(System::Gameroom))
}
