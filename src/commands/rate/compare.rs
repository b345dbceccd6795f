//! `annals rate compare`: systems of ratings judged by what they foretold.

use std::process::ExitCode;

use annals_analytics::dates::span;
use annals_analytics::ratings::{System, Terms, compare_games, compared_sheet};

use super::{GamesArgs, system};
use crate::commands::query::{json, open_usual, print, sheet_style};
use crate::errors::CliError;
use crate::home::Home;

/// Judge systems of ratings by prediction alone.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Judge systems of ratings by prediction alone. Each foretells every game from the games that were over before it \
        began, by the rulings, aliases and merges that were known by then, and from nothing else; a game whose end no record tells \
        is learnt 30 days after its beginning, and the record of a game that is foretold does not help (`start=record` takes what \
        the first record states once that game is over). `whr` and `bradley-terry` are fitted again at stated intervals. Told are the logarithmic \
        loss (0.693 for a coin), the Brier score (0.25), how often the favourite won, how far the chances lie from what \
        happened, and the difference from a baseline on the same games with its standard error.",
    after_help = "Examples:\n  annals rate compare --systems gameroom elo glicko2 whr bradley-terry\n  \
        annals rate compare --systems \"elo k=20\" \"elo k=40\" --baseline \"elo k=30\" --from 2010\n  \
        annals rate compare --systems whr \"whr advantage=on\" --seen 10 --refit 7d --json"
)]
pub struct Args {
    /// The systems, each with its options; all where none is named.
    #[arg(long, value_name = "SYSTEM", num_args = 1.., value_parser = system)]
    systems: Vec<System>,

    /// What the others are held against; `constant` is the share of points that Gold has had so far.
    #[arg(long, value_name = "SYSTEM", default_value = "constant", value_parser = system)]
    baseline: System,

    /// Judge only games that began on this day, month or year, or later; what came before is learnt.
    #[arg(long, value_name = "DATE")]
    from: Option<String>,

    /// Judge only games of two players who had each so many games before.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seen: u32,

    /// How often the systems that fit all games at once are fitted again: 7d, 30d.
    #[arg(long, value_name = "TIME", default_value = "30d", value_parser = annals_ratings::duration)]
    refit: i64,

    /// Into how many bins the chances are put for the calibration.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    bins: u16,

    #[command(flatten)]
    games: GamesArgs,

    /// Only games among these players.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    players: Vec<String>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let terms = Terms {
        from: args.from.as_deref().map(span).transpose()?.map(|(from, _)| from),
        seen: args.seen,
        refit: args.refit,
        bins: usize::from(args.bins),
        baseline: args.baseline,
    };
    let systems = match args.systems.is_empty() {
        true => System::all().into_iter().filter(|system| *system != System::Constant).collect(),
        false => args.systems,
    };
    let session = open_usual(home)?;
    let selection = args.games.selection(terms.baseline.clone(), &args.players);
    let (compared, _) = compare_games(&session, &selection, &systems, &terms)?;
    print(&if args.json { json(&compared)? } else { compared_sheet(&compared).render(sheet_style()) })?;
    Ok(ExitCode::SUCCESS)
}
