//! `annals rate`: ratings computed from the games of the dataset, systems compared, records audited, one player's history.

mod compare;
mod mismatches;
mod player;

use std::process::ExitCode;

use annals_analytics::ratings::{Ratings, Selection, Start, System, ratings_document, ratings_table};
use annals_events::GameKind;

#[cfg(feature = "charts")]
pub use compare::ComparisonArgs;

use super::query::{json, open_usual, print, print_document};
use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

/// Compute everybody's rating from the games of the dataset.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    long_about = "Compute everybody's rating from the games of the dataset, in the order in which they were over.\n\n\
        Systems: `gameroom` is the gameroom's own formula (K instead of an error: 120 for a newcomer, 30 after many games); `elo`, \
        `glicko2`, `whr` (whole-history rating) and `bradley-terry` have options of their own, written behind the word: \
        \"glicko2 tau=0.5 period=30d\", \"whr w2=14 fixed=bot_*\". docs/ratings.md describes them. Rated games count, those of \
        the log too once `annals ingest --log` has stored them; --unrated counts all. --as-of takes rulings, aliases and \
        merges as they stood then. --from-record begins with the rating that the record of each player's first game states, and \
        tells how many of the later statements the formula meets.",
    after_help = "Examples:\n  annals rate\n  annals rate --system \"whr w2=14 advantage=on\" --json\n  \
        annals rate --unrated --players search-2 search-3 sampler\n  \
        annals rate --from-record --as-of 2026-02-15 --csv\n  annals rate --where \"NOT postal AND year >= 2010\"\n  \
        annals rate compare --systems gameroom elo \"whr w2=14\"\n  annals rate player Fritzlein --system whr\n  \
        annals rate departures"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    selection: SelectionArgs,

    /// Only games among these players.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    players: Vec<String>,

    /// Print JSON.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a table as CSV, quoted as in RFC 4180; a name that a spreadsheet would run as a formula begins with '.
    #[arg(long)]
    csv: bool,

    /// Tell on standard error what was read.
    #[arg(long)]
    explain: bool,
}

/// What else can be asked.
#[derive(Debug, clap::Subcommand)]
enum Command {
    Compare(compare::Args),
    Mismatches(mismatches::Args),
    Player(player::Args),
}

/// Which games are rated, and how.
#[derive(Debug, clap::Args)]
pub struct SelectionArgs {
    /// The system of ratings, with its options.
    #[arg(long, value_name = "SYSTEM", default_value = "gameroom", value_parser = system)]
    system: System,

    #[command(flatten)]
    games: GamesArgs,

    /// Begin with what the record of each player's first game states, and not as a newcomer (gameroom).
    #[arg(long)]
    from_record: bool,
}

/// Which games count.
#[derive(Debug, Clone, clap::Args)]
pub struct GamesArgs {
    /// Of which game: arimaa or amazons. One rating speaks of one game.
    #[arg(long, value_name = "GAME", default_value = "arimaa")]
    game: GameKind,

    /// Count unrated games too.
    #[arg(long)]
    unrated: bool,

    /// Only games that were over by the end of this day, month or year, or by this time (UTC); rulings and merges as they
    /// stood then.
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,

    /// Only games for which this condition on the table `games` holds.
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
}

impl GamesArgs {
    fn selection(&self, system: System, players: &[String]) -> Selection {
        Selection {
            game: self.game,
            system,
            players: players.to_vec(),
            unrated: self.unrated,
            as_of: self.as_of.clone(),
            condition: self.condition.clone(),
        }
    }
}

#[cfg(feature = "charts")]
impl GamesArgs {
    /// The same as words of a command line, each with a space before it.
    fn words(&self) -> String {
        let mut words = String::new();
        if self.game != GameKind::Arimaa {
            words.push_str(&format!(" --game {}", self.game));
        }
        if self.unrated {
            words.push_str(" --unrated");
        }
        if let Some(date) = &self.as_of {
            words.push_str(&format!(" --as-of {date}"));
        }
        if let Some(condition) = &self.condition {
            words.push_str(&format!(" --where \"{condition}\""));
        }
        words
    }
}

impl SelectionArgs {
    /// The selection, of games among some players or among all.
    pub fn selection(&self, players: &[String]) -> Result<Selection, CliError> {
        let mut system = self.system.clone();
        if self.from_record {
            let System::Gameroom(options) = &mut system else {
                return Err(CliError::new(format!(
                    "{} does not begin with what records state",
                    system.word()
                ))
                .hint("only the gameroom's formula does: `--system gameroom --from-record`"));
            };
            options.start = Start::Record;
        }
        Ok(self.games.selection(system, players))
    }

    /// The same as words of a command line.
    #[cfg(feature = "charts")]
    pub fn words(&self) -> String {
        let mut words = format!("--system {}", system_in_words(&self.system));
        if self.from_record {
            words.push_str(" --from-record");
        }
        words + &self.games.words()
    }
}

/// A system as it is typed: with its options where they are not the usual ones.
#[cfg(feature = "charts")]
fn system_in_words(system: &System) -> String {
    match System::all().contains(system) {
        true => system.word().to_owned(),
        false => format!("\"{system}\""),
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    match args.command {
        Some(Command::Compare(args)) => return compare::run(args, home),
        Some(Command::Mismatches(args)) => return mismatches::run(args, home),
        Some(Command::Player(args)) => return player::run(args, home),
        None => {}
    }
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
        talk(format_args!("annals: no game counts of {}", ratings.without_games.join(", ")));
    }
    if args.csv {
        for note in &ratings.notes {
            talk(format_args!("annals: {note}"));
        }
    }
    if args.explain {
        talk(format_args!("{reads}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a system; what is wrong with it, with what to do.
fn system(text: &str) -> Result<System, String> {
    text.parse::<System>().map_err(|error| format!("{error}; {}", error.hints().join("; ")))
}
